/* SPDX-License-Identifier: MIT */
/* Every family's keys in config.json and what the reference takes for missing ones. */
#include "config-family.h"

#include "config-more.h"

#include "attn/json.h"

#include <string.h>

#define MAX_LAYERS 4096

/* The maxima are far above any published model, and keep every product of two within 2^53. */
#define LAYERS(key, alias, fallback) \
  { \
    key, alias, offsetof (AttnConfig, n_layers), 1, MAX_LAYERS, fallback \
  }
#define HEADS(key, alias, fallback) \
  { \
    key, alias, offsetof (AttnConfig, n_heads), 1, 65536, fallback \
  }
#define WIDTH(key, alias, fallback) \
  { \
    key, alias, offsetof (AttnConfig, d_model), 1, (size_t)1 << 20, fallback \
  }
#define INNER(key, fallback) \
  { \
    key, NULL, offsetof (AttnConfig, d_ff), 1, (size_t)1 << 24, fallback \
  }
#define VOCABULARY(fallback) \
  { \
    "vocab_size", NULL, offsetof (AttnConfig, vocab_size), 1, (size_t)1 << 28, fallback \
  }
#define POSITIONS(key, alias, fallback) \
  { \
    key, alias, offsetof (AttnConfig, n_positions), 1, (size_t)1 << 28, fallback \
  }
#define TYPES(min, fallback) \
  { \
    "type_vocab_size", NULL, offsetof (AttnConfig, n_types), min, 65536, fallback \
  }
#define EMBEDDING(fallback) \
  { \
    "embedding_size", NULL, offsetof (AttnConfig, d_embed), 1, (size_t)1 << 20, fallback \
  }
#define SIZES(layers, heads, width, inner) \
  LAYERS ("num_hidden_layers", NULL, layers), HEADS ("num_attention_heads", NULL, heads), \
      WIDTH ("hidden_size", NULL, width), INNER ("intermediate_size", inner)
#define END \
  { \
    NULL, NULL, 0, 0, 0, 0 \
  }

static const AttnSizeField bert_sizes[] = {
    SIZES (12, 12, 768, 3072),
    VOCABULARY (30522),
    POSITIONS ("max_position_embeddings", NULL, 512),
    TYPES (1, 2),
    END,
};

static const AttnSizeField roberta_sizes[] = {
    SIZES (12, 12, 768, 3072),
    VOCABULARY (50265),
    POSITIONS ("max_position_embeddings", NULL, 512),
    TYPES (1, 2),
    END,
};

static const AttnSizeField distilbert_sizes[] = {
    LAYERS ("n_layers", "num_hidden_layers", 6),
    HEADS ("n_heads", "num_attention_heads", 12),
    WIDTH ("dim", "hidden_size", 768),
    INNER ("hidden_dim", 3072),
    VOCABULARY (30522),
    POSITIONS ("max_position_embeddings", NULL, 512),
    END,
};

static const AttnSizeField albert_sizes[] = {
    SIZES (12, 64, 4096, 16384),
    VOCABULARY (30000),
    POSITIONS ("max_position_embeddings", NULL, 512),
    TYPES (1, 2),
    EMBEDDING (128),
    {"num_hidden_groups", NULL, offsetof (AttnConfig, n_layer_weights), 1, MAX_LAYERS, 1},
    {"inner_group_num", NULL, offsetof (AttnConfig, n_inner), 1, MAX_LAYERS, 1},
    END,
};

static const AttnSizeField electra_sizes[] = {
    SIZES (12, 4, 256, 1024),
    VOCABULARY (30522),
    POSITIONS ("max_position_embeddings", NULL, 512),
    TYPES (1, 2),
    EMBEDDING (128),
    END,
};

static const AttnSizeField mpnet_sizes[] = {
    SIZES (12, 12, 768, 3072),
    VOCABULARY (30527),
    POSITIONS ("max_position_embeddings", NULL, 512),
    {"relative_attention_num_buckets", NULL, offsetof (AttnConfig, n_buckets), 1, 65536,
     ATTN_MPNET_BUCKETS},
    END,
};

static const AttnSizeField deberta_sizes[] = {
    SIZES (24, 24, 1536, 6144),
    VOCABULARY (128100),
    POSITIONS ("max_position_embeddings", NULL, 512),
    TYPES (0, 0),
    EMBEDDING (0),
    END,
};

static const AttnSizeField modernbert_sizes[] = {
    SIZES (22, 12, 768, 1152),
    VOCABULARY (50368),
    POSITIONS ("max_position_embeddings", NULL, 8192),
    END,
};

static const AttnSizeField gpt2_sizes[] = {
    LAYERS ("n_layer", "num_hidden_layers", 12),
    HEADS ("n_head", "num_attention_heads", 12),
    WIDTH ("n_embd", "hidden_size", 768),
    INNER ("n_inner", 0),
    VOCABULARY (50257),
    POSITIONS ("n_positions", "max_position_embeddings", 1024),
    END,
};

/* Relative positions in the manner of Shaw et al. need tables that no family here reads. */
static bool
check_positions (AttnConfigReader *reader, GError **error)
{
  const char *positions = NULL;
  const char *key = "position_embedding_type";
  if (!attn_json_get_string (reader->root, key, "absolute", &positions, reader->path, error))
    return false;
  if (strcmp (positions, "absolute") == 0)
    return true;
  g_autofree char *found = g_strdup_printf ("\"%s\"", positions);
  return attn_config_refuse (reader, ATTN_ERROR_UNSUPPORTED, key, found,
                             "one this version knows (absolute)", error);
}

