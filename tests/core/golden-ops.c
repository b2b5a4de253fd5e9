/* SPDX-License-Identifier: MIT */
/* Reference values of the small operations. */
#include "golden-ops.h"

#include "test-util.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

GoldenOps
golden_ops_load (void)
{
  GoldenOps golden;
  GError *error = NULL;
  gsize size;
  g_autofree char *path = test_data_path ("golden/ops/ops.safetensors");
  golden.bytes = test_read_file (path, &size);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (fd, >=, 0);
  attn_safetensors_read (fd, size, path, &golden.header, &error);
  g_assert_no_error (error);
  close (fd);
  return golden;
}

void
golden_ops_clear (GoldenOps *golden)
{
  attn_tensor_table_clear (&golden->header);
  g_free (golden->bytes);
}

void *
golden_ops_get (const GoldenOps *golden, const char *name, size_t *n)
{
  for (size_t i = 0; i < golden->header.n_tensors; i++) {
    const AttnStoredTensor *tensor = &golden->header.tensors[i];
    if (g_str_equal (tensor->info.name, name)) {
      *n = tensor->info.n_elements;
      return g_memdup2 (golden->bytes + tensor->offset, tensor->info.n_bytes);
    }
  }
  g_error ("the reference file has no %s", name);
}
