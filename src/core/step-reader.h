/* SPDX-License-Identifier: MIT */
/* Walks through the steps of a tokenizer.json: objects with a type, which may hold lists of such.
 */
#pragma once

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>

/* What reading a step needs besides it. */
typedef struct {
  const char *path;    /* of the file, fit for messages */
  const char *section; /* "normalizer" */
  void *target;
} AttnStepContext;

typedef struct {
  const char *type;
  bool (*read) (json_t *step, const AttnStepContext *context, GError **error);
} AttnStepReader;

/**
 * attn_steps_read:
 * @value:   a step, or NULL or null for none
 * @list:    the key under which a step of type "Sequence" holds others
 * @readers: [n_readers] by type
 *
 * Returns: false with @error: FORMAT, UNSUPPORTED (a type without reader, named in the message).
 */
bool attn_steps_read (json_t *value,
                      const char *list,
                      const AttnStepReader *readers,
                      size_t n_readers,
                      const AttnStepContext *context,
                      GError **error);

/* Readers of one field as json.h has them, whose messages name the section too. */
bool attn_step_get_bool (json_t *step,
                         const char *key,
                         bool fallback,
                         bool *value,
                         const AttnStepContext *context,
                         GError **error);
bool attn_step_get_string (json_t *step,
                           const char *key,
                           const char *fallback,
                           const char **value,
                           const AttnStepContext *context,
                           GError **error);

/* One character, which must be there. */
bool attn_step_get_char (json_t *step,
                         const char *key,
                         gunichar fallback,
                         gunichar *value,
                         const AttnStepContext *context,
                         GError **error);
