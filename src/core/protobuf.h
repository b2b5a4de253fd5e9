/* SPDX-License-Identifier: MIT */
/* A bounded reader of protocol buffers: field after field, nothing copied. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const guint8 *bytes; /* [n] */
  size_t n;
  size_t at;
  bool failed; /* the bytes are no message */
} AttnProtobuf;

typedef struct {
  guint32 number;
  const guint8 *bytes; /* [n] of a string, of bytes or of a message; NULL for numbers */
  size_t n;
  guint64 value; /* of a number, or the bits of a float or double */
} AttnProtobufField;

/* Goes on to the next field. Returns: false at the end, or where @failed is set. */
bool attn_protobuf_next (AttnProtobuf *message, AttnProtobufField *field);

/* Returns: the float whose bits a field of 32 bits has. */
float attn_protobuf_get_float (const AttnProtobufField *field);
