/* SPDX-License-Identifier: MIT */
/* Partners among two lists of tokens: a longest common subsequence of their names. */
#include "attn/align.h"

#include "align-names.h"

#include "attn/error.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct _AttnAlignment {
  gatomicrefcount ref_count;
  size_t n;           /* pairs */
  size_t n_tokens[2]; /* of A and of B */
  size_t *tokens[2];  /* [n] where a pair stands in A and in B */
  size_t *pair_of[2]; /* [n_tokens] the pair of each token of A and of B; G_MAXSIZE for none */
};

/* Names as numbers that compare as the names do. */
typedef struct {
  size_t n[2];
  uint32_t *ranks[2]; /* [n] of A and of B */
} Names;

static void
names_clear (Names *names)
{
  g_free (names->ranks[0]);
  g_free (names->ranks[1]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Names, names_clear)

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

static void
names_init (Names *names, const AttnMaps *const maps[2], AttnSide side)
{
  g_autoptr (GPtrArray) all = attn_align_names_new (maps, side);
  const char *const *name = (const char *const *)all->pdata;
  g_autofree const char **sorted = g_memdup2 (all->pdata, all->len * sizeof *sorted);
  size_t n_ranks = 0;

  qsort (sorted, all->len, sizeof *sorted, compare_names);
  for (size_t i = 0; i < all->len; i++)
    if (i == 0 || strcmp (sorted[i], sorted[n_ranks - 1]) != 0)
      sorted[n_ranks++] = sorted[i];
  for (int of = 0; of < 2; of++) {
    names->n[of] = attn_maps_get_n (maps[of], side);
    names->ranks[of] = g_new (uint32_t, names->n[of]);
    for (size_t i = 0; i < names->n[of]; i++) {
      const char **place = bsearch (name++, sorted, n_ranks, sizeof *place, compare_names);
      names->ranks[of][i] = (uint32_t)(place - sorted);
    }
  }
}

static void
add_pair (AttnAlignment *alignment, size_t a, size_t b)
{
  alignment->tokens[0][alignment->n] = a;
  alignment->tokens[1][alignment->n] = b;
  alignment->pair_of[0][a] = alignment->n;
  alignment->pair_of[1][b] = alignment->n;
  alignment->n++;
}

/* What lies between the first and the last difference. */
typedef struct {
  const uint32_t *a, *b;
  size_t n_a, n_b;
  uint8_t *skips_b; /* [n_a, n_b] bits: where two names differ, whether B's is left out first */
} Middle;

static bool
get_bit (const Middle *middle, size_t a, size_t b)
{
  size_t bit = a * middle->n_b + b;
  return (middle->skips_b[bit / 8] >> bit % 8 & 1) != 0;
}

static void
set_bit (Middle *middle, size_t a, size_t b)
{
  size_t bit = a * middle->n_b + b;
  middle->skips_b[bit / 8] |= (uint8_t)(1U << bit % 8);
}

/* From the end on: @next and @row hold how many pairs the rest of A from a + 1, or from a, has with
 * the rest of B from each of its tokens. Of two ways that leave equally many, the one without the
 * greater name is taken, whichever list that is in. */
static void
fill_row (Middle *middle, size_t a, const uint32_t *next, uint32_t *row)
{
  row[middle->n_b] = 0;
  for (size_t b = middle->n_b; b-- > 0;) {
    uint32_t without_a = next[b], without_b = row[b + 1];
    if (middle->a[a] == middle->b[b]) {
      row[b] = next[b + 1] + 1;
      continue;
    }
    row[b] = MAX (without_a, without_b);
    if (without_b > without_a || (without_b == without_a && middle->b[b] > middle->a[a]))
      set_bit (middle, a, b);
  }
}

static bool
middle_fill (Middle *middle, GError **error)
{
  size_t n_bits = 0;
  bool fits = g_size_checked_mul (&n_bits, middle->n_a, middle->n_b);
  g_autofree uint32_t *next = g_try_new0 (uint32_t, middle->n_b + 1);
  g_autofree uint32_t *row = g_try_new0 (uint32_t, middle->n_b + 1);

  if (fits)
    middle->skips_b = g_try_malloc0 (n_bits / 8 + 1);
  if (middle->skips_b == NULL || next == NULL || row == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "no memory to compare %zu with %zu tokens", middle->n_a, middle->n_b);
    return false;
  }
  for (size_t a = middle->n_a; a-- > 0;) {
    fill_row (middle, a, next, row);
    uint32_t *swap = next;
    next = row;
    row = swap;
  }
  return true;
}

