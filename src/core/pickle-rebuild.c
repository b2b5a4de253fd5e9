/* SPDX-License-Identifier: MIT */
/* The names a pickle of tensors may ask for, and what stands for their results. */
#include "file.h"
#include "pickle-private.h"

#include <string.h>

typedef AttnPickleValue *(*RebuildFunc) (AttnPickleMachine *, AttnPickleValue *, GError **);

struct _AttnPickleGlobal {
  const char *module;
  const char *name;
  RebuildFunc rebuild;       /* NULL: not to be called */
  AttnPickleNumbers numbers; /* of a storage's type; width 0 for the rest */
};

static AttnPickleValue *rebuild_dict (AttnPickleMachine *, AttnPickleValue *, GError **);
static AttnPickleValue *rebuild_tensor (AttnPickleMachine *, AttnPickleValue *, GError **);
static AttnPickleValue *rebuild_first (AttnPickleMachine *, AttnPickleValue *, GError **);
static AttnPickleValue *rebuild_from_type (AttnPickleMachine *, AttnPickleValue *, GError **);
static AttnPickleValue *rebuild_size (AttnPickleMachine *, AttnPickleValue *, GError **);
static AttnPickleValue *rebuild_other (AttnPickleMachine *, AttnPickleValue *, GError **);

static const AttnPickleGlobal globals[] = {
    {"collections", "OrderedDict", rebuild_dict, {0}},
    {"torch._utils", "_rebuild_tensor", rebuild_tensor, {0}},
    {"torch._utils", "_rebuild_tensor_v2", rebuild_tensor, {0}},
    {"torch._utils", "_rebuild_parameter", rebuild_first, {0}},
    {"torch._utils", "_rebuild_parameter_with_state", rebuild_first, {0}},
    {"torch._tensor", "_rebuild_from_type_v2", rebuild_from_type, {0}},
    {"torch", "Size", rebuild_size, {0}},
    {"torch", "device", rebuild_other, {0}},
    /* types named as an argument, which nothing is made of */
    {"torch", "Tensor", NULL, {0}},
    {"torch.nn.parameter", "Parameter", NULL, {0}},
    {"torch", "FloatStorage", NULL, {"F32", ATTN_DTYPE_F32, 4}},
    {"torch", "HalfStorage", NULL, {"F16", ATTN_DTYPE_F16, 2}},
    {"torch", "BFloat16Storage", NULL, {"BF16", ATTN_DTYPE_BF16, 2}},
    {"torch", "DoubleStorage", NULL, {"F64", ATTN_DTYPE_F64, 8}},
    {"torch", "LongStorage", NULL, {"I64", ATTN_DTYPE_OTHER, 8}},
    {"torch", "IntStorage", NULL, {"I32", ATTN_DTYPE_OTHER, 4}},
    {"torch", "ShortStorage", NULL, {"I16", ATTN_DTYPE_OTHER, 2}},
    {"torch", "CharStorage", NULL, {"I8", ATTN_DTYPE_OTHER, 1}},
    {"torch", "ByteStorage", NULL, {"U8", ATTN_DTYPE_OTHER, 1}},
    {"torch", "BoolStorage", NULL, {"BOOL", ATTN_DTYPE_OTHER, 1}},
    {"torch.storage", "UntypedStorage", NULL, {"U8", ATTN_DTYPE_OTHER, 1}},
    {"torch.storage", "TypedStorage", NULL, {0}},
};

const AttnPickleNumbers *
attn_pickle_global_peek_numbers (const AttnPickleGlobal *type)
{
  return &type->numbers;
}

static bool
is_text (const char *text, size_t n, const char *wanted)
{
  return strlen (wanted) == n && memcmp (text, wanted, n) == 0;
}

AttnPickleValue *
attn_pickle_find_global (AttnPickleMachine *machine,
                         const char *module,
                         size_t n_module,
                         const char *name,
                         size_t n_name,
                         GError **error)
{
  for (size_t i = 0; i < G_N_ELEMENTS (globals); i++) {
    if (!is_text (module, n_module, globals[i].module) || !is_text (name, n_name, globals[i].name))
      continue;
    AttnPickleValue *value = attn_pickle_value_new (machine, ATTN_PICKLE_GLOBAL, error);
    if (value != NULL)
      value->global = &globals[i];
    return value;
  }
  g_autofree char *shown_module = attn_file_dup_shown (module, n_module);
  g_autofree char *shown_name = attn_file_dup_shown (name, n_name);
  attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                      "asks for %s.%s, which is no part of a tensor; nothing in it was run",
                      shown_module, shown_name);
  return NULL;
}

static bool
is_number (const AttnPickleValue *value)
{
  return value->kind == ATTN_PICKLE_INT || value->kind == ATTN_PICKLE_BIG;
}

static AttnPickleValue *
refuse_arguments (AttnPickleMachine *machine, const char *wanted, GError **error)
{
  attn_pickle_refuse (machine, ATTN_ERROR_FORMAT, error, "found other values, wanted %s", wanted);
  return NULL;
}

/* One pair of the list that Python 2 hands to OrderedDict. */
static bool
append_pair (AttnPickleMachine *machine,
             AttnPickleValue *dict,
             const AttnPickleValue *pair,
             GError **error)
{
  if ((pair->kind != ATTN_PICKLE_LIST && pair->kind != ATTN_PICKLE_TUPLE) || pair->n != 2)
    return refuse_arguments (machine, "pairs of a key and a value", error) != NULL;
  return attn_pickle_value_append (machine, dict, pair->items[0], error) &&
         attn_pickle_value_append (machine, dict, pair->items[1], error);
}

