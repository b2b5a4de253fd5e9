/* SPDX-License-Identifier: MIT */
/* Finds added tokens by narrowing a sorted list, character after character. */
#include "added-tokens.h"

#include "unicode.h"

typedef struct {
  AttnAddedToken token;
  gunichar *content; /* [n] */
  size_t n;
  guint order; /* of being added */
} Entry;

struct _AttnAddedTokens {
  GArray *entries;      /* of Entry, sorted by content */
  gunichar least, most; /* first characters lie between these */
};

static void
clear_entry (gpointer entry)
{
  g_free (((Entry *)entry)->content);
}

AttnAddedTokens *
attn_added_tokens_new (void)
{
  AttnAddedTokens *tokens = g_new0 (AttnAddedTokens, 1);
  tokens->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (tokens->entries, clear_entry);
  return tokens;
}

void
attn_added_tokens_free (AttnAddedTokens *tokens)
{
  g_array_unref (tokens->entries);
  g_free (tokens);
}

void
attn_added_tokens_add (AttnAddedTokens *tokens,
                       const AttnCharText *content,
                       const AttnAddedToken *token)
{
  Entry entry = {.token = *token,
                 .content = g_new (gunichar, content->n),
                 .n = content->n,
                 .order = tokens->entries->len};
  for (size_t i = 0; i < content->n; i++)
    entry.content[i] = content->chars[i].c;
  g_array_append_val (tokens->entries, entry);
}

static int
compare_contents (const Entry *a, const Entry *b)
{
  size_t n = MIN (a->n, b->n);
  for (size_t i = 0; i < n; i++)
    if (a->content[i] != b->content[i])
      return a->content[i] < b->content[i] ? -1 : 1;
  return a->n < b->n ? -1 : a->n > b->n;
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *entry_a = a, *entry_b = b;
  int order = compare_contents (entry_a, entry_b);
  return order != 0 ? order : entry_a->order < entry_b->order ? -1 : 1;
}

void
attn_added_tokens_seal (AttnAddedTokens *tokens)
{
  GArray *entries = tokens->entries;
  g_array_sort (entries, compare_entries);
  for (guint i = entries->len; i-- > 1;)
    if (compare_contents (&g_array_index (entries, Entry, i - 1),
                          &g_array_index (entries, Entry, i)) == 0)
      g_array_remove_index (entries, i);
  tokens->least = 1;
  if (entries->len > 0) {
    tokens->least = g_array_index (entries, Entry, 0).content[0];
    tokens->most = g_array_index (entries, Entry, entries->len - 1).content[0];
  }
}

/* The first entry of [low, high) whose character @depth is @c or greater. */
static guint
find_bound (const AttnAddedTokens *tokens, guint low, guint high, size_t depth, gunichar c)
{
  while (low < high) {
    guint middle = (low + high) / 2;
    if (g_array_index (tokens->entries, Entry, middle).content[depth] < c)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The longest token the characters begin with, or NULL. */
static const Entry *
find_longest (const AttnAddedTokens *tokens, const AttnChar *chars, size_t n)
{
  const Entry *longest = NULL;
  guint low = 0, high = tokens->entries->len;
  for (size_t depth = 0; depth < n && low < high; depth++) {
    gunichar c = chars[depth].c;
    low = find_bound (tokens, low, high, depth, c);
    high = find_bound (tokens, low, high, depth, c + 1);
    if (low < high && g_array_index (tokens->entries, Entry, low).n == depth + 1)
      longest = &g_array_index (tokens->entries, Entry, low++);
  }
  return longest;
}

static bool
is_word_char (gunichar c)
{
  return (attn_char_get_classes (c) & ATTN_CHAR_WORD) != 0;
}

static bool
stands_alone (const AttnChar *chars, size_t n, size_t start, size_t stop)
{
  return (start == 0 || !is_word_char (chars[start - 1].c)) &&
         (stop == n || !is_word_char (chars[stop].c));
}

void
attn_added_tokens_split (const AttnAddedTokens *tokens,
                         const AttnChar *chars,
                         size_t n,
                         GArray *found)
{
  size_t done = 0;
  for (size_t at = 0; at < n;) {
    const Entry *entry = NULL;
    if (chars[at].c >= tokens->least && chars[at].c <= tokens->most)
      entry = find_longest (tokens, chars + at, n - at);
    if (entry == NULL) {
      at++;
      continue;
    }
    size_t start = at, stop = at + entry->n;
    at = stop;
    if (entry->token.single_word && !stands_alone (chars, n, start, stop))
      continue;
    start = MAX (start, done); /* the token before may have taken the white space it begins with */
    if (start >= stop)
      continue;
    while (entry->token.lstrip && start > done && attn_char_is_white (chars[start - 1].c))
      start--;
    while (entry->token.rstrip && stop < n && attn_char_is_white (chars[stop].c))
      stop++;
    AttnFoundToken before = {.id = -1, .first = done, .n = start - done};
    AttnFoundToken match = {.id = entry->token.id, .first = start, .n = stop - start};
    if (before.n > 0)
      g_array_append_val (found, before);
    g_array_append_val (found, match);
    done = stop;
  }
  AttnFoundToken rest = {.id = -1, .first = done, .n = n - done};
  if (rest.n > 0)
    g_array_append_val (found, rest);
}
