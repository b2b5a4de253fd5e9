/* SPDX-License-Identifier: MIT */
/* Reading texts from the command line, a file, or a batch file. */
#include "texts.h"

#include "attn/error.h"
#include "attn/file.h"
#include "attn/quote.h"

#include <jansson.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define MAX_FILE_BYTES ((size_t)1 << 28)

void
cli_text_free (CliText *text)
{
  if (text == NULL)
    return;
  g_free (text->text);
  g_free (text->pair);
  g_free (text->place);
  g_free (text);
}

static CliText *
text_new (const char *text, size_t length)
{
  CliText *new = g_new0 (CliText, 1);
  new->text = g_malloc (length + 1);
  memcpy (new->text, text, length);
  new->text[length] = '\0';
  new->text_length = length;
  return new;
}

static void
set_pair (CliText *text, const char *pair, size_t length)
{
  text->pair = g_malloc (length + 1);
  memcpy (text->pair, pair, length);
  text->pair[length] = '\0';
  text->pair_length = length;
}

CliText *
cli_text_new (const char *text, const char *pair)
{
  CliText *new = text_new (text, strlen (text));
  if (pair != NULL)
    set_pair (new, pair, strlen (pair));
  return new;
}

/* Reads to the end, bounded, since it may be a pipe or a device. */
static GString *
read_all (int fd, size_t max_bytes, const char *shown, GError **error)
{
  g_autoptr (GString) content = g_string_new (NULL);
  char chunk[1 << 14];
  for (;;) {
    ssize_t n = read (fd, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "%s: cannot read: %s", shown,
                   g_strerror (errno));
      return NULL;
    }
    if (n == 0)
      return g_steal_pointer (&content);
    g_string_append_len (content, chunk, n);
    if (content->len > max_bytes) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                   "%s: over %zu MiB of text, which is the limit", shown, max_bytes >> 20);
      return NULL;
    }
  }
}

GString *
cli_read_whole (const char *path, size_t max_bytes, GError **error)
{
  if (strcmp (path, "-") == 0)
    return read_all (STDIN_FILENO, max_bytes, "standard input", error);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  int fd = attn_file_open_stream (path, error);
  if (fd < 0)
    return NULL;
  GString *content = read_all (fd, max_bytes, shown, error);
  close (fd);
  return content;
}

static bool
is_in_number (char c)
{
  return g_ascii_isdigit (c) || c == '+' || c == '-' || c == '.' || c == 'e' || c == 'E';
}

/* Fields of no interest may hold numbers too large for a double: such numbers are read as 0. */
static json_t *
load_line (const char *line, size_t length, json_error_t *problem)
{
  enum { MAX_NUMBERS = 1000 };
  g_autofree char *copy = g_memdup2 (line, length);
  for (unsigned n = 0;; n++) {
    json_t *root = json_loadb (copy, length, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, problem);
    if (root != NULL || json_error_code (problem) != json_error_numeric_overflow ||
        n == MAX_NUMBERS)
      return root;
    size_t end = (size_t)problem->position;
    for (size_t i = end; i > 0 && is_in_number (copy[i - 1]); i--)
      copy[i - 1] = i == end ? '0' : ' ';
  }
}

/* One object of a .jsonl file. */
static CliText *
parse_object (const char *line, size_t length, const char *place, GError **error)
{
  json_error_t problem;
  json_t *object = load_line (line, length, &problem);
  json_t *text = json_object_get (object, "text");
  json_t *pair = json_object_get (object, "pair");
  CliText *parsed = NULL;
  if (object == NULL) {
    g_autofree char *reason = attn_file_dup_shown (problem.text, strlen (problem.text));
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "%s: no JSON: %s", place, reason);
  } else if (!json_is_string (text))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: wanted is an object with a string \"text\"", place);
  else if (pair != NULL && !json_is_null (pair) && !json_is_string (pair))
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "%s: \"pair\" must be a string", place);
  else {
    parsed = text_new (json_string_value (text), json_string_length (text));
    if (json_is_string (pair))
      set_pair (parsed, json_string_value (pair), json_string_length (pair));
  }
  json_decref (object);
  return parsed;
}

