/* SPDX-License-Identifier: MIT */
/* One way to write a number, for the command line, files and the window alike. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define ATTN_NUMBER_SIZE 40 /* bytes that hold any formatted number and its NUL */

typedef enum {
  ATTN_NUMBER_JSON, /* NaN and infinities, which JSON has not, become the strings "NaN", "Infinity"
                       and "-Infinity": what Python's float() and JavaScript's Number() read */
  ATTN_NUMBER_CSV,  /* NaN and infinities become nan, inf, -inf */
} AttnNumberStyle;

/**
 * attn_number_format:
 * @buffer: [ATTN_NUMBER_SIZE] bytes, written
 * @value:  any double; an f32 value is converted exactly
 *
 * Writes @value with 9 significant digits, enough to read back the same f32, whatever the locale.
 *
 * Returns: @buffer.
 */
const char *attn_number_format (char *buffer, double value, AttnNumberStyle style);

/**
 * attn_number_format_fixed:
 * @buffer:   [ATTN_NUMBER_SIZE] bytes, written
 * @decimals: 0 … 9
 *
 * Writes @value with a fixed number of decimals and a point, whatever the locale, for people to
 * read: "0.2314". NaN and infinities as in CSV; a value that rounds to zero has no minus sign.
 *
 * Returns: @buffer.
 */
const char *attn_number_format_fixed (char *buffer, double value, int decimals);

G_END_DECLS
