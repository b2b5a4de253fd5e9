/* SPDX-License-Identifier: MIT */
/* Reads vocab.txt, and finds pieces by open addressing. */
#include "vocab.h"

#include "file.h"
#include "json.h"
#include "unicode.h"

#include "attn/error.h"

#include <string.h>

enum {
  MAX_FILE_BYTES = 64 << 20,
  PREFIX_BITS_A_BYTE = 4,
  MAX_LINES = 4 << 20, /* the largest published vocabularies have half a million */
};

typedef struct {
  const char *text; /* NUL-terminated, for showing */
  guint32 n_bytes;  /* for finding; 0 for what no text can give */
} Piece;

typedef struct {
  guint32 tag; /* the half of the hash that the slot's place does not tell */
  gint32 id;   /* -1: free */
} Slot;

struct _AttnVocab {
  char *bytes;         /* the file, its line ends replaced by NUL */
  GStringChunk *added; /* what is not in the file */
  GArray *pieces;      /* of Piece, by id */
  int32_t n_in_file;   /* ids from here on were added */
  Slot *slots;         /* [1 << n_bits], at most half full */
  guint n_bits;
  guint64 *prefixes; /* [1 << n_prefix_bits] bits: hashes of all pieces' beginnings */
  guint n_prefix_bits;
  guint64 seed; /* differs from run to run, so that no file can be made to collide */
};

void
attn_vocab_free (AttnVocab *vocab)
{
  g_free (vocab->bytes);
  g_string_chunk_free (vocab->added);
  g_array_unref (vocab->pieces);
  g_free (vocab->slots);
  g_free (vocab->prefixes);
  g_free (vocab);
}

size_t
attn_vocab_get_n (const AttnVocab *vocab)
{
  return vocab->pieces->len;
}

const char *
attn_vocab_peek (const AttnVocab *vocab, int32_t id)
{
  return id >= 0 && (guint)id < vocab->pieces->len ? g_array_index (vocab->pieces, Piece, id).text
                                                   : NULL;
}

guint64
attn_vocab_begin_hash (const AttnVocab *vocab)
{
  return vocab->seed;
}

bool
attn_vocab_may_begin (const AttnVocab *vocab, guint64 hash)
{
  guint64 bit = hash >> (64 - vocab->n_prefix_bits);
  return (vocab->prefixes[bit / 64] >> (bit % 64) & 1) != 0;
}

/* Notes the beginnings of a piece; returns its hash. */
static guint64
note_prefixes (AttnVocab *vocab, const char *text, size_t n_bytes)
{
  guint64 hash = attn_vocab_begin_hash (vocab);
  for (size_t i = 0; i < n_bytes; i++) {
    hash = attn_vocab_step_hash (hash, text[i]);
    guint64 bit = hash >> (64 - vocab->n_prefix_bits);
    vocab->prefixes[bit / 64] |= (guint64)1 << (bit % 64);
  }
  return hash;
}

static guint64
hash_bytes (const AttnVocab *vocab, const char *text, size_t n_bytes)
{
  guint64 hash = attn_vocab_begin_hash (vocab);
  for (size_t i = 0; i < n_bytes; i++)
    hash = attn_vocab_step_hash (hash, text[i]);
  return hash;
}

/* The slot that holds prefix and piece together, or the free one where they belong. */
static Slot *
find_slot (
    const AttnVocab *vocab, guint64 hash, const char *prefix, const char *text, size_t n_bytes)
{
  size_t mask = ((size_t)1 << vocab->n_bits) - 1, n_prefix = strlen (prefix);
  for (size_t at = (size_t)(hash >> (64 - vocab->n_bits));; at = (at + 1) & mask) {
    Slot *slot = &vocab->slots[at];
    if (slot->id < 0)
      return slot;
    if (slot->tag != (guint32)hash)
      continue;
    const Piece *piece = &g_array_index (vocab->pieces, Piece, slot->id);
    if (piece->n_bytes == n_prefix + n_bytes && memcmp (piece->text, prefix, n_prefix) == 0 &&
        memcmp (piece->text + n_prefix, text, n_bytes) == 0)
      return slot;
  }
}

