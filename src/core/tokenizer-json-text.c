/* SPDX-License-Identifier: MIT */
/* Takes a tokenizer.json apart without building a tree of its hundred thousands of pieces. */
#include "tokenizer-json-text.h"

#include "file.h"
#include "json-scan.h"
#include "unicode.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

void
attn_tokenizer_text_clear (AttnTokenizerText *text)
{
  g_free (text->path);
  g_free (text->text);
  g_clear_pointer (&text->root, json_decref);
  *text = (AttnTokenizerText){0};
}

/* Keys without escapes are all we look for, and they are compared as they stand. */
static bool
scan_key (AttnJsonScan *scan, const char **key, size_t *n)
{
  if (attn_json_scan_peek (scan) != '"')
    return attn_json_scan_take (scan, '"', "no string"); /* which there is not */
  size_t begin = scan->at + 1;
  if (!attn_json_scan_skip (scan))
    return false;
  *key = scan->text + begin;
  *n = scan->at - 1 - begin;
  return attn_json_scan_take (scan, ':', "no colon");
}

/* Finds the values of some keys of the object that comes next; of equal keys the first. */
static bool
find_values (AttnJsonScan *scan, const char *const *keys, AttnTextSpan *spans, size_t n_keys)
{
  bool first = true, done = false;
  if (!attn_json_scan_take (scan, '{', "no object"))
    return false;
  while (attn_json_scan_next_item (scan, '}', &first, &done) && !done) {
    const char *key = NULL;
    size_t n = 0;
    if (!scan_key (scan, &key, &n))
      return false;
    attn_json_scan_peek (scan);
    size_t begin = scan->at;
    if (!attn_json_scan_skip (scan))
      return false;
    for (size_t i = 0; i < n_keys; i++)
      if (strlen (keys[i]) == n && strncmp (keys[i], key, n) == 0 && spans[i].end == 0)
        spans[i] = (AttnTextSpan){.begin = begin, .end = scan->at};
  }
  return done;
}

static bool
find_parts (AttnTokenizerText *text)
{
  static const char *const top[] = {"model"}, *const inner[] = {"vocab", "merges"};
  AttnTextSpan model = {0}, parts[2] = {{0}};
  AttnJsonScan scan = {.text = text->text, .n = text->n};
  if (!find_values (&scan, top, &model, 1))
    return false;
  if (attn_json_scan_peek (&scan) != '\0' || scan.at < scan.n)
    return false;
  scan.at = model.begin;
  if (model.end > 0 && text->text[model.begin] == '{' &&
      !find_values (&scan, inner, parts, G_N_ELEMENTS (parts)))
    return false;
  text->vocab = parts[0];
  text->merges = parts[1];
  return true;
}

/* The text with null instead of the two long values. */
static GString *
dup_small_text (const AttnTokenizerText *text)
{
  AttnTextSpan first = text->vocab, second = text->merges;
  if (second.begin < first.begin) {
    first = text->merges;
    second = text->vocab;
  }
  GString *small = g_string_new (NULL);
  size_t done = 0;
  AttnTextSpan spans[] = {first, second};
  for (size_t i = 0; i < G_N_ELEMENTS (spans); i++) {
    if (spans[i].end == 0)
      continue;
    g_string_append_len (small, text->text + done, (gssize)(spans[i].begin - done));
    g_string_append (small, "null");
    done = spans[i].end;
  }
  g_string_append_len (small, text->text + done, (gssize)(text->n - done));
  return small;
}

static bool
load_bytes (AttnTokenizerText *text, const char *path, GError **error)
{
  text->path = attn_file_dup_shown (path, strlen (path));
  text->text = attn_file_load (path, ATTN_TOKENIZER_MAX_FILE_BYTES, &text->n, error);
  if (text->text == NULL)
    return false;
  if (attn_json_has_byte_order_mark (text->text, text->n)) {
    text->n -= 3;
    memmove (text->text, text->text + 3, text->n + 1);
  }
  return true;
}

