/* SPDX-License-Identifier: MIT */
/* The facts for a bug report, with those of the toolkit. */
#pragma once

#include "attn/model.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * hs_diagnostics_dup_text:
 * @window: a shown window, for what draws it
 * @model: (nullable): the one on screen
 * @n_threads: that compute
 *
 * Returns: (transfer full): a line for each fact and the table of differences; in English, for
 *          whoever gets the report, without any text or path.
 */
char *hs_diagnostics_dup_text (GtkWindow *window, AttnModel *model, size_t n_threads);

G_END_DECLS
