/* SPDX-License-Identifier: MIT */
/* From properties to what a widget shows. */
#include "hs-closures.h"

#include <glib/gi18n.h>

char *
hs_closure_face (gpointer widget G_GNUC_UNUSED, HsState state, AttnDrawPanels *panels)
{
  switch (state) {
  case HS_STATE_BUSY:
    return g_strdup (panels != NULL ? "ready" : "busy");
  case HS_STATE_READY:
    return g_strdup ("ready");
  case HS_STATE_FAILED:
    return g_strdup ("failed");
  case HS_STATE_EMPTY:
    break;
  }
  return g_strdup ("empty");
}

gboolean
hs_closure_positive (gpointer widget G_GNUC_UNUSED, guint number)
{
  return number > 0;
}

gboolean
hs_closure_has_text (gpointer widget G_GNUC_UNUSED, const char *text)
{
  return text != NULL && *text != '\0';
}

char *
hs_closure_truncated (gpointer widget G_GNUC_UNUSED, guint n_truncated, guint n_tokens)
{
  const guint all = n_truncated + n_tokens;

  if (n_truncated == 0)
    return g_strdup ("");
  return g_strdup_printf (g_dngettext (NULL, "The text is too long: %u of %u token left out.",
                                       "The text is too long: %u of %u tokens left out.", all),
                          n_truncated, all);
}

char *
hs_closure_model_name (gpointer widget G_GNUC_UNUSED, AttnModel *model)
{
  return g_strdup (model != NULL ? attn_model_peek_name (model) : "");
}

char *
hs_closure_model_size (gpointer widget G_GNUC_UNUSED, guint n_layers, guint n_heads)
{
  g_autofree char *layers = NULL, *heads = NULL;

  if (n_layers == 0)
    return g_strdup ("");
  layers = g_strdup_printf (g_dngettext (NULL, "%u layer", "%u layers", n_layers), n_layers);
  heads = g_strdup_printf (g_dngettext (NULL, "%u head", "%u heads", n_heads), n_heads);
  return g_strdup_printf ("%s × %s", layers, heads);
}

char *
hs_closure_busy (gpointer widget G_GNUC_UNUSED, guint n_layers)
{
  return g_strdup (n_layers == 0 ? _ ("Loading the model…") : _ ("Running the model…"));
}

double
hs_closure_fraction (gpointer widget G_GNUC_UNUSED, double fraction)
{
  return MAX (fraction, 0);
}
