/* SPDX-License-Identifier: MIT */
/* No picture, and the sentence that fits. */
#include "hs-failure.h"

#include "hs-errors.h"
#include "hs-told.h"

#include <glib/gi18n.h>

void
hs_failure_show (HsSession *session, const GError *error)
{
  g_autofree char *told = hs_told_dup (error->message);

  hs_session_show (session, NULL, NULL);
  hs_session_set_state (session, HS_STATE_FAILED, hs_error_peek_sentence (error), told);
}

void
hs_failure_show_refusal (HsSession *session, const GError *error)
{
  const AttnArrangement *arrangement = &hs_session_peek_asked (session)->arrangement;
  const char *sentence = hs_error_is_of_arrangement (error, arrangement)
                             ? _ ("What is chosen under “Show” leaves nothing to see.")
                             : hs_error_peek_sentence (error);
  g_autofree char *told = hs_told_dup (error->message);

  hs_session_show (session, NULL, NULL);
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_state (session, HS_STATE_FAILED, sentence, told);
}
