/* SPDX-License-Identifier: MIT */
/* Sentences on single heads and weights. */
#include "hs-ablation-words.h"

#include "hs-ablation-bar.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#define DECIMALS 4

static void
append_number (GString *text, const char *name, double value)
{
  char number[ATTN_NUMBER_SIZE];

  g_string_append_printf (text, " · %s %s", name,
                          attn_number_format_fixed (number, value, DECIMALS));
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

  if (gates == NULL || layer >= gates->n_layers || head >= gates->n_heads)
    return g_string_free (text, FALSE);
  g_string_printf (text,
                   attn_head_gates_get (gates, layer, head) != ATTN_GATE_KEEP
                       ? _ ("layer %zu, head %zu: off")
                       : _ ("layer %zu, head %zu: on"),
                   layer + 1, head + 1);
  const size_t index = layer * gates->n_heads + head;
  if (each != NULL)
    append_number (text,
                   each->clean->task->kind == ATTN_TASK_VECTOR
                       ? _ ("removed alone, 1 − cosine is")
                       : _ ("removed alone, the loss changes by"),
                   each->losses[index] - each->clean->task->loss);
  if (found->importance != NULL)
    append_number (text, _ ("importance"), found->importance->importance[index]);
  return g_string_free (text, FALSE);
}

static double
get_weight (HsSession *session, const AttnTrace *trace, size_t query, size_t key)
{
  const size_t T = attn_trace_get_n_tokens (trace);
  g_autofree float *weights = g_new (float, T *T);

  attn_trace_compute_map (trace, hs_session_get_layer (session), hs_session_get_head (session),
                          weights);
  return (double)weights[query * T + key];
}

char *
hs_ablation_dup_weight (
    HsSession *session, const HsAblationFound *found, guint which, size_t query, size_t key)
{
  const AttnTrace *clean = found->clean->task->clean;
  AttnTokens *tokens = attn_trace_peek_tokens (clean);
  const size_t T = attn_trace_get_n_tokens (clean);
  char number[ATTN_NUMBER_SIZE];

  if (found->off == NULL || query >= T || key >= T || tokens == NULL)
    return g_strdup ("");
  const double before = get_weight (session, clean, query, key);
  const double after = get_weight (session, found->off->trace, query, key);
  attn_number_format_fixed (number,
                            which == 0   ? before
                            : which == 1 ? after
                                         : before - after,
                            DECIMALS);
  return g_strdup_printf (_ ("query “%s” → key “%s”: %s"), attn_tokens_peek (tokens, query)->text,
                          attn_tokens_peek (tokens, key)->text, number);
}
