/* SPDX-License-Identifier: MIT */
/* Fields of protocol buffers, each checked against the end of its message. */
#include "protobuf.h"

#include <string.h>

typedef enum { WIRE_VARINT = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 } Wire;

static bool
fail (AttnProtobuf *message)
{
  message->failed = true;
  return false;
}

static bool
read_varint (AttnProtobuf *message, guint64 *value)
{
  *value = 0;
  for (unsigned shift = 0; shift < 64 && message->at < message->n; shift += 7) {
    guint8 byte = message->bytes[message->at++];
    *value |= (guint64)(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0)
      return true;
  }
  return fail (message);
}

static bool
read_fixed (AttnProtobuf *message, size_t n_bytes, guint64 *value)
{
  if (message->n - message->at < n_bytes)
    return fail (message);
  *value = 0;
  for (size_t i = 0; i < n_bytes; i++)
    *value |= (guint64)message->bytes[message->at++] << (8 * i);
  return true;
}

static bool
read_bytes (AttnProtobuf *message, AttnProtobufField *field)
{
  guint64 n;
  if (!read_varint (message, &n) || n > message->n - message->at)
    return fail (message);
  field->bytes = message->bytes + message->at;
  field->n = (size_t)n;
  message->at += (size_t)n;
  return true;
}

bool
attn_protobuf_next (AttnProtobuf *message, AttnProtobufField *field)
{
  guint64 key;
  if (message->failed || message->at >= message->n || !read_varint (message, &key))
    return false;
  *field = (AttnProtobufField){.number = (guint32)(key >> 3)};
  switch (key & 7) {
  case WIRE_VARINT:
    return read_varint (message, &field->value);
  case WIRE_64:
    return read_fixed (message, 8, &field->value);
  case WIRE_BYTES:
    return read_bytes (message, field);
  case WIRE_32:
    return read_fixed (message, 4, &field->value);
  default:
    return fail (message);
  }
}

float
attn_protobuf_get_float (const AttnProtobufField *field)
{
  guint32 bits = (guint32)field->value;
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}
