/* SPDX-License-Identifier: MIT */
/* A stack machine that reads a pickle's instructions and calls nothing: the instructions. */
#include "pickle-machine.h"

#include <string.h>

enum {
  MAX_MEMO = 1000000,
  MAX_MARKS = 10000,
  MAX_TEXT_BYTES = 1 << 20,
};

typedef AttnPickleMachine Machine;
typedef AttnPickleValue Value;

static bool
append_all (Machine *machine, Value *container, Value **items, guint n, GError **error)
{
  for (guint i = 0; i < n; i++)
    if (!attn_pickle_value_append (machine, container, items[i], error))
      return false;
  return true;
}

static bool
read_proto (Machine *machine, GError **error)
{
  guint64 protocol = 0;
  if (!attn_pickle_take_number (machine, 1, &protocol, error))
    return false;
  return (protocol >= 2 && protocol <= 4) ||
         attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                             "found pickle protocol %u, wanted 2, 3 or 4", (guint)protocol);
}

static bool
read_frame (Machine *machine, GError **error)
{
  return attn_pickle_take (machine, 8, error) !=
         NULL; /* only a hint for who reads piece by piece */
}

static bool
read_stop (Machine *machine, GError **error)
{
  if (machine->stack->len != 1 || machine->marks->len != 0)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "the pickle stops with %u values and %u marks, wanted one value",
                               machine->stack->len, machine->marks->len);
  machine->is_done = true;
  return true;
}

static bool
read_mark (Machine *machine, GError **error)
{
  if (machine->marks->len == MAX_MARKS)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found values nested deeper than %d levels", MAX_MARKS);
  g_array_append_val (machine->marks, machine->stack->len);
  return true;
}

static bool
read_none (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_NONE, error);
}

static bool
read_bool (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_BOOL, error);
}

static bool
read_u8 (Machine *machine, GError **error)
{
  guint64 number = 0;
  return attn_pickle_take_number (machine, 1, &number, error) &&
         attn_pickle_push_integer (machine, (gint64)number, error);
}

static bool
read_u16 (Machine *machine, GError **error)
{
  guint64 number = 0;
  return attn_pickle_take_number (machine, 2, &number, error) &&
         attn_pickle_push_integer (machine, (gint64)number, error);
}

static bool
read_i32 (Machine *machine, GError **error)
{
  guint64 number = 0;
  return attn_pickle_take_number (machine, 4, &number, error) &&
         attn_pickle_push_integer (machine, (gint32)(guint32)number, error);
}

static bool
read_long (Machine *machine, GError **error)
{
  guint64 n = 0, number = 0;
  if (!attn_pickle_take_number (machine, 1, &n, error))
    return false;
  if (n > sizeof number) {
    const char *bytes = attn_pickle_take (machine, (size_t)n, error);
    Value *value = bytes == NULL ? NULL : attn_pickle_value_new (machine, ATTN_PICKLE_BIG, error);
    if (value != NULL) {
      value->text = bytes;
      value->n = (guint32)n;
    }
    return attn_pickle_push (machine, value, error);
  }
  if (!attn_pickle_take_number (machine, (size_t)n, &number, error))
    return false;
  guint unused = 64 - 8 * (guint)n; /* the sign is in the highest bit that was written */
  return attn_pickle_push_integer (machine, n == 0 ? 0 : (gint64)(number << unused) >> unused,
                                   error);
}

static bool
read_float (Machine *machine, GError **error)
{
  const char *bytes = attn_pickle_take (machine, 8, error);
  Value *value = bytes == NULL ? NULL : attn_pickle_value_new (machine, ATTN_PICKLE_FLOAT, error);
  if (value != NULL) {
    guint64 bits;
    memcpy (&bits, bytes, sizeof bits);
    bits = GUINT64_FROM_BE (bits);
    memcpy (&value->number, &bits, sizeof bits);
  }
  return attn_pickle_push (machine, value, error);
}

