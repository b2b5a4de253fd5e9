/* SPDX-License-Identifier: MIT */
/* Any bytes as model.safetensors. */
#include "fuzz-weights.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_open_weights (fuzz_write ("model.safetensors", data, size));
  return 0;
}
