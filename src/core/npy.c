/* SPDX-License-Identifier: MIT */
/* What stands before the numbers of a NumPy array file: a Python dictionary, read as data. */
#include "npy.h"

#include "convert.h"
#include "file.h"

#include "attn/error.h"

#include <string.h>

enum { MAX_HEADER_BYTES = 1 << 20, MAX_NESTING = 32 };

/* The text that is read; fault is a phrase for what was found at `at`. */
typedef struct {
  const char *text;
  size_t n, at;
  const char *fault;
} Scan;

static char
peek (Scan *scan)
{
  while (scan->at < scan->n && strchr (" \t\n\r\f\v", scan->text[scan->at]) != NULL &&
         scan->text[scan->at] != '\0')
    scan->at++;
  return scan->at < scan->n ? scan->text[scan->at] : '\0';
}

static bool
take (Scan *scan, char c, const char *or_else)
{
  if (peek (scan) == c && scan->at < scan->n) {
    scan->at++;
    return true;
  }
  scan->fault = scan->at == scan->n ? "its end" : or_else;
  return false;
}

/* No escapes: what NumPy writes needs none. */
static bool
take_string (Scan *scan, const char **text, size_t *n)
{
  char quote = peek (scan);
  if (quote != '\'' && quote != '"') {
    scan->fault = "no string";
    return false;
  }
  const char *start = scan->text + scan->at + 1;
  size_t n_rest = scan->n - scan->at - 1;
  const char *end = memchr (start, quote, n_rest);
  if (end == NULL || memchr (start, '\\', (size_t)(end - start)) != NULL) {
    scan->fault = end == NULL ? "a string without end" : "a string with a backslash";
    return false;
  }
  *text = start;
  *n = (size_t)(end - start);
  scan->at += *n + 2;
  return true;
}

static bool
take_word (Scan *scan, const char *word)
{
  size_t n = strlen (word);
  peek (scan);
  if (scan->n - scan->at < n || memcmp (scan->text + scan->at, word, n) != 0 ||
      (scan->n - scan->at > n &&
       (g_ascii_isalnum (scan->text[scan->at + n]) || scan->text[scan->at + n] == '_')))
    return false;
  scan->at += n;
  return true;
}

static bool
take_size (Scan *scan, size_t *size)
{
  size_t value = 0;
  if (!g_ascii_isdigit (peek (scan))) {
    scan->fault = "no whole number";
    return false;
  }
  for (; scan->at < scan->n && g_ascii_isdigit (scan->text[scan->at]); scan->at++)
    if (!g_size_checked_mul (&value, value, 10) ||
        !g_size_checked_add (&value, value, (size_t)(scan->text[scan->at] - '0'))) {
      scan->fault = "a number over 2^64";
      return false;
    }
  if (scan->at < scan->n && scan->text[scan->at] == 'L') /* of Python 2 */
    scan->at++;
  *size = value;
  return true;
}

/* A list of fields, whatever is in it: such arrays are named, never read. */
static bool
skip_list (Scan *scan)
{
  unsigned depth = 0;
  do {
    const char *text;
    size_t n;
    char c = peek (scan);
    if (c == '\'' || c == '"') {
      if (!take_string (scan, &text, &n))
        return false;
      continue;
    }
    if (scan->at == scan->n || depth > MAX_NESTING) {
      scan->fault = depth > MAX_NESTING ? "too many brackets" : "its end";
      return false;
    }
    depth += c == '[' || c == '(';
    depth -= (c == ']' || c == ')') && depth > 0;
    scan->at++;
  } while (depth > 0);
  return true;
}

/* "<f4" and its like; others keep their name. */
static void
read_dtype (AttnArrayEntry *entry, const char *text, size_t n)
{
  static const AttnDtype dtypes[] = {
      ['2' - '0'] = ATTN_DTYPE_F16, ['4' - '0'] = ATTN_DTYPE_F32, ['8' - '0'] = ATTN_DTYPE_F64};
  g_free (entry->dtype_name);
  entry->dtype_name = attn_file_dup_shown (text, n);
  entry->dtype = ATTN_DTYPE_OTHER;
  entry->big_endian = n > 0 && (text[0] == '>' || (text[0] == '=' && G_BYTE_ORDER == G_BIG_ENDIAN));
  if (n == 3 && strchr ("<>=", text[0]) != NULL && text[1] == 'f' &&
      (text[2] == '2' || text[2] == '4' || text[2] == '8'))
    entry->dtype = dtypes[text[2] - '0'];
}

static bool
read_descr (Scan *scan, AttnArrayEntry *entry)
{
  const char *text;
  size_t n;
  if (peek (scan) == '[') {
    read_dtype (entry, "several fields", strlen ("several fields"));
    return skip_list (scan);
  }
  if (!take_string (scan, &text, &n))
    return false;
  read_dtype (entry, text, n);
  return true;
}

static bool
read_order (Scan *scan, AttnArrayEntry *entry)
{
  entry->fortran = take_word (scan, "True");
  if (entry->fortran || take_word (scan, "False"))
    return true;
  scan->fault = "neither True nor False";
  return false;
}

