/* SPDX-License-Identifier: MIT */
/* What a bug report needs to know: versions, the CPU and its kernels, the model, and how far
 * its family's numbers are from the reference.
 *
 * For: About in the window, headscope-cli info --diagnostics. Not for: anything that was typed; no
 * fact holds a text or a path. Order: attn_diagnostics_new(), attn_diagnostics_add() what only the
 * program knows, then one of the two ways to write it down. */
#pragma once

#include "attn/model.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* A family's largest differences from Hugging Face transformers, over all texts, layers and heads
 * of the small models that the tests compare. */
typedef struct {
  const char *family;
  size_t n_models;
  double attention, hidden_states, logits; /* absolute; weights, activations, logits */
} AttnParity;

/* Returns: (transfer none): a constant table by family, [n]. Test: tests/core/test-families.c */
const AttnParity *attn_parity_peek (size_t *n);

/* Facts in the order they were added, each with a name. */
typedef struct _AttnDiagnostics AttnDiagnostics;

/**
 * attn_diagnostics_new:
 * @program:   what runs, with its version
 * @n_threads: that compute
 * @model:     (nullable): the one that is looked at
 * @name:      (nullable): what it is called; NULL for attn_model_peek_name()
 *
 * Returns: (transfer full): system, CPU, kernels, versions of the core's libraries, sizes of
 * @model. Test: tests/core/test-diagnostics.c
 */
AttnDiagnostics *attn_diagnostics_new (const char *program,
                                       size_t n_threads,
                                       const AttnModel *model,
                                       const char *name);

void attn_diagnostics_free (AttnDiagnostics *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDiagnostics, attn_diagnostics_free)

/* @name: lower case; @value: printf's format of one line, copied. */
void attn_diagnostics_add (AttnDiagnostics *self, const char *name, const char *value, ...)
    G_GNUC_PRINTF (3, 4);

/* Returns: (transfer full): a line for each fact, then the table of attn_parity_peek(). */
char *attn_diagnostics_dup_text (const AttnDiagnostics *self);

/* Appends the same as the members of a JSON object, without its braces:
 * "diagnostics":{name:value,…},"parity":[{"family",…},…]. */
void attn_diagnostics_append_json (const AttnDiagnostics *self, GString *json);

G_END_DECLS
