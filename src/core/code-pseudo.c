/* SPDX-License-Identifier: MIT */
/* The steps of attention as short formulas. */
#include "code-kinds.h"
#include "model-private.h"

#define WORDS(step) attn_code_peek_words (ATTN_STEP_##step)

static void
add_projections (AttnCodeWriter *writer)
{
  const size_t T = writer->T, D = writer->config->d_model;
  const bool normed = attn_step_is_there (writer->model, ATTN_STEP_NORMED);
  const char *x = normed ? "N" : "X";
  const bool biased = !writer->config->no_attention_bias;
  attn_code_add (writer, T, D, WORDS (INPUT), "X");
  if (normed)
    attn_code_add (writer, T, D, WORDS (NORMED), "N = norm (X)");
  attn_code_add (writer, T, D, WORDS (QUERIES), "Q = %s · W_Q%s", x, biased ? " + b_Q" : "");
  attn_code_add (writer, T, D, WORDS (KEYS), "K = %s · W_K%s", x, biased ? " + b_K" : "");
  attn_code_add (writer, T, D, WORDS (VALUES), "V = %s · W_V%s", x, biased ? " + b_V" : "");
}

static void
add_scores (AttnCodeWriter *writer)
{
  const AttnModel *model = writer->model;
  const AttnConfig *config = writer->config;
  const size_t T = writer->T;
  if (model->arch->positions == ATTN_POSITION_ROTARY)
    attn_code_add (writer, 0, 0, N_ ("by an angle for each token's place"),
                   "    Q_i, K_i = rotate (Q_i), rotate (K_i)");
  g_autofree char *scale =
      config->no_scale ? g_strdup ("") : g_strdup_printf (" / √%zu", config->d_k);
  if (model->arch->score == ATTN_SCORE_DISENTANGLED && config->relative.on)
    attn_code_add (writer, T, T, WORDS (SCORES),
                   "    S = (Q_i · K_iᵀ + terms for the distance) · scale");
  else
    attn_code_add (writer, T, T, WORDS (SCORES), "    S = Q_i · K_iᵀ%s%s", scale,
                   config->scale_by_layer ? " / layer" : "");
  if (model->arch->score == ATTN_SCORE_BUCKETS)
    attn_code_add (writer, 0, 0, N_ ("a number for how far apart the two tokens are"),
                   "    S = S + bias (distance)");
  if (model->arch->causal)
    attn_code_add (writer, 0, 0, N_ ("no token sees what comes after it"),
                   "    S[q, k] = -∞ where k > q");
  if (config->local_layers != NULL && config->local_layers[writer->subject->layer])
    attn_code_add (writer, 0, 0, N_ ("this layer sees near tokens only"),
                   "    S[q, k] = -∞ where |k - q| ≥ %zu", config->hidden_from);
}

static void
add_head (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  const size_t T = writer->T, d_k = config->d_k;
  attn_code_add (writer, 0, 0, NULL, "for i = 1 … %zu:", config->n_heads);
  attn_code_add (writer, T, d_k, WORDS (HEAD_QUERIES),
                 "    Q_i, K_i, V_i = columns %zu i - %zu … %zu i", d_k, d_k - 1, d_k);
  add_scores (writer);
  attn_code_add (writer, T, T, WORDS (WEIGHTS), "    A = softmax of each row of S");
  attn_code_add (writer, T, d_k, WORDS (HEAD_OUTPUT), "    head_i = A · V_i");
}

void
attn_code_write_pseudo (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  const size_t T = writer->T, D = config->d_model;
  add_projections (writer);
  add_head (writer);
  attn_code_add (writer, T, D, WORDS (CONCAT), "concat = head_1 … head_%zu", config->n_heads);
  attn_code_add (writer, T, D, WORDS (OUTPUT), "output = concat · W_O%s",
                 config->no_attention_bias ? "" : " + b_O");
  if (attn_step_is_there (writer->model, ATTN_STEP_RESULT))
    attn_code_add (writer, T, D, WORDS (RESULT), "result = norm (X + output)");
  else
    attn_code_add (writer, T, D, WORDS (SUM), "result = X + output");
}