/* The tree reader has the better words for what is wrong with a text. */
static bool
refuse_text (AttnTokenizerText *text, GError **error)
{
  text->root = attn_json_load_bytes (text->text, text->n, text->path, error);
  if (text->root != NULL)
    attn_file_refuse (text->path, ATTN_ERROR_FORMAT, error, "not valid JSON");
  return false;
}

bool
attn_tokenizer_text_load (AttnTokenizerText *text, const char *path, GError **error)
{
  size_t at;
  text->vocab_name = "model: vocab";
  if (!load_bytes (text, path, error))
    return false;
  if (!attn_utf8_check (text->text, text->n, &at) || !find_parts (text))
    return refuse_text (text, error);
  g_autoptr (GString) small = dup_small_text (text);
  text->root = attn_json_load_bytes (small->str, small->len, text->path, error);
  return text->root != NULL;
}

bool
attn_tokenizer_text_load_vocab (AttnTokenizerText *text, const char *path, GError **error)
{
  size_t at;
  text->vocab_name = "vocabulary";
  if (!load_bytes (text, path, error))
    return false;
  AttnJsonScan scan = {.text = text->text, .n = text->n};
  if (!attn_utf8_check (text->text, text->n, &at) || !attn_json_scan_skip (&scan) ||
      attn_json_scan_peek (&scan) != '\0' || scan.at < scan.n)
    return refuse_text (text, error);
  text->vocab = (AttnTextSpan){.begin = 0, .end = text->n};
  return true;
}

static bool
refuse_scan (const AttnTokenizerText *text,
             const AttnJsonScan *scan,
             const char *key,
             const char *wanted,
             GError **error)
{
  return attn_file_refuse (text->path, ATTN_ERROR_FORMAT, error,
                           "%s: found %s at byte %zu, wanted %s", key,
                           scan->fault == NULL ? "something else" : scan->fault, scan->at, wanted);
}

static bool
begin_value (const AttnTokenizerText *text,
             AttnTextSpan span,
             char bracket,
             const char *key,
             AttnJsonScan *scan,
             GError **error)
{
  *scan = (AttnJsonScan){.text = text->text, .n = span.end, .at = span.begin};
  const char *wanted = bracket == '{' ? "an object of ids" : "a list";
  if (span.end == 0)
    return attn_file_refuse (text->path, ATTN_ERROR_FORMAT, error, "found no %s, wanted %s", key,
                             wanted);
  if (!attn_json_scan_take (scan, bracket, "another type"))
    return refuse_scan (text, scan, key, wanted, error);
  return true;
}

static bool
take_id (const AttnTokenizerText *text,
         AttnVocab *vocab,
         const char *piece,
         size_t n,
         double id,
         GError **error)
{
  g_autofree char *shown = attn_file_dup_shown (piece, n);
  if (!(id >= 0) || floor (id) != id)
    return attn_file_refuse (text->path, ATTN_ERROR_FORMAT, error,
                             "%s: the id of \"%s\" is %.15g, wanted a whole number from 0 on",
                             text->vocab_name, shown, id);
  if (id >= ATTN_VOCAB_MAX_IDS)
    return attn_file_refuse (text->path, ATTN_ERROR_TOO_LARGE, error,
                             "%s: the id of \"%s\" is %.15g, wanted one below %d", text->vocab_name,
                             shown, id, ATTN_VOCAB_MAX_IDS);
  if (attn_vocab_set (vocab, (int32_t)id, piece, n))
    return true;
  const char *other = attn_vocab_peek (vocab, (int32_t)id);
  g_autofree char *shown_other = attn_file_dup_shown (other, strlen (other));
  return attn_file_refuse (text->path, ATTN_ERROR_FORMAT, error,
                           "%s: \"%s\" and \"%s\" both have the id %.0f", text->vocab_name,
                           shown_other, shown, id);
}

