/* SPDX-License-Identifier: MIT */
/* Words for what a download waits for; whoever shows them may translate them. */
#include "waits.h"

#define N_(english) (english)

const char *
attn_hub_waits_peek (AttnHubWaits what)
{
  static const char *const words[] = {
      [ATTN_HUB_WAITS_CONNECTION] = N_ ("the connection broke, trying again"),
      [ATTN_HUB_WAITS_SERVER] = N_ ("the server is busy, trying again"),
      [ATTN_HUB_WAITS_PROGRAM] = N_ ("another program is fetching the same file"),
      [ATTN_HUB_WAITS_CHECK] = N_ ("checking what is here already"),
  };
  return words[what];
}
