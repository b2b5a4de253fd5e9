/* SPDX-License-Identifier: MIT */
/* Merges on their way from a file's words to ids. */
#pragma once

#include "vocab.h"

#include <glib.h>

#include <stdbool.h>

typedef struct {
  const AttnVocab *vocab;
  const char *path;   /* for messages */
  const char *prefix; /* of pieces that continue a word; "" mostly */
  GArray *merges;     /* of AttnMerge */
} AttnMergeList;

/* Appends a merge. Returns: false with @error: FORMAT, where a piece of it is not in the
 * vocabulary. */
bool attn_merge_list_take (const char *left, const char *right, void *list, GError **error);

/* Reads a merges.txt. Returns: false with @error: IO, FORMAT, TOO_LARGE. */
bool attn_merge_list_load (AttnMergeList *list, const char *path, GError **error);