static void
add_middle (AttnAlignment *alignment, const Middle *middle, size_t offset)
{
  for (size_t a = 0, b = 0; a < middle->n_a && b < middle->n_b;) {
    if (middle->a[a] == middle->b[b])
      add_pair (alignment, offset + a++, offset + b++);
    else if (get_bit (middle, a, b))
      b++;
    else
      a++;
  }
}

/* Equal ends belong to a longest common subsequence whatever lies between them. */
static bool
find_pairs (AttnAlignment *alignment, const Names *names, GError **error)
{
  const uint32_t *a = names->ranks[0], *b = names->ranks[1];
  size_t n_a = names->n[0], n_b = names->n[1], start = 0, n_last = 0;

  while (start < MIN (n_a, n_b) && a[start] == b[start])
    start++;
  while (n_last < MIN (n_a, n_b) - start && a[n_a - 1 - n_last] == b[n_b - 1 - n_last])
    n_last++;
  Middle middle = {a + start, b + start, n_a - start - n_last, n_b - start - n_last, NULL};
  bool is_known = middle.n_a == 0 || middle.n_b == 0 || middle_fill (&middle, error);
  for (size_t i = 0; i < start; i++)
    add_pair (alignment, i, i);
  if (is_known)
    add_middle (alignment, &middle, start);
  for (size_t i = n_last; i-- > 0;)
    add_pair (alignment, n_a - 1 - i, n_b - 1 - i);
  g_free (middle.skips_b);
  return is_known;
}

AttnAlignment *
attn_alignment_new (const AttnMaps *a, const AttnMaps *b, AttnSide side, GError **error)
{
  g_return_val_if_fail (a != NULL && b != NULL, NULL);
  const AttnMaps *const maps[2] = {a, b};
  g_auto (Names) names = {0};
  g_autoptr (AttnAlignment) alignment = g_new0 (AttnAlignment, 1);

  g_atomic_ref_count_init (&alignment->ref_count);
  names_init (&names, maps, side);
  for (int of = 0; of < 2; of++) {
    alignment->n_tokens[of] = names.n[of];
    alignment->tokens[of] = g_new (size_t, MIN (names.n[0], names.n[1]));
    alignment->pair_of[of] = g_new (size_t, names.n[of]);
    for (size_t i = 0; i < names.n[of]; i++)
      alignment->pair_of[of][i] = G_MAXSIZE;
  }
  return find_pairs (alignment, &names, error) ? g_steal_pointer (&alignment) : NULL;
}

AttnAlignment *
attn_alignment_ref (AttnAlignment *alignment)
{
  g_return_val_if_fail (alignment != NULL, NULL);
  g_atomic_ref_count_inc (&alignment->ref_count);
  return alignment;
}

void
attn_alignment_unref (AttnAlignment *alignment)
{
  if (alignment == NULL || !g_atomic_ref_count_dec (&alignment->ref_count))
    return;
  for (int of = 0; of < 2; of++) {
    g_free (alignment->tokens[of]);
    g_free (alignment->pair_of[of]);
  }
  g_free (alignment);
}

size_t
attn_alignment_get_n (const AttnAlignment *alignment)
{
  return alignment->n;
}

void
attn_alignment_get (const AttnAlignment *alignment, size_t index, size_t *a, size_t *b)
{
  g_return_if_fail (index < alignment->n);
  *a = alignment->tokens[0][index];
  *b = alignment->tokens[1][index];
}

size_t
attn_alignment_get_n_alone (const AttnAlignment *alignment, bool of_b)
{
  return alignment->n_tokens[of_b] - alignment->n;
}

size_t
attn_alignment_find (const AttnAlignment *alignment, bool of_b, size_t index)
{
  g_return_val_if_fail (index < alignment->n_tokens[of_b], G_MAXSIZE);
  return alignment->pair_of[of_b][index];
}
