/* SPDX-License-Identifier: MIT */
/* How to read the picture and how to use the window, foldable. */
#include "hs-help-panel.h"

#include <glib/gi18n.h>

#include <stdbool.h>

struct _HsHelpPanel {
  HsPanel parent_instance;

  GtkLabel *colours;
  GtkLabel *rows;
};

G_DEFINE_FINAL_TYPE (HsHelpPanel, hs_help_panel, HS_TYPE_PANEL)

/* YlGnBu and grey run from light to dark, the others the other way round. */
static bool
darker_is_more (AttnDrawColorMap map)
{
  return map == ATTN_DRAW_COLOR_MAP_YLGNBU || map == ATTN_DRAW_COLOR_MAP_GREY;
}

static bool
rows_sum_to_one (const AttnArrangement *arrangement)
{
  bool whole = arrangement->combine != ATTN_COMBINE_MAX && arrangement->part == ATTN_PART_ALL &&
               arrangement->hide == ATTN_HIDE_NOTHING;
  return (whole || arrangement->renormalise) && arrangement->keep == ATTN_KEEP_ALL;
}

static const char *
peek_rows (AttnUnit unit)
{
  switch (unit) {
  case ATTN_UNIT_CHARACTERS:
    return _ ("Rows are queries, the characters that look. Columns are keys, the characters that "
              "are looked at.");
  case ATTN_UNIT_WORDS:
    return _ ("Rows are queries, the words that look. Columns are keys, the words that are looked "
              "at.");
  case ATTN_UNIT_TOKENS:
  default:
    return _ ("Rows are queries, the tokens that look. Columns are keys, the tokens that are "
              "looked at.");
  }
}

/* True of what is shown, not of attention in general. */
static void
update_rows (HsPanel *panel)
{
  const AttnArrangement *arrangement =
      &hs_session_peek_view (hs_panel_peek_session (panel))->arrangement;
  const char *sums = rows_sum_to_one (arrangement)
                         ? _ ("The weights of a row sum to 1.")
                         : _ ("The weights of a row need not sum to 1 here.");
  g_autofree char *text = g_strdup_printf ("%s %s", peek_rows (arrangement->unit), sums);
  gtk_label_set_text (HS_HELP_PANEL (panel)->rows, text);
}

static void
hs_help_panel_update (HsPanel *panel)
{
  update_rows (panel);
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
  gtk_widget_class_bind_template_child (widget_class, HsHelpPanel, rows);
}

static void
hs_help_panel_init (HsHelpPanel *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_panel_watch (HS_PANEL (self), "color-map", hs_help_panel_update);
  hs_panel_watch (HS_PANEL (self), "view", update_rows);
}

GtkWidget *
hs_help_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_HELP_PANEL, "session", session, NULL);
}
