/* SPDX-License-Identifier: MIT */
/* Python pickles read as data: only what a file of tensors needs, and nothing is ever called.
 *
 * A pickle is a program for a small stack machine that may import and call any function. This
 * reader knows the instructions that build numbers, texts, tuples, lists and dictionaries, and a
 * short list of names that stand for tensors and their storages; those become values here. Anything
 * else a file asks for is refused by name. */
#pragma once

#include "arena.h"

#include "attn/source.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef enum {
  ATTN_PICKLE_NONE,
  ATTN_PICKLE_BOOL,
  ATTN_PICKLE_INT,
  ATTN_PICKLE_BIG, /* a whole number of more than 64 bits; its bytes, little-endian */
  ATTN_PICKLE_FLOAT,
  ATTN_PICKLE_STRING,
  ATTN_PICKLE_TUPLE,
  ATTN_PICKLE_LIST,
  ATTN_PICKLE_DICT,    /* items are key, value, key, value … */
  ATTN_PICKLE_GLOBAL,  /* one of the allowed names */
  ATTN_PICKLE_STORAGE, /* a stretch of numbers outside the pickle */
  ATTN_PICKLE_TENSOR,
  ATTN_PICKLE_OTHER, /* of no interest */
} AttnPickleKind;

typedef struct _AttnPickleValue AttnPickleValue;
typedef struct _AttnPickleGlobal AttnPickleGlobal;

typedef struct {
  const AttnPickleGlobal *type;
  const AttnPickleValue *key;        /* a string */
  const AttnPickleValue *n_elements; /* a whole number, of any size */
} AttnPickleStorage;

typedef struct {
  const AttnPickleStorage *storage;
  const AttnPickleValue *offset;  /* a whole number, in elements */
  const AttnPickleValue *sizes;   /* a tuple of anything */
  const AttnPickleValue *strides; /* likewise */
} AttnPickleTensor;

struct _AttnPickleValue {
  guint8 kind;   /* an AttnPickleKind */
  guint8 depth;  /* of what it contains */
  guint32 n;     /* bytes of text, items, or key-value pairs twice */
  guint32 n_max; /* items there is room for */
  union {
    gint64 integer;
    double number;
    const char *text; /* in the pickle; not terminated */
    AttnPickleValue **items;
    const AttnPickleGlobal *global;
    AttnPickleStorage *storage;
    AttnPickleTensor *tensor;
  };
};

/* What a storage's numbers are. */
typedef struct {
  const char *dtype_name; /* as safetensors spells it */
  AttnDtype dtype;
  size_t width; /* bytes of one */
} AttnPickleNumbers;

/* Returns: what a storage of @type holds. */
const AttnPickleNumbers *attn_pickle_global_peek_numbers (const AttnPickleGlobal *type);

typedef struct {
  const char *path;  /* for messages, */
  const char *part;  /* with the part of the file, such as "data.pkl" */
  const char *bytes; /* [n] */
  size_t n;
  size_t at;           /* where to begin; afterwards, behind the pickle */
  AttnArena *arena;    /* values live here; its limit bounds them */
  GPtrArray *storages; /* (nullable): every AttnPickleStorage met is added */
  bool is_cut;         /* (out): refused because the bytes end before the pickle does */
} AttnPickle;

/**
 * attn_pickle_read:
 *
 * Reads one pickle of protocol 2, 3 or 4. Values live as long as the arena and the bytes.
 *
 * Limits: a million memo entries and items on the stack, 64 levels, texts of 1 MiB.
 *
 * Returns: (transfer none): its value, or NULL with @error: FORMAT, TOO_LARGE, UNSUPPORTED (it asks
 *   for something that is no part of a tensor).
 * Test: tests/core/test-pickle.c
 */
AttnPickleValue *attn_pickle_read (AttnPickle *pickle, GError **error);

/* Returns: whether @value is a string of these characters. */
bool attn_pickle_value_is_text (const AttnPickleValue *value, const char *text);

/* Returns: (nullable): what the last of @dict's keys that reads @key stands for. */
AttnPickleValue *attn_pickle_dict_find (const AttnPickleValue *dict, const char *key);
