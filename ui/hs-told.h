/* SPDX-License-Identifier: MIT */
/* Sentences of the libraries, in the window's language. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @message: (nullable): what an error, a warning or a model's reason says.
 *
 * Returns: (transfer full) (nullable): the same in the window's language, as far as it is one of
 * theirs; names in it, and whatever is not known, stay as they are. Test:
 * tests/ui/test-told.c */
char *hs_told_dup (const char *message);

/* The same for a line of its own: a sentence that begins with a word, not with a name, begins with
 * a capital letter where there are any. */
char *hs_told_dup_sentence (const char *message);

/* Returns: (transfer none): how a sentence with %s in it is said; may order them: %2$s. */
typedef const char *(*HsToldFunc) (const char *sentence);

/* Likewise by another table. */
char *hs_told_dup_with (const char *message, HsToldFunc translate);

G_END_DECLS
