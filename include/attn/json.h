/* SPDX-License-Identifier: MIT */
/* Bounded reading of JSON files: size, depth, and errors that name file and field.
 *
 * For: files that somebody else wrote, in the core and the layers above it. Not for: writing
 * (quote.h). Values are jansson's own. */
#pragma once

#include "attn/error.h"

#include <glib.h>
#include <jansson.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/**
 * attn_json_load_file:
 * @max_bytes: larger files are refused
 *
 * Reads a file whose root must be an object. Duplicate keys, nesting over 100 and invalid UTF-8 are
 * refused; U+0000 in strings (not in keys) is let through (JSON_ALLOW_NUL), and so is a byte order
 * mark at the start.
 *
 * Every number becomes a JSON real, whole ones too: tokenizer files hold integers like 10^30, which
 * fit no integer type. Use json_is_number() and json_number_value(), or the readers below, never
 * json_is_integer(). Whole numbers are exact up to 2^53.
 *
 * Returns: a new reference for json_decref(), or NULL with @error: IO, FORMAT, TOO_LARGE.
 */
json_t *attn_json_load_file (const char *path, size_t max_bytes, GError **error);

/* The same for a file whose root must be an array. */
json_t *attn_json_load_array_file (const char *path, size_t max_bytes, GError **error);

/* attn_json_load_file() for bytes in memory; @path is for messages only. */
json_t *attn_json_load_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error);

/* The same for bytes whose root must be an array. */
json_t *
attn_json_load_array_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error);

/* Whether the bytes start with U+FEFF, which JSON does not allow and Python refuses. */
bool attn_json_has_byte_order_mark (const char *bytes, size_t n_bytes);

/* Field readers: a missing key or null gives @fallback; a wrong type (FORMAT) or a value out of
 * range (SHAPE) is an error that names @path and @key, what was found and what was wanted. 512.0
 * counts as an integer. @value is untouched on error. */
bool attn_json_get_size (json_t *object,
                         const char *key,
                         size_t min,
                         size_t max,
                         size_t fallback,
                         size_t *value,
                         const char *path,
                         GError **error);
bool attn_json_get_double (json_t *object,
                           const char *key,
                           double fallback,
                           double *value,
                           const char *path,
                           GError **error);
bool attn_json_get_bool (
    json_t *object, const char *key, bool fallback, bool *value, const char *path, GError **error);
/* @value is owned by @object; NULL when missing and fallback is NULL. A string that holds U+0000
 * is refused, because it would be cut there. */
bool attn_json_get_string (json_t *object,
                           const char *key,
                           const char *fallback,
                           const char **value,
                           const char *path,
                           GError **error);

/* Sets @error to "PATH: KEY: found VALUE, wanted @wanted", for checks beyond these readers. @value:
 * (nullable): what is not there.
 * Returns: false. */
bool attn_json_refuse (GError **error,
                       AttnError code,
                       const char *path,
                       const char *key,
                       const json_t *value,
                       const char *wanted);

G_END_DECLS
