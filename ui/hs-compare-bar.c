/* SPDX-License-Identifier: MIT */
/* Fields, a menu and spin buttons that count from 1, over a session that counts from 0. */
#include "hs-compare-bar.h"

#include "hs-model-name.h"
#include "hs-models-menu.h"
#include "hs-recent-menu.h"
#include "hs-text-limit.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

#include <string.h>

/* How wide the texts' fields are at least, as in the template. */
#define TEXT_CHARS 26
#define PAIR_CHARS 12
#define TIGHT_CHARS 8

struct _HsCompareBar {
  HsPanel parent_instance;

  GSignalGroup *side_signals;
  bool is_tight;
  GMenuModel *models;   /* (nullable): those looked at before */
  HsModels *downloaded; /* nullable */
  bool has_read;        /* what is downloaded */

  GtkEditable *text;
  GtkEditable *pair;
  GtkBox *row;
  GtkWidget *model_box, *layer_box, *head_box; /* in the row, or else in the settings */
  GtkMenuButton *settings_button;
  GtkBox *settings;
  GtkMenuButton *model_button;
  GtkLabel *model_label;
  GMenuModel *model_menu;
  GMenuModel *folder_menu;
  GtkAdjustment *layer_adjustment;
  GtkAdjustment *head_adjustment;
  GtkWidget *cut;
  GtkWidget *coming;
  GtkLabel *coming_label;
  GtkProgressBar *progress;
  GtkWidget *trouble_box;
  GtkLabel *trouble;
};

G_DEFINE_FINAL_TYPE (HsCompareBar, hs_compare_bar, HS_TYPE_PANEL)

/* Returns: (nullable) */
static HsSide *
peek_side (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  return session != NULL ? hs_session_peek_side_b (session) : NULL;
}

/* ---- texts ---- */

static void
text_typed_cb (HsCompareBar *self)
{
  if (peek_side (self) != NULL)
    hs_side_set_text (peek_side (self), gtk_editable_get_text (self->text));
}

static void
pair_typed_cb (HsCompareBar *self)
{
  const char *pair = gtk_editable_get_text (self->pair);

  if (peek_side (self) != NULL)
    hs_side_set_pair (peek_side (self), *pair != '\0' ? pair : NULL);
}

/* What the session would not take does not come into the field, which would be busy with it. */
static void
insert_cb (HsCompareBar *self, const char *text, int n_bytes, int *position, GtkEditable *field)
{
  const char *there = gtk_editable_get_text (field);
  const size_t n = n_bytes < 0 ? strlen (text) : (size_t)n_bytes;
  const char *where = g_utf8_offset_to_pointer (there, *position);
  HsTextPlace place = {strlen (there), 0};

  for (const char *at = where; g_unichar_ismark (g_utf8_get_char (at)); at = g_utf8_next_char (at))
    place.n_marks++;
  for (const char *at = g_utf8_find_prev_char (there, where);
       at != NULL && g_unichar_ismark (g_utf8_get_char (at));
       at = g_utf8_find_prev_char (there, at))
    place.n_marks++;
  const size_t n_fitting = hs_text_count_fitting (text, n, place);
  if (n_fitting == n)
    return;
  g_signal_stop_emission_by_name (field, "insert-text");
  if (n_fitting > 0)
    gtk_editable_insert_text (field, text, (int)n_fitting, position);
  if (peek_side (self) != NULL)
    hs_side_note_cut (peek_side (self),
                      gtk_widget_is_ancestor (GTK_WIDGET (field), GTK_WIDGET (self->pair)));
}

/* The cursor stays where it is when the session merely says what was typed. */
static void
fill (HsCompareBar *self, GtkEditable *field, const char *text, void (*typed_cb) (HsCompareBar *))
{
  if (g_str_equal (gtk_editable_get_text (field), text))
    return;
  g_signal_handlers_block_by_func (field, typed_cb, self);
  gtk_editable_set_text (field, text);
  g_signal_handlers_unblock_by_func (field, typed_cb, self);
}

static bool
has_focus (GtkWidget *field)
{
  return (gtk_widget_get_state_flags (field) & GTK_STATE_FLAG_FOCUS_WITHIN) != 0;
}

/* Whether B is what a model makes of its text; else it is a file's weights, as A's may be. */
static bool
has_text (HsCompareBar *self)
{
  HsSide *a = hs_session_peek_side (hs_panel_peek_session (HS_PANEL (self)));
  HsSide *b = peek_side (self);

  if (hs_side_peek_attention (b) != NULL)
    return false;
  return hs_side_peek_attention (a) == NULL || *hs_side_peek_name (b) != '\0';
}

/* B has a second field where either side has a second text. */
static void
texts_changed_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const bool has = has_text (self);
  const char *pair = has ? hs_side_peek_pair (peek_side (self)) : NULL;
  const char *text = has ? hs_side_peek_text (peek_side (self)) : "";

  gtk_widget_set_sensitive (GTK_WIDGET (self->text), has);
  g_object_set (self->text, "placeholder-text",
                has ? _ ("A text to compare with") : _ ("A file of weights has no text"), NULL);
  fill (self, self->text, text, text_typed_cb);
  fill (self, self->pair, pair != NULL ? pair : "", pair_typed_cb);
  gtk_widget_set_visible (GTK_WIDGET (self->pair),
                          has && (pair != NULL ||
                                  hs_side_peek_pair (hs_session_peek_side (session)) != NULL ||
                                  has_focus (GTK_WIDGET (self->pair))));
}