int32_t
attn_vocab_match (
    const AttnVocab *vocab, guint64 hash, const char *prefix, const char *piece, size_t n_bytes)
{
  int32_t id = find_slot (vocab, hash, prefix, piece, n_bytes)->id;
  return id < vocab->n_in_file ? id : -1;
}

int32_t
attn_vocab_find (const AttnVocab *vocab, const char *piece, size_t n_bytes)
{
  if (n_bytes == 0)
    return -1;
  return find_slot (vocab, hash_bytes (vocab, piece, n_bytes), "", piece, n_bytes)->id;
}

static void
resize_slots (AttnVocab *vocab, size_t n_pieces)
{
  guint n_bits = 4;
  while (((size_t)1 << n_bits) < 2 * n_pieces)
    n_bits++;
  if (vocab->slots != NULL && n_bits == vocab->n_bits)
    return;
  g_autofree Slot *old = vocab->slots;
  size_t n_old = old == NULL ? 0 : (size_t)1 << vocab->n_bits;
  vocab->n_bits = n_bits;
  vocab->slots = g_new (Slot, (size_t)1 << n_bits);
  memset (vocab->slots, 0xFF, sizeof (Slot) << n_bits);
  for (size_t i = 0; i < n_old; i++) {
    if (old[i].id < 0)
      continue;
    const Piece *piece = &g_array_index (vocab->pieces, Piece, old[i].id);
    guint64 hash = hash_bytes (vocab, piece->text, piece->n_bytes);
    *find_slot (vocab, hash, "", piece->text, piece->n_bytes) = old[i];
  }
}

/* Appends a piece; returns the id it takes the place of, or -1. */
static int32_t
append_piece (AttnVocab *vocab, const char *text, size_t n_bytes)
{
  Piece piece = {.text = text, .n_bytes = (guint32)n_bytes};
  int32_t before = -1;
  if (n_bytes > 0) {
    guint64 hash = note_prefixes (vocab, text, n_bytes);
    Slot *slot = find_slot (vocab, hash, "", text, n_bytes);
    before = slot->id;
    *slot = (Slot){.tag = (guint32)hash, .id = (gint32)vocab->pieces->len};
  }
  g_array_append_val (vocab->pieces, piece);
  return before;
}

int32_t
attn_vocab_add (AttnVocab *vocab, const char *piece)
{
  int32_t id = attn_vocab_find (vocab, piece, strlen (piece));
  if (id >= 0)
    return id;
  resize_slots (vocab, (size_t)vocab->pieces->len + 1);
  append_piece (vocab, g_string_chunk_insert (vocab->added, piece), strlen (piece));
  return (int32_t)vocab->pieces->len - 1;
}

/* Where the text's trailing white space, as the fast tokenizer trims it, begins. */
static size_t
find_trimmed_end (const char *text, size_t n_bytes)
{
  while (n_bytes > 0) {
    size_t last = n_bytes - 1;
    while (last > 0 && ((unsigned char)text[last] & 0xC0) == 0x80)
      last--;
    if ((attn_char_get_flags (g_utf8_get_char (text + last)) & ATTN_CHAR_WHITE) == 0)
      break;
    n_bytes = last;
  }
  return n_bytes;
}

typedef struct {
  const char *path;
  GPtrArray *warnings;
  size_t n_duplicates;
  size_t n_with_nul;
} Reading;

static const char *
dup_without_nul (AttnVocab *vocab, const char *line, size_t n_bytes)
{
  g_autoptr (GString) shown = g_string_sized_new (n_bytes + 2);
  for (size_t i = 0; i < n_bytes; i++) {
    if (line[i] == '\0')
      g_string_append (shown, "\xE2\x90\x80");
    else
      g_string_append_c (shown, line[i]);
  }
  return g_string_chunk_insert (vocab->added, shown->str);
}

