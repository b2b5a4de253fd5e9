/* SPDX-License-Identifier: MIT */
/* Any bytes as a file of attention: NPY, NPZ or safetensors, as they begin. */
#include "fuzz.h"

#include "attn/arrays.h"

enum { MAX_BYTES = 1 << 20 };

/* The first and the last map. */
static void
check_maps (AttnArrays *arrays)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) maps = attn_maps_new_from_arrays (arrays, NULL, &error);
  if (maps == NULL)
    g_error ("%s", error->message);
  size_t layer = attn_maps_get_n_layers (maps) - 1, head = attn_maps_get_n_heads (maps) - 1;
  g_autoptr (AttnMap) first = attn_maps_dup_map (maps, 0, 0, &error);
  g_autoptr (AttnMap) last = attn_maps_dup_map (maps, layer, head, &error);
  if (first == NULL || last == NULL)
    g_error ("%s", error->message);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  AttnArraysOptions options = {.max_bytes = MAX_BYTES};
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (fuzz_write ("a", data, size), "a", NULL);
  g_autoptr (AttnArrays) arrays = attn_arrays_load (path, &options, &error);
  fuzz_check_error (arrays != NULL, error);
  if (arrays != NULL)
    check_maps (arrays);
  return 0;
}
