/* SPDX-License-Identifier: MIT */
/* Words are runs of letters and digits, runs of signs, and single Han characters or those of a
 * list; tokens of one word form a group, and a token that reaches into two words joins them. */
#include "token-words.h"

#include "unicode.h"

typedef enum {
  KIND_WHITE,
  KIND_WORD,
  KIND_HAN,
  KIND_SIGN,
  KIND_EXTENDING, /* belongs to what stands before it */
} Kind;

static Kind
get_kind (gunichar c)
{
  if (attn_char_is_white (c))
    return KIND_WHITE;
  switch (g_unichar_type (c)) {
  case G_UNICODE_NON_SPACING_MARK:
  case G_UNICODE_SPACING_MARK:
  case G_UNICODE_ENCLOSING_MARK:
  case G_UNICODE_FORMAT:
    return KIND_EXTENDING;
  case G_UNICODE_CONTROL:
    return KIND_WHITE;
  default:
    break;
  }
  if (g_unichar_get_script (c) == G_UNICODE_SCRIPT_HAN)
    return KIND_HAN;
  return g_unichar_isalnum (c) || c == '_' || g_unichar_type (c) == G_UNICODE_OTHER_NUMBER ||
                 g_unichar_type (c) == G_UNICODE_LETTER_NUMBER
             ? KIND_WORD
             : KIND_SIGN;
}

/* A text's words, one after the other. */
typedef struct {
  const char *text;
  size_t n_bytes;
  size_t start, end;        /* of the word that is reached */
  size_t index;             /* of that word */
  const AttnWordList *list; /* nullable */
} Walk;

static gunichar
get_char (const Walk *walk, size_t at)
{
  return at < walk->n_bytes ? g_utf8_get_char (walk->text + at) : ' ';
}

static size_t
step (const Walk *walk, size_t at)
{
  return at + g_utf8_skip[(guchar)walk->text[at]];
}

/* An apostrophe between letters and a point or comma between digits part no word. */
static bool
joins_word (const Walk *walk, gunichar before, size_t at)
{
  gunichar c = get_char (walk, at), next = get_char (walk, step (walk, at));
  if (c == '\'' || c == 0x2019)
    return g_unichar_isalpha (before) && g_unichar_isalpha (next) && get_kind (next) == KIND_WORD;
  return (c == '.' || c == ',') && g_unichar_isdigit (before) && g_unichar_isdigit (next);
}

/* Returns: where the run of Han characters at @at ends. */
static size_t
find_han_end (const Walk *walk, size_t at)
{
  while (at < walk->n_bytes) {
    Kind kind = get_kind (get_char (walk, at));
    if (kind != KIND_HAN && kind != KIND_EXTENDING)
      break;
    at = step (walk, at);
  }
  return at;
}

/* Returns: where the last character of the list's longest word at @at begins; @at for none. */
static size_t
find_listed_last (const Walk *walk, size_t at)
{
  if (walk->list == NULL)
    return at;
  size_t n_bytes = attn_word_list_match (walk->list, walk->text + at, find_han_end (walk, at) - at);
  size_t last = at;
  for (size_t next = at; next < at + n_bytes; next = step (walk, next))
    last = next;
  return last;
}

static size_t
find_word_end (const Walk *walk, size_t at)
{
  Kind kind = get_kind (get_char (walk, at));
  if (kind == KIND_HAN)
    at = find_listed_last (walk, at);
  gunichar last = get_char (walk, at);
  for (at = step (walk, at); at < walk->n_bytes; at = step (walk, at)) {
    gunichar c = get_char (walk, at);
    Kind next = get_kind (c);
    if (next == KIND_EXTENDING && kind != KIND_WHITE)
      continue;
    if (kind == KIND_EXTENDING && next != KIND_WHITE)
      kind = next; /* one at the start of all belongs to what follows */
    else if (next != kind && !(kind == KIND_WORD && joins_word (walk, last, at)))
      break;
    else if (kind == KIND_HAN)
      break;
    last = c;
  }
  return at;
}

/* Goes on to the word with the byte @at in it; returns its index. */
static size_t
walk_to (Walk *walk, size_t at)
{
  while (walk->end <= at && walk->end < walk->n_bytes) {
    walk->start = walk->end;
    walk->end = find_word_end (walk, walk->start);
    walk->index++;
  }
  return walk->index;
}

void
attn_token_trim_blanks (const char *text, size_t *start, size_t *end)
{
  const char *first = text + *start, *last = text + *end;
  while (first < last && get_kind (g_utf8_get_char (first)) == KIND_WHITE)
    first += g_utf8_skip[(guchar)*first];
  if (first == last)
    return;
  for (const char *before; last > first; last = before) {
    before = g_utf8_prev_char (last);
    if (get_kind (g_utf8_get_char (before)) != KIND_WHITE)
      break;
  }
  *start = (size_t)(first - text);
  *end = (size_t)(last - text);
}

size_t
attn_token_groups_find (const AttnToken *tokens,
                        size_t n,
                        const AttnTokensText *texts,
                        const AttnWordList *list,
                        AttnTokenGroup *groups)
{
  Walk walks[] = {{.text = texts[0].bytes, .n_bytes = texts[0].n_bytes, .list = list},
                  {.text = texts[1].bytes, .n_bytes = texts[1].n_bytes, .list = list}};
  size_t n_groups = 0, last_word = 0;
  for (size_t i = 0; i < n; i++) {
    const AttnToken *token = &tokens[i];
    size_t start = token->start, end = token->end;
    bool has_place = token->sequence >= 0 && start < end;
    bool joins = false;
    if (has_place) {
      Walk *walk = &walks[token->sequence];
      attn_token_trim_blanks (walk->text, &start, &end);
      size_t first_word = walk_to (walk, start);
      joins = i > 0 && !token->mask && !tokens[i - 1].mask &&
              tokens[i - 1].sequence == token->sequence &&
              tokens[i - 1].start < tokens[i - 1].end && first_word <= last_word;
      last_word = walk_to (walk, end - 1);
    }
    if (joins) {
      groups[n_groups - 1].n++;
      groups[n_groups - 1].end = MAX (groups[n_groups - 1].end, end);
    } else {
      groups[n_groups++] = (AttnTokenGroup){
          .first = i, .n = 1, .start = has_place ? start : 0, .end = has_place ? end : 0};
    }
  }
  return n_groups;
}

bool
attn_token_group_shows_text (const AttnTokenGroup *group,
                             const AttnToken *first,
                             const AttnTokensText *texts)
{
  return group->end > group->start &&
         !attn_char_is_white (g_utf8_get_char (texts[first->sequence].bytes + group->start));
}
