/* SPDX-License-Identifier: MIT */
/* Finding the pieces of the text that rows and columns stand for. */
#include "prose.h"

#include "plain-text.h"

#include "attn/metrics.h"

#include <string.h>

/* ---- units ---- */

static bool
same_origin (const AttnOrigin *a, const AttnOrigin *b)
{
  return a->first == b->first && a->n == b->n && a->sequence == b->sequence &&
         a->start == b->start && a->end == b->end;
}

/* Returns: the index on the other side, from @from on, of what has this origin; G_MAXSIZE for none.
 */
static size_t
find_origin (const AttnMaps *maps, AttnSide side, const AttnOrigin *origin, size_t from)
{
  AttnOrigin other;
  for (size_t index = from; index < attn_maps_get_n (maps, side); index++)
    if (attn_maps_get_origin (maps, side, index, &other) && same_origin (&other, origin))
      return index;
  return G_MAXSIZE;
}

static void
add_unit (AttnDrawProse *prose, size_t query, size_t key)
{
  AttnDrawUnit unit = {query, key};
  g_array_append_val (prose->units, unit);
}

static const AttnDrawUnit *
peek_unit (const AttnDrawProse *prose, size_t index)
{
  return &g_array_index (prose->units, AttnDrawUnit, index);
}

static void
get_origin (const AttnMaps *maps, const AttnDrawUnit *unit, AttnOrigin *origin)
{
  if (unit->key != G_MAXSIZE)
    attn_maps_get_origin (maps, ATTN_SIDE_KEY, unit->key, origin);
  else
    attn_maps_get_origin (maps, ATTN_SIDE_QUERY, unit->query, origin);
}

/* In the order of the text: of tokens, and within one of its characters. */
static int
compare_units (const void *a, const void *b, void *data)
{
  AttnOrigin one, two;
  get_origin (data, a, &one);
  get_origin (data, b, &two);
  if (one.first != two.first)
    return one.first < two.first ? -1 : 1;
  return one.start < two.start ? -1 : one.start > two.start;
}

/* Each side is in the text's order, but they may be of different parts of it. */
static void
find_units (AttnDrawProse *prose, AttnMaps *maps)
{
  size_t n_queries = attn_maps_get_n (maps, ATTN_SIDE_QUERY);
  g_autofree bool *is_known = g_new0 (bool, n_queries);
  size_t next = 0;

  for (size_t key = 0; key < attn_maps_get_n (maps, ATTN_SIDE_KEY); key++) {
    AttnOrigin origin;
    attn_maps_get_origin (maps, ATTN_SIDE_KEY, key, &origin);
    size_t query = find_origin (maps, ATTN_SIDE_QUERY, &origin, next);
    add_unit (prose, query, key);
    if (query == G_MAXSIZE)
      continue;
    is_known[query] = true;
    next = query + 1;
  }
  for (size_t query = 0; query < n_queries; query++)
    if (!is_known[query])
      add_unit (prose, query, G_MAXSIZE);
  g_array_sort_with_data (prose->units, compare_units, maps);
}

char *
attn_draw_prose_dup_label (AttnMaps *maps, const AttnDrawUnit *unit)
{
  bool has_key = unit->key != G_MAXSIZE;
  AttnSide side = has_key ? ATTN_SIDE_KEY : ATTN_SIDE_QUERY;
  return attn_draw_visible_label (
      attn_maps_peek_label (maps, side, has_key ? unit->key : unit->query));
}

/* ---- passages ---- */

static void
passage_free (void *data)
{
  AttnDrawPassage *passage = data;
  g_free (passage->text);
  g_array_unref (passage->pieces);
  g_free (passage);
}

static AttnDrawPassage *
add_passage (AttnDrawProse *prose)
{
  AttnDrawPassage *passage = g_new0 (AttnDrawPassage, 1);
  passage->pieces = g_array_new (FALSE, FALSE, sizeof (AttnDrawPiece));
  g_ptr_array_add (prose->passages, passage);
  return passage;
}

