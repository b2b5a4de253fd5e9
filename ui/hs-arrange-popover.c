/* SPDX-License-Identifier: MIT */
/* Most controls are actions; the numbers and the heads to combine are kept here. */
#include "hs-arrange-popover.h"

#include "hs-arrangement.h"
#include "hs-children.h"
#include "hs-closures.h"
#include "hs-lens-row.h"
#include "hs-words-row.h"

#include <glib/gi18n.h>

#define HEADS_IN_ROW 8

struct _HsArrangePopover {
  GtkPopover parent_instance;

  HsSession *session;
  GSignalGroup *signals;
  bool showing; /* the session's state; what the controls say then is no wish */

  GtkCheckButton *cls_check, *sep_check;
  GtkAdjustment *threshold_adjustment;
  GtkAdjustment *top_adjustment;
  GtkGrid *heads; /* GtkToggleButton, by index */
  guint n_heads;  /* of them */
};

G_DEFINE_FINAL_TYPE (HsArrangePopover, hs_arrange_popover, GTK_TYPE_POPOVER)

enum { PROP_0, PROP_SESSION, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_arrange_popover_new (HsSession *session)
{
  return g_object_new (HS_TYPE_ARRANGE_POPOVER, "session", session, NULL);
}

/* A number that is changed is one that is wanted. */
static void
threshold_changed_cb (HsArrangePopover *self)
{
  AttnArrangement arrangement;

  if (self->showing)
    return;
  arrangement = *hs_session_peek_arrangement (self->session);
  arrangement.keep = ATTN_KEEP_ABOVE;
  arrangement.threshold = gtk_adjustment_get_value (self->threshold_adjustment);
  hs_session_set_arrangement (self->session, &arrangement);
}

static void
top_changed_cb (HsArrangePopover *self)
{
  AttnArrangement arrangement;

  if (self->showing)
    return;
  arrangement = *hs_session_peek_arrangement (self->session);
  arrangement.keep = ATTN_KEEP_TOP;
  arrangement.n_top = (size_t)gtk_adjustment_get_value (self->top_adjustment);
  hs_session_set_arrangement (self->session, &arrangement);
}

static GtkWidget *
peek_head (HsArrangePopover *self, guint head)
{
  return gtk_grid_get_child_at (self->heads, (int)(head % HEADS_IN_ROW),
                                (int)(head / HEADS_IN_ROW));
}

static void show_arrangement (HsArrangePopover *self);

static void
head_toggled_cb (GtkWidget *button, gpointer data)
{
  HsArrangePopover *self = data;
  AttnArrangement arrangement;
  guint head = 0;

  if (self->showing)
    return;
  while (head < self->n_heads && peek_head (self, head) != button)
    head++;
  arrangement = *hs_session_peek_arrangement (self->session);
  hs_arrangement_toggle_head (&arrangement, head, self->n_heads);
  hs_session_set_arrangement (self->session, &arrangement);
  show_arrangement (self); /* the last one that is let go stands for all of them */
}

static void
add_head (HsArrangePopover *self, guint head)
{
  g_autofree char *number = g_strdup_printf ("%u", head + 1);
  g_autofree char *name = g_strdup_printf (_ ("head %u"), head + 1);
  GtkWidget *button = gtk_toggle_button_new_with_label (number);

  gtk_widget_add_css_class (button, "head-choice");
  gtk_widget_add_css_class (button, "numeric");
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text (button, name);
  g_signal_connect (button, "toggled", G_CALLBACK (head_toggled_cb), self);
  gtk_grid_attach (self->heads, button, (int)(head % HEADS_IN_ROW), (int)(head / HEADS_IN_ROW), 1,
                   1);
}

static void
make_heads (HsArrangePopover *self)
{
  guint n = MIN (hs_session_get_n_heads (self->session), ATTN_HEAD_SET_MAX);

  if (n == self->n_heads)
    return;
  for (guint head = 0; head < self->n_heads; head++)
    gtk_grid_remove (self->heads, peek_head (self, head));
  self->n_heads = n;
  for (guint head = 0; head < n; head++)
    add_head (self, head);
}

/* As the shown model writes them; BERT's names where it adds none. */
static void
show_names (HsArrangePopover *self)
{
  const AttnDrawView *view = hs_session_peek_view (self->session);
  const char *cls = view->cls_name != NULL ? view->cls_name : "";
  const char *sep = view->sep_name != NULL ? view->sep_name : "";

  gtk_check_button_set_label (self->cls_check, *cls != '\0' ? cls : "[CLS]");
  gtk_check_button_set_label (self->sep_check, *sep != '\0' ? sep : "[SEP]");
}

static void
show_all (HsArrangePopover *self)
{
  show_arrangement (self);
  show_names (self);
}

static void
show_arrangement (HsArrangePopover *self)
{
  const AttnArrangement *arrangement = hs_session_peek_arrangement (self->session);
  /* lines are of several heads without combining them */
  bool chooses = arrangement->combine != ATTN_COMBINE_NONE ||
                 hs_session_get_kind (self->session) == ATTN_DRAW_LINES;

  self->showing = true;
  make_heads (self);
  gtk_widget_set_sensitive (GTK_WIDGET (self->heads), chooses);
  for (guint head = 0; head < self->n_heads; head++)
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (peek_head (self, head)),
                                  attn_head_set_has (&arrangement->heads, head));
  gtk_adjustment_set_value (self->threshold_adjustment, arrangement->threshold > 0
                                                            ? arrangement->threshold
                                                            : HS_THRESHOLD_DEFAULT);
  gtk_adjustment_set_value (self->top_adjustment,
                            arrangement->n_top > 0 ? (double)arrangement->n_top : HS_N_TOP_DEFAULT);
  self->showing = false;
}

