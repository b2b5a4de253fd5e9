/* SPDX-License-Identifier: MIT */
/* Models that many people use, of the families that run here. */
#include "attn-hub/fetch.h"

#include <string.h>

static const AttnHubSuggestion suggestions[] = {
    {"google-bert/bert-base-uncased", "bert", 12, 12, 441},
    {"google-bert/bert-base-cased", "bert", 12, 12, 436},
    {"google-bert/bert-base-chinese", "bert", 12, 12, 412},
    {"google-bert/bert-base-multilingual-cased", "bert", 12, 12, 717},
    {"sentence-transformers/all-MiniLM-L6-v2", "bert", 6, 12, 92},
    {"hfl/chinese-roberta-wwm-ext", "bert", 12, 12, 412},
    {"FacebookAI/roberta-base", "roberta", 12, 12, 502},
    {"FacebookAI/xlm-roberta-base", "xlm-roberta", 12, 12, 1130},
    {"distilbert/distilbert-base-uncased", "distilbert", 6, 12, 269},
    {"albert/albert-base-v2", "albert", 12, 12, 49},
    {"google/electra-small-discriminator", "electra", 12, 4, 55},
    {"microsoft/deberta-v3-small", "deberta-v2", 6, 12, 289},
    {"sentence-transformers/all-mpnet-base-v2", "mpnet", 12, 12, 439},
    {"answerdotai/ModernBERT-base", "modernbert", 22, 12, 602},
    {"openai-community/gpt2", "gpt2", 12, 12, 552},
    {"distilbert/distilgpt2", "gpt2", 6, 12, 356},
};

const AttnHubSuggestion *
attn_hub_suggestions_peek (size_t *n)
{
  g_return_val_if_fail (n != NULL, NULL);
  *n = G_N_ELEMENTS (suggestions);
  return suggestions;
}

const AttnHubSuggestion *
attn_hub_suggestion_find (const char *repo)
{
  g_return_val_if_fail (repo != NULL, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (suggestions); i++) {
    const char *slash = strchr (suggestions[i].name, '/');
    if (slash != NULL && g_str_equal (slash + 1, repo))
      return &suggestions[i];
  }
  return NULL;
}
