/* SPDX-License-Identifier: MIT */
/* GTK asks for a tooltip when it is about to show one. */
#include "hs-label-tip.h"

static gboolean
query_cb (GtkLabel *label,
          int x G_GNUC_UNUSED,
          int y G_GNUC_UNUSED,
          gboolean by_keyboard G_GNUC_UNUSED,
          GtkTooltip *tooltip,
          gpointer data G_GNUC_UNUSED)
{
  const char *text = gtk_label_get_text (label);

  gtk_tooltip_set_text (tooltip, text);
  return text[0] != '\0';
}

void
hs_label_tip_add (GtkLabel *label)
{
  g_return_if_fail (GTK_IS_LABEL (label));
  gtk_widget_set_has_tooltip (GTK_WIDGET (label), TRUE);
  g_signal_connect (label, "query-tooltip", G_CALLBACK (query_cb), NULL);
}
