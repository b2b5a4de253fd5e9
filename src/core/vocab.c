/* SPDX-License-Identifier: MIT */
/* Keeps pieces in chunks, and finds them by open addressing. */
#include "vocab.h"

#include <string.h>

enum {
  CHUNK_BYTES = 1 << 16,
  PREFIX_BITS_A_BYTE = 4,
};

typedef struct {
  const char *text; /* NUL-terminated; NULL where there is no piece with this id */
  guint32 n_bytes;
  bool added;
  bool is_shown; /* otherwise than it is */
} Piece;

typedef struct {
  guint32 tag; /* the half of the hash that the slot's place does not tell */
  gint32 id;   /* -1: free */
} Slot;

struct _AttnVocab {
  GStringChunk *texts;
  GArray *pieces;    /* of Piece, by id */
  GHashTable *shown; /* id -> text, of pieces shown other than they are */
  size_t n_pieces;
  size_t n_bytes; /* of all pieces */
  gint32 next_id; /* for what is added */
  Slot *slots;    /* [1 << n_bits], at most half full */
  guint n_bits;
  guint64 *prefixes; /* [1 << n_prefix_bits] bits: hashes of all pieces' beginnings; or NULL */
  guint n_prefix_bits;
  guint64 seed; /* differs from run to run, so that no file can be made to collide */
};

AttnVocab *
attn_vocab_new (void)
{
  AttnVocab *vocab = g_new0 (AttnVocab, 1);
  vocab->texts = g_string_chunk_new (CHUNK_BYTES);
  vocab->pieces = g_array_new (FALSE, TRUE, sizeof (Piece));
  vocab->shown = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  vocab->seed = ((guint64)g_random_int () << 32) | g_random_int ();
  return vocab;
}

void
attn_vocab_free (AttnVocab *vocab)
{
  g_string_chunk_free (vocab->texts);
  g_array_unref (vocab->pieces);
  g_hash_table_unref (vocab->shown);
  g_free (vocab->slots);
  g_free (vocab->prefixes);
  g_free (vocab);
}

size_t
attn_vocab_get_n (const AttnVocab *vocab)
{
  return vocab->pieces->len;
}

static const Piece *
get_piece (const AttnVocab *vocab, int32_t id)
{
  return &g_array_index (vocab->pieces, Piece, id);
}

const char *
attn_vocab_peek (const AttnVocab *vocab, int32_t id)
{
  if (id < 0 || (guint)id >= vocab->pieces->len)
    return NULL;
  const Piece *piece = get_piece (vocab, id);
  return piece->is_shown ? g_hash_table_lookup (vocab->shown, GINT_TO_POINTER (id)) : piece->text;
}

static char *
dup_without_nul (const char *text, size_t n_bytes)
{
  g_autoptr (GString) shown = g_string_sized_new (n_bytes + 2);
  for (size_t i = 0; i < n_bytes; i++) {
    if (text[i] == '\0')
      g_string_append (shown, "\xE2\x90\x80");
    else
      g_string_append_c (shown, text[i]);
  }
  return g_string_free (g_steal_pointer (&shown), FALSE);
}

bool
attn_vocab_set (AttnVocab *vocab, int32_t id, const char *piece, size_t n_bytes)
{
  if ((guint)id >= vocab->pieces->len)
    g_array_set_size (vocab->pieces, (guint)id + 1);
  Piece *place = &g_array_index (vocab->pieces, Piece, id);
  if (place->text != NULL)
    return false;
  *place = (Piece){
      .text = g_string_chunk_insert_len (vocab->texts, piece, (gssize)n_bytes),
      .n_bytes = (guint32)n_bytes,
      .is_shown = memchr (piece, '\0', n_bytes) != NULL,
  };
  if (place->is_shown)
    g_hash_table_insert (vocab->shown, GINT_TO_POINTER (id), dup_without_nul (piece, n_bytes));
  vocab->n_pieces++;
  vocab->n_bytes += n_bytes;
  return true;
}

