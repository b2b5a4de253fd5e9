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

/* Every size is > 0 unless said otherwise, and d_model = n_heads × d_k. */
typedef struct {
  char *family;       /* model_type, for instance "bert"; owned */
  char *architecture; /* architectures[0], or NULL; owned */
  size_t n_layers;
  size_t n_heads;
  size_t d_model; /* hidden_size */
  size_t d_k;     /* width of one head */
  size_t d_ff;    /* intermediate_size */
  size_t vocab_size;
  size_t n_positions; /* rows of the position table */
  size_t n_types;     /* token types; 0 where the family has none */
  double layer_norm_eps;
  AttnActivation activation;
  int32_t pad_id;  /* below vocab_size */
  bool tied;       /* decoder shares the word embeddings unless the file has its own */
  char **warnings; /* NULL-terminated sentences about config.json for the user, or NULL; owned */
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
 *   (sizes that contradict each other or are out of range), UNSUPPORTED (model_type, hidden_act or
 *   position_embedding_type that this version does not know, and the message lists the known ones;
 *   a causal decoder; pruned heads).
 * Test: tests/core/test-config.c
 */
AttnConfig *attn_config_load (const char *folder, GError **error);

/* Returns: (transfer full): a deep copy, for attn_config_free(). */
AttnConfig *attn_config_copy (const AttnConfig *config);

/* Frees @config and its strings; NULL is let through. */
void attn_config_free (AttnConfig *config);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnConfig, attn_config_free)

G_END_DECLS
