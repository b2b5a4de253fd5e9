/* SPDX-License-Identifier: MIT */
/* From an error's code to a translated sentence for people; the core's own message is the detail.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer none): a translated sentence that fits @error's domain and code. */
const char *hs_error_peek_sentence (const GError *error);

G_END_DECLS