void
attn_vocab_append (AttnVocab *vocab, const char *piece, size_t n_bytes)
{
  attn_vocab_set (vocab, (int32_t)vocab->pieces->len, piece, n_bytes);
}

void
attn_vocab_append_shown (AttnVocab *vocab, const char *shown, size_t n_bytes)
{
  int32_t id = (int32_t)vocab->pieces->len;
  attn_vocab_set (vocab, id, "", 0);
  g_array_index (vocab->pieces, Piece, id).is_shown = true;
  g_hash_table_insert (vocab->shown, GINT_TO_POINTER (id), dup_without_nul (shown, n_bytes));
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

/* Returns the hash of a piece; notes those of its beginnings where they are wanted. */
static guint64
hash_piece (AttnVocab *vocab, const char *text, size_t n_bytes)
{
  guint64 hash = attn_vocab_begin_hash (vocab);
  for (size_t i = 0; i < n_bytes; i++) {
    hash = attn_vocab_step_hash (hash, text[i]);
    if (vocab->prefixes == NULL)
      continue;
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
    const Piece *piece = get_piece (vocab, slot->id);
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
  return id < 0 || get_piece (vocab, id)->added ? -1 : id;
}

int32_t
attn_vocab_find (const AttnVocab *vocab, const char *piece, size_t n_bytes)
{
  if (n_bytes == 0)
    return -1;
  return find_slot (vocab, hash_bytes (vocab, piece, n_bytes), "", piece, n_bytes)->id;
}

int32_t
attn_vocab_find_plain (const AttnVocab *vocab, const char *piece, size_t n_bytes)
{
  if (n_bytes == 0)
    return -1;
  return attn_vocab_match (vocab, hash_bytes (vocab, piece, n_bytes), "", piece, n_bytes);
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
    const Piece *piece = get_piece (vocab, old[i].id);
    guint64 hash = hash_bytes (vocab, piece->text, piece->n_bytes);
    *find_slot (vocab, hash, "", piece->text, piece->n_bytes) = old[i];
  }
}

void
attn_vocab_index (AttnVocab *vocab, bool prefixes, AttnVocabRepeats *repeats)
{
  *repeats = (AttnVocabRepeats){0};
  resize_slots (vocab, vocab->n_pieces);
  vocab->next_id = (gint32)vocab->n_pieces;
  if (prefixes) {
    /* so many bits a byte that few are set by chance; more pieces than that cost only time */
    vocab->n_prefix_bits = CLAMP (g_bit_storage (vocab->n_bytes * PREFIX_BITS_A_BYTE), 10, 26);
    vocab->prefixes = g_new0 (guint64, ((size_t)1 << vocab->n_prefix_bits) / 64);
  }
  for (guint id = 0; id < vocab->pieces->len; id++) {
    const Piece *piece = get_piece (vocab, (int32_t)id);
    if (piece->n_bytes == 0)
      continue;
    guint64 hash = hash_piece (vocab, piece->text, piece->n_bytes);
    Slot *slot = find_slot (vocab, hash, "", piece->text, piece->n_bytes);
    if (slot->id >= 0 && repeats->n++ == 0) {
      repeats->first = (int32_t)id;
      repeats->earlier = slot->id;
    }
    *slot = (Slot){.tag = (guint32)hash, .id = (gint32)id};
  }
}

int32_t
attn_vocab_add (AttnVocab *vocab, const char *piece)
{
  size_t n_bytes = strlen (piece);
  int32_t id = attn_vocab_find (vocab, piece, n_bytes);
  if (id >= 0)
    return id;
  id = vocab->next_id;
  while (!attn_vocab_set (vocab, id, piece, n_bytes))
    id++;
  vocab->next_id = id + 1;
  g_array_index (vocab->pieces, Piece, id).added = true;
  resize_slots (vocab, vocab->n_pieces);
  const char *text = get_piece (vocab, id)->text;
  guint64 hash = hash_bytes (vocab, text, n_bytes);
  *find_slot (vocab, hash, "", text, n_bytes) = (Slot){.tag = (guint32)hash, .id = id};
  return id;
}
