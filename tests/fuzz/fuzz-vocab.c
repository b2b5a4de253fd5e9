/* SPDX-License-Identifier: MIT */
/* Any bytes as vocab.txt. */
#include "fuzz-tokenizer.h"
#include "fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_load_tokenizer (fuzz_write ("vocab.txt", data, size));
  return 0;
}
