/* SPDX-License-Identifier: MIT */
/* Text fields that feed the session as one types. */
#include "hs-text-panel.h"

#include "hs-children.h"
#include "hs-closures.h"
#include "hs-examples.h"
#include "hs-fold.h"
#include "hs-recent-menu.h"
#include "hs-text-limit.h"
#include "hs-wrap-layout.h"

#include <string.h>

/* How high the first field's content is, as in the template. */
#define ROOMY_PX 52
#define ROOMY_MOST_PX 132
#define TIGHT_PX 46

/* How often the buttons' width goes into the panel's where the text is beside them. */
#define ROOMY_SHARE 2.4
#define TIGHT_SHARE 1.9

/* Both texts, of which one undo of the first is to bring back both. */
typedef struct {
  char *text, *pair; /* pair: nullable */
} Texts;

struct _HsTextPanel {
  GtkWidget parent_instance;

  HsSession *session;
  GSignalGroup *side_signals;
  GPtrArray *examples; /* HsExample; NULL until the menu was asked for */

  GtkTextBuffer *text_buffer;
  GtkTextBuffer *pair_buffer;
  GtkLabel *text_hint;
  GtkLabel *pair_hint;
  HsFold *fold;
  GtkScrolledWindow *text_field;
  GtkTextView *text_view;
  GtkTextView *pair_view;
  GtkMenuButton *examples_button;
  GtkMenuButton *recent_button;
  GMenuModel *recent; /* nullable */
  GtkToggleButton *pair_button;
  Texts before, after; /* the last time both were changed at once; no texts for never */
};

G_DEFINE_FINAL_TYPE (HsTextPanel, hs_text_panel, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_SESSION, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_text_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_TEXT_PANEL, "session", session, NULL);
}

static char *
dup_buffer (GtkTextBuffer *buffer)
{
  g_autofree char *text = NULL;

  g_object_get (buffer, "text", &text, NULL);
  return g_steal_pointer (&text);
}

/* The cursor stays where it is when the session merely says what was typed. What stood there before
 * can be had back by undo, but for the emptiness at the start. */
static void
fill_buffer (GtkTextBuffer *buffer, const char *text)
{
  g_autofree char *before = dup_buffer (buffer);
  GtkTextIter start, end;

  if (g_str_equal (before, text))
    return;
  if (*before == '\0' && !gtk_text_buffer_get_can_undo (buffer)) {
    gtk_text_buffer_set_text (buffer, text, -1);
    return;
  }
  gtk_text_buffer_begin_user_action (buffer);
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (buffer);
}

static void
update_hint (GtkTextBuffer *buffer, GtkLabel *hint)
{
  gtk_widget_set_visible (GTK_WIDGET (hint), gtk_text_buffer_get_char_count (buffer) == 0);
}

static void
text_typed_cb (HsTextPanel *self)
{
  g_autofree char *text = dup_buffer (self->text_buffer);

  update_hint (self->text_buffer, self->text_hint);
  if (self->session != NULL)
    hs_side_set_text (hs_session_peek_side (self->session), text);
}

/* Marks on one side of a place, up to the letter that has them. */
static size_t
count_marks (GtkTextIter at, bool before)
{
  size_t n = 0;

  if (before && !gtk_text_iter_backward_char (&at))
    return 0;
  while (g_unichar_ismark (gtk_text_iter_get_char (&at))) {
    n++;
    if (!(before ? gtk_text_iter_backward_char (&at) : gtk_text_iter_forward_char (&at)))
      break;
  }
  return n;
}

/* What is too long to be laid out in time does not come into the field at all. */
static void
insert_cb (HsTextPanel *self, GtkTextIter *where, char *text, int n_bytes, GtkTextBuffer *buffer)
{
  const size_t n = n_bytes < 0 ? strlen (text) : (size_t)n_bytes;
  const HsTextPlace place = {(size_t)gtk_text_iter_get_bytes_in_line (where),
                             count_marks (*where, true) + count_marks (*where, false)};
  const size_t n_fitting = hs_text_count_fitting (text, n, place);

  if (n_fitting == n)
    return;
  g_signal_stop_emission_by_name (buffer, "insert-text");
  gtk_text_buffer_insert (buffer, where, text, (int)n_fitting);
  if (self->session != NULL)
    hs_side_note_cut (hs_session_peek_side (self->session), buffer == self->pair_buffer);
}

