/* SPDX-License-Identifier: MIT */
/* Which of a file's arrays are attention: by name, by shape, or one for each layer. */
#include "arrays-private.h"

#include "attn/error.h"

#include <stdlib.h>
#include <string.h>

#define WANTED_SHAPE \
  "wanted [layers, heads, query, key], [heads, query, key] or [query, key], with no batch but " \
  "one " \
  "of 1"

enum { MAX_NAMED = 12 };

bool
attn_array_fit (const AttnArrayEntry *entry, AttnArrayFit *fit)
{
  int dims[5] = {0}, n = 0;
  int batch = entry->n_dims != 5 ? -1 : entry->shape[0] == 1 ? 0 : entry->shape[1] == 1 ? 1 : 5;
  if (entry->n_dims < 2 || entry->n_dims > 5 || batch == 5 || entry->n_elements == 0)
    return false;
  for (int d = 0; d < (int)entry->n_dims; d++)
    if (d != batch)
      dims[n++] = d;
  *fit = (AttnArrayFit){
      .layer = n > 3 ? dims[n - 4] : -1,
      .head = n > 2 ? dims[n - 3] : -1,
      .query = dims[n - 2],
      .key = dims[n - 1],
  };
  fit->n_layers = fit->layer >= 0 ? entry->shape[fit->layer] : 1;
  fit->n_heads = fit->head >= 0 ? entry->shape[fit->head] : 1;
  fit->n_queries = entry->shape[fit->query];
  fit->n_keys = entry->shape[fit->key];
  return true;
}

static bool
is_usable (const AttnArrayEntry *entry)
{
  AttnArrayFit fit;
  return entry->dtype != ATTN_DTYPE_OTHER && attn_array_fit (entry, &fit);
}

/* Why this one array cannot be shown. */
static bool
check_entry (const AttnArrayFile *file, const AttnArrayEntry *entry, GError **error)
{
  if (is_usable (entry))
    return true;
  g_autofree char *what = attn_array_entry_dup_what (entry, file->path);
  g_autofree char *shape = attn_array_entry_dup_shape (entry);
  if (entry->dtype != ATTN_DTYPE_OTHER)
    return attn_file_refuse (what, ATTN_ERROR_SHAPE, error, "shape: found %s, " WANTED_SHAPE,
                             shape);
  bool is_safetensors = file->format == ATTN_ARRAYS_SAFETENSORS;
  return attn_file_refuse (
      what, ATTN_ERROR_UNSUPPORTED, error, "dtype: found %s, wanted %s", entry->dtype_name,
      is_safetensors ? "F32, F16, BF16 or F64"
                     : "<f4, <f2 or <f8: floats of 2, 4 or 8 bytes (bfloat16 is read from "
                       "safetensors)");
}

static AttnArrayEntry *
find (const AttnArrayFile *file, const char *name)
{
  for (guint i = 0; i < file->entries->len; i++) {
    AttnArrayEntry *entry = g_ptr_array_index (file->entries, i);
    if (g_strcmp0 (entry->name, name) == 0)
      return entry;
  }
  return NULL;
}

/* "a [2, 5, 5], b [3] and 4 more", or "none" */
static char *
dup_names (const AttnArrayFile *file)
{
  guint n = file->entries->len;
  GString *names = g_string_new (n > 0 ? NULL : "none");
  for (guint i = 0; i < n && i < MAX_NAMED; i++) {
    const AttnArrayEntry *entry = g_ptr_array_index (file->entries, i);
    g_autofree char *name = attn_file_dup_shown (entry->name, strlen (entry->name));
    g_autofree char *shape = attn_array_entry_dup_shape (entry);
    g_string_append_printf (names, "%s%s %s", i > 0 ? ", " : "", name, shape);
  }
  if (n > MAX_NAMED)
    g_string_append_printf (names, " and %u more", n - MAX_NAMED);
  return g_string_free (names, FALSE);
}

static void
refuse_names (const AttnArrayFile *file, const char *name, guint n_usable, GError **error)
{
  g_autofree char *names = dup_names (file);
  if (name != NULL) {
    g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
    attn_file_refuse (file->path, ATTN_ERROR_UNSUPPORTED, error, "found no array %s; there are: %s",
                      shown, names);
  } else if (n_usable == 0) {
    attn_file_refuse (file->path, ATTN_ERROR_SHAPE, error,
                      "found no array of floats of a usable shape, " WANTED_SHAPE "; there are: %s",
                      names);
  } else {
    attn_file_refuse (file->path, ATTN_ERROR_UNSUPPORTED, error,
                      "found %u arrays that could be attention, wanted the name of one: %s",
                      n_usable, names);
  }
}

/* ---- a layer each ---- */

