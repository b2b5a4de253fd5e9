/* SPDX-License-Identifier: MIT */
/* Any bytes as pytorch_model.bin: the zip archive and the stream of pickles. */
#include "fuzz-weights.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_open_weights (fuzz_write ("pytorch_model.bin", data, size));
  return 0;
}
