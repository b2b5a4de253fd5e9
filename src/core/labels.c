/* SPDX-License-Identifier: MIT */
/* Lists of tokens that come without a tokenizer: from a file, typed, or numbers. */
#include "attn/labels.h"

#include "file.h"
#include "unicode.h"

#include "attn/error.h"
#include "attn/json.h"
#include "attn/quote.h"

#include <string.h>

#define NUL_PICTURE "␀"

enum { N_SIDES = 2 };

struct _AttnLabels {
  gatomicrefcount ref_count;
  bool is_numbers;
  char *path;                /* nullable */
  GPtrArray *lists[N_SIDES]; /* of char *, owned, valid UTF-8; the same one twice for both sides */
};

/* Takes over the references; none for @keys means the same as @queries. */
static AttnLabels *
labels_take (const char *path, GPtrArray *queries, GPtrArray *keys)
{
  AttnLabels *labels = g_new0 (AttnLabels, 1);
  g_atomic_ref_count_init (&labels->ref_count);
  labels->path = g_strdup (path);
  labels->lists[ATTN_SIDE_QUERY] = queries;
  labels->lists[ATTN_SIDE_KEY] = keys != NULL ? keys : g_ptr_array_ref (queries);
  return labels;
}

static GPtrArray *
list_new (void)
{
  return g_ptr_array_new_with_free_func (g_free);
}

/* [length] bytes of valid UTF-8 as a label: strings end at a NUL, so one within is shown. */
static char *
dup_label (const char *text, size_t length)
{
  if (memchr (text, '\0', length) == NULL)
    return g_strndup (text, length);
  GString *label = g_string_new (NULL);
  for (size_t i = 0; i < length; i++)
    if (text[i] == '\0')
      g_string_append (label, NUL_PICTURE);
    else
      g_string_append_c (label, text[i]);
  return g_string_free (label, FALSE);
}

/* ---- JSON ---- */

static bool
read_list (json_t *array, const char *path, const char *key, GPtrArray **list, GError **error)
{
  if (!json_is_array (array))
    return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, key, array, "an array of strings");
  if (json_array_size (array) == 0)
    return attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                             "%s: found an empty array, wanted at least one token", key);
  g_autoptr (GPtrArray) read = list_new ();
  for (size_t i = 0; i < json_array_size (array); i++) {
    json_t *item = json_array_get (array, i);
    if (!json_is_string (item)) {
      g_autofree char *place = g_strdup_printf ("%s[%zu]", key, i);
      return attn_json_refuse (error, ATTN_ERROR_FORMAT, path, place, item, "a string");
    }
    g_ptr_array_add (read, dup_label (json_string_value (item), json_string_length (item)));
  }
  *list = g_steal_pointer (&read);
  return true;
}

static AttnLabels *
read_object (json_t *root, const char *path, GError **error)
{
  g_autoptr (GPtrArray) queries = NULL;
  g_autoptr (GPtrArray) keys = NULL;
  json_t *tokens = json_object_get (root, "tokens");
  json_t *sides[] = {json_object_get (root, "queries"), json_object_get (root, "keys")};
  if (tokens != NULL && sides[0] == NULL && sides[1] == NULL)
    return read_list (tokens, path, "tokens", &queries, error)
               ? labels_take (path, g_steal_pointer (&queries), NULL)
               : NULL;
  if (sides[0] == NULL || sides[1] == NULL) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                      "%s: found none, wanted both \"queries\" and \"keys\", or an array of "
                      "strings for both",
                      sides[0] == NULL ? "queries" : "keys");
    return NULL;
  }
  if (!read_list (sides[0], path, "queries", &queries, error) ||
      !read_list (sides[1], path, "keys", &keys, error))
    return NULL;
  return labels_take (path, g_steal_pointer (&queries), g_steal_pointer (&keys));
}

/* Where text of any other kind has white space at its start, so may JSON. */
static const char *
skip_blank (const char *text)
{
  return text + strspn (text, " \t\r\n");
}

static bool
is_json (const char *path, const char *text)
{
  if (g_str_has_suffix (path, ".json"))
    return true;
  const char *first = skip_blank (text);
  return (*first == '[' || *first == '{') && *skip_blank (first + 1) == '"';
}

/* jansson wants an object or an array, and each has a reader of its own. */
static AttnLabels *
read_json (const char *text, size_t n_bytes, const char *path, GError **error)
{
  if (*skip_blank (text) == '[') {
    g_autoptr (json_t) root = attn_json_load_array_bytes (text, n_bytes, path, error);
    g_autoptr (GPtrArray) list = NULL;
    if (root == NULL || !read_list (root, path, "tokens", &list, error))
      return NULL;
    return labels_take (path, g_steal_pointer (&list), NULL);
  }
  g_autoptr (json_t) root = attn_json_load_bytes (text, n_bytes, path, error);
  return root != NULL ? read_object (root, path, error) : NULL;
}

