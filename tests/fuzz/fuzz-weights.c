/* SPDX-License-Identifier: MIT */
/* What the targets that open weights do with a folder. */
#include "fuzz-weights.h"

#include "fuzz.h"

#include "attn/source.h"

enum { MAX_READ = 4096 };

/* The product of the sizes, which must not overflow; a size of 0 makes it 0. */
static void
check_shape (const AttnTensorInfo *tensor)
{
  size_t n = 1;
  if (tensor->n_dims > ATTN_TENSOR_MAX_DIMS)
    g_error ("%zu dimensions", tensor->n_dims);
  for (size_t d = 0; d < tensor->n_dims; d++)
    if (!g_size_checked_mul (&n, n, tensor->shape[d]))
      g_error ("a shape that overflows");
  if (n != tensor->n_elements)
    g_error ("%zu elements, its shape says %zu", tensor->n_elements, n);
}

/* Its beginning and its end, in uneven pieces. */
static void
check_numbers (const AttnSource *source, const AttnTensorInfo *tensor)
{
  float values[MAX_READ];
  size_t n = tensor->n_elements;
  size_t n_now = MIN (n, 1000);
  g_autoptr (GError) error = NULL;
  if (!attn_source_read_f32 (source, tensor, 0, n_now, values, &error) ||
      !attn_source_read_f32 (source, tensor, n - n_now, n_now, values, &error) ||
      !attn_source_read_f32 (source, tensor, n / 3, MIN (n - n / 3, 7), values, &error))
    g_error ("%s", error->message);
}

void
fuzz_open_weights (const char *folder)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnSource) source = attn_source_open (folder, &error);
  fuzz_check_error (source != NULL, error);
  size_t n = source == NULL ? 0 : attn_source_get_n_tensors (source);
  for (size_t i = 0; i < n; i++) {
    const AttnTensorInfo *tensor = attn_source_peek_tensor (source, i);
    check_shape (tensor);
    if (attn_source_find (source, tensor->name) != tensor)
      g_error ("a tensor that is not found by its name");
    if (tensor->dtype != ATTN_DTYPE_OTHER && i < 100)
      check_numbers (source, tensor);
  }
}
