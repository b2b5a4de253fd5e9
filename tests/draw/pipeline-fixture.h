/* SPDX-License-Identifier: MIT */
/* What tests of the pipeline's figure share: the steps of one head of the shipped model. */
#pragma once

#include "attn-draw/pipeline.h"

G_BEGIN_DECLS

#define PIPELINE_TEXT "The animal didn't cross the street because it was too tired."

typedef struct {
  AttnModel *model;
  AttnTrace *trace;
  AttnDrawSteps *steps; /* layer 3, head 5 */
} PipelineFixture;

/* Returns: (transfer full): the model in a folder, which has to be there. */
AttnModel *pipeline_load (const char *folder);

/* @data: (nullable): text in the place of PIPELINE_TEXT */
void pipeline_set_up (PipelineFixture *fixture, gconstpointer data);
void pipeline_tear_down (PipelineFixture *fixture, gconstpointer data);

/* Names of models whose norms come first, whose tokens do not see all others, or are turned by
 * their place; up to NULL. */
extern const char *const pipeline_families[];

/* Returns: (transfer full): the first layer's second head of such a model. */
AttnDrawSteps *pipeline_make_family_steps (const char *name);

/* Returns: (transfer full): the usual example of a row. */
AttnDrawExample *pipeline_make_example (AttnDrawSteps *steps, AttnStep step, size_t row);

G_END_DECLS
