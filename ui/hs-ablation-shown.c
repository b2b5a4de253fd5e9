/* SPDX-License-Identifier: MIT */
/* Switches, heads and weights of the figure: what they say and do. */
#include "hs-ablation-shown.h"

#include "hs-ablation-bar.h"
#include "hs-ablation-file.h"
#include "hs-ablation-switches.h"
#include "hs-ablation-words.h"
#include "hs-format.h"
#include "hs-lab-source.h"

#include <glib/gi18n.h>

/* ---- how many heads can go ---- */

static bool
shows_pruning (const HsAblationShown *shown)
{
  return hs_session_peek_ablation (shown->session)->figure == ATTN_ABLATION_PRUNING;
}

static AttnDrawPruning
get_pruning (const HsAblationShown *shown)
{
  return hs_ablation_curves_get (shown->session,
                                 shown->curves != NULL ? shown->curves->pruning : NULL);
}

static AttnDrawFigure *
make_pruning (const HsAblationShown *shown, double width)
{
  AttnDrawPruning pruning = get_pruning (shown);

  pruning.width = width;
  return attn_draw_pruning_new (&pruning);
}

static char *
dup_pruning_point (const HsAblationShown *shown, guint id, guint row, guint column)
{
  const AttnDrawPruning pruning = get_pruning (shown);

  return pruning.pruning != NULL ? attn_draw_pruning_dup_point (&pruning, id, row, column)
                                 : g_strdup ("");
}

/* Returns: (transfer full): where the curves fall; nothing without any. */
static char *
dup_falls (const HsAblationShown *shown)
{
  const AttnDrawPruning pruning = get_pruning (shown);

  return pruning.pruning != NULL ? attn_draw_pruning_dup_falls (&pruning) : g_strdup ("");
}

/* ---- the figure ---- */

AttnDrawFigure *
hs_ablation_shown_make (const HsAblationShown *shown, double width)
{
  HsSession *session = shown->session;
  const AttnAblationClean *clean = shown->found->clean;
  if (shows_pruning (shown))
    return make_pruning (shown, width);
  g_autoptr (AttnHeadGates) gates = hs_ablation_dup_gates (session);
  const AttnDrawAblation ablation = {
      .style = hs_lab_get_style (session),
      .width = width,
      .numbers = hs_ablation_get_numbers (shown->found, shown->each),
      .weights = shown->weights,
      .gates = gates,
      .layer = MIN (hs_session_get_layer (session), clean->n_layers - 1),
      .head = MIN (hs_session_get_head (session), clean->n_heads - 1),
      .translate = hs_translate,
  };

  return attn_draw_ablation_new (&ablation);
}

/* ---- what is said ---- */

static char *
dup_head (const HsAblationShown *shown, size_t layer, size_t head)
{
  return hs_ablation_dup_head (shown->session, shown->found, shown->each, layer, head);
}

static char *
dup_chosen (const HsAblationShown *shown)
{
  const guint layer = hs_session_get_layer (shown->session);
  const guint head = hs_session_get_head (shown->session);

  if (shows_pruning (shown)) /* where nothing is switched */
    return g_strdup_printf (_ ("Layer %zu, head %zu"), (size_t)layer + 1, (size_t)head + 1);
  return dup_head (shown, layer, head);
}

char *
hs_ablation_shown_dup_reading (const HsAblationShown *shown, guint id, guint row, guint column)
{
  if (shows_pruning (shown) && id > 0)
    return dup_pruning_point (shown, id, row, column);
  if (shows_pruning (shown))
    return dup_chosen (shown);
  if (id == ATTN_DRAW_ABLATION_HEAD || id == ATTN_DRAW_ABLATION_RANKED)
    return dup_head (shown, row, column);
  if (id >= ATTN_DRAW_ABLATION_MAP)
    return hs_ablation_dup_weight (shown->found, shown->weights, id - ATTN_DRAW_ABLATION_MAP, row,
                                   column);
  return dup_chosen (shown);
}

char *
hs_ablation_shown_dup_value (const HsAblationShown *shown)
{
  const AttnDrawAblation ablation = {
      .numbers = hs_ablation_get_numbers (shown->found, NULL),
      .translate = hs_translate,
  };
  g_autofree char *chosen = dup_chosen (shown);
  g_autofree char *losses =
      shows_pruning (shown) ? dup_falls (shown) : attn_draw_ablation_dup_losses (&ablation);

  return g_strconcat (chosen, " · ", losses, NULL);
}

/* ---- what is done ---- */

static void
choose_head (HsSession *session, guint layer, guint head)
{
  hs_session_set_layer (session, layer);
  hs_session_set_head (session, head);
}

/* A point of a head chooses it. */
static void
pick_pruning (const HsAblationShown *shown, guint id, guint row)
{
  const AttnPruning *pruning = shown->curves != NULL ? shown->curves->pruning : NULL;

  if (pruning == NULL || row >= pruning->n_heads ||
      attn_draw_pruning_find_part (pruning, id) != ATTN_DRAW_PRUNING_HEAD)
    return;
  const guint H = (guint)(pruning->n_heads / pruning->n_layers);
  choose_head (shown->session, row / H, row % H);
}

void
hs_ablation_shown_pick (const HsAblationShown *shown, guint id, guint row, guint column)
{
  if (shows_pruning (shown)) {
    pick_pruning (shown, id, row);
    return;
  }
  AttnHeadGates *gates = hs_ablation_dup_gates (shown->session);

  if (gates == NULL)
    return;
  if (id == ATTN_DRAW_ABLATION_HEAD && row < gates->n_layers && column < gates->n_heads)
    hs_switches_toggle (gates, row, column);
  else if (id == ATTN_DRAW_ABLATION_LAYER && row < gates->n_layers)
    hs_switches_toggle_layer (gates, row);
  else if (id == ATTN_DRAW_ABLATION_COLUMN && column < gates->n_heads)
    hs_switches_toggle_column (gates, column);
  hs_ablation_set_gates (shown->session, gates);
  if (id == ATTN_DRAW_ABLATION_HEAD || id == ATTN_DRAW_ABLATION_RANKED)
    choose_head (shown->session, row, column);
}

void
hs_ablation_shown_activate (const HsAblationShown *shown)
{
  hs_ablation_shown_pick (shown, ATTN_DRAW_ABLATION_HEAD, hs_session_get_layer (shown->session),
                          hs_session_get_head (shown->session));
}

bool
hs_ablation_shown_move (const HsAblationShown *shown, HsMove move)
{
  HsSession *session = shown->session;
  const guint n_layers = hs_session_get_n_layers (session),
              n_heads = hs_session_get_n_heads (session);
  size_t layer = hs_session_get_layer (session), head = hs_session_get_head (session);

  if (n_layers == 0 || n_heads == 0)
    return false;
  hs_cursor_move_cell (&layer, &head, n_layers, n_heads, move);
  choose_head (session, (guint)layer, (guint)head);
  return true;
}