/* A name around its last number. */
typedef struct {
  AttnArrayEntry *entry;
  size_t before, behind; /* bytes of the name */
  guint64 number;
} Numbered;

static bool
read_number (AttnArrayEntry *entry, Numbered *numbered)
{
  const char *name = entry->name;
  size_t n = strlen (name), end = n;
  while (end > 0 && !g_ascii_isdigit (name[end - 1]))
    end--;
  size_t start = end;
  while (start > 0 && g_ascii_isdigit (name[start - 1]))
    start--;
  g_autofree char *digits = g_strndup (name + start, end - start);
  *numbered = (Numbered){.entry = entry, .before = start, .behind = n - end};
  return g_ascii_string_to_unsigned (digits, 10, 0, ATTN_ARRAYS_MAX_LAYERS, &numbered->number,
                                     NULL);
}

/* Whether two differ in nothing but the number. */
static bool
is_of_one_kind (const Numbered *a, const Numbered *b)
{
  const AttnArrayEntry *x = a->entry, *y = b->entry;
  return a->before == b->before && a->behind == b->behind &&
         memcmp (x->name, y->name, a->before) == 0 &&
         strcmp (x->name + strlen (x->name) - a->behind, y->name + strlen (y->name) - b->behind) ==
             0 &&
         x->n_dims == y->n_dims && memcmp (x->shape, y->shape, sizeof x->shape) == 0;
}

static int
compare_numbers (const void *a, const void *b)
{
  const Numbered *left = a, *right = b;
  return (left->number > right->number) - (left->number < right->number);
}

/* Returns: (transfer container) (nullable): all of @usable in the order of their numbers, where
 * they are one layer each. */
static GPtrArray *
find_layers (const GPtrArray *usable)
{
  g_autofree Numbered *numbered = g_new (Numbered, usable->len);
  for (guint i = 0; i < usable->len; i++) {
    AttnArrayFit fit;
    AttnArrayEntry *entry = g_ptr_array_index (usable, i);
    if (!read_number (entry, &numbered[i]) || !is_of_one_kind (&numbered[0], &numbered[i]) ||
        !attn_array_fit (entry, &fit) || fit.n_layers != 1)
      return NULL;
  }
  qsort (numbered, usable->len, sizeof *numbered, compare_numbers);
  if (numbered[0].number > 1)
    return NULL;
  g_autoptr (GPtrArray) layers = g_ptr_array_new ();
  for (guint i = 0; i < usable->len; i++) {
    if (numbered[i].number != numbered[0].number + i)
      return NULL;
    g_ptr_array_add (layers, numbered[i].entry);
  }
  return g_steal_pointer (&layers);
}

static AttnArrayEntry *
find_by_habit (const AttnArrayFile *file)
{
  static const char *const names[] = {"attentions", "attention"};
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    AttnArrayEntry *entry = find (file, names[i]);
    if (entry != NULL)
      return entry;
  }
  return NULL;
}

GPtrArray *
attn_arrays_find_usable (const AttnArrayFile *file)
{
  GPtrArray *usable = g_ptr_array_new ();
  for (guint i = 0; i < file->entries->len; i++)
    if (is_usable (g_ptr_array_index (file->entries, i)))
      g_ptr_array_add (usable, g_ptr_array_index (file->entries, i));
  return usable;
}

GPtrArray *
attn_arrays_choose (const AttnArrayFile *file, const char *name, bool takes_first, GError **error)
{
  bool is_npy = file->format == ATTN_ARRAYS_NPY;
  if (is_npy && name != NULL) {
    attn_file_refuse (file->path, ATTN_ERROR_UNSUPPORTED, error,
                      "an NPY file has one array without a name, so none can be named");
    return NULL;
  }
  AttnArrayEntry *one = is_npy         ? g_ptr_array_index (file->entries, 0)
                        : name != NULL ? find (file, name)
                                       : find_by_habit (file);
  g_autoptr (GPtrArray) usable = attn_arrays_find_usable (file);
  if (one == NULL && name == NULL && file->entries->len == 1)
    one = g_ptr_array_index (file->entries, 0);
  if (one != NULL) {
    if (!check_entry (file, one, error))
      return NULL;
    g_ptr_array_set_size (usable, 0);
    g_ptr_array_add (usable, one);
  }
  if (usable->len == 1 && (one != NULL || name == NULL))
    return g_steal_pointer (&usable);
  GPtrArray *layers = usable->len > 1 && name == NULL ? find_layers (usable) : NULL;
  if (layers == NULL && takes_first && usable->len > 1 && name == NULL) {
    g_ptr_array_set_size (usable, 1);
    return g_steal_pointer (&usable);
  }
  if (layers == NULL)
    refuse_names (file, name, usable->len, error);
  return layers;
}
