/* SPDX-License-Identifier: MIT */
/* What the libraries say in English, for the window to say in its language. */
#pragma once

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* Returns: (transfer none) (array length=n): sentences with %s for every number and
 * text. Test: tests/ui/test-told.c */
const char *const *hs_told_table_peek (size_t *n);

G_END_DECLS
