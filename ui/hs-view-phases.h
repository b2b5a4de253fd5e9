/* SPDX-License-Identifier: MIT */
/* What the benchmark of the views does in each frame: pointing, scrolling, zooming, choosing. */
#pragma once

#include "hs-picture.h"

G_BEGIN_DECLS

#define HS_VIEW_PHASE_FRAMES 60

typedef struct {
  const char *name;
  AttnDrawKind kind; /* the view it is about */
  /* Changes something; @frame counts from 0 up to HS_VIEW_PHASE_FRAMES. */
  void (*step) (HsPicture *picture, guint frame);
} HsViewPhase;

/* Returns: (transfer none): the phases in their order. */
const HsViewPhase *hs_view_phases_peek (gsize *n);

G_END_DECLS
