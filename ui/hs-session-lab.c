/* SPDX-License-Identifier: MIT */
/* The session's place in the lab. */
#include "hs-session-private.h"

gboolean
hs_session_get_in_lab (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), FALSE);
  return self->in_lab;
}

void
hs_session_set_in_lab (HsSession *self, gboolean in_lab)
{
  g_return_if_fail (HS_IS_SESSION (self));

  in_lab = !!in_lab;
  if (self->in_lab == in_lab)
    return;
  self->in_lab = in_lab;
  hs_session_notify (self, HS_SESSION_PROP_IN_LAB);
}

AttnDrawLabPage
hs_session_get_lab_page (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_LAB_PIPELINE);
  return self->lab_page;
}

void
hs_session_set_lab_page (HsSession *self, AttnDrawLabPage page)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->lab_page == page)
    return;
  self->lab_page = page;
  hs_session_notify (self, HS_SESSION_PROP_LAB_PAGE);
}
