/* SPDX-License-Identifier: MIT */
/* What a pickle's instructions are made of: its bytes, and a stack of values with marks. */
#include "pickle-machine.h"

#include <string.h>

enum { MAX_STACK = 1000000 };

typedef AttnPickleMachine Machine;
typedef AttnPickleValue Value;

const char *
attn_pickle_take (Machine *machine, size_t n, GError **error)
{
  AttnPickle *pickle = machine->pickle;
  if (n > pickle->n - pickle->at) {
    pickle->is_cut = true;
    attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                        "the pickle ends too early: found %zu bytes, wanted %zu",
                        pickle->n - pickle->at, n);
    return NULL;
  }
  const char *bytes = pickle->bytes + pickle->at;
  pickle->at += n;
  return bytes;
}

bool
attn_pickle_take_number (Machine *machine, size_t width, guint64 *number, GError **error)
{
  const char *bytes = attn_pickle_take (machine, width, error);
  if (bytes == NULL)
    return false;
  *number = 0;
  for (size_t i = width; i-- > 0;)
    *number = *number << 8 | (guint8)bytes[i];
  return true;
}

const char *
attn_pickle_take_line (Machine *machine, size_t *n, GError **error)
{
  AttnPickle *pickle = machine->pickle;
  const char *begin = pickle->bytes + pickle->at;
  const char *end = memchr (begin, '\n', pickle->n - pickle->at);
  *n = end == NULL ? 0 : (size_t)(end - begin);
  return attn_pickle_take (machine, end == NULL ? pickle->n - pickle->at + 1 : *n + 1, error);
}

bool
attn_pickle_push (Machine *machine, Value *value, GError **error)
{
  if (value == NULL)
    return false;
  if (machine->stack->len == MAX_STACK)
    return attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error,
                               "found more than %d values at once, wanted at most that many",
                               MAX_STACK);
  g_ptr_array_add (machine->stack, value);
  return true;
}

bool
attn_pickle_push_new (Machine *machine, AttnPickleKind kind, GError **error)
{
  return attn_pickle_push (machine, attn_pickle_value_new (machine, kind, error), error);
}

bool
attn_pickle_push_integer (Machine *machine, gint64 integer, GError **error)
{
  Value *value = attn_pickle_value_new (machine, ATTN_PICKLE_INT, error);
  if (value != NULL)
    value->integer = integer;
  return attn_pickle_push (machine, value, error);
}

/* The height of the stack that only what came before the last mark reaches. */
static guint
get_floor (const Machine *machine)
{
  return machine->marks->len == 0 ? 0
                                  : g_array_index (machine->marks, guint, machine->marks->len - 1);
}

Value *
attn_pickle_peek (Machine *machine, guint n_above, GError **error)
{
  if (machine->stack->len - get_floor (machine) > n_above)
    return g_ptr_array_index (machine->stack, machine->stack->len - 1 - n_above);
  attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error, "found no value on the stack, wanted one");
  return NULL;
}

Value *
attn_pickle_pop (Machine *machine, GError **error)
{
  Value *value = attn_pickle_peek (machine, 0, error);
  if (value != NULL)
    g_ptr_array_set_size (machine->stack, (int)machine->stack->len - 1);
  return value;
}

bool
attn_pickle_pop_mark (Machine *machine, Value ***items, guint *n, GError **error)
{
  if (machine->marks->len == 0)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found no mark on the stack, wanted one");
  guint height = get_floor (machine);
  g_array_set_size (machine->marks, machine->marks->len - 1);
  *n = machine->stack->len - height;
  *items = *n == 0 ? NULL : (Value **)machine->stack->pdata + height;
  return true;
}
