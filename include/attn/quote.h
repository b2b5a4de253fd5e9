/* SPDX-License-Identifier: MIT */
/* Text inside JSON and CSV: one way to quote, for the command line and files alike. */
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

G_END_DECLS
