/* SPDX-License-Identifier: MIT */
/* No picture, and the sentence that fits. */
#include "hs-failure.h"

#include "hs-errors.h"
#include "hs-told.h"

#include "attn/error.h"

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
  const AttnDrawView *asked = hs_session_peek_asked (session);
  const bool of_lens =
      asked->lens != ATTN_LENS_RAW && g_error_matches (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  const char *sentence = of_lens ? _ ("The chosen lens does not fit what is opened.")
                         : hs_error_is_of_view (error, asked)
                             ? _ ("What is chosen under “Show” leaves nothing to see.")
                             : hs_error_peek_sentence (error);
  g_autofree char *told = hs_told_dup (error->message);

  hs_session_show (session, NULL, NULL);
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_state (session, HS_STATE_FAILED, sentence, told);
}