/* The first rows of the position table belong to padding: what is left is for the text. */
static bool
skip_positions (AttnConfigReader *reader, size_t n_skipped, GError **error)
{
  AttnConfig *config = reader->config;
  config->n_skipped_positions = n_skipped;
  if (config->n_positions > n_skipped) {
    config->n_positions -= n_skipped;
    return true;
  }
  g_autofree char *found = g_strdup_printf ("%zu", config->n_positions);
  g_autofree char *wanted =
      g_strdup_printf ("more than %zu, for the first token has position %zu", n_skipped, n_skipped);
  return attn_config_refuse (reader, ATTN_ERROR_SHAPE, "max_position_embeddings", found, wanted,
                             error);
}

static bool
read_roberta (AttnConfigReader *reader, GError **error)
{
  reader->config->head_activation = ATTN_ACTIVATION_GELU;
  return check_positions (reader, error) &&
         skip_positions (reader, (size_t)reader->config->pad_id + 1, error);
}

static bool
read_electra (AttnConfigReader *reader, GError **error)
{
  reader->config->head_activation = ATTN_ACTIVATION_GELU;
  return check_positions (reader, error);
}

/* The reference takes id 1 as padding and 32 buckets, whatever the file says. */
static bool
read_mpnet (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  config->head_activation = ATTN_ACTIVATION_GELU;
  if (config->n_buckets >= ATTN_MPNET_BUCKETS)
    return skip_positions (reader, 2, error);
  g_autofree char *found = g_strdup_printf ("%zu", config->n_buckets);
  return attn_config_refuse (reader, ATTN_ERROR_SHAPE, "relative_attention_num_buckets", found,
                             "32 or more, as many as the family uses", error);
}

static bool
read_albert (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  config->n_layers *= config->n_inner;
  config->n_layer_weights *= config->n_inner;
  if (config->n_layers > MAX_LAYERS || config->n_layer_weights > MAX_LAYERS) {
    g_autofree char *found = g_strdup_printf ("%zu", config->n_inner);
    return attn_config_refuse (reader, ATTN_ERROR_SHAPE, "inner_group_num", found,
                               "no more than 4096 layers in all", error);
  }
  return check_positions (reader, error);
}

static bool
read_gpt2 (AttnConfigReader *reader, GError **error)
{
  AttnConfig *config = reader->config;
  if (config->d_ff == 0)
    config->d_ff = 4 * config->d_model;
  bool scaled = true;
  if (!attn_json_get_bool (reader->root, "scale_attn_weights", true, &scaled, reader->path, error))
    return false;
  config->no_scale = !scaled;
  return attn_json_get_bool (reader->root, "scale_attn_by_inverse_layer_idx", false,
                             &config->scale_by_layer, reader->path, error);
}

static const AttnConfigFamily families[] = {
    {"bert", "Bert", bert_sizes, 0, "layer_norm_eps", 1e-12, "hidden_act", "gelu", check_positions},
    {"roberta", "Roberta", roberta_sizes, 1, "layer_norm_eps", 1e-12, "hidden_act", "gelu",
     read_roberta},
    {"xlm-roberta", "XLMRoberta", bert_sizes, 1, "layer_norm_eps", 1e-12, "hidden_act", "gelu",
     read_roberta},
    {"camembert", "Camembert", bert_sizes, 1, "layer_norm_eps", 1e-12, "hidden_act", "gelu",
     read_roberta},
    {"distilbert", "DistilBert", distilbert_sizes, 0, NULL, 1e-12, "activation", "gelu", NULL},
    {"albert", "Albert", albert_sizes, 0, "layer_norm_eps", 1e-12, "hidden_act", "gelu_new",
     read_albert},
    {"electra", "Electra", electra_sizes, 0, "layer_norm_eps", 1e-12, "hidden_act", "gelu",
     read_electra},
    {"mpnet", "MPNet", mpnet_sizes, 1, "layer_norm_eps", 1e-12, "hidden_act", "gelu", read_mpnet},
    {"deberta-v2", "DebertaV2", deberta_sizes, 0, "layer_norm_eps", 1e-7, "hidden_act", "gelu",
     attn_config_read_deberta},
    {"modernbert", "ModernBert", modernbert_sizes, 50283, "norm_eps", 1e-5, "hidden_activation",
     "gelu", attn_config_read_modernbert},
    {"gpt2", "GPT2", gpt2_sizes, 0, "layer_norm_epsilon", 1e-5, "activation_function", "gelu_new",
     read_gpt2},
};

const AttnConfigFamily *
attn_config_family_peek (size_t index)
{
  return index < G_N_ELEMENTS (families) ? &families[index] : NULL;
}

const char *
attn_config_peek_key (const AttnConfig *config, size_t member)
{
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++) {
    if (strcmp (families[i].model_type, config->family) != 0)
      continue;
    for (const AttnSizeField *field = families[i].sizes; field->key != NULL; field++)
      if (field->member == member)
        return field->key;
  }
  return "its size";
}
