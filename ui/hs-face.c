/* SPDX-License-Identifier: MIT */
/* A stack whose visible page is bound to the session's state; a delay before it says "busy". */
#include "hs-face.h"

#include "hs-children.h"
#include "hs-closures.h"
#include "hs-lines.h"
#include "hs-nested-scroll.h"
#include "hs-stage.h"
#include "hs-zoom.h"

#include "attn-hub/store.h"

#include <glib/gi18n.h>

#define LONG_BUSY_MS 300

struct _HsFace {
  GtkWidget parent_instance;

  HsSession *session;
  GSignalGroup *signals;
  bool long_busy;
  guint timeout;

  GtkWidget *stack;
  HsStage *stage;
  GtkScrolledWindow *picture_slot;
  GtkWidget *zoom_button;
  GtkWidget *all_heads_button;
  HsPicture *picture;
};

G_DEFINE_FINAL_TYPE (HsFace, hs_face, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_SESSION, PROP_LONG_BUSY, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_face_new (HsSession *session)
{
  return g_object_new (HS_TYPE_FACE, "session", session, NULL);
}

HsPicture *
hs_face_peek_picture (HsFace *self)
{
  g_return_val_if_fail (HS_IS_FACE (self), NULL);
  return self->picture;
}

static void
set_long_busy (HsFace *self, bool long_busy)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->long_busy == long_busy)
    return;
  self->long_busy = long_busy;
  if (long_busy)
    gtk_widget_add_css_class (GTK_WIDGET (self->picture_slot), "stale");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->picture_slot), "stale");
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_LONG_BUSY]);
}

static gboolean
timeout_cb (gpointer data)
{
  HsFace *self = data;

  self->timeout = 0;
  set_long_busy (self, true);
  return G_SOURCE_REMOVE;
}

/* A run that ends soon is not announced: nothing blinks while one types. */
static void
state_changed_cb (HsFace *self)
{
  if (hs_session_get_state (self->session) != HS_STATE_BUSY)
    set_long_busy (self, false);
  else if (!self->long_busy && self->timeout == 0)
    self->timeout = g_timeout_add (LONG_BUSY_MS, timeout_cb, self);
}

/* Say that a part of the map, or of the heads, is shown, and lead back to all of it. */
static void
view_changed_cb (HsFace *self)
{
  double factor = hs_zoom_get_factor (self->session);
  bool is_zoomed = factor > 1;
  /* translators: how many times larger cells are; the button shows all of them again */
  g_autofree char *label = g_strdup_printf (_ ("%.1f × · Show all"), factor);

  if (is_zoomed)
    gtk_button_set_label (GTK_BUTTON (self->zoom_button), label);
  gtk_widget_set_visible (self->zoom_button, is_zoomed);
  gtk_widget_set_visible (self->all_heads_button, hs_lines_are_of_some (self->session));
}

static GtkPolicyType
choose_policy (GtkAdjustment *adjustment)
{
  bool fits = gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment);
  return fits ? GTK_POLICY_NEVER : GTK_POLICY_AUTOMATIC;
}

/* No bars where everything fits. */
static void
content_changed_cb (HsFace *self)
{
  gtk_scrolled_window_set_policy (
      self->picture_slot, choose_policy (gtk_scrolled_window_get_hadjustment (self->picture_slot)),
      choose_policy (gtk_scrolled_window_get_vadjustment (self->picture_slot)));
}

static void
watch_adjustments (HsFace *self)
{
  GtkAdjustment *adjustments[] = {gtk_scrolled_window_get_hadjustment (self->picture_slot),
                                  gtk_scrolled_window_get_vadjustment (self->picture_slot)};
  for (size_t i = 0; i < G_N_ELEMENTS (adjustments); i++)
    g_signal_connect_object (adjustments[i], "changed", G_CALLBACK (content_changed_cb), self,
                             G_CONNECT_SWAPPED);
}

static void
set_session (HsFace *self, HsSession *session)
{
  if (!g_set_object (&self->session, session))
    return;
  self->picture = session != NULL ? HS_PICTURE (hs_picture_new (session)) : NULL;
  gtk_scrolled_window_set_child (self->picture_slot, GTK_WIDGET (self->picture));
  hs_stage_set_picture (self->stage, self->picture);
  if (self->picture != NULL)
    watch_adjustments (self);
  g_signal_group_set_target (self->signals, session);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SESSION]);
}

