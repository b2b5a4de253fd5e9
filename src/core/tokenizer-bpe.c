/* SPDX-License-Identifier: MIT */
/* Byte-pair encoding with a queue of pairs, so that long words stay n log n. */
#include "piece-kinds.h"

#include <string.h>

enum {
  MAX_CHAR_BYTES = 6,
  N_BYTES = 256,
  N_COMMON = 0x180, /* characters whose ids are kept: ASCII and the alphabet of bytes */
};

/* What a pair of neighbours becomes. */
typedef struct {
  guint64 pair; /* left id, right id */
  guint32 rank;
  gint32 merged; /* -1: the slot is free */
} Rule;

typedef struct {
  AttnBpeOptions options; /* its strings are those below */
  char *prefix, *suffix;
  Rule *rules; /* [1 << n_bits], at most half full */
  guint n_bits;
  guint64 factor; /* odd; differs from run to run, so that no file can be made to collide */
  gint32 common_ids[N_COMMON];
  gint32 byte_ids[N_BYTES]; /* of <0x00> …; -1 for none */
} Bpe;

/* A piece of the word on its way. */
typedef struct {
  gint32 id;           /* -1: was merged into its left neighbour */
  guint32 first, last; /* characters */
  gint32 before, after;
} Symbol;

/* A pair that may be merged; stale ones are found out when their turn comes. */
typedef struct {
  guint32 rank;
  gint32 left; /* symbol */
  gint32 merged;
} Candidate;

typedef struct {
  const Bpe *model;
  const AttnVocab *vocab;
  Symbol *symbols; /* [n] */
  size_t n;
  Candidate *heap; /* [n_heap], least rank first, of equal ones the leftmost */
  size_t n_heap;
} Work;

static guint64
make_pair (gint32 left, gint32 right)
{
  return (guint64)(guint32)left << 32 | (guint32)right;
}

/* The slot with this pair, or the free one where it belongs. */
static Rule *
find_rule (const Bpe *model, guint64 pair)
{
  size_t mask = ((size_t)1 << model->n_bits) - 1;
  for (size_t at = (size_t)((pair * model->factor) >> (64 - model->n_bits));;
       at = (at + 1) & mask) {
    Rule *rule = &model->rules[at];
    if (rule->merged < 0 || rule->pair == pair)
      return rule;
  }
}

static bool
comes_before (const Candidate *a, const Candidate *b)
{
  return a->rank != b->rank ? a->rank < b->rank : a->left < b->left;
}

static void
push_candidate (Work *work, gint32 left)
{
  gint32 right = work->symbols[left].after;
  const Rule *rule =
      find_rule (work->model, make_pair (work->symbols[left].id, work->symbols[right].id));
  if (rule->merged < 0)
    return;
  Candidate candidate = {.rank = rule->rank, .left = left, .merged = rule->merged};
  size_t at = work->n_heap++;
  for (; at > 0 && comes_before (&candidate, &work->heap[(at - 1) / 2]); at = (at - 1) / 2)
    work->heap[at] = work->heap[(at - 1) / 2];
  work->heap[at] = candidate;
}

static Candidate
pop_candidate (Work *work)
{
  Candidate first = work->heap[0], last = work->heap[--work->n_heap];
  size_t at = 0;
  for (size_t child; (child = 2 * at + 1) < work->n_heap; at = child) {
    if (child + 1 < work->n_heap && comes_before (&work->heap[child + 1], &work->heap[child]))
      child++;
    if (!comes_before (&work->heap[child], &last))
      break;
    work->heap[at] = work->heap[child];
  }
  work->heap[at] = last;
  return first;
}

/* A candidate is stale when its pair is gone or would now become something else; the reference
 * does not ask for the rank again, so neither do we. */
static bool
still_holds (const Work *work, const Candidate *candidate)
{
  const Symbol *left = &work->symbols[candidate->left];
  if (left->id < 0 || left->after < 0)
    return false;
  gint32 right = work->symbols[left->after].id;
  return find_rule (work->model, make_pair (left->id, right))->merged == candidate->merged;
}

static void
merge_all (Work *work)
{
  for (size_t i = 0; i + 1 < work->n; i++)
    push_candidate (work, (gint32)i);
  while (work->n_heap > 0) {
    Candidate candidate = pop_candidate (work);
    if (!still_holds (work, &candidate))
      continue;
    Symbol *left = &work->symbols[candidate.left], *right = &work->symbols[left->after];
    left->id = candidate.merged;
    left->last = right->last;
    left->after = right->after;
    right->id = -1;
    if (left->after >= 0)
      work->symbols[left->after].before = candidate.left;
    if (left->before >= 0)
      push_candidate (work, left->before);
    if (left->after >= 0)
      push_candidate (work, candidate.left);
  }
}

static gint32
find_char (const Work *work, const char *bytes, size_t n_bytes, bool first, bool last)
{
  const AttnBpeOptions *options = &work->model->options;
  char piece[2 * ATTN_BPE_MAX_AFFIX_BYTES + MAX_CHAR_BYTES];
  size_t n_prefix = first ? 0 : strlen (options->prefix);
  size_t n_suffix = last ? strlen (options->suffix) : 0;
  memcpy (piece, options->prefix, n_prefix);
  memcpy (piece + n_prefix, bytes, n_bytes);
  memcpy (piece + n_prefix + n_bytes, options->suffix, n_suffix);
  return attn_vocab_find_plain (work->vocab, piece, n_prefix + n_bytes + n_suffix);
}

static void
append_symbol (Work *work, gint32 id, size_t first, size_t last)
{
  gint32 index = (gint32)work->n++;
  work->symbols[index] = (Symbol){
      .id = id, .first = (guint32)first, .last = (guint32)last, .before = index - 1, .after = -1};
  if (index > 0)
    work->symbols[index - 1].after = index;
}

