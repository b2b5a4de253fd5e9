/* SPDX-License-Identifier: MIT */
/* A step of attention (steps.h), or the arithmetic of one of its numbers, written down as JSON: the
 * same from the window and from the command line. Numbers as attn_number_format() writes them. */
#pragma once

#include "attn/steps.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Which step it is; layer and head from 0. */
typedef struct {
  AttnStep step;
  size_t layer, head;
} AttnStepPlace;

/* Returns: (transfer full): {"step","layer","head","tokens","shape","values"}; layer and head count
 * from 1, and a step of all heads has no head.
 *
 * Test: tests/cli/test-lab.c, tests/ui/test-lab-pipeline.c */
char *attn_step_dup_json (AttnTrace *trace, const AttnStepPlace *place, const AttnMatrix *matrix);

/* Returns: (transfer full): the same head, then "cell": [row, column] from 0, its value, its kind,
 * the terms of its sum and what is done with the sum. */
char *attn_cell_dup_json (AttnTrace *trace, const AttnStepPlace *place, const AttnCell *cell);

G_END_DECLS
