/* SPDX-License-Identifier: MIT */
/* Bounds around jansson: what is checked before parsing, and readers of one field. */
#include "attn/json.h"

#include "file.h"

#include "attn/number.h"

#include <math.h>
#include <string.h>

enum {
  MAX_DEPTH = 100,
  EXCERPT_BYTES = 48,
};

static const char byte_order_mark[] = "\xEF\xBB\xBF";

bool
attn_json_has_byte_order_mark (const char *bytes, size_t n_bytes)
{
  return n_bytes >= 3 && memcmp (bytes, byte_order_mark, 3) == 0;
}

/* Brackets outside strings; jansson's own limit is far deeper than any file needs. */
static bool
check_depth (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  size_t depth = 0;
  bool in_string = false;
  for (size_t i = 0; i < n_bytes; i++) {
    char c = bytes[i];
    if (in_string) {
      if (c == '\\')
        i++;
      else if (c == '"')
        in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > MAX_DEPTH) {
        attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                          "not usable JSON: nested deeper than %d levels at byte %zu", MAX_DEPTH,
                          i);
        return false;
      }
    } else if ((c == '}' || c == ']') && depth > 0) {
      depth--;
    }
  }
  return true;
}

static bool
check_encoding (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  const char *end = NULL;
  if (g_utf8_validate_len (bytes, n_bytes, &end))
    return true;
  size_t at = (size_t)(end - bytes);
  if (bytes[at] == '\0')
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "not JSON: found a NUL byte at byte %zu", at);
  else
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                      "not JSON: byte %zu (0x%02X) is not valid UTF-8", at,
                      (unsigned)(unsigned char)bytes[at]);
  return false;
}

/* The text that ends where the parser stopped: it shows the field the fault is in. */
static char *
dup_excerpt (const char *bytes, size_t n_bytes, const json_error_t *fault)
{
  size_t end = fault->position < 0 ? 0 : MIN ((size_t)fault->position, n_bytes);
  size_t begin = end > EXCERPT_BYTES ? end - EXCERPT_BYTES : 0;
  while (begin < end && ((unsigned char)bytes[begin] & 0xC0) == 0x80)
    begin++;
  return attn_file_dup_shown (bytes + begin, end - begin);
}

static void
set_syntax_error (
    GError **error, const char *path, const char *bytes, size_t n_bytes, const json_error_t *fault)
{
  g_autofree char *excerpt = dup_excerpt (bytes, n_bytes, fault);
  g_autofree char *reason = attn_file_dup_shown (fault->text, strlen (fault->text));
  attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                    "not valid JSON at line %d, column %d: %s, after '%s'", fault->line,
                    fault->column, reason, excerpt);
}

static json_t *
load_root (const char *bytes, size_t n_bytes, json_type wanted, const char *path, GError **error)
{
  const char *names[] = {[JSON_OBJECT] = "object", [JSON_ARRAY] = "array"};
  if (attn_json_has_byte_order_mark (bytes, n_bytes)) {
    bytes += 3;
    n_bytes -= 3;
  }
  if (n_bytes == 0) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found an empty file, wanted a JSON %s",
                      names[wanted]);
    return NULL;
  }
  if (!check_encoding (bytes, n_bytes, path, error) || !check_depth (bytes, n_bytes, path, error))
    return NULL;

  size_t flags = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
  json_error_t fault;
  g_autoptr (json_t) root = json_loadb (bytes, n_bytes, flags, &fault);
  if (root == NULL) {
    set_syntax_error (error, path, bytes, n_bytes, &fault);
    return NULL;
  }
  if (json_typeof (root) != wanted) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found a JSON %s, wanted a JSON %s",
                      names[json_typeof (root)], names[wanted]);
    return NULL;
  }
  return g_steal_pointer (&root);
}

json_t *
attn_json_load_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  return load_root (bytes, n_bytes, JSON_OBJECT, path, error);
}

json_t *
attn_json_load_array_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  return load_root (bytes, n_bytes, JSON_ARRAY, path, error);
}