/* A text whose length stands before it in @width bytes. */
static bool
read_text (Machine *machine, size_t width, GError **error)
{
  guint64 n = 0;
  if (!attn_pickle_take_number (machine, width, &n, error))
    return false;
  if (n > MAX_TEXT_BYTES)
    return attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error,
                               "found a text of %" G_GUINT64_FORMAT " bytes, wanted at most %d", n,
                               MAX_TEXT_BYTES);
  const char *bytes = attn_pickle_take (machine, (size_t)n, error);
  Value *value = bytes == NULL ? NULL : attn_pickle_value_new (machine, ATTN_PICKLE_STRING, error);
  if (value != NULL) {
    value->text = bytes;
    value->n = (guint32)n;
  }
  return attn_pickle_push (machine, value, error);
}

static bool
read_short_text (Machine *machine, GError **error)
{
  return read_text (machine, 1, error);
}

static bool
read_long_text (Machine *machine, GError **error)
{
  return read_text (machine, 4, error);
}

/* A line in quotes, from before protocol 1; what a file of tensors has instead is shorter. */
static bool
read_quoted_text (Machine *machine, GError **error)
{
  size_t n = 0;
  const char *line = attn_pickle_take_line (machine, &n, error);
  if (line == NULL)
    return false;
  if (n < 2 || n > MAX_TEXT_BYTES || line[0] != line[n - 1])
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found a text without quotes, wanted them");
  Value *value = attn_pickle_value_new (machine, ATTN_PICKLE_STRING, error);
  if (value != NULL) {
    value->text = line + 1;
    value->n = (guint32)(n - 2);
  }
  return attn_pickle_push (machine, value, error);
}

static bool
read_pop (Machine *machine, GError **error)
{
  return attn_pickle_pop (machine, error) != NULL;
}

static bool
read_empty_tuple (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_TUPLE, error);
}

static bool
read_empty_list (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_LIST, error);
}

static bool
read_empty_dict (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_DICT, error);
}

static bool
read_empty_set (Machine *machine, GError **error)
{
  return attn_pickle_push_new (machine, ATTN_PICKLE_OTHER, error);
}

/* The @n values on top become one tuple. */
static bool
push_tuple (Machine *machine, guint n, GError **error)
{
  Value *tuple = attn_pickle_value_new (machine, ATTN_PICKLE_TUPLE, error);
  guint height = machine->stack->len - n;
  Value **items = n == 0 ? NULL : (Value **)machine->stack->pdata + height;
  if (tuple == NULL || !append_all (machine, tuple, items, n, error))
    return false;
  g_ptr_array_set_size (machine->stack, (int)height);
  return attn_pickle_push (machine, tuple, error);
}

static bool
read_tuple (Machine *machine, GError **error)
{
  Value **items = NULL;
  guint n = 0;
  return attn_pickle_pop_mark (machine, &items, &n, error) && push_tuple (machine, n, error);
}

static bool
read_tuple_1 (Machine *machine, GError **error)
{
  return attn_pickle_peek (machine, 0, error) != NULL && push_tuple (machine, 1, error);
}

static bool
read_tuple_2 (Machine *machine, GError **error)
{
  return attn_pickle_peek (machine, 1, error) != NULL && push_tuple (machine, 2, error);
}

static bool
read_tuple_3 (Machine *machine, GError **error)
{
  return attn_pickle_peek (machine, 2, error) != NULL && push_tuple (machine, 3, error);
}

/* The values above the last mark, or the @n on top, go into the container below them. */
static bool
add_items (Machine *machine, AttnPickleKind kind, Value **items, guint n, GError **error)
{
  guint height = machine->stack->len - n;
  Value *container = attn_pickle_peek (machine, n, error);
  if (container == NULL)
    return false;
  if (container->kind != kind || (kind == ATTN_PICKLE_DICT && n % 2 != 0))
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found items without a %s for them",
                               kind == ATTN_PICKLE_DICT ? "dictionary" : "list");
  if (!append_all (machine, container, items, n, error))
    return false;
  g_ptr_array_set_size (machine->stack, (int)height);
  return true;
}