static void
read_line (AttnVocab *vocab, char *line, size_t n_bytes, Reading *reading)
{
  size_t number = (size_t)vocab->pieces->len + 1;
  size_t n_trimmed = find_trimmed_end (line, n_bytes);
  if (memchr (line, '\0', n_trimmed) != NULL) {
    if (reading->n_with_nul++ == 0)
      g_ptr_array_add (reading->warnings,
                       g_strdup_printf ("%s: line %zu holds a NUL byte; no text can give its token",
                                        reading->path, number));
    append_piece (vocab, dup_without_nul (vocab, line, n_trimmed), 0);
    return;
  }
  if (n_trimmed > 0 || (n_bytes > 0 && line[n_bytes - 1] == '\r'))
    line[n_trimmed] = '\0'; /* a line of white space alone is kept for showing */
  int32_t before = append_piece (vocab, line, n_trimmed);
  if (before >= 0 && reading->n_duplicates++ == 0) {
    g_autofree char *shown = attn_file_dup_shown (line, n_trimmed);
    g_ptr_array_add (reading->warnings,
                     g_strdup_printf ("%s: line %zu repeats \"%s\" of line %d; the later id counts",
                                      reading->path, number, shown, before + 1));
  }
}

static void
read_lines (AttnVocab *vocab, char *bytes, size_t n_bytes, Reading *reading)
{
  char *line = bytes, *end = bytes + n_bytes;
  while (line < end) {
    char *stop = memchr (line, '\n', (size_t)(end - line));
    if (stop == NULL)
      stop = end;
    *stop = '\0'; /* one NUL stands behind the last byte */
    read_line (vocab, line, (size_t)(stop - line), reading);
    line = stop + 1;
  }
  if (reading->n_duplicates > 1)
    g_ptr_array_add (reading->warnings, g_strdup_printf ("%s: %zu lines repeat an earlier one",
                                                         reading->path, reading->n_duplicates));
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
  if (n_lines > MAX_LINES) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "%s: found %zu lines, wanted at most %d",
                 path, n_lines, MAX_LINES);
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
attn_vocab_load (const char *path, GPtrArray *warnings, GError **error)
{
  size_t n_bytes = 0;
  g_autofree char *bytes = attn_file_load (path, MAX_FILE_BYTES, &n_bytes, error);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  if (bytes == NULL || !check_bytes (bytes, n_bytes, shown, error))
    return NULL;

  AttnVocab *vocab = g_new0 (AttnVocab, 1);
  size_t n_lines = count_lines (bytes, n_bytes);
  vocab->added = g_string_chunk_new (256);
  vocab->pieces = g_array_sized_new (FALSE, FALSE, sizeof (Piece), (guint)n_lines);
  vocab->seed = ((guint64)g_random_int () << 32) | g_random_int ();
  resize_slots (vocab, n_lines);
  /* so many bits a byte that few are set by chance; more pieces than that cost only time */
  vocab->n_prefix_bits = CLAMP (g_bit_storage (n_bytes * PREFIX_BITS_A_BYTE), 10, 26);
  vocab->prefixes = g_new0 (guint64, ((size_t)1 << vocab->n_prefix_bits) / 64);
  Reading reading = {.path = shown, .warnings = warnings};
  size_t n_mark = attn_json_has_byte_order_mark (bytes, n_bytes) ? 3 : 0;
  if (n_mark > 0)
    g_ptr_array_add (warnings,
                     g_strdup_printf ("%s: the byte order mark at its start is left out", shown));
  vocab->bytes = g_steal_pointer (&bytes);
  read_lines (vocab, vocab->bytes + n_mark, n_bytes - n_mark, &reading);
  vocab->n_in_file = (int32_t)vocab->pieces->len;
  return vocab;
}