/* ---- text ---- */

/* Returns: where the first byte is that is no UTF-8, or the end; NULs, which GLib takes none of,
 * are shown by us. */
static const char *
find_fault (const char *text, const char *end)
{
  const char *at = text;
  while (!g_utf8_validate_len (at, (gsize)(end - at), &at) && *at == '\0')
    at++;
  return at;
}

static bool
check_encoding (const char *text, size_t n_bytes, const char *path, GError **error)
{
  const char *fault = find_fault (text, text + n_bytes);
  size_t line = 1;
  if (fault == text + n_bytes)
    return true;
  if (attn_utf16_is_marked (text, n_bytes))
    return attn_file_refuse (path, ATTN_ERROR_INVALID_TEXT, error,
                             "found text in UTF-16, wanted UTF-8");
  for (const char *at = text; at < fault; at++)
    line += *at == '\n';
  return attn_file_refuse (path, ATTN_ERROR_INVALID_TEXT, error,
                           "line %zu: found 0x%02X, wanted UTF-8 text", line,
                           (unsigned)(guchar)*fault);
}

static AttnLabels *
read_lines (const char *text, size_t n_bytes, const char *path, GError **error)
{
  if (!check_encoding (text, n_bytes, path, error))
    return NULL;
  g_autoptr (GPtrArray) list = list_new ();
  for (const char *at = text, *end = text + n_bytes; at < end;) {
    const char *stop = memchr (at, '\n', (size_t)(end - at));
    const char *next = stop != NULL ? stop + 1 : end;
    if (stop == NULL)
      stop = end;
    if (stop > at && stop[-1] == '\r')
      stop--;
    g_ptr_array_add (list, dup_label (at, (size_t)(stop - at)));
    at = next;
  }
  if (list->len > 0)
    return labels_take (path, g_steal_pointer (&list), NULL);
  attn_file_refuse (path, ATTN_ERROR_FORMAT, error, "found no tokens, wanted one on each line");
  return NULL;
}

AttnLabels *
attn_labels_load (const char *path, GError **error)
{
  g_return_val_if_fail (path != NULL, NULL);
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, ATTN_LABELS_MAX_BYTES, &n_bytes, error);
  return bytes == NULL ? NULL : attn_labels_load_text (bytes, n_bytes, path, error);
}

AttnLabels *
attn_labels_load_text (const char *text, size_t n_bytes, const char *path, GError **error)
{
  if (attn_json_has_byte_order_mark (text, n_bytes)) {
    text += 3;
    n_bytes -= 3;
  }
  return is_json (path, text) ? read_json (text, n_bytes, path, error)
                              : read_lines (text, n_bytes, path, error);
}

/* ---- others ---- */

/* Parts between white space of every kind, as people type it. */
static GPtrArray *
split (const char *text, const char *side, GError **error)
{
  if (!g_utf8_validate (text, -1, NULL)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT,
                 "the tokens of the %s are not valid UTF-8", side);
    return NULL;
  }
  g_autoptr (GPtrArray) list = list_new ();
  const char *start = NULL;
  for (const char *at = text;; at = g_utf8_find_next_char (at, NULL)) {
    bool is_gap = *at == '\0' || g_unichar_isspace (g_utf8_get_char (at));
    if (!is_gap && start == NULL)
      start = at;
    if (is_gap && start != NULL) {
      g_ptr_array_add (list, g_strndup (start, (size_t)(at - start)));
      start = NULL;
    }
    if (*at == '\0')
      break;
  }
  if (list->len > 0)
    return g_steal_pointer (&list);
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "the list of %s: found no tokens, wanted them with spaces between them", side);
  return NULL;
}

/* Returns: (nullable) (transfer full): the strings of a JSON array that @text is, none where it is
 * none: tokens as "[CLS]" begin like one. */
static GPtrArray *
read_array (const char *text)
{
  const char *first = skip_blank (text);
  GPtrArray *list = NULL;
  if (*first != '[' || *skip_blank (first + 1) != '"')
    return NULL;
  g_autoptr (json_t) root = attn_json_load_array_bytes (first, strlen (first), "tokens", NULL);
  if (root == NULL || !read_list (root, "tokens", "tokens", &list, NULL))
    return NULL;
  return list;
}

static GPtrArray *
read_typed (const char *text, const char *side, GError **error)
{
  GPtrArray *list = read_array (text);
  return list != NULL ? list : split (text, side, error);
}

AttnLabels *
attn_labels_new_typed (const char *queries, const char *keys, GError **error)
{
  g_return_val_if_fail (queries != NULL, NULL);
  g_autoptr (GPtrArray) list = read_typed (queries, keys != NULL ? "queries" : "tokens", error);
  if (list == NULL)
    return NULL;
  if (keys == NULL)
    return labels_take (NULL, g_steal_pointer (&list), NULL);
  GPtrArray *others = read_typed (keys, "keys", error);
  return others != NULL ? labels_take (NULL, g_steal_pointer (&list), others) : NULL;
}

