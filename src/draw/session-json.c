/* SPDX-License-Identifier: MIT */
/* Reading and writing an object of a session file by its table. */
#include "session-fields.h"

#include "attn/arrange.h"
#include "attn/quote.h"
#include "attn/word-list.h"

#include <string.h>

#define INDENT 2

typedef AttnDrawFieldReader Reader;

static bool
refuse (GError **error,
        AttnError code,
        const Reader *reader,
        const AttnDrawField *field,
        const json_t *value,
        const char *wanted)
{
  return attn_json_refuse (error, code, reader->place, field->key, value, wanted);
}

/* Returns: the index of @value among the names, or -1 with @error. */
static int
find_name (const Reader *reader, const AttnDrawField *field, json_t *value, GError **error)
{
  const char *text = json_string_value (value);
  for (int i = 0; text != NULL && field->names[i] != NULL; i++)
    if (strcmp (text, field->names[i]) == 0)
      return i;
  g_autofree char *known = g_strjoinv (", ", (char **)(gsize)field->names);
  g_autofree char *wanted = g_strconcat ("one of ", known, NULL);
  refuse (error, text == NULL ? ATTN_ERROR_FORMAT : ATTN_ERROR_SHAPE, reader, field, value, wanted);
  return -1;
}

static bool
read_flags (
    const Reader *reader, const AttnDrawField *field, json_t *value, unsigned *out, GError **error)
{
  unsigned flags = 0;
  size_t i = 0;
  json_t *each = NULL;
  if (!json_is_array (value))
    return refuse (error, ATTN_ERROR_FORMAT, reader, field, value, "an array of names");
  json_array_foreach (value, i, each)
  {
    int index = find_name (reader, field, each, error);
    if (index < 0)
      return false;
    flags |= 1u << index;
  }
  *out = flags;
  return true;
}

static bool
read_heads (const Reader *reader,
            const AttnDrawField *field,
            json_t *value,
            AttnHeadSet *out,
            GError **error)
{
  AttnHeadSet set = {{0}};
  size_t i = 0;
  json_t *each = NULL;
  if (!json_is_array (value))
    return refuse (error, ATTN_ERROR_FORMAT, reader, field, value, "an array of numbers");
  json_array_foreach (value, i, each)
  {
    g_autofree char *wanted = g_strdup_printf ("whole numbers from 1 to %d", ATTN_HEAD_SET_MAX);
    double head = json_number_value (each);
    if (!json_is_number (each))
      return refuse (error, ATTN_ERROR_FORMAT, reader, field, each, wanted);
    if (!(head >= 1 && head <= ATTN_HEAD_SET_MAX) || head != (double)(size_t)head)
      return refuse (error, ATTN_ERROR_SHAPE, reader, field, each, wanted);
    attn_head_set_put (&set, (size_t)head - 1, true);
  }
  *out = set;
  return true;
}

static bool
read_string (
    const Reader *reader, const AttnDrawField *field, json_t *object, char **out, GError **error)
{
  const char *text = NULL;
  if (!attn_json_get_string (object, field->key, NULL, &text, reader->place, error))
    return false;
  double length = (double)strlen (text);
  if (length < field->min || length > field->max) {
    g_autofree char *wanted =
        field->min == field->max
            ? g_strdup_printf ("%.0f characters", field->min)
            : g_strdup_printf ("a text of %.0f to %.0f bytes", field->min, field->max);
    return refuse (error, ATTN_ERROR_SHAPE, reader, field, json_object_get (object, field->key),
                   wanted);
  }
  g_free (*out);
  *out = g_strdup (text);
  return true;
}

/* Paths that are no UTF-8 stand in the file as URIs. */
static char *
resolve (const Reader *reader, const AttnDrawField *field, const char *path)
{
  for (size_t i = 0; field->names != NULL && field->names[i] != NULL; i++)
    if (strcmp (path, field->names[i]) == 0)
      return g_strdup (path);
  char *unescaped =
      g_str_has_prefix (path, "file:") ? g_filename_from_uri (path, NULL, NULL) : NULL;
  return unescaped != NULL ? unescaped : g_canonicalize_filename (path, reader->folder);
}

static bool
read_path (
    const Reader *reader, const AttnDrawField *field, json_t *object, char **out, GError **error)
{
  g_autofree char *path = NULL;
  if (!read_string (reader, field, object, &path, error))
    return false;
  g_free (*out);
  *out = resolve (reader, field, path);
  return true;
}

static bool
read_list (const Reader *reader,
           const AttnDrawField *field,
           json_t *object,
           AttnWordList **out,
           GError **error)
{
  g_autofree char *path = NULL;
  if (!read_path (reader, field, object, &path, error))
    return false;
  AttnWordList *list = attn_word_list_load (path, error);
  if (list == NULL) {
    g_prefix_error (error, "%s: %s: ", reader->place, field->key);
    return false;
  }
  attn_word_list_unref (*out);
  *out = list;
  return true;
}

