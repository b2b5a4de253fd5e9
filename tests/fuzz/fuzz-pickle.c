/* SPDX-License-Identifier: MIT */
/* Any bytes as the pickle of a zip archive, with checksums and all, so that they reach the reader.
 */
#include "fuzz.h"
#include "pickle.h"
#include "torch-parts.h"

#include <string.h>

enum { STORAGE_BYTES = 4096, N_STORAGES = 10 };

/* The root's tensors are listed over storages named 0 to 9. */
static void
list_tensors (const AttnPickleValue *root)
{
  static const char keys[N_STORAGES][2] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
  AttnStorage storages[N_STORAGES];
  AttnStorage *sorted[N_STORAGES];
  for (size_t i = 0; i < N_STORAGES; i++) {
    storages[i] = (AttnStorage){.name = keys[i], .n_bytes = STORAGE_BYTES};
    sorted[i] = &storages[i];
  }
  const AttnTorchStorages all = {.sorted = sorted, .n = N_STORAGES, .prefix = ""};
  g_auto (AttnTensorTable) table = {.arena.limit = ATTN_TORCH_MAX_VALUE_BYTES};
  g_autoptr (GError) error = NULL;
  bool is_listed = attn_torch_list_tensors (root, &all, "x.bin", &table, &error);
  fuzz_check_error (is_listed, error);
  for (size_t i = 0; is_listed && i < table.n_tensors; i++) {
    const AttnStoredTensor *tensor = &table.tensors[i];
    if (tensor->info.n_elements == 0)
      continue;
    size_t last = tensor->info.n_elements - 1;
    if (tensor->strides != NULL) {
      last = 0;
      for (size_t d = 0; d < tensor->info.n_dims; d++)
        last += (tensor->info.shape[d] - 1) * tensor->strides[d];
    }
    size_t width = tensor->info.n_bytes / tensor->info.n_elements;
    if (tensor->offset + (last + 1) * width > STORAGE_BYTES)
      g_error ("a tensor outside its storage");
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  AttnArena arena = {.limit = ATTN_TORCH_MAX_VALUE_BYTES};
  AttnPickle pickle = {
      .path = "x.bin", .part = "data.pkl", .bytes = (const char *)data, .n = size, .arena = &arena};
  g_autoptr (GError) error = NULL;
  const AttnPickleValue *root = attn_pickle_read (&pickle, &error);
  fuzz_check_error (root != NULL, error);
  if (root != NULL)
    list_tensors (root);
  attn_arena_clear (&arena);
  return 0;
}
