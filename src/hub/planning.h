/* SPDX-License-Identifier: MIT */
/* A plan while it is made: its files from the listing, and small files that say which are wanted.
 */
#pragma once

#include "client.h"
#include "plan-private.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

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
