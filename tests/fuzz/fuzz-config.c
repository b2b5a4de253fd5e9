/* SPDX-License-Identifier: MIT */
/* Any bytes as config.json. */
#include "fuzz.h"

#include "attn/config.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnConfig) config = attn_config_load (fuzz_write ("config.json", data, size), &error);
  fuzz_check_error (config != NULL, error);
  if (config != NULL && (config->n_layers == 0 || config->n_heads == 0 || config->vocab_size == 0 ||
                         config->d_model != config->n_heads * config->d_k))
    g_error ("sizes that do not agree");
  return 0;
}
