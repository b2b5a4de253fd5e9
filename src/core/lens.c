/* SPDX-License-Identifier: MIT */
/* The table of lenses, and which of them fit what. */
#include "attn/lens.h"

#include "backward.h"
#include "lens-private.h"
#include "model-private.h"
#include "parts.h"

#include "attn/error.h"
#include "attn/names.h"

const char *const attn_lens_names[ATTN_N_LENSES + 1] = {
    [ATTN_LENS_RAW] = "raw",
    [ATTN_LENS_SPECIAL] = "without-special",
    [ATTN_LENS_NORM] = "norm",
    [ATTN_LENS_NORM_LAYER] = "norm-layer",
    [ATTN_LENS_MIXING] = "mixing-ratio",
    [ATTN_LENS_ZEROING] = "value-zeroing",
    [ATTN_LENS_ROLLOUT] = "rollout",
    [ATTN_LENS_ZEROING_ROLLOUT] = "value-zeroing-rollout",
    [ATTN_LENS_FLOW] = "flow",
    [ATTN_LENS_GRADIENT] = "gradient",
    [ATTN_LENS_SCORES] = "scores",
};

static const AttnLensAbout table[ATTN_N_LENSES] = {
    [ATTN_LENS_RAW] =
        {
            .title = "attention weights",
            .meaning = "how much of each key's value a query takes; rows sum to 1",
            .level = ATTN_LENS_LEVEL_CELL,
            .is_share = true,
            .families = "all",
        },
    [ATTN_LENS_SPECIAL] =
        {
            .title = "attention without special tokens",
            .meaning = "weights on the text's own tokens alone; rows sum to 1 again",
            .level = ATTN_LENS_LEVEL_CELL,
            .is_share = true,
            .families = "all",
        },
    [ATTN_LENS_NORM] =
        {
            .title = "norm-weighted attention",
            .meaning =
                "the weight times the length of what is carried from key to query: a token may "
                "get much weight and bring little",
            .level = ATTN_LENS_LEVEL_HEAD,
            .needs_model = true,
            .families = "all",
        },
    [ATTN_LENS_NORM_LAYER] =
        {
            .title = "norm-weighted attention of the layer",
            .meaning = "how long the vector is that all heads together move from key to query",
            .level = ATTN_LENS_LEVEL_LAYER,
            .cost = ATTN_LENS_COST_PASS,
            .needs_model = true,
            .families = "all",
        },
    [ATTN_LENS_MIXING] =
        {
            .title = "mixing ratio",
            .meaning = "how much of a token comes from others after attention, residual and norm: "
                       "all but the diagonal; rows sum to 1",
            .level = ATTN_LENS_LEVEL_LAYER,
            .cost = ATTN_LENS_COST_PASS,
            .needs_model = true,
            .is_share = true,
            .families = "those with norms after each part: all but gpt2 and modernbert",
        },
    [ATTN_LENS_ZEROING] =
        {
            .title = "value zeroing",
            .meaning = "how far a token's output turns when a key's value is taken away; rows sum "
                       "to 1",
            .level = ATTN_LENS_LEVEL_LAYER,
            .cost = ATTN_LENS_COST_SLOW,
            .needs_model = true,
            .max_tokens = ATTN_LENS_ZEROING_TOKENS,
            .is_share = true,
            .families = "all",
        },
    [ATTN_LENS_ROLLOUT] =
        {
            .title = "attention rollout",
            .meaning = "how much of each input token has arrived at a token, half of every layer "
                       "being the token itself; rows sum to 1",
            .level = ATTN_LENS_LEVEL_MODEL,
            .cost = ATTN_LENS_COST_PASS,
            .is_share = true,
            .families = "all",
        },
    [ATTN_LENS_ZEROING_ROLLOUT] =
        {
            .title = "rollout of value zeroing",
            .meaning = "value zeroing multiplied through the layers, nothing added; rows sum to 1",
            .level = ATTN_LENS_LEVEL_MODEL,
            .cost = ATTN_LENS_COST_SLOW,
            .needs_model = true,
            .max_tokens = ATTN_LENS_ZEROING_TOKENS,
            .is_share = true,
            .families = "all",
        },
    [ATTN_LENS_FLOW] =
        {
            .title = "attention flow",
            .meaning = "how much could flow from an input token to a token if each layer let "
                       "through as much as it attends; at most 1",
            .level = ATTN_LENS_LEVEL_MODEL,
            .cost = ATTN_LENS_COST_SLOW,
            .max_tokens = ATTN_LENS_FLOW_TOKENS,
            .families = "all",
        },
    [ATTN_LENS_GRADIENT] =
        {
            .title = "gradient × attention",
            .meaning = "what the loss would change by if a weight grew by a share of itself; below "
                       "0: it would fall",
            .level = ATTN_LENS_LEVEL_HEAD,
            .cost = ATTN_LENS_COST_PASS,
            .needs_model = true,
            .is_signed = true,
            .families = "those with an LM head but deberta and deberta-v2",
        },
    [ATTN_LENS_SCORES] =
        {
            .title = "scores before softmax",
            .meaning = "query · key, scaled, with what the family adds for distances",
            .level = ATTN_LENS_LEVEL_CELL,
            .needs_model = true,
            .is_signed = true,
            .families = "all",
        },
};

