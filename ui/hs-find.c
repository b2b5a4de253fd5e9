/* SPDX-License-Identifier: MIT */
/* Texts are folded character by character, so that every place leads back to its bytes. */
#include "hs-find.h"

#include "hs-text-limit.h"

#include "attn/trace.h"

#include <stdbool.h>
#include <string.h>

/* A text with all differences of case taken out; U+0000 is lost, which nobody can type. */
typedef struct {
  GString *folded;
  GArray *bytes; /* size_t [folded->len + 1]: where in the text each byte comes from */
} Folded;

static Folded
fold (const char *text, size_t length)
{
  Folded folded = {g_string_new (NULL), g_array_new (FALSE, FALSE, sizeof (size_t))};

  for (const char *p = text; p < text + length;) {
    const char *next = g_utf8_find_next_char (p, text + length);
    size_t n = next != NULL ? (size_t)(next - p) : (size_t)(text + length - p);
    g_autofree char *character = g_utf8_casefold (p, (gssize)n);
    size_t at = (size_t)(p - text);
    g_string_append (folded.folded, character);
    while (folded.bytes->len < folded.folded->len)
      g_array_append_val (folded.bytes, at);
    p += n;
  }
  g_array_append_val (folded.bytes, length);
  return folded;
}

static void
folded_clear (Folded *folded)
{
  g_string_free (folded->folded, TRUE);
  g_array_unref (folded->bytes);
}

/* Bytes [start, end) of one of the texts. */
typedef struct {
  int sequence;
  size_t start, end;
} Span;

static void
find_range (AttnMaps *maps, AttnSide side, const Span *span, size_t *first, size_t *n)
{
  AttnOrigin origin;

  *first = *n = 0;
  for (size_t index = 0; index < attn_maps_get_n (maps, side); index++) {
    if (!attn_maps_get_origin (maps, side, index, &origin) || origin.sequence != span->sequence ||
        origin.end <= span->start || origin.start >= span->end)
      continue;
    *first = *n == 0 ? index : *first;
    *n = index + 1 - *first;
  }
}

static bool
is_same (const HsMatch *a, const HsMatch *b)
{
  return a->query == b->query && a->n_queries == b->n_queries && a->key == b->key &&
         a->n_keys == b->n_keys;
}

/* Several places within one token are one match; what is hidden is none. */
static void
add_span (GArray *matches, AttnMaps *maps, const Span *span)
{
  HsMatch match;

  find_range (maps, ATTN_SIDE_QUERY, span, &match.query, &match.n_queries);
  find_range (maps, ATTN_SIDE_KEY, span, &match.key, &match.n_keys);
  if (match.n_queries == 0 && match.n_keys == 0)
    return;
  if (matches->len == 0 || !is_same (&g_array_index (matches, HsMatch, matches->len - 1), &match))
    g_array_append_val (matches, match);
}

/* Where the tokens end; what follows in a long text was left out. */
static size_t
find_end (AttnMaps *maps, int sequence)
{
  AttnOrigin origin;
  size_t end = 0;

  for (AttnSide side = ATTN_SIDE_QUERY; side <= ATTN_SIDE_KEY; side++)
    for (size_t index = 0; index < attn_maps_get_n (maps, side); index++)
      if (attn_maps_get_origin (maps, side, index, &origin) && origin.sequence == sequence)
        end = MAX (end, origin.end);
  return end;
}

static void
find_in_text (GArray *matches, AttnMaps *maps, AttnTokens *tokens, int sequence, const char *needle)
{
  size_t length = 0, n_needle = strlen (needle);
  const char *text = attn_tokens_peek_text (tokens, sequence, &length);

  if (text == NULL)
    return;
  length = MIN (length, find_end (maps, sequence));
  Folded folded = fold (text, length);
  const char *start = folded.folded->str, *end = start + folded.folded->len;
  for (const char *p = start; (size_t)(end - p) >= n_needle;) {
    const char *found = strstr (p, needle);
    if (found == NULL)
      break;
    size_t at = (size_t)(found - start);
    Span span = {sequence, g_array_index (folded.bytes, size_t, at),
                 g_array_index (folded.bytes, size_t, at + n_needle)};
    if (span.end == span.start)
      span.end++; /* part of what one character folds to */
    add_span (matches, maps, &span);
    p = found + n_needle;
  }
  folded_clear (&folded);
}

static bool
is_covered (const GArray *matches, AttnSide side, size_t index)
{
  for (guint i = 0; i < matches->len; i++) {
    const HsMatch *match = &g_array_index (matches, HsMatch, i);
    size_t first = side == ATTN_SIDE_QUERY ? match->query : match->key;
    size_t n = side == ATTN_SIDE_QUERY ? match->n_queries : match->n_keys;
    if (index >= first && index < first + n)
      return true;
  }
  return false;
}

/* The same token on the other side; G_MAXSIZE where it is not shown. */
static size_t
find_partner (AttnMaps *maps, AttnSide side, size_t index)
{
  AttnSide other = side == ATTN_SIDE_QUERY ? ATTN_SIDE_KEY : ATTN_SIDE_QUERY;
  AttnOrigin origin;

  if (attn_maps_get_origin (maps, side, index, &origin))
    return attn_maps_find_token (maps, other, origin.first);
  return index < attn_maps_get_n (maps, other) ? index : G_MAXSIZE;
}

static void
add_token (GArray *matches, AttnMaps *maps, AttnSide side, size_t index)
{
  size_t partner = find_partner (maps, side, index);
  size_t query = side == ATTN_SIDE_QUERY ? index : partner;
  size_t key = side == ATTN_SIDE_QUERY ? partner : index;
  HsMatch match = {
      .query = query != G_MAXSIZE ? query : 0,
      .n_queries = query != G_MAXSIZE,
      .key = key != G_MAXSIZE ? key : 0,
      .n_keys = key != G_MAXSIZE,
  };
  g_array_append_val (matches, match);
}

static void
find_in_names (GArray *matches, AttnMaps *maps, AttnSide side, const char *needle)
{
  for (size_t index = 0; index < attn_maps_get_n (maps, side); index++) {
    g_autofree char *name = g_utf8_casefold (attn_maps_peek_label (maps, side, index), -1);
    if (strstr (name, needle) != NULL && !is_covered (matches, side, index))
      add_token (matches, maps, side, index);
  }
}

static int
compare_cb (gconstpointer a, gconstpointer b)
{
  const HsMatch *x = a, *y = b;
  bool by_queries = x->n_queries > 0 && y->n_queries > 0;
  size_t first = by_queries ? x->query : x->n_keys > 0 ? x->key : x->query;
  size_t second = by_queries ? y->query : y->n_keys > 0 ? y->key : y->query;

  return first < second ? -1 : first > second;
}

GArray *
hs_find_matches (AttnMaps *maps, const char *needle)
{
  GArray *matches = g_array_new (FALSE, FALSE, sizeof (HsMatch));
  AttnTrace *trace = attn_maps_peek_trace (maps);
  g_autofree char *folded = g_utf8_casefold (needle, -1);

  if (hs_text_is_blank (needle))
    return matches;
  for (int sequence = 0; sequence < 2 && trace != NULL; sequence++)
    find_in_text (matches, maps, attn_trace_peek_tokens (trace), sequence, folded);
  find_in_names (matches, maps, ATTN_SIDE_QUERY, folded);
  find_in_names (matches, maps, ATTN_SIDE_KEY, folded);
  g_array_sort (matches, compare_cb);
  return matches;
}
