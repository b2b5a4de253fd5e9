/* SPDX-License-Identifier: MIT */
/* Cuts words into the likeliest pieces, by Viterbi's way. */
#include "piece-kinds.h"

#include <math.h>
#include <string.h>

enum { MAX_CHAR_BYTES = 6, N_BYTES = 256 };

static const double unk_penalty = 10;

typedef struct {
  AttnUnigramOptions options;
  GArray *scores; /* of double */
  double unk_score;
  gint32 byte_ids[N_BYTES]; /* of <0x00> …; -1 for none */
} Unigram;

/* The best way to cut what ends here. */
typedef struct {
  double score;
  guint32 start; /* of its last piece; G_MAXUINT32: no way leads here */
  gint32 id;
  guint32 end_byte; /* where the character before ends in the bytes */
  guint32 next;     /* on the best way: where the piece that starts here ends */
} Node;

/* Writes the bytes and their ends, and makes all nodes unreached. */
static Node *
make_nodes (const AttnChar *chars, size_t n, AttnScratch *scratch, char **bytes)
{
  Node *nodes = attn_scratch_get (scratch, (n + 1) * sizeof (Node) + n * MAX_CHAR_BYTES);
  if (nodes == NULL)
    return NULL;
  *bytes = (char *)(nodes + n + 1);
  nodes[0] = (Node){.id = -1};
  for (size_t i = 0; i < n; i++) {
    guint32 at = nodes[i].end_byte;
    guint32 n_char = (guint32)g_unichar_to_utf8 (chars[i].c, *bytes + at);
    nodes[i + 1] = (Node){.start = G_MAXUINT32, .end_byte = at + n_char};
  }
  return nodes;
}

/* Of equal ways the one found first stays. */
static void
offer (Node *node, double score, size_t start, gint32 id)
{
  if (node->start != G_MAXUINT32 && !(score > node->score))
    return;
  node->score = score;
  node->start = (guint32)start;
  node->id = id;
}

/* Every piece that begins with character @first leads to a node. */
static void
expand (const Unigram *model,
        const AttnVocab *vocab,
        const char *bytes,
        Node *nodes,
        size_t n,
        size_t first)
{
  const char *begin = bytes + nodes[first].end_byte;
  double score = nodes[first].score;
  guint64 hash = attn_vocab_begin_hash (vocab);
  bool has_single = false;
  for (size_t i = first; i < n; i++) {
    for (guint32 at = nodes[i].end_byte; at < nodes[i + 1].end_byte; at++)
      hash = attn_vocab_step_hash (hash, bytes[at]);
    if (!attn_vocab_may_begin (vocab, hash))
      break;
    int32_t id =
        attn_vocab_match (vocab, hash, "", begin, nodes[i + 1].end_byte - nodes[first].end_byte);
    if (id < 0)
      continue;
    offer (&nodes[i + 1], score + g_array_index (model->scores, double, id), first, id);
    has_single |= i == first;
  }
  if (!has_single)
    offer (&nodes[first + 1], score + model->unk_score, first, model->options.unk_id);
}

/* An unknown stretch: its bytes where they may stand for it and all are pieces, or one piece. */
static void
append_unknown (const Unigram *model,
                const AttnVocab *vocab,
                const AttnChar *first,
                const AttnChar *last,
                const char *bytes,
                size_t n_bytes,
                AttnPieceList *out)
{
  int32_t id = attn_vocab_find_plain (vocab, bytes, n_bytes);
  bool by_bytes = model->options.byte_fallback && id < 0;
  for (size_t i = 0; i < n_bytes && by_bytes; i++)
    by_bytes = model->byte_ids[(unsigned char)bytes[i]] >= 0;
  for (size_t i = 0; i < n_bytes && by_bytes; i++)
    attn_piece_list_append (out, model->byte_ids[(unsigned char)bytes[i]], first->start, last->end);
  if (!by_bytes)
    attn_piece_list_append (out, id >= 0 ? id : model->options.unk_id, first->start, last->end);
}

/* Goes the best way back and notes it forwards; unknown neighbours join. */
static void
note_way (Node *nodes, size_t n, gint32 unk_id)
{
  for (size_t end = n, start; end > 0; end = start) {
    start = nodes[end].start;
    while (nodes[end].id == unk_id && start > 0 && nodes[start].id == unk_id)
      start = nodes[start].start;
    nodes[start].next = (guint32)end;
  }
}

static void
encode (const void *data,
        const AttnVocab *vocab,
        const AttnChar *chars,
        size_t n,
        AttnScratch *scratch,
        AttnPieceList *out)
{
  const Unigram *model = data;
  char *bytes;
  Node *nodes = make_nodes (chars, n, scratch, &bytes);
  if (nodes == NULL) {
    out->failed = true;
    return;
  }
  for (size_t i = 0; i < n; i++)
    expand (model, vocab, bytes, nodes, n, i);
  note_way (nodes, n, model->options.unk_id);
  for (size_t start = 0, end; start < n; start = end) {
    end = nodes[start].next;
    gint32 id = nodes[end].id;
    if (id == model->options.unk_id)
      append_unknown (model, vocab, &chars[start], &chars[end - 1], bytes + nodes[start].end_byte,
                      nodes[end].end_byte - nodes[start].end_byte, out);
    else
      attn_piece_list_append (out, id, chars[start].start, chars[end - 1].end);
  }
}

static void
free_model (void *data)
{
  Unigram *model = data;
  g_array_unref (model->scores);
  g_free (model);
}

void
attn_unigram_init (AttnTokenizerParts *parts, const AttnUnigramOptions *options, GArray *scores)
{
  static const AttnPieceKind kind = {.encode = encode, .free = free_model};
  Unigram *model = g_new0 (Unigram, 1);
  double least = INFINITY;
  for (guint i = 0; i < scores->len; i++)
    least = fmin (least, g_array_index (scores, double, i));
  model->options = *options;
  model->scores = scores;
  model->unk_score = least - unk_penalty;
  for (unsigned byte = 0; byte < N_BYTES; byte++) {
    char piece[16];
    g_snprintf (piece, sizeof piece, "<0x%02X>", byte);
    model->byte_ids[byte] = attn_vocab_find_plain (parts->vocab, piece, strlen (piece));
  }
  parts->kind = &kind;
  parts->model = model;
}