static bool
read_number (
    const Reader *reader, const AttnDrawField *field, json_t *object, double *out, GError **error)
{
  double number = 0;
  if (!attn_json_get_double (object, field->key, 0, &number, reader->place, error))
    return false;
  if (!(number >= field->min && number <= field->max)) {
    g_autofree char *wanted = g_strdup_printf ("a number from %g to %g", field->min, field->max);
    return refuse (error, ATTN_ERROR_SHAPE, reader, field, json_object_get (object, field->key),
                   wanted);
  }
  *out = number;
  return true;
}

static bool
read_size (
    const Reader *reader, const AttnDrawField *field, json_t *object, size_t *out, GError **error)
{
  size_t number = 0;
  if (!attn_json_get_size (object, field->key, (size_t)field->min, (size_t)field->max, 0, &number,
                           reader->place, error))
    return false;
  *out = field->type == ATTN_DRAW_FIELD_ORDINAL ? number - 1 : number;
  return true;
}

static bool
read_bool (
    const Reader *reader, const AttnDrawField *field, json_t *object, bool *out, GError **error)
{
  bool value = false;
  if (!attn_json_get_bool (object, field->key, false, &value, reader->place, error))
    return false;
  *out = field->type == ATTN_DRAW_FIELD_NO ? !value : value;
  return true;
}

static bool
read_inner (
    const Reader *reader, const AttnDrawField *field, json_t *value, void *base, GError **error)
{
  if (!json_is_object (value))
    return refuse (error, ATTN_ERROR_FORMAT, reader, field, value, "an object");
  g_autofree char *place = g_strdup_printf ("%s: %s", reader->place, field->key);
  Reader inner = {place, reader->folder, reader->warnings, reader->forgives_words};
  return attn_draw_fields_read (&inner, value, field->fields, base, error);
}

/* Returns: whether @value is such a word, as a newer program may write; it is told. */
static bool
forgives (const Reader *reader, const AttnDrawField *field, const json_t *value)
{
  const char *word = json_string_value (value);
  if (!reader->forgives_words || word == NULL || g_strv_contains (field->names, word))
    return false;
  g_autofree char *shown = attn_file_dup_shown (word, strlen (word));
  g_ptr_array_add (reader->warnings,
                   g_strdup_printf ("%s: %s: the word \"%s\" is not known and was left out",
                                    reader->place, field->key, shown));
  return true;
}