static void
append_chip (GString *text, AttnDrawPassage *passage, size_t unit)
{
  if (text->len > 0 && !g_ascii_isspace (text->str[text->len - 1]))
    g_string_append_c (text, ' ');
  AttnDrawPiece piece = {unit, text->len, text->len + strlen (ATTN_DRAW_CHIP_CHARACTER), true};
  g_string_append (text, ATTN_DRAW_CHIP_CHARACTER);
  g_array_append_val (passage->pieces, piece);
}

/* Appends the typed text as it can be drawn, with as many marks a letter as labels have.
 *
 * Returns: (transfer full): [length + 1] where each of its bytes is in @text. */
static size_t *
append_typed (GString *text, const char *typed, size_t length)
{
  size_t *places = g_new (size_t, length + 1), n_marks = 0;

  for (size_t i = 0; i < length;) {
    unsigned char byte = (unsigned char)typed[i];
    size_t n = MIN ((size_t)g_utf8_skip[byte], length - i);
    bool is_kept = attn_draw_keeps_mark (&n_marks, g_utf8_get_char (typed + i));
    for (size_t k = 0; k < n; k++)
      places[i + k] = text->len + (is_kept ? k : 0);
    i += n;
    if (!is_kept)
      continue;
    bool is_drawn = byte >= 0x20 || byte == '\n' || byte == '\r' || byte == '\t';
    if (byte == 0x7f)
      g_string_append (text, "␡");
    else if (!is_drawn)
      g_string_append_unichar (text, 0x2400 + byte); /* its picture */
    else
      g_string_append_len (text, typed + i - n, (gssize)n);
  }
  places[length] = text->len;
  return places;
}

/* Which units belong to a passage. */
typedef struct {
  size_t first, n_before; /* units from @first on, the first of them of the template … */
  size_t n_typed;         /* … then pieces of the text, then of the template again up to @end */
  size_t end;
} Share;

static size_t
count_run (const AttnDrawProse *prose, const AttnMaps *maps, size_t from, int sequence)
{
  size_t n = 0;
  for (; from + n < prose->units->len; n++) {
    AttnOrigin origin;
    get_origin (maps, peek_unit (prose, from + n), &origin);
    if (origin.sequence != sequence)
      break;
  }
  return n;
}

/* What the template put before the first text, and after each: units in order. */
static Share
find_share (const AttnDrawProse *prose, const AttnMaps *maps, int sequence, size_t first)
{
  Share share = {.first = first};
  share.n_before = count_run (prose, maps, first, -1);
  share.n_typed = count_run (prose, maps, first + share.n_before, sequence);
  size_t after = first + share.n_before + share.n_typed;
  share.end = after + count_run (prose, maps, after, -1);
  return share;
}

/* Bytes of a text that was cut which the model was given; all of one that was not. */
static size_t
find_read_end (AttnTokens *tokens, int sequence, size_t length)
{
  size_t end = 0;
  if (attn_tokens_get_n_truncated (tokens) == 0)
    return length;
  for (size_t i = 0; i < attn_tokens_get_n (tokens); i++)
    if (attn_tokens_peek (tokens, i)->sequence == sequence)
      end = MAX (end, attn_tokens_peek (tokens, i)->end);
  return MIN (end, length);
}

/* A piece of nothing but marks that are left out shares the mark before them. */
static AttnDrawPiece
find_piece (const GString *text, const size_t *places, size_t end, const AttnOrigin *origin)
{
  AttnDrawPiece piece = {.start = places[MIN (origin->start, end)],
                         .end = places[MIN (origin->end, end)]};

  if (piece.start == piece.end && MIN (origin->start, end) < MIN (origin->end, end))
    piece.start = (size_t)(g_utf8_prev_char (text->str + piece.start) - text->str);
  return piece;
}