bool
attn_tokenizer_text_pull_ids (AttnTokenizerText *text, AttnVocab *vocab, GError **error)
{
  AttnJsonScan scan;
  bool first = true, done = false;
  if (!begin_value (text, text->vocab, '{', text->vocab_name, &scan, error))
    return false;
  while (attn_json_scan_next_item (&scan, '}', &first, &done) && !done) {
    const char *piece = NULL;
    size_t n = 0;
    double id = 0;
    if (!attn_json_scan_string (&scan, &piece, &n) ||
        !attn_json_scan_take (&scan, ':', "no colon") || !attn_json_scan_double (&scan, &id))
      return refuse_scan (text, &scan, text->vocab_name, "pieces with their ids", error);
    if (!take_id (text, vocab, piece, n, id, error))
      return false;
  }
  return true;
}

bool
attn_tokenizer_text_pull_scores (AttnTokenizerText *text,
                                 AttnVocab *vocab,
                                 GArray *scores,
                                 GError **error)
{
  AttnJsonScan scan;
  bool first = true, done = false;
  if (!begin_value (text, text->vocab, '[', text->vocab_name, &scan, error))
    return false;
  while (attn_json_scan_next_item (&scan, ']', &first, &done) && !done) {
    const char *piece = NULL;
    size_t n = 0;
    double score = 0;
    if (!attn_json_scan_take (&scan, '[', "no list") ||
        !attn_json_scan_string (&scan, &piece, &n) ||
        !attn_json_scan_take (&scan, ',', "no comma") || !attn_json_scan_double (&scan, &score) ||
        !attn_json_scan_take (&scan, ']', "no closing bracket") || !isfinite (score))
      return refuse_scan (text, &scan, text->vocab_name, "lists of a piece and its score", error);
    if (scores->len >= ATTN_VOCAB_MAX_IDS)
      return attn_file_refuse (text->path, ATTN_ERROR_TOO_LARGE, error,
                               "%s: found more than %d pieces", text->vocab_name,
                               ATTN_VOCAB_MAX_IDS);
    attn_vocab_append (vocab, piece, n);
    g_array_append_val (scores, score);
  }
  return true;
}

/* "left right": the two halves of a string; its blank becomes a NUL. */
static bool
scan_merge_string (AttnJsonScan *scan, const char **left, const char **right)
{
  size_t n = 0;
  if (!attn_json_scan_string (scan, left, &n))
    return false;
  char *blank = memchr (*left, ' ', n);
  if (blank == NULL || memchr (blank + 1, ' ', n - (size_t)(blank + 1 - *left)) != NULL) {
    scan->fault = "a string that is not two pieces apart by one blank";
    return false;
  }
  *blank = '\0';
  *right = blank + 1;
  return true;
}

static bool
scan_merge (AttnJsonScan *scan, const char **left, const char **right)
{
  size_t n = 0;
  if (attn_json_scan_peek (scan) == '"')
    return scan_merge_string (scan, left, right);
  return attn_json_scan_take (scan, '[', "neither a string nor a list") &&
         attn_json_scan_string (scan, left, &n) && attn_json_scan_take (scan, ',', "no comma") &&
         attn_json_scan_string (scan, right, &n) &&
         attn_json_scan_take (scan, ']', "no closing bracket");
}

bool
attn_tokenizer_text_pull_merges (AttnTokenizerText *text,
                                 AttnMergeFunc take,
                                 void *data,
                                 GError **error)
{
  AttnJsonScan scan;
  bool first = true, done = false, seen = false;
  if (!begin_value (text, text->merges, '[', "model: merges", &scan, error))
    return false;
  while (attn_json_scan_next_item (&scan, ']', &first, &done) && !done) {
    const char *left = NULL, *right = NULL;
    if (!scan_merge (&scan, &left, &right))
      return refuse_scan (text, &scan, "model: merges", "pairs of pieces", error);
    /* the first line of a merges.txt, which some files keep */
    if (!seen && g_str_equal (left, "#version:"))
      continue;
    seen = true;
    if (!take (left, right, data, error))
      return false;
  }
  return true;
}