/* No second text is something else than an empty one: its field is not there. */
static void
pair_typed_cb (HsTextPanel *self)
{
  g_autofree char *pair = dup_buffer (self->pair_buffer);

  update_hint (self->pair_buffer, self->pair_hint);
  if (self->session != NULL)
    hs_side_set_pair (hs_session_peek_side (self->session),
                      gtk_toggle_button_get_active (self->pair_button) ? pair : NULL);
}

static void
pair_toggled_cb (HsTextPanel *self)
{
  pair_typed_cb (self);
  if (gtk_toggle_button_get_active (self->pair_button))
    gtk_widget_grab_focus (GTK_WIDGET (self->pair_view));
}

/* ---- both texts changed at once ---- */

static Texts
texts_of (const char *text, const char *pair)
{
  return (Texts){g_strdup (text), g_strdup (pair)};
}

static void
texts_clear (Texts *texts)
{
  g_clear_pointer (&texts->text, g_free);
  g_clear_pointer (&texts->pair, g_free);
}

/* Before the fields are filled: they still say what was there. */
static void
note_both (HsTextPanel *self, HsSide *side)
{
  g_autofree char *text = dup_buffer (self->text_buffer);
  g_autofree char *pair =
      gtk_toggle_button_get_active (self->pair_button) ? dup_buffer (self->pair_buffer) : NULL;

  if (g_str_equal (text, hs_side_peek_text (side)) ||
      g_strcmp0 (pair, hs_side_peek_pair (side)) == 0)
    return;
  texts_clear (&self->before);
  texts_clear (&self->after);
  self->before = texts_of (text, pair);
  self->after = texts_of (hs_side_peek_text (side), hs_side_peek_pair (side));
}

/* The second text goes where the first one went, unless it has been made another meanwhile. */
static void
follow (HsTextPanel *self, const Texts *from, const Texts *to)
{
  HsSide *side = self->session != NULL ? hs_session_peek_side (self->session) : NULL;

  if (side == NULL || from->text == NULL || !g_str_equal (hs_side_peek_text (side), to->text) ||
      g_strcmp0 (hs_side_peek_pair (side), from->pair) != 0)
    return;
  hs_side_set_pair (side, to->pair);
}

static void
undone_cb (HsTextPanel *self)
{
  follow (self, &self->after, &self->before);
}

static void
redone_cb (HsTextPanel *self)
{
  follow (self, &self->before, &self->after);
}

static void
text_changed_cb (HsTextPanel *self, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  note_both (self, side);
  /* filling empties the field first, which must not be taken for typing */
  g_signal_handlers_block_by_func (self->text_buffer, text_typed_cb, self);
  fill_buffer (self->text_buffer, hs_side_peek_text (side));
  g_signal_handlers_unblock_by_func (self->text_buffer, text_typed_cb, self);
  update_hint (self->text_buffer, self->text_hint);
}

/* What was typed is kept in the hidden field, for when it is switched on again. */
static void
pair_changed_cb (HsTextPanel *self, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  const char *pair = hs_side_peek_pair (side);

  note_both (self, side);
  g_signal_handlers_block_by_func (self->pair_button, pair_toggled_cb, self);
  g_signal_handlers_block_by_func (self->pair_buffer, pair_typed_cb, self);
  gtk_toggle_button_set_active (self->pair_button, pair != NULL);
  if (pair != NULL)
    fill_buffer (self->pair_buffer, pair);
  update_hint (self->pair_buffer, self->pair_hint);
  g_signal_handlers_unblock_by_func (self->pair_buffer, pair_typed_cb, self);
  g_signal_handlers_unblock_by_func (self->pair_button, pair_toggled_cb, self);
}

