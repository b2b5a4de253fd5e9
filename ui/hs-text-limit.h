/* SPDX-License-Identifier: MIT */
/* How long a text and its lines may be in the window, and whether it says anything. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The text field lays a line out as a whole, in a time that grows faster than its length: some
 * 0.4 s here. No model takes as many tokens. */
#define HS_MAX_LINE_BYTES (32 * 1024)
#define HS_MAX_TEXT_BYTES (1024 * 1024)

/**
 * hs_text_count_fitting:
 * @text:      [n_bytes], UTF-8
 * @n_in_line: bytes of the first line that are there already
 *
 * Returns: how many bytes of @text are before the place where a line, or the text, would become too
 *   long; whole characters.
 */
size_t hs_text_count_fitting (const char *text, size_t n_bytes, size_t n_in_line);

/* @text: UTF-8. Returns: whether there is nothing in it but spaces of any kind. */
bool hs_text_is_blank (const char *text);