static bool
read_append (Machine *machine, GError **error)
{
  Value *item = attn_pickle_peek (machine, 0, error);
  return item != NULL && add_items (machine, ATTN_PICKLE_LIST, &item, 1, error);
}

static bool
read_appends (Machine *machine, GError **error)
{
  Value **items = NULL;
  guint n = 0;
  return attn_pickle_pop_mark (machine, &items, &n, error) &&
         add_items (machine, ATTN_PICKLE_LIST, items, n, error);
}

static bool
read_set_item (Machine *machine, GError **error)
{
  return attn_pickle_peek (machine, 1, error) != NULL &&
         add_items (machine, ATTN_PICKLE_DICT,
                    (Value **)machine->stack->pdata + machine->stack->len - 2, 2, error);
}

static bool
read_set_items (Machine *machine, GError **error)
{
  Value **items = NULL;
  guint n = 0;
  return attn_pickle_pop_mark (machine, &items, &n, error) &&
         add_items (machine, ATTN_PICKLE_DICT, items, n, error);
}

static bool
store (Machine *machine, guint64 index, GError **error)
{
  Value *value = attn_pickle_peek (machine, 0, error);
  if (value == NULL)
    return false;
  if (index >= MAX_MEMO)
    return attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error,
                               "found memo entry %" G_GUINT64_FORMAT ", wanted less than %d", index,
                               MAX_MEMO);
  if (index >= machine->memo->len)
    g_ptr_array_set_size (machine->memo, (int)index + 1);
  machine->memo->pdata[index] = value;
  return true;
}

static bool
read_put (Machine *machine, GError **error)
{
  guint64 index = 0;
  return attn_pickle_take_number (machine, 1, &index, error) && store (machine, index, error);
}

static bool
read_long_put (Machine *machine, GError **error)
{
  guint64 index = 0;
  return attn_pickle_take_number (machine, 4, &index, error) && store (machine, index, error);
}

static bool
read_memoize (Machine *machine, GError **error)
{
  return store (machine, machine->memo->len, error);
}

static bool
fetch (Machine *machine, guint64 index, GError **error)
{
  Value *value = index < machine->memo->len ? machine->memo->pdata[index] : NULL;
  if (value == NULL)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "asks for memo entry %" G_GUINT64_FORMAT ", which was never stored",
                               index);
  return attn_pickle_push (machine, value, error);
}

static bool
read_get (Machine *machine, GError **error)
{
  guint64 index = 0;
  return attn_pickle_take_number (machine, 1, &index, error) && fetch (machine, index, error);
}

static bool
read_long_get (Machine *machine, GError **error)
{
  guint64 index = 0;
  return attn_pickle_take_number (machine, 4, &index, error) && fetch (machine, index, error);
}

static bool
read_global (Machine *machine, GError **error)
{
  size_t n_module = 0, n_name = 0;
  const char *module = attn_pickle_take_line (machine, &n_module, error);
  const char *name = module == NULL ? NULL : attn_pickle_take_line (machine, &n_name, error);
  return name != NULL &&
         attn_pickle_push (machine,
                           attn_pickle_find_global (machine, module, n_module, name, n_name, error),
                           error);
}

static bool
read_stack_global (Machine *machine, GError **error)
{
  const Value *name = attn_pickle_pop (machine, error);
  const Value *module = name == NULL ? NULL : attn_pickle_pop (machine, error);
  if (module == NULL)
    return false;
  if (name->kind != ATTN_PICKLE_STRING || module->kind != ATTN_PICKLE_STRING)
    return attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                               "found other values, wanted the name of something");
  return attn_pickle_push (
      machine,
      attn_pickle_find_global (machine, module->text, module->n, name->text, name->n, error),
      error);
}