const AttnLensAbout *
attn_lens_peek_about (AttnLens lens)
{
  g_return_val_if_fail ((unsigned)lens < ATTN_N_LENSES, &table[ATTN_LENS_RAW]);
  return &table[lens];
}

const char *
attn_lens_peek_name (AttnLens lens)
{
  g_return_val_if_fail ((unsigned)lens < ATTN_N_LENSES, attn_lens_names[ATTN_LENS_RAW]);
  return attn_lens_names[lens];
}

AttnLens
attn_lens_find (const char *name)
{
  return (AttnLens)attn_name_find (name, attn_lens_names, ATTN_N_LENSES);
}

const char *
attn_lens_level_peek_name (AttnLensLevel level)
{
  static const char *const names[] = {"cell", "head", "layer", "model"};
  g_return_val_if_fail ((unsigned)level < G_N_ELEMENTS (names), names[0]);
  return names[level];
}

const char *
attn_lens_cost_peek_name (AttnLensCost cost)
{
  static const char *const names[] = {"map", "pass", "slow"};
  g_return_val_if_fail ((unsigned)cost < G_N_ELEMENTS (names), names[0]);
  return names[cost];
}

bool
attn_lens_is_joint (AttnLens lens)
{
  const AttnLensLevel level = attn_lens_peek_about (lens)->level;
  return level == ATTN_LENS_LEVEL_LAYER || level == ATTN_LENS_LEVEL_MODEL;
}

AttnLensReason
attn_lens_get_model_reason (AttnLens lens, const AttnModel *model, size_t n_tokens)
{
  const AttnLensAbout *about = attn_lens_peek_about (lens);
  if (lens == ATTN_LENS_MIXING && model->arch->norm != ATTN_NORM_AFTER)
    return ATTN_LENS_NEEDS_NORM_AFTER;
  if (lens == ATTN_LENS_GRADIENT && !attn_model_has_lm_head (model))
    return ATTN_LENS_NEEDS_HEAD;
  if (lens == ATTN_LENS_GRADIENT && model->arch->score == ATTN_SCORE_DISENTANGLED)
    return ATTN_LENS_NEEDS_DOT_SCORES;
  if (about->max_tokens > 0 && n_tokens > about->max_tokens)
    return ATTN_LENS_NEEDS_FEWER_TOKENS;
  return ATTN_LENS_FITS;
}

static AttnLensReason
get_trace_reason (AttnLens lens, const AttnTrace *trace)
{
  const AttnLensReason reason = attn_lens_get_model_reason (lens, trace->model, trace->n_tokens);
  const bool of_weights = lens == ATTN_LENS_RAW || lens == ATTN_LENS_SPECIAL ||
                          lens == ATTN_LENS_SCORES || lens == ATTN_LENS_ROLLOUT ||
                          lens == ATTN_LENS_FLOW;
  if (reason != ATTN_LENS_FITS || of_weights)
    return reason;
  if (!attn_parts_fit (trace) || (lens == ATTN_LENS_GRADIENT && !attn_backward_check (trace, NULL)))
    return ATTN_LENS_NEEDS_PLAIN_HEADS;
  return ATTN_LENS_FITS;
}

