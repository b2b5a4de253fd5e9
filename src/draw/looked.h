/* SPDX-License-Identifier: MIT */
/* Maps as a view looks at them: through its lens, then arranged. */
#pragma once

#include "attn-draw/view.h"
#include "attn/pool.h"
#include "attn/progress.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* A share of some progress, for work that tells its own from 0 to 1. */
typedef struct {
  AttnProgressFunc progress; /* nullable */
  void *data;
  double start, share;
} AttnDrawShare;

/* An AttnProgressFunc; @share: an AttnDrawShare. */
bool attn_draw_share_tell (double fraction, void *share);

/* Returns: how much of the progress of making panels the view's lens takes, 0 … 1. */
double attn_draw_view_get_lens_share (const AttnDrawView *view);

/* Returns: (transfer full): @maps through lens and arrangement, or NULL with @error as
 * attn_lens_new_maps() and attn_maps_arrange(). @layer: of the view, for lenses that take long */
AttnMaps *attn_draw_view_look (const AttnDrawView *view,
                               AttnMaps *maps,
                               size_t layer,
                               AttnPool *pool,
                               AttnDrawShare *share,
                               GError **error);