static bool
append_bytes (Work *work, const char *bytes, size_t n_bytes, size_t index)
{
  const gint32 *ids = work->model->byte_ids;
  for (size_t i = 0; i < n_bytes; i++)
    if (ids[(unsigned char)bytes[i]] < 0)
      return false;
  for (size_t i = 0; i < n_bytes; i++)
    append_symbol (work, ids[(unsigned char)bytes[i]], index, index);
  return true;
}

/* Makes a symbol of each character, or several of its bytes, or one of unknown ones. */
static void
fill_symbols (Work *work, const AttnChar *chars, size_t n)
{
  const AttnBpeOptions *options = &work->model->options;
  bool plain = options->prefix[0] == '\0' && options->suffix[0] == '\0';
  AttnStretch unknown = {0};
  for (size_t i = 0; i < n; i++) {
    char bytes[MAX_CHAR_BYTES];
    size_t n_bytes = (size_t)g_unichar_to_utf8 (chars[i].c, bytes);
    gint32 id = plain && chars[i].c < N_COMMON
                    ? work->model->common_ids[chars[i].c]
                    : find_char (work, bytes, n_bytes, i == 0, i + 1 == n);
    if (id < 0 && options->byte_fallback && append_bytes (work, bytes, n_bytes, i))
      continue;
    if (unknown.n > 0 && (id >= 0 || !options->fuse_unk)) {
      append_symbol (work, options->unk_id, unknown.first, unknown.first + unknown.n - 1);
      unknown.n = 0;
    }
    if (id >= 0)
      append_symbol (work, id, i, i);
    else if (unknown.n == 0)
      unknown = (AttnStretch){.first = i, .n = options->unk_id >= 0};
    else
      unknown.n++;
  }
  if (unknown.n > 0)
    append_symbol (work, options->unk_id, unknown.first, unknown.first + unknown.n - 1);
}

/* Room for every character's symbols (its bytes at most) and for three candidates each: one at
 * first, two for every merge. */
static bool
get_room (Work *work, size_t n, AttnScratch *scratch)
{
  size_t n_symbols = work->model->options.byte_fallback ? n * MAX_CHAR_BYTES : n;
  work->symbols =
      attn_scratch_get (scratch, n_symbols * (sizeof (Symbol) + 3 * sizeof (Candidate)));
  work->heap = (Candidate *)(void *)(work->symbols + n_symbols);
  return work->symbols != NULL;
}

static gint32
find_word (const AttnVocab *vocab, const AttnChar *chars, size_t n)
{
  g_autoptr (GString) bytes = g_string_sized_new (n + 8);
  for (size_t i = 0; i < n; i++)
    g_string_append_unichar (bytes, chars[i].c);
  return attn_vocab_find_plain (vocab, bytes->str, bytes->len);
}

static void
encode (const void *data,
        const AttnVocab *vocab,
        const AttnChar *chars,
        size_t n,
        AttnScratch *scratch,
        AttnPieceList *out)
{
  Work work = {.model = data, .vocab = vocab};
  gint32 id = work.model->options.ignore_merges ? find_word (vocab, chars, n) : -1;
  if (id >= 0) {
    attn_piece_list_append (out, id, chars[0].start, chars[n - 1].end);
    return;
  }
  if (!get_room (&work, n, scratch)) {
    out->failed = true;
    return;
  }
  fill_symbols (&work, chars, n);
  merge_all (&work);
  for (gint32 at = work.n > 0 ? 0 : -1; at >= 0; at = work.symbols[at].after) {
    const Symbol *symbol = &work.symbols[at];
    attn_piece_list_append (out, symbol->id, chars[symbol->first].start, chars[symbol->last].end);
  }
}

static void
free_model (void *data)
{
  Bpe *model = data;
  g_free (model->prefix);
  g_free (model->suffix);
  g_free (model->rules);
  g_free (model);
}

static void
fill_rules (Bpe *model, const GArray *merges)
{
  model->n_bits = 4;
  while (((size_t)1 << model->n_bits) < 2 * (size_t)merges->len)
    model->n_bits++;
  model->factor = ((guint64)g_random_int () << 32) | g_random_int () | 1;
  model->rules = g_new (Rule, (size_t)1 << model->n_bits);
  memset (model->rules, 0xFF, sizeof (Rule) << model->n_bits);
  for (guint i = 0; i < merges->len; i++) {
    const AttnMerge *merge = &g_array_index (merges, AttnMerge, i);
    guint64 pair = make_pair (merge->left, merge->right);
    *find_rule (model, pair) = (Rule){.pair = pair, .rank = i, .merged = merge->merged};
  }
}

void
attn_bpe_init (AttnTokenizerParts *parts, const AttnBpeOptions *options, const GArray *merges)
{
  static const AttnPieceKind kind = {.encode = encode, .free = free_model};
  Bpe *model = g_new0 (Bpe, 1);
  model->options = *options;
  model->options.prefix = model->prefix = g_strdup (options->prefix);
  model->options.suffix = model->suffix = g_strdup (options->suffix);
  fill_rules (model, merges);
  for (gunichar c = 0; c < N_COMMON; c++) {
    char bytes[MAX_CHAR_BYTES];
    size_t n_bytes = (size_t)g_unichar_to_utf8 (c, bytes);
    model->common_ids[c] = attn_vocab_find_plain (parts->vocab, bytes, n_bytes);
  }
  for (unsigned byte = 0; byte < N_BYTES; byte++) {
    char piece[16];
    g_snprintf (piece, sizeof piece, "<0x%02X>", byte);
    model->byte_ids[byte] = attn_vocab_find_plain (parts->vocab, piece, strlen (piece));
  }
  parts->kind = &kind;
  parts->model = model;
}
