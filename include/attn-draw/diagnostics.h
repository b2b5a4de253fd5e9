/* SPDX-License-Identifier: MIT */
/* The core's diagnostics, with the program and the libraries that draw.
 *
 * For: what attn/diagnostics.h is for, in every program that draws. */
#pragma once

#include "attn/diagnostics.h"

G_BEGIN_DECLS

/**
 * attn_draw_diagnostics_new:
 * @n_threads: that compute
 * @model:     (nullable): the one that is looked at
 * @name:      (nullable): what it is called, as attn_hub_peek_model_name() has it
 *
 * Returns: (transfer full): as attn_diagnostics_new(), with Headscope's version, Cairo's and
 *   Pango's.
 * Test: tests/cli/test-diagnostics.c
 */
AttnDiagnostics *
attn_draw_diagnostics_new (size_t n_threads, const AttnModel *model, const char *name);

G_END_DECLS
