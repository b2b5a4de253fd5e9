/* SPDX-License-Identifier: MIT */
/* What a download waits for. */
#pragma once

typedef enum {
  ATTN_HUB_WAITS_CONNECTION,
  ATTN_HUB_WAITS_SERVER,
  ATTN_HUB_WAITS_PROGRAM,
  ATTN_HUB_WAITS_CHECK,
} AttnHubWaits;

/* Returns: (transfer none): that in words: English, and a text of the translations. */
const char *attn_hub_waits_peek (AttnHubWaits what);
