/* SPDX-License-Identifier: MIT */
/* A run's result, reference-counted. */
#include "hs-answer.h"

G_DEFINE_BOXED_TYPE (HsAnswer, hs_answer, hs_answer_ref, hs_answer_unref)

HsAnswer *
hs_answer_new (void)
{
  return g_atomic_rc_box_new0 (HsAnswer);
}

HsAnswer *
hs_answer_ref (HsAnswer *answer)
{
  return g_atomic_rc_box_acquire (answer);
}

static void
clear (gpointer data)
{
  HsAnswer *answer = data;

  g_clear_error (&answer->refusal);
  g_clear_pointer (&answer->predictions, attn_predictions_free);
  g_clear_pointer (&answer->panels, attn_draw_panels_unref);
  g_clear_pointer (&answer->view, attn_draw_view_free);
  g_clear_pointer (&answer->attention, hs_attention_unref);
  g_clear_pointer (&answer->maps, attn_maps_unref);
}

void
hs_answer_unref (HsAnswer *answer)
{
  g_atomic_rc_box_release_full (answer, clear);
}

AttnTokens *
hs_answer_peek_tokens (const HsAnswer *answer)
{
  AttnTrace *trace = attn_maps_peek_trace (answer->maps);

  return trace != NULL ? attn_trace_peek_tokens (trace) : NULL;
}