static void
cut_changed_cb (HsCompareBar *self)
{
  gtk_widget_set_visible (self->cut, hs_side_get_is_cut (peek_side (self)));
}

/* ---- model, layer and head ---- */

static void
model_changed_cb (HsCompareBar *self)
{
  AttnModel *model = hs_side_peek_model (peek_side (self));
  HsAttention *attention = hs_side_peek_attention (peek_side (self));
  g_autofree char *of_model = model != NULL ? hs_model_name_dup_loaded (model) : NULL;
  const char *name = attention != NULL ? attention->name
                     : model != NULL   ? of_model
                                       : C_ ("model of B", "As A");
  g_autofree char *shown = g_utf8_make_valid (name, -1);
  g_autofree char *told = g_strdup_printf (_ ("Model of B: %s"), shown);

  gtk_label_set_text (self->model_label, shown);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->model_button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, told, -1);
}

static void
attention_changed_cb (HsCompareBar *self)
{
  model_changed_cb (self);
  texts_changed_cb (self);
}

static void
coming_changed_cb (HsCompareBar *self)
{
  const char *coming = hs_side_peek_coming (peek_side (self));
  const char *trouble = hs_side_peek_trouble (peek_side (self));
  g_autofree char *text = coming != NULL ? g_strdup_printf (_ ("Loading %s…"), coming) : NULL;

  gtk_widget_set_visible (self->coming, coming != NULL);
  gtk_label_set_text (self->coming_label, text != NULL ? text : "");
  gtk_progress_bar_set_fraction (self->progress, hs_side_get_progress (peek_side (self)));
  gtk_label_set_text (self->trouble, trouble != NULL ? trouble : "");
  gtk_widget_set_visible (self->trouble_box, trouble != NULL);
}

static void
retry_cb (HsCompareBar *self)
{
  g_autofree char *missed = g_strdup (hs_side_peek_missed (peek_side (self)));

  if (missed != NULL)
    hs_side_set_name (peek_side (self), missed);
}

static void
layer_spun_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  if (session != NULL && hs_session_get_n_layers_b (session) > 0)
    hs_session_set_layer_b (session, (guint)gtk_adjustment_get_value (self->layer_adjustment) - 1);
}

static void
head_spun_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  if (session != NULL && hs_session_get_n_heads_b (session) > 0)
    hs_session_set_head_b (session, (guint)gtk_adjustment_get_value (self->head_adjustment) - 1);
}

static void
show_number (GtkAdjustment *adjustment, guint index, guint n)
{
  gtk_adjustment_set_upper (adjustment, MAX (n, index + 1));
  gtk_adjustment_set_value (adjustment, index + 1);
}

static void
read_downloaded (HsCompareBar *self)
{
  if (self->downloaded == NULL || !gtk_widget_get_visible (GTK_WIDGET (self)))
    return;
  self->has_read = true;
  hs_models_refresh (self->downloaded);
}

static void
show_settings (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  g_autofree char *label =
      g_strdup_printf (_ ("Layer %zu, head %zu"), (size_t)hs_session_get_layer_b (session) + 1,
                       (size_t)hs_session_get_head_b (session) + 1);

  gtk_menu_button_set_label (self->settings_button, label);
}

static void
hs_compare_bar_update (HsPanel *panel)
{
  HsCompareBar *self = HS_COMPARE_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);

  g_signal_group_set_target (self->side_signals, hs_session_peek_side_b (session));
  gtk_widget_set_visible (GTK_WIDGET (self), hs_session_get_kind (session) == ATTN_DRAW_COMPARE);
  show_number (self->layer_adjustment, hs_session_get_layer_b (session),
               hs_session_get_n_layers_b (session));
  show_number (self->head_adjustment, hs_session_get_head_b (session),
               hs_session_get_n_heads_b (session));
  show_settings (self);
  texts_changed_cb (self);
  if (!self->has_read)
    read_downloaded (self);
}

static void
side_bound_cb (HsCompareBar *self)
{
  model_changed_cb (self);
  coming_changed_cb (self);
  cut_changed_cb (self);
}

static void
make_menu_cb (GtkMenuButton *button, gpointer data)
{
  HsCompareBar *self = data;
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenuModel) models =
      self->models != NULL ? hs_recent_menu_freeze (self->models) : NULL;

  g_menu_append_section (menu, NULL, self->model_menu);
  if (models != NULL)
    g_menu_append_section (menu, NULL, models);
  if (self->downloaded != NULL) {
    g_autoptr (GMenuModel) more = hs_models_dup_menu (self->downloaded, "win.model-b", models);
    g_menu_append_section (menu, NULL, more);
  }
  g_menu_append_section (menu, NULL, self->folder_menu);
  gtk_menu_button_set_popover (button, gtk_popover_menu_new_from_model (G_MENU_MODEL (menu)));
  gtk_widget_activate_action (GTK_WIDGET (self), "app.check-recent", NULL);
  read_downloaded (self); /* for the next time */
}

