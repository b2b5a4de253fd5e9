/* SPDX-License-Identifier: MIT */
/* Any bytes as merges.txt, beside a vocabulary of the letters and pairs of a to d. */
#include "fuzz-tokenizer.h"
#include "fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char vocab[] =
      "{\"<|endoftext|>\": 0, \"a\": 1, \"b\": 2, \"c\": 3, \"d\": 4, \"\u0120\": 5, \"ab\": 6, "
      "\"bc\": 7, \"cd\": 8, \"\u0120a\": 9, \"abc\": 10, \"abcd\": 11, \"aa\": 12, \"aaaa\": 13}";
  fuzz_write ("vocab.json", vocab, strlen (vocab));
  fuzz_load_tokenizer (fuzz_write ("merges.txt", data, size));
  return 0;
}
