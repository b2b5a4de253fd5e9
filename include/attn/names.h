/* SPDX-License-Identifier: MIT */
/* Finding a word that somebody typed in a table of names. */
#pragma once

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_name_find:
 * @names: [n]
 *
 * Returns: the index of @name in @names, ASCII letters of either case alike, or @n for none.
 * Test: tests/core/test-number.c
 */
size_t attn_name_find (const char *name, const char *const *names, size_t n);

G_END_DECLS