static void
hs_arrange_popover_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, HS_ARRANGE_POPOVER (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_arrange_popover_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsArrangePopover *self = HS_ARRANGE_POPOVER (object);

  if (id != PROP_SESSION) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (!g_set_object (&self->session, g_value_get_object (value)))
    return;
  g_signal_group_set_target (self->signals, self->session);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_arrange_popover_dispose (GObject *object)
{
  HsArrangePopover *self = HS_ARRANGE_POPOVER (object);

  if (self->signals != NULL)
    g_signal_group_set_target (self->signals, NULL);
  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_ARRANGE_POPOVER);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_arrange_popover_parent_class)->dispose (object);
}

static void
hs_arrange_popover_class_init (HsArrangePopoverClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_arrange_popover_get_property;
  object_class->set_property = hs_arrange_popover_set_property;
  object_class->dispose = hs_arrange_popover_dispose;

  props[PROP_SESSION] = g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                                             G_PARAM_READWRITE | G_PARAM_CONSTRUCT_ONLY |
                                                 G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  g_type_ensure (HS_TYPE_LENS_ROW);
  g_type_ensure (HS_TYPE_WORDS_ROW);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-arrange-popover.ui");
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsArrangePopover, cls_check);
  gtk_widget_class_bind_template_child (widget_class, HsArrangePopover, sep_check);
  gtk_widget_class_bind_template_child (widget_class, HsArrangePopover, threshold_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsArrangePopover, top_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsArrangePopover, heads);
  gtk_widget_class_bind_template_callback_full (widget_class, "has_attention",
                                                G_CALLBACK (hs_closure_has_attention));
  gtk_widget_class_bind_template_callback (widget_class, threshold_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, top_changed_cb);
}

static void
hs_arrange_popover_init (HsArrangePopover *self)
{
  static const char *const watched[] = {"notify::arrangement", "notify::n-heads", "notify::kind"};

  self->showing = true; /* until there is a session */
  gtk_widget_init_template (GTK_WIDGET (self));
  self->signals = g_signal_group_new (HS_TYPE_SESSION);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    g_signal_group_connect_swapped (self->signals, watched[i], G_CALLBACK (show_arrangement), self);
  g_signal_group_connect_swapped (self->signals, "notify::view", G_CALLBACK (show_names), self);
  g_signal_connect_swapped (self->signals, "bind", G_CALLBACK (show_all), self);
}
