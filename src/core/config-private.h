/* SPDX-License-Identifier: MIT */
/* Between the reader of config.json and what it knows about each family. */
#pragma once

#include "attn/config.h"
#include "attn/error.h"

#include <glib.h>
#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

/* What is being read, and where complaints go. */
typedef struct {
  json_t *root;     /* borrowed */
  const char *path; /* of config.json, borrowed */
  AttnConfig *config;
  GPtrArray *warnings; /* owned strings */
} AttnConfigReader;

typedef struct {
  const char *key;   /* NULL ends a table */
  const char *alias; /* another key that the reference takes too, or NULL */
  size_t member;     /* offset of the size_t in AttnConfig */
  size_t min, max;
  size_t fallback;
} AttnSizeField;

typedef struct {
  const char *model_type;
  const char *architecture_prefix; /* of the class names in architectures */
  const AttnSizeField *sizes;      /* the layers' first, as every family has them */
  size_t pad_id;                   /* for want of pad_token_id */
  const char *eps_key;             /* NULL where the family fixes the value */
  double eps;
  const char *activation_key;
  const char *activation;
  /* Reads what only this family has, after all of the above; NULL for nothing. */
  bool (*read_more) (AttnConfigReader *reader, GError **error);
} AttnConfigFamily;

/* Returns: the table's entry number @index, static; NULL past the last. */
const AttnConfigFamily *attn_config_family_peek (size_t index);

/* Returns: the key config.json gives a size under in this family, static; for messages. */
const char *attn_config_peek_key (const AttnConfig *config, size_t member);

/* The values behind 0 for "nothing special". */
size_t attn_config_get_d_embed (const AttnConfig *config);
size_t attn_config_get_n_layer_weights (const AttnConfig *config);

/* Returns: rows of the distances' table on either side of 0. */
size_t attn_relative_get_span (const AttnRelative *relative);

/* Returns: the weights' set that layer @layer uses. */
size_t attn_config_get_weight_layer (const AttnConfig *config, size_t layer);

/* Sets @error to "PATH: KEY: found FOUND, wanted WANTED". Returns: false. */
bool attn_config_refuse (AttnConfigReader *reader,
                         AttnError code,
                         const char *key,
                         const char *found,
                         const char *wanted,
                         GError **error);

/* Refuses @key unless it is missing, null or the boolean @wanted; @why ends the sentence. */
bool attn_config_require (
    AttnConfigReader *reader, const char *key, bool wanted, const char *why, GError **error);

bool attn_config_read_activation (AttnConfigReader *reader,
                                  const char *key,
                                  const char *fallback,
                                  AttnActivation *activation,
                                  GError **error);
