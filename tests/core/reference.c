/* SPDX-License-Identifier: MIT */
/* Reference results of a model: reference.json and reference.safetensors side by side. */
#include "reference.h"

#include "file.h"
#include "safetensors.h"

#include "attn/json.h"

#include <string.h>
#include <unistd.h>

struct _Reference {
  json_t *root;
  int fd;
  AttnTensorTable header;
};

Reference *
reference_load (const char *folder)
{
  return reference_load_named (folder, "reference");
}

Reference *
reference_load_named (const char *folder, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *json_path = g_strdup_printf ("%s/%s.json", folder, name);
  g_autofree char *path = g_strdup_printf ("%s/%s.safetensors", folder, name);
  Reference *reference = g_new0 (Reference, 1);
  reference->root = attn_json_load_file (json_path, 1 << 20, &error);
  g_assert_no_error (error);
  guint64 n_bytes = 0;
  reference->fd = attn_file_open (path, &n_bytes, &error);
  g_assert_no_error (error);
  attn_safetensors_read (reference->fd, n_bytes, path, &reference->header, &error);
  g_assert_no_error (error);
  return reference;
}

void
reference_free (Reference *reference)
{
  json_decref (reference->root);
  attn_tensor_table_clear (&reference->header);
  close (reference->fd);
  g_free (reference);
}

json_t *
reference_peek_json (const Reference *reference)
{
  return reference->root;
}

static const AttnStoredTensor *
find (const Reference *reference, const char *name)
{
  for (size_t i = 0; i < reference->header.n_tensors; i++)
    if (strcmp (reference->header.tensors[i].info.name, name) == 0)
      return &reference->header.tensors[i];
  return NULL;
}

static float
get_value (const char *bytes, const char *dtype, size_t index)
{
  float f32;
  gint32 i32;
  gint64 i64;
  if (strcmp (dtype, "F32") == 0) {
    memcpy (&f32, bytes + index * sizeof f32, sizeof f32);
    return f32;
  }
  if (strcmp (dtype, "I32") == 0) {
    memcpy (&i32, bytes + index * sizeof i32, sizeof i32);
    return (float)GINT32_FROM_LE (i32);
  }
  g_assert_cmpstr (dtype, ==, "I64");
  memcpy (&i64, bytes + index * sizeof i64, sizeof i64);
  return (float)GINT64_FROM_LE (i64);
}

float *
reference_dup_tensor (const Reference *reference, size_t n_case, const char *name, size_t *shape)
{
  g_autofree char *full_name = g_strdup_printf ("case%zu.%s", n_case, name);
  return reference_dup_named (reference, full_name, shape);
}

float *
reference_dup_named (const Reference *reference, const char *name, size_t *shape)
{
  g_autoptr (GError) error = NULL;
  const AttnStoredTensor *tensor = find (reference, name);
  if (tensor == NULL)
    return NULL;
  g_autofree char *bytes = g_malloc (tensor->info.n_bytes);
  attn_file_read_at (reference->fd, tensor->offset, bytes, tensor->info.n_bytes, name, &error);
  g_assert_no_error (error);
  float *values = g_new (float, tensor->info.n_elements);
  for (size_t i = 0; i < tensor->info.n_elements; i++)
    values[i] = get_value (bytes, tensor->info.dtype_name, i);
  if (shape != NULL)
    memcpy (shape, tensor->info.shape, tensor->info.n_dims * sizeof *shape);
  return values;
}

int32_t *
reference_dup_integers (json_t *array, size_t *n)
{
  if (!json_is_array (array))
    return NULL;
  *n = json_array_size (array);
  int32_t *values = g_new (int32_t, *n);
  for (size_t i = 0; i < *n; i++)
    values[i] = (int32_t)json_number_value (json_array_get (array, i));
  return values;
}
