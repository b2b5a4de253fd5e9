/* SPDX-License-Identifier: MIT */
/* A pull reader of JSON text in memory, for what no tree should hold.
 *
 * For: safetensors headers, which may be 100 MB of text with exact 64-bit integers, and
 * vocabularies of some hundred thousand pieces. Strings are
 * decoded in place, so nothing is allocated and every string lives as long as the text. Not for:
 * small files (json.h). Calls follow the grammar; the first that fails leaves a reason in fault,
 * and the reader must not be used any further. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  char *text; /* [n] bytes of valid UTF-8, overwritten while strings are decoded */
  size_t n;
  size_t at;         /* where the next byte is read */
  const char *fault; /* a phrase: what was found at byte at; NULL while all is well */
} AttnJsonScan;

/* Skips white space; returns the next byte without taking it, or '\0' at the end. */
char attn_json_scan_peek (AttnJsonScan *scan);

/* Takes the byte @c after white space; @fault becomes @or_else if another stands there. */
bool attn_json_scan_take (AttnJsonScan *scan, char c, const char *or_else);

/**
 * attn_json_scan_next_item:
 * @close: '}' or ']'
 * @first: (inout): true before the first item of the array or object
 * @done:  (out): the bracket was reached and taken
 *
 * Steps over the comma, or takes the closing bracket. Call after the opening bracket was taken.
 */
bool attn_json_scan_next_item (AttnJsonScan *scan, char close, bool *first, bool *done);

/* Takes a string; @text is NUL-terminated, of @n bytes, and may hold U+0000 itself. */
bool attn_json_scan_string (AttnJsonScan *scan, const char **text, size_t *n);

/* Takes a whole number from 0 to 2^64 - 1, written without sign, fraction or exponent. */
bool attn_json_scan_u64 (AttnJsonScan *scan, guint64 *value);

/* Takes any number; one too large for a double is infinite. */
bool attn_json_scan_double (AttnJsonScan *scan, double *value);

/* Takes and checks any value, nested up to 100 levels deep; leaves its text as it is. */
bool attn_json_scan_skip (AttnJsonScan *scan);

/* Whether nothing but white space is left behind the outermost object. */
bool attn_json_scan_end (AttnJsonScan *scan);