static void
side_bound_cb (HsTextPanel *self, HsSide *side)
{
  text_changed_cb (self, NULL, side);
  pair_changed_cb (self, NULL, side);
}

/* The menu is made when it is first opened, not while the program starts. */
static void
make_menu_cb (GtkMenuButton *button, gpointer data)
{
  HsTextPanel *self = data;
  g_autoptr (GMenuModel) menu = NULL;

  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  self->examples = hs_examples_load ();
  menu = hs_examples_make_menu (self->examples, "text.example");
  gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (menu));
}

static void
example_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *parameter)
{
  HsTextPanel *self = HS_TEXT_PANEL (widget);
  const guint32 index = g_variant_get_uint32 (parameter);
  const HsExample *example;
  HsSide *side;

  if (self->examples == NULL)
    self->examples = hs_examples_load ();
  if (self->session == NULL || index >= self->examples->len)
    return;
  example = g_ptr_array_index (self->examples, index);
  side = hs_session_peek_side (self->session);
  hs_side_set_texts (side, example->text, example->pair);
}

/* Which models are gone is known when it is opened the next time. */
static void
make_recent_menu_cb (GtkMenuButton *button, gpointer data)
{
  HsTextPanel *self = data;
  g_autoptr (GMenuModel) menu = hs_recent_menu_freeze (self->recent);

  gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (menu));
  gtk_widget_activate_action (GTK_WIDGET (self), "app.check-recent", NULL);
}

void
hs_text_panel_set_recent_menu (HsTextPanel *self, GMenuModel *menu)
{
  g_return_if_fail (HS_IS_TEXT_PANEL (self));

  gtk_menu_button_set_popover (self->recent_button, NULL);
  g_set_object (&self->recent, menu);
  gtk_widget_set_visible (GTK_WIDGET (self->recent_button), menu != NULL);
}

void
hs_text_panel_set_tight (HsTextPanel *self, bool tight)
{
  g_return_if_fail (HS_IS_TEXT_PANEL (self));

  g_object_set (self->fold, "share", tight ? TIGHT_SHARE : ROOMY_SHARE, NULL);
  gtk_scrolled_window_set_min_content_height (self->text_field, -1); /* not over the most */
  gtk_scrolled_window_set_max_content_height (self->text_field, tight ? TIGHT_PX : ROOMY_MOST_PX);
  gtk_scrolled_window_set_min_content_height (self->text_field, tight ? TIGHT_PX : ROOMY_PX);
}

void
hs_text_panel_undo (HsTextPanel *self, bool again)
{
  g_return_if_fail (HS_IS_TEXT_PANEL (self));

  if (again ? gtk_text_buffer_get_can_redo (self->text_buffer)
            : gtk_text_buffer_get_can_undo (self->text_buffer))
    gtk_widget_activate_action (GTK_WIDGET (self->text_view), again ? "text.redo" : "text.undo",
                                NULL);
}

static gboolean
hs_text_panel_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (HS_TEXT_PANEL (widget)->text_view));
}