AttnLensReason
attn_lens_get_reason (AttnLens lens, const AttnMaps *maps)
{
  const AttnLensAbout *about = attn_lens_peek_about (lens);
  const AttnTrace *trace = attn_maps_peek_trace (maps);
  const size_t n = attn_maps_get_n (maps, ATTN_SIDE_KEY);
  AttnOrigin origin;
  if (about->needs_model && trace == NULL)
    return ATTN_LENS_NEEDS_MODEL;
  if (lens == ATTN_LENS_SPECIAL && (attn_maps_peek_tokens (maps, ATTN_SIDE_KEY) == NULL ||
                                    !attn_maps_get_origin (maps, ATTN_SIDE_KEY, 0, &origin)))
    return ATTN_LENS_NEEDS_TEXT;
  if (about->level == ATTN_LENS_LEVEL_MODEL && n != attn_maps_get_n (maps, ATTN_SIDE_QUERY))
    return ATTN_LENS_NEEDS_SQUARE;
  if (about->max_tokens > 0 && n > about->max_tokens)
    return ATTN_LENS_NEEDS_FEWER_TOKENS;
  return trace != NULL ? get_trace_reason (lens, trace) : ATTN_LENS_FITS;
}

char *
attn_lens_dup_reason (AttnLens lens, AttnLensReason reason)
{
  switch (reason) {
  case ATTN_LENS_FITS:
    return NULL;
  case ATTN_LENS_NEEDS_MODEL:
    return g_strdup ("it needs a model, and a file of attention has none");
  case ATTN_LENS_NEEDS_TEXT:
    return g_strdup ("these maps come from no text, so nobody knows which tokens are special");
  case ATTN_LENS_NEEDS_SQUARE:
    return g_strdup ("it needs as many queries as keys");
  case ATTN_LENS_NEEDS_NORM_AFTER:
    return g_strdup ("it is defined where the layer norm follows the residual sum, and this "
                     "family's norms come before");
  case ATTN_LENS_NEEDS_DOT_SCORES:
    return g_strdup ("this family's scores are made of distances too, and the way back through "
                     "those is not known here");
  case ATTN_LENS_NEEDS_HEAD:
    return g_strdup ("it needs a language-model head, and this model has none");
  case ATTN_LENS_NEEDS_PLAIN_HEADS:
    return g_strdup ("it is not defined for runs with heads that were changed in this way");
  case ATTN_LENS_NEEDS_FEWER_TOKENS:
    return g_strdup_printf ("it takes long, so texts may have %zu tokens at most",
                            attn_lens_peek_about (lens)->max_tokens);
  }
  g_return_val_if_reached (NULL);
}

AttnMaps *
attn_lens_new_maps (AttnLens lens, AttnMaps *maps, const AttnLensOptions *options, GError **error)
{
  const AttnLensReason reason = attn_lens_get_reason (lens, maps);
  if (reason != ATTN_LENS_FITS) {
    g_autofree char *why = attn_lens_dup_reason (lens, reason);
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED, "the lens %s: %s",
                 attn_lens_peek_name (lens), why);
    return NULL;
  }
  switch (lens) {
  case ATTN_LENS_RAW:
    return attn_maps_ref (maps);
  case ATTN_LENS_SPECIAL:
    return attn_lens_new_special (maps);
  case ATTN_LENS_NORM:
    return attn_lens_new_norm (maps);
  case ATTN_LENS_NORM_LAYER:
    return attn_lens_new_norm_layer (maps);
  case ATTN_LENS_MIXING:
    return attn_lens_new_mixing (maps);
  case ATTN_LENS_ZEROING:
    return attn_lens_new_zeroing (maps, options, error);
  case ATTN_LENS_ROLLOUT:
    return attn_lens_new_rollout (maps, options, error);
  case ATTN_LENS_ZEROING_ROLLOUT:
    return attn_lens_new_zeroing_rollout (maps, options, error);
  case ATTN_LENS_FLOW:
    return attn_lens_new_flow (maps, options, error);
  case ATTN_LENS_GRADIENT:
    return attn_lens_new_gradient (maps, options, error);
  case ATTN_LENS_SCORES:
    return attn_lens_new_scores (maps);
  case ATTN_N_LENSES:
    break;
  }
  g_return_val_if_reached (NULL);
}
