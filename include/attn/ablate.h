/* SPDX-License-Identifier: MIT */
/* What breaks without a head: every head switched off in turn. */
#pragma once

#include "attn/gates.h"
#include "attn/loss.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
  AttnGate gate;             /* what is done to the one head */
  bool frozen;               /* later layers keep the clean run's patterns */
  AttnTrace *patch_from;     /* of ATTN_GATE_PATCH; borrowed */
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked after every few heads */
  void *progress_data;
} AttnAblation;

/**
 * attn_ablate_each:
 * @clean:  the run with all heads
 * @losses: [n_layers, n_heads] written: the target's loss with that head alone changed
 *
 * Several heads of a layer run as one batch, from that layer on: what comes before it is the clean
 * run's.
 *
 * Returns: false with @error: TOO_LARGE, CANCELLED, SHAPE (patch_from does not fit).
 * Source: Michel et al. 2019, section 3.2 (zero); Kovaleva et al. 2019, section 4.4 (uniform).
 * Test:   tests/core/test-ablate.c, golden data.
 */
bool attn_ablate_each (AttnTrace *clean,
                       const AttnTarget *target,
                       const AttnAblation *ablation,
                       double *losses,
                       GError **error);

G_END_DECLS