bool
cli_text_is_blank (const char *line, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!g_ascii_isspace (line[i]))
      return false;
  return true;
}

CliText *
cli_text_parse_line (const char *line, size_t length, bool json, const char *place, GError **error)
{
  CliText *text = json ? parse_object (line, length, place, error) : text_new (line, length);
  if (text != NULL)
    text->place = g_strdup (place);
  return text;
}

/* Adds each line of @content: an empty line of a .txt is an empty text, of a .jsonl it is nothing.
 */
static bool
split (GPtrArray *texts, const GString *content, const char *shown, bool json, GError **error)
{
  const char *end = content->str + content->len;
  const char *begin = content->str;
  size_t number = 0;
  if (json && g_str_has_prefix (begin, "\xEF\xBB\xBF")) /* a byte order mark is no JSON */
    begin += 3;
  for (const char *line = begin; line < end;) {
    const char *stop = memchr (line, '\n', (size_t)(end - line));
    size_t length = (size_t)((stop != NULL ? stop : end) - line);
    const char *next = stop != NULL ? stop + 1 : end;
    if (length > 0 && line[length - 1] == '\r')
      length--;
    g_autofree char *place = g_strdup_printf ("%s, line %zu", shown, ++number);
    if (!json || !cli_text_is_blank (line, length)) {
      CliText *text = cli_text_parse_line (line, length, json, place, error);
      if (text == NULL)
        return false;
      g_ptr_array_add (texts, text);
    }
    line = next;
  }
  if (texts->len > 0)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "%s: holds no texts", shown);
  return false;
}

static bool
read_batch (GPtrArray *texts, const char *path, GError **error)
{
  bool json = g_str_has_suffix (path, ".jsonl");
  if (!json && !g_str_has_suffix (path, ".txt"))
    return cli_usage_value (error, "--batch", path, "the name must end in .txt or .jsonl");
  g_autoptr (GString) content = cli_read_whole (path, MAX_FILE_BYTES, error);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  return content != NULL && split (texts, content, shown, json, error);
}

static bool
read_one (GPtrArray *texts, const CliOptions *options, GError **error)
{
  if (options->text != NULL) {
    g_ptr_array_add (texts, cli_text_new (options->text, NULL));
  } else {
    g_autoptr (GString) content = cli_read_whole (options->file, MAX_FILE_BYTES, error);
    if (content == NULL)
      return false;
    CliText *text = text_new (content->str, content->len);
    text->place = attn_file_dup_shown (options->file, strlen (options->file));
    g_ptr_array_add (texts, text);
  }
  if (options->pair != NULL)
    set_pair (g_ptr_array_index (texts, 0), options->pair, strlen (options->pair));
  return true;
}

GPtrArray *
cli_texts_read (const CliOptions *options, GError **error)
{
  if (options->attention != NULL) { /* labels are told apart from texts: see CliSubject */
    GPtrArray *none = g_ptr_array_new_with_free_func ((GDestroyNotify)cli_text_free);
    g_ptr_array_add (none, cli_text_new ("", NULL));
    return none;
  }
  int n_given = (options->text != NULL) + (options->file != NULL) + (options->batch != NULL);
  if (n_given != 1) {
    cli_usage (error, n_given == 0             ? "no text: give one by --text or --file"
                      : options->batch == NULL ? "--text and --file exclude each other"
                      : n_given == 3           ? "--text, --file and --batch exclude each other"
                      : options->text != NULL  ? "--text and --batch exclude each other"
                                               : "--file and --batch exclude each other");
    return NULL;
  }
  if (options->batch != NULL && options->pair != NULL) {
    cli_usage (error, "--pair goes with --text or --file; a .jsonl batch has its own \"pair\"");
    return NULL;
  }
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func ((GDestroyNotify)cli_text_free);
  bool done = options->batch != NULL ? read_batch (texts, options->batch, error)
                                     : read_one (texts, options, error);
  return done ? g_steal_pointer (&texts) : NULL;
}