/* INST names what it would make; no file of tensors has it, so the name is for the message. */
static bool
read_inst (Machine *machine, GError **error)
{
  return read_global (machine, error) &&
         attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                             "found the instruction INST, wanted one that tensors need");
}

static bool
read_reduce (Machine *machine, GError **error)
{
  Value *arguments = attn_pickle_pop (machine, error);
  const Value *function = arguments == NULL ? NULL : attn_pickle_pop (machine, error);
  return function != NULL &&
         attn_pickle_push (machine, attn_pickle_rebuild (machine, function, arguments, error),
                           error);
}

/* State of tensors and dictionaries is their attributes, such as _metadata: of no interest. */
static bool
read_build (Machine *machine, GError **error)
{
  if (attn_pickle_pop (machine, error) == NULL)
    return false;
  const Value *object = attn_pickle_peek (machine, 0, error);
  if (object == NULL)
    return false;
  return object->kind == ATTN_PICKLE_DICT || object->kind == ATTN_PICKLE_TENSOR ||
         attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error,
                             "found a state for something that has none");
}

static bool
read_persistent_id (Machine *machine, GError **error)
{
  const Value *id = attn_pickle_pop (machine, error);
  return id != NULL &&
         attn_pickle_push (machine, attn_pickle_rebuild_storage (machine, id, error), error);
}

static bool (*const instructions[256]) (Machine *, GError **) = {
    [0x80] = read_proto,      [0x95] = read_frame,        ['.'] = read_stop,
    ['('] = read_mark,        ['N'] = read_none,          [0x88] = read_bool,
    [0x89] = read_bool,       ['0'] = read_pop,           ['S'] = read_quoted_text,
    ['K'] = read_u8,          ['M'] = read_u16,           ['J'] = read_i32,
    [0x8a] = read_long,       ['G'] = read_float,         ['U'] = read_short_text,
    [0x8c] = read_short_text, ['X'] = read_long_text,     [')'] = read_empty_tuple,
    [']'] = read_empty_list,  ['}'] = read_empty_dict,    [0x8f] = read_empty_set,
    ['t'] = read_tuple,       [0x85] = read_tuple_1,      [0x86] = read_tuple_2,
    [0x87] = read_tuple_3,    ['a'] = read_append,        ['e'] = read_appends,
    ['s'] = read_set_item,    ['u'] = read_set_items,     ['q'] = read_put,
    ['r'] = read_long_put,    [0x94] = read_memoize,      ['h'] = read_get,
    ['j'] = read_long_get,    ['c'] = read_global,        [0x93] = read_stack_global,
    ['i'] = read_inst,        ['R'] = read_reduce,        [0x81] = read_reduce,
    ['b'] = read_build,       ['Q'] = read_persistent_id,
};

static bool
read_instruction (Machine *machine, GError **error)
{
  machine->op_at = machine->pickle->at;
  const char *code = attn_pickle_take (machine, 1, error);
  if (code == NULL)
    return false;
  bool (*read) (Machine *, GError **) = instructions[(guint8)*code];
  if (read == NULL)
    return attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                               "found the instruction 0x%02X, wanted one that tensors need",
                               (guint)(guint8)*code);
  return read (machine, error);
}

AttnPickleValue *
attn_pickle_read (AttnPickle *pickle, GError **error)
{
  g_autoptr (GPtrArray) stack = g_ptr_array_new ();
  g_autoptr (GArray) marks = g_array_new (FALSE, FALSE, sizeof (guint));
  g_autoptr (GPtrArray) memo = g_ptr_array_new ();
  Machine machine = {.pickle = pickle, .stack = stack, .marks = marks, .memo = memo};
  pickle->is_cut = false;
  while (!machine.is_done)
    if (!read_instruction (&machine, error))
      return NULL;
  return g_ptr_array_index (stack, 0);
}