static void
fill_passage (AttnDrawProse *prose,
              AttnDrawPassage *passage,
              const AttnMaps *maps,
              int sequence,
              const Share *share)
{
  AttnTokens *tokens = attn_trace_peek_tokens (attn_maps_peek_trace (maps));
  size_t length = 0;
  const char *typed = attn_tokens_peek_text (tokens, sequence, &length);
  size_t end = find_read_end (tokens, sequence, length);
  GString *text = g_string_new (NULL);
  size_t unit = share->first;

  for (; unit < share->first + share->n_before; unit++)
    append_chip (text, passage, unit);
  if (share->n_before > 0)
    g_string_append_c (text, ' ');
  g_autofree size_t *places = append_typed (text, typed, end);
  for (; unit < share->first + share->n_before + share->n_typed; unit++) {
    AttnOrigin origin;
    get_origin (maps, peek_unit (prose, unit), &origin);
    AttnDrawPiece piece = find_piece (text, places, end, &origin);
    piece.unit = unit;
    g_array_append_val (passage->pieces, piece);
  }
  if (end < length)
    g_string_append (text, " …");
  for (; unit < share->end; unit++)
    append_chip (text, passage, unit);
  passage->text = g_string_free (text, FALSE);
}

static void
find_passages (AttnDrawProse *prose, const AttnMaps *maps)
{
  AttnTokens *tokens = attn_trace_peek_tokens (attn_maps_peek_trace (maps));
  size_t next = 0;

  for (int sequence = 0; sequence < 2; sequence++) {
    if (attn_tokens_peek_text (tokens, sequence, NULL) == NULL)
      break;
    Share share = find_share (prose, maps, sequence, next);
    fill_passage (prose, add_passage (prose), maps, sequence, &share);
    next = share.end;
  }
}

/* ---- maps of no text ---- */

static void
add_chips (AttnDrawProse *prose, const AttnMaps *maps, bool has_queries, bool has_keys)
{
  AttnDrawPassage *passage = add_passage (prose);
  size_t n = attn_maps_get_n (maps, has_keys ? ATTN_SIDE_KEY : ATTN_SIDE_QUERY);
  GString *text = g_string_new (NULL);

  for (size_t i = 0; i < n; i++) {
    append_chip (text, passage, prose->units->len);
    add_unit (prose, has_queries ? i : G_MAXSIZE, has_keys ? i : G_MAXSIZE);
  }
  passage->text = g_string_free (text, FALSE);
}

static bool
has_text (const AttnMaps *maps)
{
  AttnTrace *trace = attn_maps_peek_trace (maps);
  AttnOrigin origin;
  return trace != NULL && attn_trace_peek_tokens (trace) != NULL &&
         attn_maps_get_origin (maps, ATTN_SIDE_KEY, 0, &origin) &&
         attn_maps_get_origin (maps, ATTN_SIDE_QUERY, 0, &origin);
}

AttnDrawProse *
attn_draw_prose_new (AttnDrawPanels *panels)
{
  AttnMaps *maps = attn_draw_panels_peek_maps (panels);
  AttnDrawProse *prose = g_new0 (AttnDrawProse, 1);

  prose->units = g_array_new (FALSE, FALSE, sizeof (AttnDrawUnit));
  prose->passages = g_ptr_array_new_with_free_func (passage_free);
  prose->means = g_new (float, attn_maps_get_n (maps, ATTN_SIDE_KEY));
  attn_map_compute_column_means (attn_draw_panels_peek (panels, 0), prose->means);
  if (has_text (maps)) {
    find_units (prose, maps);
    find_passages (prose, maps);
  } else if (attn_maps_has_same_labels (maps)) {
    add_chips (prose, maps, true, true);
  } else {
    add_chips (prose, maps, true, false);
    add_chips (prose, maps, false, true);
  }
  return prose;
}

void
attn_draw_prose_free (AttnDrawProse *prose)
{
  if (prose == NULL)
    return;
  g_array_unref (prose->units);
  g_ptr_array_unref (prose->passages);
  g_free (prose->means);
  g_free (prose);
}
