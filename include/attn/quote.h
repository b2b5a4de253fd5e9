/* SPDX-License-Identifier: MIT */
/* Text inside JSON, CSV and messages: one way to quote, for all programs and files alike. */
#pragma once

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_quote_json:
 * @out:   appended to
 * @text:  [length] bytes of UTF-8, may hold U+0000; bytes that are no UTF-8 become U+FFFD
 *
 * Appends a JSON string with its quotation marks; characters beyond ASCII stay themselves.
 */
void attn_quote_json (GString *out, const char *text, size_t length);

/* Appends a CSV field as RFC 4180 wants it: quoted where it holds a comma, a quotation mark or a
 * line end. */
void attn_quote_csv (GString *out, const char *text);

/**
 * attn_file_dup_shown:
 * @text: [n] bytes of a path, name or value that somebody else wrote
 *
 * Makes them fit for a message of one line: valid UTF-8; blanks of every kind are spaces, control
 * characters and those that turn the direction of writing are U+FFFD; cut in the middle when longer
 * than 400 characters.
 *
 * Returns: (transfer full): the text, NUL-terminated.
 */
char *attn_file_dup_shown (const char *text, size_t n);

G_END_DECLS
