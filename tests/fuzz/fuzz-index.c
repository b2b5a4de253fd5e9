/* SPDX-License-Identifier: MIT */
/* Any bytes as model.safetensors.index.json, beside the shards a.safetensors and b.safetensors. */
#include "fuzz-weights.h"
#include "fuzz.h"

static const char a[] = "\x38\0\0\0\0\0\0\0"
                        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}  "
                        "\0\0\x80\x3f";
static const char b[] = "\x38\0\0\0\0\0\0\0"
                        "{\"y\":{\"dtype\":\"F16\",\"shape\":[2],\"data_offsets\":[0,4]}}  "
                        "\0\x3c\0\x3c";

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static int n_written = 0;
  if (n_written++ == 0) {
    fuzz_write ("a.safetensors", a, sizeof a - 1);
    fuzz_write ("b.safetensors", b, sizeof b - 1);
  }
  fuzz_open_weights (fuzz_write ("model.safetensors.index.json", data, size));
  return 0;
}
