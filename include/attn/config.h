/* SPDX-License-Identifier: MIT */
/* What a model folder's config.json says, checked and with the family's defaults filled in. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_ACTIVATION_GELU,      /* x/2 (1 + erf (x/√2)) */
  ATTN_ACTIVATION_GELU_TANH, /* its tanh approximation: gelu_new, gelu_pytorch_tanh, gelu_fast */
  ATTN_ACTIVATION_RELU,
  ATTN_ACTIVATION_SILU, /* x σ(x) */
} AttnActivation;

/* How DeBERTa's scores depend on the distance between two tokens. */
typedef struct {
  bool on;                  /* relative_attention; the rest but the two directions is then valid */
  bool content_to_position; /* c2p in pos_att_type: the query with the distance's key */
  bool position_to_content; /* p2c: the distance's query with the key */
  bool shared;              /* share_att_key: distances use the layer's own projections */
  bool normed;              /* layer_norm in norm_rel_ebd */
  size_t n_buckets;    /* position_buckets: distances share rows logarithmically; 0: each its own */
  size_t max_distance; /* max_relative_positions */
} AttnRelative;

/* Every size is > 0 unless said otherwise, and d_model = n_heads × d_k. Where a family does nothing
 * special, the special fields are 0. */
typedef struct {
  char *family;       /* model_type, for instance "bert"; owned */
  char *architecture; /* architectures[0], or NULL; owned */
  size_t n_layers;    /* that run, and give maps */
  size_t n_heads;
  size_t d_model; /* hidden_size */
  size_t d_k;     /* width of one head */
  size_t d_ff;    /* intermediate_size */
  size_t vocab_size;
  size_t n_positions; /* the longest text */
  size_t n_types;     /* token types; 0 where the family has none */
  double layer_norm_eps;
  AttnActivation activation;
  AttnActivation head_activation; /* in the LM head */
  int32_t pad_id;                 /* below vocab_size */
  bool tied;       /* decoder shares the word embeddings unless the file has its own */
  char **warnings; /* NULL-terminated sentences about config.json for the user, or NULL; owned */

  size_t d_embed;         /* embedding_size: width of the embedding tables; 0: d_model */
  size_t n_layer_weights; /* sets of layer weights, when layers share them; 0: n_layers */
  size_t n_inner;         /* consecutive layers of one ALBERT group; 0: 1 */
  /* rows of the position table before the first token's; when > 0 the row is counted from the ids,
   * and a token with id n_skipped_positions - 1 is padding: not counted */
  size_t n_skipped_positions;
  bool no_positions; /* there is no position table */
  /* biases that are left out */
  bool no_attention_bias, no_ffn_bias, no_norm_bias, no_head_bias, no_decoder_bias;
  bool no_scale;       /* scores are not divided by √d_k */
  bool scale_by_layer; /* scores are divided by the layer's number, from 1 */
  size_t n_buckets;    /* MPNet's relative_attention_num_buckets */
  AttnRelative relative;
  size_t conv_width; /* conv_kernel_size: tokens that DeBERTa's convolution reads; 0: it has none */
  bool *local_layers; /* [n_layers] which layers see near keys only; NULL for none; owned */
  size_t hidden_from; /* in those, keys at this distance and further are hidden; > 0 */
  double rope_theta, local_rope_theta; /* rotary angles' base in the other and in local layers */
} AttnConfig;

/**
 * attn_config_load:
 * @folder: a model folder in Hugging Face layout; its config.json is read
 *
 * Reads and checks the sizes a forward pass needs. Numbers may be written as 512 or 512.0; unknown
 * keys are ignored, missing ones take the family's default. Two faults are let through with a
 * sentence in warnings: a byte order mark, and a missing model_type where architectures tells it.
 *
 * Returns: a new config for attn_config_free(), or NULL with @error: IO, FORMAT, TOO_LARGE, SHAPE
 *   (sizes that contradict each other or are out of range), UNSUPPORTED (model_type, activation,
 *   kind of positions or of attention that this version does not know, and the message lists the
 *   known ones; an encoder turned decoder; pruned heads).
 * Test: tests/core/test-config.c
 */
AttnConfig *attn_config_load (const char *folder, GError **error);

/**
 * attn_config_parse:
 * @bytes: [n_bytes] of a config.json that is in no folder yet
 * @path:  what messages call it
 *
 * Returns: as attn_config_load().
 */
AttnConfig *attn_config_parse (const char *bytes, size_t n_bytes, const char *path, GError **error);

/* Whether models of this model_type can be run, for those who only list them. */
bool attn_config_knows_family (const char *model_type);

/* Returns: (transfer full): a deep copy, for attn_config_free(). */
AttnConfig *attn_config_copy (const AttnConfig *config);

/* Frees @config and its strings; NULL is let through. */
void attn_config_free (AttnConfig *config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnConfig, attn_config_free)

G_END_DECLS
