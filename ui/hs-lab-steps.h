/* SPDX-License-Identifier: MIT */
/* The numbers of the lab's steps, made on another thread: the newest question wins, and what was
 * there stays until the next is. */
#pragma once

#include "attn-draw/pipeline.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define HS_TYPE_LAB_STEPS (hs_lab_steps_get_type ())
G_DECLARE_FINAL_TYPE (HsLabSteps, hs_lab_steps, HS, LAB_STEPS, GObject)

/* What is asked for. */
typedef struct {
  AttnTrace *trace;   /* borrowed */
  size_t layer, head; /* … */
  bool is_open;       /* … which are not asked for: those worth beginning with */
  AttnStep step;      /* of one the family has not, the next one that there is */
  bool has_row;       /* the example is of the largest number in this row … */
  bool has_cell;      /* … or of this one, where there is such a number */
  size_t row, column;
} HsLabQuestion;

/* Signal "changed": there is an answer to the newest question. */
HsLabSteps *hs_lab_steps_new (void);

/* A question that was answered, or is on its way, is not asked again. */
void hs_lab_steps_ask (HsLabSteps *self, const HsLabQuestion *question);

/* Returns: whether an answer is on its way. */
bool hs_lab_steps_is_working (HsLabSteps *self);

/* Forgets what is there and what is on its way. */
void hs_lab_steps_clear (HsLabSteps *self);

/* Returns: (nullable) (transfer none): the steps, and the example of @shown. */
AttnDrawSteps *hs_lab_steps_peek (HsLabSteps *self);
AttnDrawExample *hs_lab_steps_peek_example (HsLabSteps *self);

/* Returns: (transfer none): what was answered; its trace is not to be read. */
const HsLabQuestion *hs_lab_steps_peek_answered (HsLabSteps *self);

G_END_DECLS
