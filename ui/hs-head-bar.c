/* SPDX-License-Identifier: MIT */
/* Spin buttons that count from 1 over a session that counts from 0. */
#include "hs-head-bar.h"

#include "hs-arrange-popover.h"
#include "hs-children.h"
#include "hs-closures.h"
#include "hs-lines.h"
#include "hs-mnemonic.h"
#include "hs-wrap-layout.h"

#define ROOMY_SPACING 12 /* px, also between lines */
#define TIGHT_SPACING 6

struct _HsHeadBar {
  HsPanel parent_instance;

  GtkWidget *layer_spin;
  GtkWidget *head_spin;
  GtkAdjustment *layer_adjustment;
  GtkAdjustment *head_adjustment;
  GtkMenuButton *arrange_button;
  GtkMenuButton *options_button;
  GMenuModel *options_menu;
  GtkWidget *range_max_spin; /* goes into the options menu */
  GtkAdjustment *range_max_adjustment;
  GtkWidget *show_label;
};

G_DEFINE_FINAL_TYPE (HsHeadBar, hs_head_bar, HS_TYPE_PANEL)

static HsSession *
peek_session (HsHeadBar *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

void
hs_head_bar_set_compact (HsHeadBar *self, bool compact)
{
  g_return_if_fail (HS_IS_HEAD_BAR (self));

  gtk_widget_set_visible (self->show_label, !compact);
  hs_mnemonic_keep (GTK_WIDGET (self->arrange_button),
                    gtk_label_get_label (GTK_LABEL (self->show_label)), compact);
}

static void
set_steppers_visible (GtkWidget *spin, bool visible)
{
  for (GtkWidget *child = gtk_widget_get_first_child (spin); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (GTK_IS_BUTTON (child))
      gtk_widget_set_visible (child, visible);
}

void
hs_head_bar_set_tight (HsHeadBar *self, bool tight)
{
  g_return_if_fail (HS_IS_HEAD_BAR (self));

  set_steppers_visible (self->layer_spin, !tight);
  set_steppers_visible (self->head_spin, !tight);
  g_object_set (gtk_widget_get_layout_manager (GTK_WIDGET (self)), "spacing",
                tight ? TIGHT_SPACING : ROOMY_SPACING, NULL);
}

GtkWidget *
hs_head_bar_new (HsSession *session)
{
  return g_object_new (HS_TYPE_HEAD_BAR, "session", session, NULL);
}

static void
layer_spun_cb (HsHeadBar *self)
{
  HsSession *session = peek_session (self);
  if (session != NULL && hs_session_get_n_layers (session) > 0)
    hs_session_set_layer (session, (guint)gtk_adjustment_get_value (self->layer_adjustment) - 1);
}

static void
head_spun_cb (HsHeadBar *self)
{
  HsSession *session = peek_session (self);
  if (session != NULL && hs_session_get_n_heads (session) > 0)
    hs_lines_choose_head (session, (guint)gtk_adjustment_get_value (self->head_adjustment) - 1);
}

/* Whoever sets a number wants it to be used. */
static void
range_max_spun_cb (HsHeadBar *self)
{
  HsSession *session = peek_session (self);
  if (session == NULL)
    return;
  g_object_freeze_notify (G_OBJECT (session));
  hs_session_set_range_max (session, gtk_adjustment_get_value (self->range_max_adjustment));
  hs_session_set_range (session, ATTN_DRAW_RANGE_FIXED);
  g_object_thaw_notify (G_OBJECT (session));
}

/* Before there is a model the number remembered from last time is shown all the same. */
static void
show_number (GtkAdjustment *adjustment, guint index, guint n)
{
  gtk_adjustment_set_upper (adjustment, MAX (n, index + 1));
  gtk_adjustment_set_value (adjustment, index + 1);
}

static void
hs_head_bar_update (HsPanel *panel)
{
  HsHeadBar *self = HS_HEAD_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);
  show_number (self->layer_adjustment, hs_session_get_layer (session),
               hs_session_get_n_layers (session));
  show_number (self->head_adjustment, hs_session_get_head (session),
               hs_session_get_n_heads (session));
  /* a number from elsewhere may have more digits than the button shows: they stay */
  g_signal_handlers_block_by_func (self->range_max_adjustment, range_max_spun_cb, self);
  gtk_adjustment_set_value (self->range_max_adjustment, hs_session_get_range_max (session));
  g_signal_handlers_unblock_by_func (self->range_max_adjustment, range_max_spun_cb, self);
}

/* These two are made when first opened, not while the program starts. */
static void
make_arrange_cb (GtkMenuButton *button, gpointer data)
{
  HsHeadBar *self = data;

  if (gtk_menu_button_get_popover (button) == NULL)
    gtk_menu_button_set_popover (button, hs_arrange_popover_new (peek_session (self)));
}

static void
make_options_cb (GtkMenuButton *button, gpointer data)
{
  HsHeadBar *self = data;

  if (gtk_menu_button_get_popover (button) != NULL)
    return;
  GtkWidget *popover = gtk_popover_menu_new_from_model (self->options_menu);
  gtk_popover_menu_add_child (GTK_POPOVER_MENU (popover), self->range_max_spin, "range-max");
  /* GTK would leave the focus on an item of the page that was open, and keys without a target */
  g_signal_connect_object (popover, "closed", G_CALLBACK (gtk_widget_grab_focus), button,
                           G_CONNECT_SWAPPED);
  gtk_menu_button_set_popover (button, popover);
}

static void
hs_head_bar_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_HEAD_BAR);
  G_OBJECT_CLASS (hs_head_bar_parent_class)->dispose (object);
}

static void
hs_head_bar_class_init (HsHeadBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_head_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_head_bar_update;

  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-head-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, layer_spin);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, head_spin);
  hs_children_bind_bindings (widget_class);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, layer_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, head_adjustment);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, show_label);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, arrange_button);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, options_button);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, options_menu);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, range_max_spin);
  gtk_widget_class_bind_template_child (widget_class, HsHeadBar, range_max_adjustment);
  gtk_widget_class_bind_template_callback_full (widget_class, "layer_matters",
                                                G_CALLBACK (hs_closure_layer_matters));
  gtk_widget_class_bind_template_callback_full (widget_class, "head_matters",
                                                G_CALLBACK (hs_closure_head_matters));
  gtk_widget_class_bind_template_callback_full (widget_class, "explores",
                                                G_CALLBACK (hs_closure_explores));
  gtk_widget_class_bind_template_callback_full (widget_class, "compares",
                                                G_CALLBACK (hs_closure_compares));
  gtk_widget_class_bind_template_callback_full (widget_class, "shows_maps",
                                                G_CALLBACK (hs_closure_not));
  gtk_widget_class_bind_template_callback_full (widget_class, "unit_name",
                                                G_CALLBACK (hs_closure_unit_name));
  gtk_widget_class_set_css_name (widget_class, "headbar");
}

static void
hs_head_bar_init (HsHeadBar *self)
{
  static const char *const watched[] = {"layer", "head", "n-layers", "n-heads", "range-max"};

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_create_popup_func (self->arrange_button, make_arrange_cb, self, NULL);
  gtk_menu_button_set_create_popup_func (self->options_button, make_options_cb, self, NULL);
  g_signal_connect_swapped (self->layer_adjustment, "value-changed", G_CALLBACK (layer_spun_cb),
                            self);
  g_signal_connect_swapped (self->head_adjustment, "value-changed", G_CALLBACK (head_spun_cb),
                            self);
  g_signal_connect_swapped (self->range_max_adjustment, "value-changed",
                            G_CALLBACK (range_max_spun_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_head_bar_update);
}