static bool
read_shape (Scan *scan, AttnArrayEntry *entry)
{
  entry->n_dims = 0;
  entry->n_elements = 1;
  if (!take (scan, '(', "no tuple"))
    return false;
  while (peek (scan) != ')') {
    size_t size = 0;
    if (!take_size (scan, &size))
      return false;
    if (!g_size_checked_mul (&entry->n_elements, entry->n_elements, size)) {
      scan->fault = "a shape of over 2^64 elements";
      return false;
    }
    if (entry->n_dims < ATTN_TENSOR_MAX_DIMS)
      entry->shape[entry->n_dims] = size;
    entry->n_dims++;
    if (peek (scan) != ')' && !take (scan, ',', "no comma"))
      return false;
  }
  return take (scan, ')', "no bracket");
}

typedef struct {
  const char *key;
  bool (*read) (Scan *scan, AttnArrayEntry *entry);
} Field;

/* One key and its value. @seen: [3] which fields were read before. */
static bool
read_field (Scan *scan, AttnArrayEntry *entry, bool *seen)
{
  static const Field fields[] = {
      {"descr", read_descr}, {"fortran_order", read_order}, {"shape", read_shape}};
  const char *key;
  size_t n, start = scan->at, i = 0;
  if (!take_string (scan, &key, &n))
    return false;
  while (i < G_N_ELEMENTS (fields) &&
         !(strlen (fields[i].key) == n && memcmp (fields[i].key, key, n) == 0))
    i++;
  if (i == G_N_ELEMENTS (fields) || seen[i]) {
    scan->at = start;
    scan->fault = i == G_N_ELEMENTS (fields) ? "a key that no array has" : "a key twice";
    return false;
  }
  seen[i] = true;
  return take (scan, ':', "no colon") && fields[i].read (scan, entry);
}

static bool
read_dictionary (Scan *scan, AttnArrayEntry *entry)
{
  bool seen[3] = {false};
  if (!take (scan, '{', "no dictionary"))
    return false;
  while (peek (scan) != '}')
    if (!read_field (scan, entry, seen) || (peek (scan) != '}' && !take (scan, ',', "no comma")))
      return false;
  if (!take (scan, '}', "no bracket"))
    return false;
  peek (scan);
  if (scan->at < scan->n)
    scan->fault = "text behind the dictionary";
  else if (!seen[0] || !seen[1] || !seen[2])
    scan->fault = "no descr, no fortran_order or no shape";
  return scan->fault == NULL;
}

/* Returns: (transfer full): the dictionary's @n bytes, or NULL with @error. */
static char *
load_header (AttnByteStream *stream, size_t *n, GError **error)
{
  guint8 begin[ATTN_NPY_MAGIC_BYTES + 2], length[4] = {0};
  if (!attn_byte_stream_read (stream, begin, sizeof begin, error))
    return NULL;
  if (memcmp (begin, ATTN_NPY_MAGIC, ATTN_NPY_MAGIC_BYTES) != 0) {
    attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                      "found no array of NumPy, wanted one");
    return NULL;
  }
  guint major = begin[ATTN_NPY_MAGIC_BYTES], minor = begin[ATTN_NPY_MAGIC_BYTES + 1];
  if (major < 1 || major > 3 || minor != 0) {
    attn_file_refuse (stream->what, ATTN_ERROR_UNSUPPORTED, error,
                      "version: found %u.%u, wanted 1.0, 2.0 or 3.0", major, minor);
    return NULL;
  }
  if (!attn_byte_stream_read (stream, length, major == 1 ? 2 : 4, error))
    return NULL;
  *n = length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
  if (*n > MAX_HEADER_BYTES) {
    attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                      "header: found a length of %zu bytes, wanted at most %d", *n,
                      MAX_HEADER_BYTES);
    return NULL;
  }
  g_autofree char *text = g_malloc (MAX (*n, 1));
  return attn_byte_stream_read (stream, text, *n, error) ? g_steal_pointer (&text) : NULL;
}

/* Nothing may be missing and nothing may follow. */
static bool
check_size (const AttnByteStream *stream, const AttnArrayEntry *entry, GError **error)
{
  size_t width = attn_convert_get_width (entry->dtype), n_bytes = 0;
  if (width == 0)
    return true; /* not to be read */
  if (!g_size_checked_mul (&n_bytes, entry->n_elements, width))
    return attn_file_refuse (stream->what, ATTN_ERROR_SHAPE, error,
                             "shape: found %zu elements of %zu bytes, over 2^64 bytes",
                             entry->n_elements, width);
  if (n_bytes == stream->n_left)
    return true;
  g_autofree char *shape = attn_array_entry_dup_shape (entry);
  return attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                           "found %" G_GUINT64_FORMAT
                           " bytes behind the header, wanted %zu for the shape %s of %s; the file "
                           "is damaged%s",
                           stream->n_left, n_bytes, shape, entry->dtype_name,
                           n_bytes > stream->n_left ? " or cut short" : "");
}

bool
attn_npy_read_header (AttnByteStream *stream, AttnArrayEntry *entry, GError **error)
{
  size_t n = 0;
  g_autofree char *text = load_header (stream, &n, error);
  if (text == NULL)
    return false;
  Scan scan = {.text = text, .n = n};
  if (!read_dictionary (&scan, entry))
    return attn_file_refuse (stream->what, ATTN_ERROR_FORMAT, error,
                             "header: found %s at byte %zu of the header, wanted a dictionary of "
                             "descr, fortran_order and shape",
                             scan.fault, scan.at);
  return check_size (stream, entry, error);
}
