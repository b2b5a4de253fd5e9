/* SPDX-License-Identifier: MIT */
/* A model against reference results. */
#pragma once

#include "reference.h"

#include "attn/model.h"
#include "attn/tokens.h"
#include "attn/trace.h"

#include <glib.h>

/* Start with zeros. */
typedef struct {
  double attentions, hidden_states, logits; /* the largest differences seen */
  char *fault;                              /* the first one over the tolerance; owned; or NULL */
} FamilyVerdict;

void family_verdict_clear (FamilyVerdict *verdict);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FamilyVerdict, family_verdict_clear)

/**
 * family_check:
 *
 * Runs every case of @reference, the texts of a batch at once, and compares all taps of every layer
 * and the logits: from the text where @model has a tokenizer, which must give the reference's ids,
 * else from those ids. Stops at the first fault.
 */
void family_check (AttnModel *model,
                   const Reference *reference,
                   const char *name,
                   FamilyVerdict *verdict);

/* Compares one trace with case @n_case. */
void family_check_trace (const AttnTrace *trace,
                         const Reference *reference,
                         size_t n_case,
                         const char *name,
                         FamilyVerdict *verdict);

/* Returns: (transfer full): a case's text through @model's tokenizer; it must give the ids. */
AttnTokens *family_encode (
    AttnModel *model, json_t *item, size_t sequence, const int32_t *ids, size_t n_tokens);
