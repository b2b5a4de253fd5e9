/* SPDX-License-Identifier: MIT */
/* How fast bytes arrive, and telling about it not too often. */
#pragma once

#include "attn-hub/fetch.h"

#define ATTN_HUB_N_MARKS 16

typedef struct {
  AttnHubProgressFunc func; /* nullable */
  void *data;
  AttnHubProgress progress;
  gint64 told_us; /* when the callback was called last */
  struct {
    gint64 time_us;
    guint64 received;
  } marks[ATTN_HUB_N_MARKS]; /* a ring, the last few seconds */
  size_t n_marks;            /* made so far */
} AttnHubMeter;

/* Notes that @n bytes came, and tells when it is time. */
void attn_hub_meter_receive (AttnHubMeter *meter, guint64 n);

/* Tells now. */
void attn_hub_meter_tell (AttnHubMeter *meter);
