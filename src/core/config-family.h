/* SPDX-License-Identifier: MIT */
/* Every family's keys in config.json and what the reference takes for missing ones. */
#pragma once

#include "config-reader.h"

#include "attn/config.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

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
