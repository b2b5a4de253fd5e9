/* SPDX-License-Identifier: MIT */
/* Small work on people's text: making it one visible line, cutting it, filling in numbers. */
#pragma once

#include "attn-draw/label.h"

#include <stdbool.h>
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

/**
 * attn_draw_keeps_mark:
 * @n_marks: (inout): of the letter that is gone through, 0 before a text's first character
 *
 * Goes on to @c. Of a letter's combining marks a few are shown: more would climb over other lines,
 * and take time by their square to shape. What only joins characters is no new letter.
 *
 * Returns: whether @c is shown; true for everything but marks that are too many.
 */
bool attn_draw_keeps_mark (size_t *n_marks, gunichar c);

/* Returns: (transfer full): @text on one line, blanks joined, without what is not visible, and
 * without the marks of a letter that would climb over other lines. */
char *attn_draw_one_line (const char *text);

/* Returns: whether @text is a single wide character, which is read as it stands whatever is turned
 * beside it. */
bool attn_draw_text_stands (const char *text);

/* Returns: (transfer full): a number for people, with a true minus sign. */
char *attn_draw_dup_number (double value, int decimals);
