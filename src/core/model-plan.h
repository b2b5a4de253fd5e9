/* SPDX-License-Identifier: MIT */
/* Which tensor of a folder is which weight: found, checked and listed before memory is asked for.
 */
#pragma once

#include "arch.h"
#include "weights.h"

#include "attn/model.h"
#include "attn/source.h"

#include <glib.h>

typedef struct {
  const AttnTensorInfo *tensor; /* owned by the source */
  AttnRole role;
  size_t layer;
} AttnPlanItem;

typedef struct {
  AttnModel *model;         /* its config and family say what is wanted; gets warnings */
  const AttnSource *source; /* not owned */
  GArray *items;            /* of AttnPlanItem, every tensor that will be read; owned */
  AttnLayout layout;        /* what the file turned out to have */
} AttnPlan;

/**
 * attn_plan_init:
 *
 * Finds every tensor @model needs, under all prefixes and spellings of its family, and checks dtype
 * and shape. Other tensors of the file are of no interest.
 *
 * Returns: false with @error: FORMAT (missing), SHAPE, UNSUPPORTED (dtype). Clear @plan in any
 * case.
 */
bool attn_plan_init (AttnPlan *plan, AttnModel *model, const AttnSource *source, GError **error);

void attn_plan_clear (AttnPlan *plan);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnPlan, attn_plan_clear)

/* Returns: (nullable): the tensor of a role, looked for under every prefix and spelling. */
const AttnTensorInfo *attn_plan_find (const AttnPlan *plan, AttnRole role, size_t layer);

/* Returns: (transfer full): the file a tensor is in, or for NULL would be, fit for messages. */
char *attn_plan_dup_path (const AttnPlan *plan, const AttnTensorInfo *tensor);

/* Adds to the model's warnings what is odd about tensors that are there, or not, without need. The
 * plan must be complete. */
void attn_plan_warn (const AttnPlan *plan);

/* Returns: the dtype that most of the planned weights are stored in, as the file names it; owned by
 * the source. */
const char *attn_plan_peek_main_dtype (const AttnPlan *plan);
