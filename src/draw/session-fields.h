/* SPDX-License-Identifier: MIT */
/* Objects of a session file as tables, so that reading and writing cannot differ. */
#pragma once

#include "attn/json.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* How a field's value is written, and what stands at its place in the struct. */
typedef enum {
  ATTN_DRAW_FIELD_NAME,    /* one of `names`: its index as an unsigned */
  ATTN_DRAW_FIELD_WORD,    /* one of `names`: the name itself, static */
  ATTN_DRAW_FIELD_FLAGS,   /* array of `names`: an unsigned with bit i for name i */
  ATTN_DRAW_FIELD_STRING,  /* char *, owned; min and max count bytes. NULL is left out */
  ATTN_DRAW_FIELD_PATH,    /* likewise, absolute, or one of `names`; in the file maybe beside it */
  ATTN_DRAW_FIELD_LIST,    /* path of a word list: an AttnWordList *, owned. NULL is left out */
  ATTN_DRAW_FIELD_COUNT,   /* size_t */
  ATTN_DRAW_FIELD_ORDINAL, /* size_t from 0; counts from 1 in the file */
  ATTN_DRAW_FIELD_INDEX,   /* size_t; G_MAXSIZE is null */
  ATTN_DRAW_FIELD_NUMBER,  /* double */
  ATTN_DRAW_FIELD_YES,     /* bool */
  ATTN_DRAW_FIELD_NO,      /* bool, the opposite */
  ATTN_DRAW_FIELD_HEADS,   /* array of heads from 1: an AttnHeadSet */
  ATTN_DRAW_FIELD_FORMER,  /* of older files: passed over in silence, and never written */
  ATTN_DRAW_FIELD_OBJECT,  /* an object of its own: `fields` on the same struct */
} AttnDrawFieldType;

typedef struct AttnDrawField AttnDrawField;

struct AttnDrawField {
  const char *key; /* NULL ends a table */
  AttnDrawFieldType type;
  size_t offset; /* in the struct the table is of */
  double min, max;
  const char *const *names;    /* NULL-terminated */
  const AttnDrawField *fields; /* of an object */
};

/* The tables; each of the struct named. */
extern const AttnDrawField attn_draw_session_fields[]; /* AttnDrawSession: the export */
extern const AttnDrawField attn_draw_window_fields[];  /* AttnDrawSession: the window */
extern const AttnDrawField attn_draw_side_fields[];    /* AttnDrawSessionSide */
extern const AttnDrawField attn_draw_view_fields[];    /* AttnDrawView */

/* Where an object stands. */
typedef struct {
  const char *place;   /* for messages: the file, and the object's name within it */
  const char *folder;  /* paths that are not absolute begin there */
  GPtrArray *warnings; /* of char *; gets a sentence for every field that is not known */
  bool
      forgives_words; /* a word that is none of a field's names is left out likewise, not refused */
} AttnDrawFieldReader;

/**
 * attn_draw_fields_read:
 * @fields: what may stand in @object
 * @base:   the struct; a missing field leaves its value as it is
 *
 * Returns: false with @error FORMAT or SHAPE, or what the word list's reader says.
 */
bool attn_draw_fields_read (const AttnDrawFieldReader *reader,
                            json_t *object,
                            const AttnDrawField *fields,
                            void *base,
                            GError **error);

/* Tells that the field @key was not read. */
void attn_draw_fields_warn (const AttnDrawFieldReader *reader, const char *key);

/* Appends the object, its lines indented by @depth steps. */
void attn_draw_fields_write (GString *json,
                             const AttnDrawField *fields,
                             const void *base,
                             unsigned depth);
