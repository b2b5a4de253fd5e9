/* SPDX-License-Identifier: MIT */
/* Sentences on single heads and weights. */
#include "hs-ablation-words.h"

#include "hs-ablation-bar.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#define DECIMALS 4

static void
append_number (GString *text, const char *name, const char *number)
{
  g_string_append_printf (text, " · %s %s", name, number);
}

static void
append_effect (GString *text, const HsAblationEach *each, size_t index)
{
  const AttnTask *task = each->clean->task;
  g_autofree char *number =
      attn_draw_ablation_dup_signed (each->losses[index] - task->loss, DECIMALS);

  append_number (text,
                 task->kind == ATTN_TASK_VECTOR ? _ ("removed alone, 1 − cosine is")
                                                : _ ("removed alone, the loss changes by"),
                 number);
}

char *
hs_ablation_dup_head (HsSession *session,
                      const HsAblationFound *found,
                      const HsAblationEach *each,
                      size_t layer,
                      size_t head)
{
  g_autoptr (AttnHeadGates) gates = hs_ablation_dup_gates (session);
  GString *text = g_string_new (NULL);
  char importance[ATTN_NUMBER_SIZE];

  if (gates == NULL || layer >= gates->n_layers || head >= gates->n_heads)
    return g_string_free (text, FALSE);
  g_string_printf (text,
                   attn_head_gates_get (gates, layer, head) != ATTN_GATE_KEEP
                       ? _ ("layer %zu, head %zu: off")
                       : _ ("layer %zu, head %zu: on"),
                   layer + 1, head + 1);
  const size_t index = layer * gates->n_heads + head;
  if (each != NULL)
    append_effect (text, each, index);
  if (found->importance != NULL)
    append_number (
        text, _ ("importance"),
        attn_number_format_fixed (importance, found->importance->importance[index], DECIMALS));
  return g_string_free (text, FALSE);
}

char *
hs_ablation_dup_weight (const HsAblationFound *found,
                        const AttnDrawAblationWeights *weights,
                        guint which,
                        size_t query,
                        size_t key)
{
  const AttnTrace *clean = found->clean->task->clean;
  AttnTokens *tokens = attn_trace_peek_tokens (clean);
  const size_t T = attn_trace_get_n_tokens (clean);
  char number[ATTN_NUMBER_SIZE];

  if (weights == NULL || query >= T || key >= T || tokens == NULL)
    return g_strdup ("");
  const double value = attn_draw_ablation_weights_get (weights, which, query, key);
  g_autofree char *change = which == 2 ? attn_draw_ablation_dup_signed (value, DECIMALS) : NULL;
  return g_strdup_printf (_ ("query “%s” → key “%s”: %s"), attn_tokens_peek (tokens, query)->text,
                          attn_tokens_peek (tokens, key)->text,
                          change != NULL ? change
                                         : attn_number_format_fixed (number, value, DECIMALS));
}