static gboolean
no_model (gpointer widget G_GNUC_UNUSED, guint n_layers)
{
  return n_layers == 0;
}

/* The shipped model is not offered where it is the very one that is missing. */
static gboolean
offers_shipped (gpointer widget G_GNUC_UNUSED, guint n_layers)
{
  g_autofree char *folder = n_layers == 0 ? attn_hub_find_model ("demo", NULL) : NULL;

  return folder != NULL;
}

static char *
empty (gpointer widget G_GNUC_UNUSED, const char *message)
{
  return g_strdup (message != NULL
                       ? message
                       : _ ("Type a sentence above, and every head shows what it does with it."));
}

static void
hs_face_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsFace *self = HS_FACE (object);

  switch (id) {
  case PROP_SESSION:
    g_value_set_object (value, self->session);
    break;
  case PROP_LONG_BUSY:
    g_value_set_boolean (value, self->long_busy);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_face_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    set_session (HS_FACE (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_face_dispose (GObject *object)
{
  HsFace *self = HS_FACE (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->signals != NULL)
    g_signal_group_set_target (self->signals, NULL);
  g_clear_object (&self->signals);
  self->picture = NULL;
  if (self->stage != NULL)
    hs_stage_set_picture (self->stage, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_FACE);
  hs_children_unparent (GTK_WIDGET (self));
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_face_parent_class)->dispose (object);
}

static void
hs_face_class_init (HsFaceClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_face_get_property;
  object_class->set_property = hs_face_set_property;
  object_class->dispose = hs_face_dispose;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  props[PROP_LONG_BUSY] =
      g_param_spec_boolean ("long-busy", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-face.ui");
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsFace, stack);
  g_type_ensure (HS_TYPE_STAGE);
  gtk_widget_class_bind_template_child (widget_class, HsFace, stage);
  gtk_widget_class_bind_template_child (widget_class, HsFace, picture_slot);
  gtk_widget_class_bind_template_child (widget_class, HsFace, zoom_button);
  gtk_widget_class_bind_template_child (widget_class, HsFace, all_heads_button);
  gtk_widget_class_bind_template_callback_full (widget_class, "face", G_CALLBACK (hs_closure_face));
  gtk_widget_class_bind_template_callback_full (widget_class, "has_text",
                                                G_CALLBACK (hs_closure_has_text));
  gtk_widget_class_bind_template_callback_full (widget_class, "is_refused",
                                                G_CALLBACK (hs_closure_is_refused));
  gtk_widget_class_bind_template_callback_full (widget_class, "is_not_refused",
                                                G_CALLBACK (hs_closure_is_not_refused));
  gtk_widget_class_bind_template_callback_full (widget_class, "busy", G_CALLBACK (hs_closure_busy));
  gtk_widget_class_bind_template_callback_full (widget_class, "fraction",
                                                G_CALLBACK (hs_closure_fraction));
  gtk_widget_class_bind_template_callback_full (widget_class, "empty", G_CALLBACK (empty));
  gtk_widget_class_bind_template_callback_full (widget_class, "no_model", G_CALLBACK (no_model));
  gtk_widget_class_bind_template_callback_full (widget_class, "offers_shipped",
                                                G_CALLBACK (offers_shipped));
  gtk_widget_class_set_css_name (widget_class, "face");
}

static void
hs_face_init (HsFace *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  /* over a zoomed map the wheel is the picture's until the map's end */
  hs_nested_scroll_join_after (GTK_WIDGET (self->picture_slot));
  self->signals = g_signal_group_new (HS_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::state", G_CALLBACK (state_changed_cb),
                                  self);
  g_signal_connect_swapped (self->signals, "bind", G_CALLBACK (state_changed_cb), self);
  g_signal_group_connect_swapped (self->signals, "notify::view", G_CALLBACK (view_changed_cb),
                                  self);
  /* The stack asks only to be allocated anew. The scrolled window around the picture, once it is
   * allocated, marks all above it for another size. Those between the stack and a box that is being
   * allocated for another reason are not allocated themselves: they would stay marked, and not be
   * drawn, until that box is allocated again. */
  g_signal_connect_swapped (self->stack, "notify::visible-child",
                            G_CALLBACK (gtk_widget_queue_resize), self->stack);
}