void
hs_compare_bar_set_models (HsCompareBar *self, GMenuModel *models)
{
  g_return_if_fail (HS_IS_COMPARE_BAR (self));

  gtk_menu_button_set_popover (self->model_button, NULL);
  g_set_object (&self->models, models);
}

void
hs_compare_bar_set_downloaded (HsCompareBar *self, HsModels *downloaded)
{
  g_return_if_fail (HS_IS_COMPARE_BAR (self));

  g_set_object (&self->downloaded, downloaded);
  self->has_read = false;
  read_downloaded (self);
}

static void
move (GtkWidget *child, GtkBox *from, GtkBox *to)
{
  g_object_ref (child);
  gtk_box_remove (from, child);
  gtk_box_append (to, child);
  g_object_unref (child);
}

void
hs_compare_bar_set_tight (HsCompareBar *self, bool tight)
{
  GtkBox *from, *to;

  g_return_if_fail (HS_IS_COMPARE_BAR (self));
  if (tight == self->is_tight)
    return;
  self->is_tight = tight;
  from = tight ? self->row : self->settings;
  to = tight ? self->settings : self->row;
  gtk_menu_button_popdown (self->settings_button);
  move (self->model_box, from, to);
  move (self->layer_box, from, to);
  move (self->head_box, from, to);
  gtk_widget_set_visible (GTK_WIDGET (self->settings_button), tight);
  gtk_editable_set_width_chars (self->text, tight ? TIGHT_CHARS : TEXT_CHARS);
  gtk_editable_set_width_chars (self->pair, tight ? TIGHT_CHARS : PAIR_CHARS);
}

/* ---- object ---- */

static void
hs_compare_bar_dispose (GObject *object)
{
  HsCompareBar *self = HS_COMPARE_BAR (object);

  if (self->side_signals != NULL)
    g_signal_group_set_target (self->side_signals, NULL);
  g_clear_object (&self->side_signals);
  g_clear_object (&self->models);
  g_clear_object (&self->downloaded);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_COMPARE_BAR);
  G_OBJECT_CLASS (hs_compare_bar_parent_class)->dispose (object);
}

static void
hs_compare_bar_class_init (HsCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_compare_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_compare_bar_update;

  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-compare-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, text);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, pair);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, row);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, model_box);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, layer_box);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, head_box);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, settings_button);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, settings);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, model_button);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, model_label);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, model_menu);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, folder_menu);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, layer_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, head_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, cut);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, coming);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, coming_label);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, progress);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, trouble_box);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, trouble);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
}

static void
watch_side (HsCompareBar *self)
{
  static const struct {
    const char *signal;
    void (*handler) (HsCompareBar *self);
  } table[] = {
      {"notify::text", texts_changed_cb},     {"notify::pair", texts_changed_cb},
      {"notify::model", model_changed_cb},    {"notify::attention", attention_changed_cb},
      {"notify::name", attention_changed_cb}, {"notify::coming", coming_changed_cb},
      {"notify::trouble", coming_changed_cb}, {"notify::progress", coming_changed_cb},
      {"notify::is-cut", cut_changed_cb},
  };

  self->side_signals = g_signal_group_new (HS_TYPE_SIDE);
  for (size_t i = 0; i < G_N_ELEMENTS (table); i++)
    g_signal_group_connect_swapped (self->side_signals, table[i].signal,
                                    G_CALLBACK (table[i].handler), self);
  g_signal_connect_swapped (self->side_signals, "bind", G_CALLBACK (side_bound_cb), self);
}

static void
hs_compare_bar_init (HsCompareBar *self)
{
  static const char *const watched[] = {"kind",       "layer-b",   "head-b",
                                        "n-layers-b", "n-heads-b", "view"};

  gtk_widget_init_template (GTK_WIDGET (self));
  watch_side (self);
  gtk_menu_button_set_create_popup_func (self->model_button, make_menu_cb, self, NULL);
  g_signal_connect_swapped (self->text, "changed", G_CALLBACK (text_typed_cb), self);
  g_signal_connect_swapped (self->pair, "changed", G_CALLBACK (pair_typed_cb), self);
  g_signal_connect_swapped (gtk_editable_get_delegate (self->text), "insert-text",
                            G_CALLBACK (insert_cb), self);
  g_signal_connect_swapped (gtk_editable_get_delegate (self->pair), "insert-text",
                            G_CALLBACK (insert_cb), self);
  g_signal_connect_swapped (self->layer_adjustment, "value-changed", G_CALLBACK (layer_spun_cb),
                            self);
  g_signal_connect_swapped (self->head_adjustment, "value-changed", G_CALLBACK (head_spun_cb),
                            self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_compare_bar_update);
}

GtkWidget *
hs_compare_bar_new (HsSession *session)
{
  return g_object_new (HS_TYPE_COMPARE_BAR, "session", session, NULL);
}
