/* SPDX-License-Identifier: MIT */
/* Any bytes as tokenizer.json, without a vocabulary beside it. */
#include "fuzz-tokenizer.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_load_tokenizer (fuzz_write ("tokenizer.json", data, size));
  return 0;
}
