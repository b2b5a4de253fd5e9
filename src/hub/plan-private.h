/* SPDX-License-Identifier: MIT */
/* What a plan holds, for those who make it and who carry it out. */
#pragma once

#include "client.h"

#include "attn-hub/fetch.h"

struct _AttnHubPlan {
  const AttnHubPlaces *places; /* borrowed */
  char *repo, *revision, *commit;
  char *family;
  size_t n_layers, n_heads;
  GPtrArray *files; /* of AttnHubPlanFile */
};

/* A plan while it is made. */
typedef struct {
  AttnHubPlan *plan;
  AttnHubClient *client;
  GHashTable *listing; /* attn_hub_listing_load()'s */
  char *inner;         /* the transformer's folder: "" or "0_Transformer/"; owned */
} AttnHubPlanning;

/* Adds the file where the model has it. Returns: whether it does. */
bool attn_hub_planning_add (AttnHubPlanning *planning, const char *folder, const char *name);

/* Returns: (transfer full): a small file's content, or NULL with @error: IO, FORMAT, TOO_LARGE,
 * CANCELLED. */
char *attn_hub_planning_load (
    AttnHubPlanning *planning, const char *path, size_t max_bytes, size_t *n_bytes, GError **error);

/* modules.json and the modules' configs, where there are any; tells planning->inner. Returns: false
 * with @error. */
bool attn_hub_planning_add_modules (AttnHubPlanning *planning, GError **error);

/* Returns: false with @error: UNSUPPORTED (there is no tokenizer, or no weights, of a kind that we
 * read), FORMAT. */
bool attn_hub_planning_add_tokenizer (AttnHubPlanning *planning, GError **error);
bool attn_hub_planning_add_weights (AttnHubPlanning *planning, GError **error);