/* @value is @object's, neither missing nor null. */
static bool
read_field (const Reader *reader,
            const AttnDrawField *field,
            json_t *object,
            json_t *value,
            void *base,
            GError **error)
{
  void *out = (char *)base + field->offset;
  int index = 0;
  switch (field->type) {
  case ATTN_DRAW_FIELD_NAME:
  case ATTN_DRAW_FIELD_WORD:
    if (forgives (reader, field, value))
      return true;
    index = find_name (reader, field, value, error);
    if (index >= 0 && field->type == ATTN_DRAW_FIELD_NAME)
      *(unsigned *)out = (unsigned)index;
    else if (index >= 0)
      *(const char **)out = field->names[index];
    return index >= 0;
  case ATTN_DRAW_FIELD_FLAGS:
    return read_flags (reader, field, value, out, error);
  case ATTN_DRAW_FIELD_STRING:
    return read_string (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_PATH:
    return read_path (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_LIST:
    return read_list (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_COUNT:
  case ATTN_DRAW_FIELD_ORDINAL:
  case ATTN_DRAW_FIELD_INDEX:
    return read_size (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_NUMBER:
    return read_number (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_YES:
  case ATTN_DRAW_FIELD_NO:
    return read_bool (reader, field, object, out, error);
  case ATTN_DRAW_FIELD_HEADS:
    return read_heads (reader, field, value, out, error);
  case ATTN_DRAW_FIELD_FORMER:
    return true;
  case ATTN_DRAW_FIELD_OBJECT:
  default:
    return read_inner (reader, field, value, base, error);
  }
}

void
attn_draw_fields_warn (const AttnDrawFieldReader *reader, const char *key)
{
  g_autofree char *shown = attn_file_dup_shown (key, strlen (key));
  g_ptr_array_add (
      reader->warnings,
      g_strdup_printf ("%s: the field \"%s\" is not known and was left out", reader->place, shown));
}

static void
warn_of_unknown (const Reader *reader, json_t *object, const AttnDrawField *fields)
{
  for (void *at = json_object_iter (object); at != NULL; at = json_object_iter_next (object, at)) {
    const char *key = json_object_iter_key (at);
    const AttnDrawField *field = fields;
    while (field->key != NULL && strcmp (field->key, key) != 0)
      field++;
    if (field->key == NULL)
      attn_draw_fields_warn (reader, key);
  }
}

bool
attn_draw_fields_read (const AttnDrawFieldReader *reader,
                       json_t *object,
                       const AttnDrawField *fields,
                       void *base,
                       GError **error)
{
  for (const AttnDrawField *field = fields; field->key != NULL; field++) {
    json_t *value = json_object_get (object, field->key);
    if (value != NULL && !json_is_null (value) &&
        !read_field (reader, field, object, value, base, error))
      return false;
  }
  warn_of_unknown (reader, object, fields);
  return true;
}

/* ---- writing ---- */

/* As few digits as give the very number back. */
static void
append_number (GString *json, double number)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  for (int digits = 6; digits <= 17; digits++) {
    char format[8];
    g_snprintf (format, sizeof format, "%%.%dg", digits);
    g_ascii_formatd (text, sizeof text, format, number);
    if (g_ascii_strtod (text, NULL) == number)
      break;
  }
  g_string_append (json, text);
}

static void
append_flags (GString *json, const AttnDrawField *field, unsigned flags)
{
  const char *comma = "";
  g_string_append_c (json, '[');
  for (size_t i = 0; field->names[i] != NULL; i++)
    if (flags & 1u << i) {
      g_string_append_printf (json, "%s\"%s\"", comma, field->names[i]);
      comma = ", ";
    }
  g_string_append_c (json, ']');
}

static void
append_heads (GString *json, const AttnHeadSet *heads)
{
  const char *comma = "";
  g_string_append_c (json, '[');
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX && !attn_head_set_is_empty (heads); head++)
    if (attn_head_set_has (heads, head)) {
      g_string_append_printf (json, "%s%zu", comma, head + 1);
      comma = ", ";
    }
  g_string_append_c (json, ']');
}

static void
append_string (GString *json, const char *text)
{
  attn_quote_json (json, text, strlen (text));
}

static void
append_path (GString *json, const char *path)
{
  g_autofree char *uri =
      g_utf8_validate (path, -1, NULL) ? NULL : g_filename_to_uri (path, NULL, NULL);
  append_string (json, uri != NULL ? uri : path);
}

static bool
is_left_out (const AttnDrawField *field, const void *value)
{
  switch (field->type) {
  case ATTN_DRAW_FIELD_STRING:
  case ATTN_DRAW_FIELD_PATH:
    return *(const char *const *)value == NULL;
  case ATTN_DRAW_FIELD_LIST:
    return *(AttnWordList *const *)value == NULL;
  default:
    return field->type == ATTN_DRAW_FIELD_FORMER;
  }
}

static void
append_value (GString *json, const AttnDrawField *field, const void *base, unsigned depth)
{
  const void *value = (const char *)base + field->offset;
  switch (field->type) {
  case ATTN_DRAW_FIELD_NAME:
    g_string_append_printf (json, "\"%s\"", field->names[*(const unsigned *)value]);
    break;
  case ATTN_DRAW_FIELD_WORD:
    g_string_append_printf (json, "\"%s\"", *(const char *const *)value);
    break;
  case ATTN_DRAW_FIELD_FLAGS:
    append_flags (json, field, *(const unsigned *)value);
    break;
  case ATTN_DRAW_FIELD_STRING:
    append_string (json, *(const char *const *)value);
    break;
  case ATTN_DRAW_FIELD_PATH:
    append_path (json, *(const char *const *)value);
    break;
  case ATTN_DRAW_FIELD_LIST:
    append_path (json, attn_word_list_peek_path (*(AttnWordList *const *)value));
    break;
  case ATTN_DRAW_FIELD_COUNT:
  case ATTN_DRAW_FIELD_ORDINAL:
    g_string_append_printf (json, "%zu",
                            *(const size_t *)value + (field->type == ATTN_DRAW_FIELD_ORDINAL));
    break;
  case ATTN_DRAW_FIELD_INDEX:
    if (*(const size_t *)value == G_MAXSIZE)
      g_string_append (json, "null");
    else
      g_string_append_printf (json, "%zu", *(const size_t *)value);
    break;
  case ATTN_DRAW_FIELD_NUMBER:
    append_number (json, *(const double *)value);
    break;
  case ATTN_DRAW_FIELD_YES:
  case ATTN_DRAW_FIELD_NO:
    g_string_append (json, *(const bool *)value == (field->type == ATTN_DRAW_FIELD_YES) ? "true"
                                                                                        : "false");
    break;
  case ATTN_DRAW_FIELD_HEADS:
    append_heads (json, value);
    break;
  case ATTN_DRAW_FIELD_FORMER: /* is left out */
    break;
  case ATTN_DRAW_FIELD_OBJECT:
  default:
    attn_draw_fields_write (json, field->fields, base, depth);
    break;
  }
}

void
attn_draw_fields_write (GString *json,
                        const AttnDrawField *fields,
                        const void *base,
                        unsigned depth)
{
  const char *comma = "";
  g_string_append_c (json, '{');
  for (const AttnDrawField *field = fields; field->key != NULL; field++) {
    if (is_left_out (field, (const char *)base + field->offset))
      continue;
    g_string_append_printf (json, "%s\n%*s\"%s\": ", comma, (int)(INDENT * (depth + 1)), "",
                            field->key);
    append_value (json, field, base, depth + 1);
    comma = ",";
  }
  g_string_append_printf (json, "\n%*s}", (int)(INDENT * depth), "");
}
