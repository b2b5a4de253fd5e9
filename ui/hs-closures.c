/* SPDX-License-Identifier: MIT */
/* From properties to what a widget shows. */
#include "hs-closures.h"

#include "hs-model-name.h"
#include "hs-told.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

#define MAX_LENS_CHARACTERS 24 /* of its name on a button, which is to fit a narrow window */

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
hs_closure_not (gpointer widget G_GNUC_UNUSED, gboolean yes)
{
  return !yes;
}

gboolean
hs_closure_positive (gpointer widget G_GNUC_UNUSED, guint number)
{
  return number > 0;
}

gboolean
hs_closure_explores (gpointer widget G_GNUC_UNUSED, AttnDrawKind kind, gboolean in_lab)
{
  return !in_lab && kind != ATTN_DRAW_COMPARE;
}

gboolean
hs_closure_compares (gpointer widget G_GNUC_UNUSED, AttnDrawKind kind, gboolean in_lab)
{
  return !in_lab && kind == ATTN_DRAW_COMPARE;
}

double
hs_closure_folded_aspect (gpointer widget G_GNUC_UNUSED, AttnDrawKind kind)
{
  return kind == ATTN_DRAW_COMPARE ? 0.6 : 0.9;
}

int
hs_closure_face_height (gpointer widget G_GNUC_UNUSED, AttnDrawKind kind)
{
  return kind == ATTN_DRAW_COMPARE ? 305 : 260;
}

gboolean
hs_closure_layer_matters (gpointer widget G_GNUC_UNUSED,
                          guint n_layers,
                          gpointer arrangement,
                          gboolean in_lab,
                          HsAttention *attention)
{
  const AttnArrangement *how = arrangement;

  if (in_lab)
    return n_layers > 0 && attention == NULL;
  return n_layers > 0 && (how == NULL || how->combine == ATTN_COMBINE_NONE || !how->combine_layers);
}

gboolean
hs_closure_head_matters (gpointer widget G_GNUC_UNUSED,
                         guint n_heads,
                         gpointer arrangement,
                         guint lens,
                         gboolean in_lab,
                         HsAttention *attention)
{
  const AttnArrangement *how = arrangement;
  const bool is_apart =
      (how == NULL || how->combine == ATTN_COMBINE_NONE) && !attn_lens_is_joint ((AttnLens)lens);

  if (in_lab)
    return n_heads > 0 && attention == NULL;
  return n_heads > 0 && is_apart;
}

static const char *
peek_unit (const AttnArrangement *arrangement)
{
  switch (arrangement != NULL ? arrangement->unit : ATTN_UNIT_TOKENS) {
  case ATTN_UNIT_CHARACTERS:
    return _ ("Characters");
  case ATTN_UNIT_WORDS:
    return _ ("Words");
  case ATTN_UNIT_TOKENS:
  default:
    return _ ("Tokens");
  }
}

/* Nobody is to take the numbers of a lens for weights. */
char *
hs_closure_unit_name (gpointer widget G_GNUC_UNUSED, gpointer arrangement, guint lens)
{
  g_autofree char *title = NULL;
  g_autofree char *cut = NULL;

  if (lens == ATTN_LENS_RAW || lens >= ATTN_N_LENSES)
    return g_strdup (peek_unit (arrangement));
  title = hs_told_dup (attn_lens_peek_about ((AttnLens)lens)->title);
  if (g_utf8_strlen (title, -1) <= MAX_LENS_CHARACTERS)
    return g_strdup_printf ("%s · %s", peek_unit (arrangement), title);
  cut = g_utf8_substring (title, 0, MAX_LENS_CHARACTERS - 1);
  return g_strdup_printf ("%s · %s…", peek_unit (arrangement), g_strchomp (cut));
}

gboolean
hs_closure_is_refused (gpointer widget G_GNUC_UNUSED, HsAnswer *answer)
{
  return answer != NULL;
}

gboolean
hs_closure_is_not_refused (gpointer widget G_GNUC_UNUSED, HsAnswer *answer)
{
  return answer == NULL;
}

gboolean
hs_closure_has_text (gpointer widget G_GNUC_UNUSED, const char *text)
{
  return text != NULL && *text != '\0';
}

gboolean
hs_closure_has_attention (gpointer widget G_GNUC_UNUSED, HsAttention *attention)
{
  return attention != NULL;
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

static char *
dup_title (const char *name, gulong n_layers, gulong n_heads)
{
  g_autofree char *layers =
      g_strdup_printf (g_dngettext (NULL, "%lu layer", "%lu layers", n_layers), n_layers);
  g_autofree char *heads =
      g_strdup_printf (g_dngettext (NULL, "%lu head", "%lu heads", n_heads), n_heads);

  return g_markup_printf_escaped ("<b>%s</b>  <span alpha=\"80%%\" size=\"smaller\">%s × %s</span>",
                                  name, layers, heads);
}

char *
hs_closure_source_title (gpointer widget G_GNUC_UNUSED, AttnModel *model, HsAttention *attention)
{
  const AttnConfig *config = model != NULL ? attn_model_peek_config (model) : NULL;
  g_autofree char *name = NULL;

  if (attention != NULL)
    return dup_title (attention->name, attn_maps_get_n_layers (attention->maps),
                      attn_maps_get_n_heads (attention->maps));
  if (config == NULL)
    return g_strdup ("<b>Headscope</b>");
  name = hs_model_name_dup_loaded (model);
  return dup_title (name, config->n_layers, config->n_heads);
}

char *
hs_closure_source_tip (gpointer widget, AttnModel *model, HsAttention *attention)
{
  g_autofree char *title = hs_closure_source_title (widget, model, attention);
  g_autofree char *place = attention != NULL ? attn_file_dup_shown (attention->place.path,
                                                                    strlen (attention->place.path))
                           : model != NULL   ? hs_model_name_dup_place (model)
                                             : NULL;
  g_autofree char *escaped = place != NULL ? g_markup_escape_text (place, -1) : NULL;

  return escaped != NULL ? g_strconcat (title, "\n", escaped, NULL) : g_steal_pointer (&title);
}

char *
hs_closure_busy (gpointer widget G_GNUC_UNUSED, guint n_layers, const char *message)
{
  if (message != NULL)
    return g_strdup (message);
  return g_strdup (n_layers == 0 ? _ ("Loading the model…") : _ ("Running the model…"));
}

double
hs_closure_fraction (gpointer widget G_GNUC_UNUSED, double fraction)
{
  return MAX (fraction, 0);
}
