/* SPDX-License-Identifier: MIT */
/* How to read the picture and how to use the window, foldable. */
#include "hs-help-panel.h"

#include <glib/gi18n.h>

#include <stdbool.h>

struct _HsHelpPanel {
  HsPanel parent_instance;

  GtkLabel *colours;
};

G_DEFINE_FINAL_TYPE (HsHelpPanel, hs_help_panel, HS_TYPE_PANEL)

/* YlGnBu and grey run from light to dark, the others the other way round. */
static bool
darker_is_more (AttnDrawColorMap map)
{
  return map == ATTN_DRAW_COLOR_MAP_YLGNBU || map == ATTN_DRAW_COLOR_MAP_GREY;
}

static void
hs_help_panel_update (HsPanel *panel)
{
  AttnDrawColorMap map = hs_session_get_color_map (hs_panel_peek_session (panel));
  gtk_label_set_text (
      HS_HELP_PANEL (panel)->colours,
      darker_is_more (map)
          ? _ ("Each cell is one attention weight: the darker, the more weight.")
          : _ ("Each cell is one attention weight: the brighter, the more weight."));
}

static void
hs_help_panel_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_HELP_PANEL);
  G_OBJECT_CLASS (hs_help_panel_parent_class)->dispose (object);
}

static void
hs_help_panel_class_init (HsHelpPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_help_panel_dispose;
  HS_PANEL_CLASS (klass)->update = hs_help_panel_update;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-help-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, colours);
}

static void
hs_help_panel_init (HsHelpPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_panel_watch (HS_PANEL (self), "color-map", hs_help_panel_update);
}

GtkWidget *
hs_help_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_HELP_PANEL, "session", session, NULL);
}