static void
hs_text_panel_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, HS_TEXT_PANEL (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_text_panel_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsTextPanel *self = HS_TEXT_PANEL (object);

  if (id != PROP_SESSION) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (!g_set_object (&self->session, g_value_get_object (value)))
    return;
  g_signal_group_set_target (self->side_signals,
                             self->session != NULL ? hs_session_peek_side (self->session) : NULL);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_text_panel_dispose (GObject *object)
{
  HsTextPanel *self = HS_TEXT_PANEL (object);

  if (self->side_signals != NULL)
    g_signal_group_set_target (self->side_signals, NULL);
  g_clear_object (&self->side_signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_TEXT_PANEL);
  hs_children_unparent (GTK_WIDGET (self));
  g_clear_object (&self->session);
  g_clear_object (&self->recent);
  texts_clear (&self->before);
  texts_clear (&self->after);
  g_clear_pointer (&self->examples, g_ptr_array_unref);
  G_OBJECT_CLASS (hs_text_panel_parent_class)->dispose (object);
}

static void
hs_text_panel_class_init (HsTextPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_text_panel_get_property;
  object_class->set_property = hs_text_panel_set_property;
  object_class->dispose = hs_text_panel_dispose;
  widget_class->grab_focus = hs_text_panel_grab_focus;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_type_ensure (HS_TYPE_FOLD);
  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-text-panel.ui");
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, text_buffer);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, pair_buffer);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, text_hint);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, pair_hint);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, fold);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, text_field);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, text_view);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, pair_view);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, examples_button);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, recent_button);
  gtk_widget_class_bind_template_child (widget_class, HsTextPanel, pair_button);
  gtk_widget_class_bind_template_callback_full (widget_class, "truncated",
                                                G_CALLBACK (hs_closure_truncated));
  gtk_widget_class_bind_template_callback_full (widget_class, "has_text",
                                                G_CALLBACK (hs_closure_has_text));
  gtk_widget_class_install_action (widget_class, "text.example", "u", example_cb);
  gtk_widget_class_set_css_name (widget_class, "textpanel");
}

/* What is broken anywhere takes a time that grows with the length of the line alone. */
static void
wrap_cb (GtkTextView *view)
{
  g_autofree char *text = dup_buffer (gtk_text_view_get_buffer (view));

  gtk_text_view_set_wrap_mode (view,
                               hs_text_has_long_word (text) ? GTK_WRAP_CHAR : GTK_WRAP_WORD_CHAR);
}

static void
unwrap_cb (GtkTextView *view)
{
  gtk_text_view_set_wrap_mode (view, GTK_WRAP_NONE);
}

/* Comes before anything is laid out with the new text. */
static void
wrap_anew_cb (GtkTextView *view)
{
  if (gtk_widget_get_realized (GTK_WIDGET (view)))
    wrap_cb (view);
}

/* GTK 4.8 breaks the lines of a view as it is realized, before it has a width: a long text, a
 * letter to a line, would take most of a second. */
static void
wrap_when_realized (GtkTextView *view)
{
  unwrap_cb (view);
  g_signal_connect (view, "realize", G_CALLBACK (wrap_cb), NULL); /* after GTK's own */
  g_signal_connect (view, "unrealize", G_CALLBACK (unwrap_cb), NULL);
  g_signal_connect_object (gtk_text_view_get_buffer (view), "changed", G_CALLBACK (wrap_anew_cb),
                           view, G_CONNECT_SWAPPED);
}

static void
hs_text_panel_init (HsTextPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  wrap_when_realized (self->text_view);
  wrap_when_realized (self->pair_view);
  gtk_menu_button_set_create_popup_func (self->examples_button, make_menu_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->recent_button, make_recent_menu_cb, self, NULL);
  g_signal_connect_swapped (self->text_buffer, "insert-text", G_CALLBACK (insert_cb), self);
  g_signal_connect_swapped (self->pair_buffer, "insert-text", G_CALLBACK (insert_cb), self);
  g_signal_connect_swapped (self->text_buffer, "changed", G_CALLBACK (text_typed_cb), self);
  g_signal_connect_swapped (self->pair_buffer, "changed", G_CALLBACK (pair_typed_cb), self);
  g_signal_connect_object (self->text_buffer, "undo", G_CALLBACK (undone_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_object (self->text_buffer, "redo", G_CALLBACK (redone_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  g_signal_connect_swapped (self->pair_button, "toggled", G_CALLBACK (pair_toggled_cb), self);
  self->side_signals = g_signal_group_new (HS_TYPE_SIDE);
  g_signal_group_connect_swapped (self->side_signals, "notify::text", G_CALLBACK (text_changed_cb),
                                  self);
  g_signal_group_connect_swapped (self->side_signals, "notify::pair", G_CALLBACK (pair_changed_cb),
                                  self);
  g_signal_connect_object (self->side_signals, "bind", G_CALLBACK (side_bound_cb), self,
                           G_CONNECT_SWAPPED);
}
