/* SPDX-License-Identifier: MIT */
/* A field and two spin buttons that count from 1, over a session that counts from 0. */
#include "hs-compare-bar.h"

#include "hs-wrap-layout.h"

struct _HsCompareBar {
  HsPanel parent_instance;

  GSignalGroup *side_signals;

  GtkEntry *text;
  GtkAdjustment *layer_adjustment;
  GtkAdjustment *head_adjustment;
};

G_DEFINE_FINAL_TYPE (HsCompareBar, hs_compare_bar, HS_TYPE_PANEL)

static void
text_typed_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  if (session != NULL)
    hs_side_set_text (hs_session_peek_side_b (session),
                      gtk_editable_get_text (GTK_EDITABLE (self->text)));
}

/* The cursor stays where it is when the session merely says what was typed. */
static void
text_changed_cb (HsCompareBar *self, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  const char *text = hs_side_peek_text (side);
  if (g_str_equal (gtk_editable_get_text (GTK_EDITABLE (self->text)), text))
    return;
  g_signal_handlers_block_by_func (self->text, text_typed_cb, self);
  gtk_editable_set_text (GTK_EDITABLE (self->text), text);
  g_signal_handlers_unblock_by_func (self->text, text_typed_cb, self);
}

static void
layer_spun_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  if (session != NULL && hs_session_get_n_layers (session) > 0)
    hs_session_set_layer_b (session, (guint)gtk_adjustment_get_value (self->layer_adjustment) - 1);
}

static void
head_spun_cb (HsCompareBar *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  if (session != NULL && hs_session_get_n_heads (session) > 0)
    hs_session_set_head_b (session, (guint)gtk_adjustment_get_value (self->head_adjustment) - 1);
}

static void
show_number (GtkAdjustment *adjustment, guint index, guint n)
{
  gtk_adjustment_set_upper (adjustment, MAX (n, index + 1));
  gtk_adjustment_set_value (adjustment, index + 1);
}

static void
hs_compare_bar_update (HsPanel *panel)
{
  HsCompareBar *self = HS_COMPARE_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);

  g_signal_group_set_target (self->side_signals, hs_session_peek_side_b (session));
  gtk_widget_set_visible (GTK_WIDGET (self), hs_session_get_kind (session) == ATTN_DRAW_COMPARE);
  show_number (self->layer_adjustment, hs_session_get_layer_b (session),
               hs_session_get_n_layers (session));
  show_number (self->head_adjustment, hs_session_get_head_b (session),
               hs_session_get_n_heads (session));
}

static void
side_bound_cb (HsCompareBar *self, HsSide *side)
{
  text_changed_cb (self, NULL, side);
}

static void
hs_compare_bar_dispose (GObject *object)
{
  HsCompareBar *self = HS_COMPARE_BAR (object);

  if (self->side_signals != NULL)
    g_signal_group_set_target (self->side_signals, NULL);
  g_clear_object (&self->side_signals);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_COMPARE_BAR);
  G_OBJECT_CLASS (hs_compare_bar_parent_class)->dispose (object);
}

static void
hs_compare_bar_class_init (HsCompareBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_compare_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_compare_bar_update;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-compare-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, text);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, layer_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsCompareBar, head_adjustment);
}

static void
hs_compare_bar_init (HsCompareBar *self)
{
  static const char *const watched[] = {"kind", "layer-b", "head-b", "n-layers", "n-heads"};

  gtk_widget_init_template (GTK_WIDGET (self));
  self->side_signals = g_signal_group_new (HS_TYPE_SIDE);
  g_signal_group_connect_swapped (self->side_signals, "notify::text", G_CALLBACK (text_changed_cb),
                                  self);
  g_signal_connect_swapped (self->side_signals, "bind", G_CALLBACK (side_bound_cb), self);
  g_signal_connect_swapped (self->text, "changed", G_CALLBACK (text_typed_cb), self);
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
