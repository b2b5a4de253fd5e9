/* SPDX-License-Identifier: MIT */
/* Any bytes as a SentencePiece model, once as each family's. */
#include "fuzz-tokenizer.h"
#include "fuzz.h"

#include <string.h>

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const char *const configs[] = {"{\"tokenizer_class\": \"XLMRobertaTokenizer\"}",
                                        "{\"tokenizer_class\": \"CamembertTokenizer\"}",
                                        "{\"tokenizer_class\": \"AlbertTokenizer\"}",
                                        "{\"tokenizer_class\": \"DebertaV2Tokenizer\"}"};
  const char *config = configs[size % G_N_ELEMENTS (configs)];
  fuzz_write ("tokenizer_config.json", config, strlen (config));
  fuzz_load_tokenizer (fuzz_write ("spm.model", data, size));
  return 0;
}
