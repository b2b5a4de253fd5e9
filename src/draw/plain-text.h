/* SPDX-License-Identifier: MIT */
/* Small work on people's text: making it one visible line, cutting it, filling in numbers. */
#pragma once

#include "attn-draw/label.h"

#include <stddef.h>

/**
 * attn_draw_fill:
 * @format: may hold %s, %zu, %2$s and the like, and %%; anything else stands for itself, so that a
 *          wrong translation gives an odd sentence and never a crash
 * @arguments: [n_arguments] texts
 *
 * Returns: (transfer full): the text.
 */
char *attn_draw_fill (const char *format, const char *const *arguments, size_t n_arguments);

/**
 * attn_draw_cut:
 * @text: valid UTF-8
 * @max_characters: as a person counts them, > 0
 *
 * Returns: (transfer full): @text, or its first characters and an ellipsis, @max_characters in all.
 */
char *attn_draw_cut (const char *text, size_t max_characters);

/* Returns: (transfer full): @text so that its direction of writing does not reach beyond it. */
char *attn_draw_isolate (const char *text);

/* Returns: (transfer full): @text on one line, blanks joined, without what is not visible, and
 * without the marks of a letter that would climb over other lines. */
char *attn_draw_one_line (const char *text);
