/* SPDX-License-Identifier: MIT */
/* The toy task's sequences: symbols, one of them marked, and the answers to three questions. */
#pragma once

#include "attn/train.h"

#include <glib.h>

#include <stddef.h>
#include <stdint.h>

typedef enum { ATTN_TOY_PREVIOUS, ATTN_TOY_FIRST, ATTN_TOY_MARKED } AttnToyQuestion;

/**
 * attn_toy_fill:
 * @ids:    [n_tokens] written: the symbol; n_symbols more where it is marked
 * @labels: [ATTN_TRAIN_QUESTIONS, n_tokens] written: the right symbol, or -1 where nothing is
 * asked: nothing comes before the first
 */
void attn_toy_fill (GRand *random, size_t n_tokens, size_t n_symbols, int32_t *ids, int *labels);
