/* SPDX-License-Identifier: MIT */
/* From an error's code to a translated sentence for people; the core's own message is the detail.
 */
#pragma once

#include "attn-draw/view.h"

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Returns: (transfer none): a translated sentence that fits @error's domain and code. */
const char *hs_error_peek_sentence (const GError *error);

/* Returns: (transfer full): that sentence, and on the next line the libraries' own in the window's
 * language. */
char *hs_error_dup_lines (const GError *error);

/* Returns: (transfer full) (nullable): the name of a model that is not, or not wholly, on this
 * computer, and that the libraries' sentence says how to download. */
char *hs_error_dup_wanted_model (const GError *error);

/* Returns: whether another arrangement may well give a picture where @arrangement gave @error. */
bool hs_error_is_of_arrangement (const GError *error, const AttnArrangement *arrangement);

/* Returns: whether the view's lens, or its arrangement, is what cannot be had: another one can. */
bool hs_error_is_of_view (const GError *error, const AttnDrawView *view);

G_END_DECLS
