/* SPDX-License-Identifier: MIT */
/* How much the loss would feel it if a head spoke a little louder or softer: importance by
 * gradients, without labels from outside. */
#pragma once

#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/task.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Of every head, [n_layers, n_heads] row-major. With L a draw's loss and ξ what multiplies the
 * head's output before W_O: */
typedef struct {
  size_t n_layers, n_heads;
  double *gradient;      /* mean over the draws of ∂L/∂ξ, nats; owned */
  double *importance;    /* mean over the draws of |∂L/∂ξ|; owned */
  double *importance_l2; /* the same over the 2-norm of its layer; 0 in a layer of zeros; owned */
} AttnImportance;

typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked between layers */
  void *progress_data;
} AttnImportanceOptions;

/**
 * attn_importance_new:
 *
 * One backward pass for each draw of @task. A draw's clean run may have heads that are zero or
 * scaled; of others, see below.
 *
 * Returns: (transfer full): for attn_importance_free(), or NULL with @error: UNSUPPORTED (DeBERTa;
 *   a model without an LM head, whose sentence's vector has no gradient; heads that are uniform,
 *   mean or patched, or patterns of another run), TOO_LARGE, CANCELLED.
 * Source: Michel et al. 2019, section 4.1.
 * Test: tests/core/test-importance.c, golden data and finite differences.
 */
AttnImportance *
attn_importance_new (const AttnTask *task, const AttnImportanceOptions *options, GError **error);

void attn_importance_free (AttnImportance *importance);

/* Writes @importance_l2 [n_layers, n_heads] from @importance likewise, as in AttnImportance. */
void attn_importance_normalise (const double *importance,
                                size_t n_layers,
                                size_t n_heads,
                                double *importance_l2);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnImportance, attn_importance_free)

G_END_DECLS
