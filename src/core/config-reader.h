/* SPDX-License-Identifier: MIT */
/* Reading config.json: what the common reader and the families share. */
#pragma once

#include "attn/config.h"
#include "attn/error.h"

#include <glib.h>
#include <jansson.h>

#include <stdbool.h>

/* What is being read, and where complaints go. */
typedef struct {
  json_t *root;     /* borrowed */
  const char *path; /* of config.json, borrowed */
  AttnConfig *config;
  GPtrArray *warnings; /* owned strings */
} AttnConfigReader;

/* Keeps "PATH: SENTENCE" for those who read @reader->config's warnings. */
void attn_config_warn (AttnConfigReader *reader, const char *sentence);

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
