/* SPDX-License-Identifier: MIT */
/* How long a text and its lines may be in the window, and whether it says anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The text field lays a line out as a whole, in a time that grows faster than its length: some
 * 0.4 s here. No model takes as many tokens. */
#define HS_MAX_LINE_BYTES (32 * 1024)
#define HS_MAX_TEXT_BYTES (1024 * 1024)

/* Combining marks on one letter: it lays out a letter in a time that grows with their square, two
 * seconds for 15,000. No script needs more than a few. */
#define HS_MAX_MARKS 100

/* Where a text goes. All zero is a field without a text. */
typedef struct {
  size_t n_in_line; /* bytes of the line that are there already */
  size_t n_marks;   /* marks that stand there already, on both sides together */
} HsTextPlace;

/**
 * hs_text_count_fitting:
 * @text:  [n_bytes], UTF-8
 * @place: whose line the text's first one goes on
 *
 * Returns: how many bytes of @text are before the place where a line, a letter's marks, or the text
 *   would become too long; whole characters.
 */
size_t hs_text_count_fitting (const char *text, size_t n_bytes, HsTextPlace place);

/* @text: UTF-8. Returns: whether there is nothing in it but spaces of any kind. */
bool hs_text_is_blank (const char *text);