json_t *
attn_json_load_file (const char *path, size_t max_bytes, GError **error)
{
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, max_bytes, &n_bytes, error);
  return bytes == NULL ? NULL : load_root (bytes, n_bytes, JSON_OBJECT, path, error);
}

json_t *
attn_json_load_array_file (const char *path, size_t max_bytes, GError **error)
{
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, max_bytes, &n_bytes, error);
  return bytes == NULL ? NULL : load_root (bytes, n_bytes, JSON_ARRAY, path, error);
}

/* NULL where the key is missing or null. */
static json_t *
find_value (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  return json_is_null (value) ? NULL : value;
}

static void
format_number (char *buffer, double number)
{
  if (floor (number) == number && fabs (number) < 0x1p63)
    g_snprintf (buffer, ATTN_NUMBER_SIZE, "%.0f", number);
  else
    attn_number_format (buffer, number, ATTN_NUMBER_CSV);
}

static char *
dup_shown_value (const json_t *value)
{
  char number[ATTN_NUMBER_SIZE];
  if (value == NULL)
    return g_strdup ("nothing");
  switch (json_typeof (value)) {
  case JSON_STRING: {
    g_autofree char *text =
        attn_file_dup_shown (json_string_value (value), json_string_length (value));
    return g_strdup_printf ("the string \"%s\"", text);
  }
  case JSON_REAL:
  case JSON_INTEGER:
    format_number (number, json_number_value (value));
    return g_strdup (number);
  case JSON_OBJECT:
    return g_strdup ("an object");
  case JSON_ARRAY:
    return g_strdup ("an array");
  case JSON_TRUE:
    return g_strdup ("true");
  case JSON_FALSE:
    return g_strdup ("false");
  case JSON_NULL:
  default:
    return g_strdup ("null");
  }
}

bool
attn_json_refuse (GError **error,
                  AttnError code,
                  const char *path,
                  const char *key,
                  const json_t *value,
                  const char *wanted)
{
  g_autofree char *found = dup_shown_value (value);
  attn_file_refuse (path, code, error, "%s: found %s, wanted %s", key, found, wanted);
  return false;
}

bool
attn_json_get_size (json_t *object,
                    const char *key,
                    size_t min,
                    size_t max,
                    size_t fallback,
                    size_t *value,
                    const char *path,
                    GError **error)
{
  json_t *found = find_value (object, key);
  if (found == NULL) {
    *value = fallback;
    return true;
  }
  g_autofree char *wanted = g_strdup_printf ("a whole number from %zu to %zu", min, max);
  double number = json_number_value (found);
  if (!json_is_number (found) || floor (number) != number)
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, found, wanted);
  /* the cast of a limit over 2^53 rounds, so nothing above it is let through as exact */
  if (number < (double)min || number > MIN ((double)max, 0x1p53))
    return attn_json_refuse (error, ATTN_ERROR_SHAPE, path, key, found, wanted);
  *value = (size_t)number;
  return true;
}

bool
attn_json_get_double (json_t *object,
                      const char *key,
                      double fallback,
                      double *value,
                      const char *path,
                      GError **error)
{
  json_t *found = find_value (object, key);
  if (found != NULL && !json_is_number (found))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, found, "a number");
  *value = found == NULL ? fallback : json_number_value (found);
  return true;
}

bool
attn_json_get_bool (
    json_t *object, const char *key, bool fallback, bool *value, const char *path, GError **error)
{
  json_t *found = find_value (object, key);
  if (found != NULL && !json_is_boolean (found))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, found, "true or false");
  *value = found == NULL ? fallback : json_is_true (found);
  return true;
}

bool
attn_json_get_string (json_t *object,
                      const char *key,
                      const char *fallback,
                      const char **value,
                      const char *path,
                      GError **error)
{
  json_t *found = find_value (object, key);
  if (found != NULL && !json_is_string (found))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, found, "a string");
  if (found != NULL && strlen (json_string_value (found)) != json_string_length (found))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, found, "a string without U+0000");
  *value = found == NULL ? fallback : json_string_value (found);
  return true;
}
