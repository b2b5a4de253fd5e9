/* SPDX-License-Identifier: MIT */
/* Inside a target, for those who differentiate its loss. */
#pragma once

#include "attn/loss.h"

struct _AttnTarget {
  size_t n; /* labels; 0: the vector is asked for */
  size_t *positions;
  int32_t *labels;
  AttnTrace *clean; /* of the vector */
};
