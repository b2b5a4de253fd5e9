/* SPDX-License-Identifier: MIT */
/* The kernels that rely on nothing but the compiler: slow, for where the others turn out wrong. */
#include "kernels.h"

#define LANES 4
#define TILE_ROWS 6
#define KERNELS attn_kernels_plain
#define KERNELS_NAME "plain"

#include "kernels-vec4.h"

static const char *
describe (void)
{
  return "own plain 6x8";
}

#include "kernels-product.h"
#include "kernels-transpose.h"

/* on squares of those */
#include "kernels-distances.h"

/* last, with the table of the set */
#include "kernels-rows.h"
