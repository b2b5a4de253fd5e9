/* SPDX-License-Identifier: MIT */
/* How long a text and its lines may be in the window, and whether it says anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The text field lays a line out, and draws it, as a whole: up to 60 ms of CPU time here for
 * letters, some 200 where every second character is an emoji and all are selected. No model takes
 * as many tokens. */
#define HS_MAX_LINE_BYTES (16 * 1024)
#define HS_MAX_TEXT_BYTES (1024 * 1024)

/* A list of names, which may be JSON on one line: laid out in some 0.1 s. No file has as many rows.
 */
#define HS_MAX_LIST_BYTES (256 * 1024)
#define HS_MAX_LIST_LINES (16 * 1024)

/* Combining marks on one letter: it lays out a letter in a time that grows with their square, two
 * seconds for 15,000. No script needs more than a few. */
#define HS_MAX_MARKS 100

/* Letters of a word that is broken anywhere. Between words, the field looks for the place in a time
 * that grows with the square of their length: 0.4 s for one of 16,000 letters in a narrow window.
 */
#define HS_LONG_WORD 300

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

/* Returns: how many bytes of @text a list takes that has @n_there bytes and @n_lines lines already,
 * likewise. */
size_t hs_text_count_in_list (const char *text, size_t n_bytes, size_t n_there, size_t n_lines);

/* @text: UTF-8. Returns: whether there is nothing in it but spaces of any kind. */
bool hs_text_is_blank (const char *text);

/**
 * hs_text_has_long_word:
 * @text: UTF-8
 *
 * Words end where a line may be broken in any case: at spaces before a letter or a digit, and
 * between two Han characters or syllables of Hangul. What is uncertain (tabs, dashes,
 * brackets, no-break spaces) is part of a word, which may so be found to be longer than it is.
 *
 * Returns: whether a word has more than %HS_LONG_WORD characters, with the spaces after it.
 */
bool hs_text_has_long_word (const char *text);
