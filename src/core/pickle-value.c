/* SPDX-License-Identifier: MIT */
/* The values a pickle is read into, and its complaints. */
#include "file.h"
#include "pickle-private.h"

#include <string.h>

enum {
  MAX_DEPTH = 64,
  FIRST_ITEMS = 4,
};

bool
attn_pickle_refuse (
    const AttnPickleMachine *machine, AttnError code, GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *rest = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return attn_file_refuse (machine->pickle->path, code, error, "%s: at byte %zu: %s",
                           machine->pickle->part, machine->op_at, rest);
}

static bool
refuse_memory (const AttnPickleMachine *machine, GError **error)
{
  return attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error,
                             "found more values than fit %zu bytes, wanted a list of tensors",
                             machine->pickle->arena->limit);
}

AttnPickleValue *
attn_pickle_value_new (AttnPickleMachine *machine, AttnPickleKind kind, GError **error)
{
  AttnPickleValue *value = attn_arena_alloc (machine->pickle->arena, sizeof *value);
  if (value == NULL)
    refuse_memory (machine, error);
  else
    value->kind = (guint8)kind;
  return value;
}

/* Depth is counted so that nothing can be built whose reader would have to go down for ever. */
bool
attn_pickle_value_append (AttnPickleMachine *machine,
                          AttnPickleValue *container,
                          AttnPickleValue *item,
                          GError **error)
{
  if (item->depth + 1 > MAX_DEPTH)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found values nested deeper than %d levels", MAX_DEPTH);
  if (container->n == container->n_max) {
    guint32 n_max = MAX (FIRST_ITEMS, 2 * container->n_max);
    AttnPickleValue **items = attn_arena_alloc (machine->pickle->arena, n_max * sizeof *items);
    if (items == NULL)
      return refuse_memory (machine, error);
    if (container->n > 0)
      memcpy (items, container->items, container->n * sizeof *items);
    container->items = items;
    container->n_max = n_max;
  }
  container->items[container->n++] = item;
  container->depth = (guint8)MAX (container->depth, item->depth + 1);
  return true;
}

bool
attn_pickle_value_is_text (const AttnPickleValue *value, const char *text)
{
  return value->kind == ATTN_PICKLE_STRING && value->n == strlen (text) &&
         memcmp (value->text, text, value->n) == 0;
}

AttnPickleValue *
attn_pickle_dict_find (const AttnPickleValue *dict, const char *key)
{
  for (guint32 i = dict->n; i >= 2; i -= 2)
    if (attn_pickle_value_is_text (dict->items[i - 2], key))
      return dict->items[i - 1];
  return NULL;
}