static GPtrArray *
count (size_t n)
{
  GPtrArray *list = list_new ();
  for (size_t i = 0; i < n; i++)
    g_ptr_array_add (list, g_strdup_printf ("%zu", i));
  return list;
}

AttnLabels *
attn_labels_new_numbers (size_t n_queries, size_t n_keys)
{
  AttnLabels *labels =
      labels_take (NULL, count (n_queries), n_keys != n_queries ? count (n_keys) : NULL);
  labels->is_numbers = true;
  return labels;
}

static GPtrArray *
copy (const GPtrArray *texts)
{
  GPtrArray *list = list_new ();
  for (guint i = 0; i < texts->len; i++)
    g_ptr_array_add (list, g_utf8_make_valid (g_ptr_array_index (texts, i), -1));
  return list;
}

AttnLabels *
attn_labels_new (const GPtrArray *queries, const GPtrArray *keys)
{
  g_return_val_if_fail (queries != NULL, NULL);
  return labels_take (NULL, copy (queries), keys != NULL ? copy (keys) : NULL);
}

AttnLabels *
attn_labels_ref (AttnLabels *labels)
{
  g_return_val_if_fail (labels != NULL, NULL);
  g_atomic_ref_count_inc (&labels->ref_count);
  return labels;
}

void
attn_labels_unref (AttnLabels *labels)
{
  if (labels == NULL || !g_atomic_ref_count_dec (&labels->ref_count))
    return;
  for (size_t side = 0; side < N_SIDES; side++)
    g_ptr_array_unref (labels->lists[side]);
  g_free (labels->path);
  g_free (labels);
}

size_t
attn_labels_get_n (const AttnLabels *labels, AttnSide side)
{
  g_return_val_if_fail (labels != NULL, 0);
  return labels->lists[side]->len;
}

const char *
attn_labels_peek (const AttnLabels *labels, AttnSide side, size_t index)
{
  g_return_val_if_fail (labels != NULL && index < labels->lists[side]->len, "");
  return g_ptr_array_index (labels->lists[side], index);
}

bool
attn_labels_is_one_list (const AttnLabels *labels)
{
  g_return_val_if_fail (labels != NULL, false);
  return labels->lists[ATTN_SIDE_QUERY] == labels->lists[ATTN_SIDE_KEY];
}

bool
attn_labels_is_numbers (const AttnLabels *labels)
{
  g_return_val_if_fail (labels != NULL, false);
  return labels->is_numbers;
}

const char *
attn_labels_peek_path (const AttnLabels *labels)
{
  g_return_val_if_fail (labels != NULL, NULL);
  return labels->path;
}

char *
attn_labels_dup_line (const AttnLabels *labels, AttnSide side, size_t max_bytes)
{
  g_return_val_if_fail (labels != NULL, NULL);
  GString *line = g_string_new (NULL);
  const GPtrArray *list = labels->lists[side];
  for (guint i = 0; i < list->len && line->len < max_bytes; i++) {
    if (i > 0)
      g_string_append_c (line, ' ');
    g_string_append (line, g_ptr_array_index (list, i));
  }
  if (line->len > max_bytes) {
    size_t end = max_bytes;
    while (end > 0 && ((guchar)line->str[end] & 0xc0) == 0x80)
      end--;
    g_string_truncate (line, end);
  }
  return g_string_free (line, FALSE);
}

static char *
join (const GPtrArray *list)
{
  GString *line = g_string_new (NULL);
  for (guint i = 0; i < list->len; i++)
    g_string_append_printf (line, "%s%s", i > 0 ? " " : "",
                            (const char *)g_ptr_array_index (list, i));
  return g_string_free (line, FALSE);
}

static bool
has_same (const GPtrArray *list, const GPtrArray *others)
{
  bool same = list->len == others->len;
  for (guint i = 0; i < list->len && same; i++)
    same = strcmp (g_ptr_array_index (list, i), g_ptr_array_index (others, i)) == 0;
  return same;
}

char *
attn_labels_dup_typed (const AttnLabels *labels, AttnSide side)
{
  g_return_val_if_fail (labels != NULL, NULL);
  const GPtrArray *list = labels->lists[side];
  g_autofree char *line = join (list);
  g_autoptr (GPtrArray) read = read_typed (line, "tokens", NULL);
  if (read != NULL && has_same (list, read))
    return g_steal_pointer (&line);
  GString *json = g_string_new (NULL);
  for (guint i = 0; i < list->len; i++) {
    const char *label = g_ptr_array_index (list, i);
    g_string_append (json, i > 0 ? ", " : "[");
    attn_quote_json (json, label, strlen (label));
  }
  g_string_append_c (json, ']');
  return g_string_free (json, FALSE);
}
