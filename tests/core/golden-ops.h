/* SPDX-License-Identifier: MIT */
/* Reference values of the small operations: tests/data/golden/ops. */
#pragma once

#include "safetensors.h"

typedef struct {
  char *bytes;
  AttnTensorTable header;
} GoldenOps;

/* Reads the file; a failure ends the test program. */
GoldenOps golden_ops_load (void);

void golden_ops_clear (GoldenOps *golden);

/* Returns: (transfer full): a copy of a tensor of f32, or of another dtype bytewise; @n is its
 * number of elements. */
void *golden_ops_get (const GoldenOps *golden, const char *name, size_t *n);