static AttnPickleValue *
rebuild_dict (AttnPickleMachine *machine, AttnPickleValue *arguments, GError **error)
{
  if (arguments->n > 1 || (arguments->n == 1 && arguments->items[0]->kind != ATTN_PICKLE_LIST))
    return refuse_arguments (machine, "OrderedDict of nothing or of a list of pairs", error);
  AttnPickleValue *dict = attn_pickle_value_new (machine, ATTN_PICKLE_DICT, error);
  const AttnPickleValue *pairs = arguments->n == 1 ? arguments->items[0] : NULL;
  for (guint32 i = 0; dict != NULL && pairs != NULL && i < pairs->n; i++)
    if (!append_pair (machine, dict, pairs->items[i], error))
      return NULL;
  return dict;
}

/* (storage, offset, sizes, strides, …): the rest is about gradients. */
static AttnPickleValue *
rebuild_tensor (AttnPickleMachine *machine, AttnPickleValue *arguments, GError **error)
{
  AttnPickleValue **items = arguments->items;
  if (arguments->n < 4 || arguments->n > 7 || items[0]->kind != ATTN_PICKLE_STORAGE ||
      !is_number (items[1]) || items[2]->kind != ATTN_PICKLE_TUPLE ||
      items[3]->kind != ATTN_PICKLE_TUPLE)
    return refuse_arguments (machine, "a tensor's storage, offset, size and strides", error);
  AttnPickleValue *value = attn_pickle_value_new (machine, ATTN_PICKLE_TENSOR, error);
  if (value == NULL)
    return NULL;
  value->tensor = attn_arena_alloc (machine->pickle->arena, sizeof *value->tensor);
  if (value->tensor == NULL) {
    attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error, "found too many tensors");
    return NULL;
  }
  *value->tensor = (AttnPickleTensor){items[0]->storage, items[1], items[2], items[3]};
  return value;
}

/* (tensor, …) */
static AttnPickleValue *
rebuild_first (AttnPickleMachine *machine, AttnPickleValue *arguments, GError **error)
{
  if (arguments->n == 0 || arguments->items[0]->kind != ATTN_PICKLE_TENSOR)
    return refuse_arguments (machine, "a parameter's tensor", error);
  return arguments->items[0];
}

/* (function, type, arguments, state): a tensor with attributes of its own. */
static AttnPickleValue *
rebuild_from_type (AttnPickleMachine *machine, AttnPickleValue *arguments, GError **error)
{
  AttnPickleValue **items = arguments->items;
  if (arguments->n != 4 || items[0]->kind != ATTN_PICKLE_GLOBAL ||
      items[0]->global->rebuild == NULL || items[0]->global->rebuild == rebuild_from_type ||
      items[2]->kind != ATTN_PICKLE_TUPLE)
    return refuse_arguments (machine, "a function that rebuilds a tensor, and its arguments",
                             error);
  return items[0]->global->rebuild (machine, items[2], error);
}

static AttnPickleValue *
rebuild_size (AttnPickleMachine *machine, AttnPickleValue *arguments, GError **error)
{
  if (arguments->n != 1 || arguments->items[0]->kind != ATTN_PICKLE_TUPLE)
    return refuse_arguments (machine, "torch.Size of a tuple", error);
  return arguments->items[0];
}

static AttnPickleValue *
rebuild_other (AttnPickleMachine *machine, G_GNUC_UNUSED AttnPickleValue *arguments, GError **error)
{
  return attn_pickle_value_new (machine, ATTN_PICKLE_OTHER, error);
}

AttnPickleValue *
attn_pickle_rebuild (AttnPickleMachine *machine,
                     const AttnPickleValue *function,
                     AttnPickleValue *arguments,
                     GError **error)
{
  if (function->kind != ATTN_PICKLE_GLOBAL)
    return refuse_arguments (machine, "the name of what to rebuild", error);
  if (function->global->rebuild == NULL) {
    attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                        "asks to make a %s.%s, which is no part of a tensor",
                        function->global->module, function->global->name);
    return NULL;
  }
  if (arguments->kind != ATTN_PICKLE_TUPLE)
    return refuse_arguments (machine, "a tuple of arguments", error);
  return function->global->rebuild (machine, arguments, error);
}

/* ("storage", type, key, device, number of elements[, view]) */
AttnPickleValue *
attn_pickle_rebuild_storage (AttnPickleMachine *machine, const AttnPickleValue *id, GError **error)
{
  AttnPickleValue **items = id->items;
  if (id->kind != ATTN_PICKLE_TUPLE || id->n < 5 || id->n > 6 ||
      !attn_pickle_value_is_text (items[0], "storage") || items[1]->kind != ATTN_PICKLE_GLOBAL ||
      items[2]->kind != ATTN_PICKLE_STRING || !is_number (items[4]))
    return refuse_arguments (machine, "a storage's type, key, device and size", error);
  if (items[1]->global->numbers.width == 0 || (id->n == 6 && items[5]->kind != ATTN_PICKLE_NONE)) {
    attn_pickle_refuse (machine, ATTN_ERROR_UNSUPPORTED, error,
                        "found a storage that is a view or has no type, wanted a plain one");
    return NULL;
  }
  AttnPickleValue *value = attn_pickle_value_new (machine, ATTN_PICKLE_STORAGE, error);
  if (value == NULL)
    return NULL;
  value->storage = attn_arena_alloc (machine->pickle->arena, sizeof *value->storage);
  if (value->storage == NULL) {
    attn_pickle_refuse (machine, ATTN_ERROR_TOO_LARGE, error, "found too many storages");
    return NULL;
  }
  *value->storage = (AttnPickleStorage){items[1]->global, items[2], items[4]};
  if (machine->pickle->storages != NULL)
    g_ptr_array_add (machine->pickle->storages, value->storage);
  return value;
}
