/* SPDX-License-Identifier: MIT */
/* Reads a vocabulary's lines. */
#include "vocab-text.h"

#include "file.h"
#include "unicode.h"

#include "attn/error.h"
#include "attn/json.h"

#include <string.h>

enum { MAX_FILE_BYTES = 64 << 20 };

/* Where the text's trailing white space, as the fast tokenizer trims it, begins. */
static size_t
find_trimmed_end (const char *text, size_t n_bytes)
{
  while (n_bytes > 0) {
    size_t last = n_bytes - 1;
    while (last > 0 && ((unsigned char)text[last] & 0xC0) == 0x80)
      last--;
    if (!attn_char_is_white (g_utf8_get_char (text + last)))
      break;
    n_bytes = last;
  }
  return n_bytes;
}

typedef struct {
  const char *path;
  GPtrArray *warnings;
  bool has_nul;
} Reading;

static void
read_line (AttnVocab *vocab, const char *line, size_t n_bytes, Reading *reading)
{
  size_t n_trimmed = find_trimmed_end (line, n_bytes);
  if (memchr (line, '\0', n_trimmed) != NULL && !reading->has_nul) {
    reading->has_nul = true;
    g_ptr_array_add (reading->warnings,
                     g_strdup_printf ("%s: line %zu holds a NUL byte; no text can give its token",
                                      reading->path, attn_vocab_get_n (vocab) + 1));
  }
  if (n_trimmed == 0 && n_bytes > 0 && line[n_bytes - 1] != '\r')
    attn_vocab_append_shown (vocab, line, n_bytes);
  else
    attn_vocab_append (vocab, line, n_trimmed);
}

static void
read_lines (AttnVocab *vocab, const char *bytes, size_t n_bytes, Reading *reading)
{
  const char *line = bytes, *end = bytes + n_bytes;
  while (line < end) {
    const char *stop = memchr (line, '\n', (size_t)(end - line));
    if (stop == NULL)
      stop = end;
    read_line (vocab, line, (size_t)(stop - line), reading);
    line = stop + 1;
  }
}

static void
warn_of_repeats (const AttnVocab *vocab,
                 const AttnVocabRepeats *repeats,
                 const char *path,
                 GPtrArray *warnings)
{
  if (repeats->n == 0)
    return;
  const char *piece = attn_vocab_peek (vocab, repeats->first);
  g_autofree char *shown = attn_file_dup_shown (piece, strlen (piece));
  g_ptr_array_add (warnings,
                   g_strdup_printf ("%s: line %d repeats \"%s\" of line %d; the later id counts",
                                    path, repeats->first + 1, shown, repeats->earlier + 1));
  if (repeats->n > 1)
    g_ptr_array_add (warnings,
                     g_strdup_printf ("%s: %zu lines repeat an earlier one", path, repeats->n));
}

static size_t
count_lines (const char *bytes, size_t n_bytes)
{
  size_t n = 1;
  for (const char *at = bytes; (at = memchr (at, '\n', n_bytes - (size_t)(at - bytes))) != NULL;
       at++)
    n++;
  return n;
}

static bool
check_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error)
{
  size_t at;
  if (n_bytes == 0) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
                 "%s: found an empty file, wanted one token a line", path);
    return false;
  }
  size_t n_lines = count_lines (bytes, n_bytes);
  if (n_lines > ATTN_VOCAB_MAX_IDS) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "%s: found %zu lines, wanted at most %d",
                 path, n_lines, ATTN_VOCAB_MAX_IDS);
    return false;
  }
  if (attn_utf8_check (bytes, n_bytes, &at))
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT,
               "%s: line %zu is not valid UTF-8: found the byte 0x%02X", path,
               count_lines (bytes, at), (unsigned)(unsigned char)bytes[at]);
  return false;
}

AttnVocab *
attn_vocab_load_text (const char *path, GPtrArray *warnings, GError **error)
{
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  if (bytes == NULL || !check_bytes (bytes, n_bytes, shown, error))
    return NULL;
  size_t n_mark = attn_json_has_byte_order_mark (bytes, n_bytes) ? 3 : 0;
  if (n_mark > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf ("%s: the byte order mark at its start is left out", shown));
  AttnVocab *vocab = attn_vocab_new ();
  AttnVocabRepeats repeats;
  Reading reading = {.path = shown, .warnings = warnings};
  read_lines (vocab, bytes + n_mark, n_bytes - n_mark, &reading);
  attn_vocab_index (vocab, true, &repeats);
  warn_of_repeats (vocab, &repeats, shown, warnings);
  return vocab;
}
