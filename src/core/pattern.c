/* SPDX-License-Identifier: MIT */
/* Patterns written by hand, over the classes of unicode.h. */
#include "pattern.h"

#include "file.h"
#include "unicode.h"

#include "attn/error.h"

#include <string.h>

/* How many characters match at @at; 0 for no match there. */
typedef size_t (*MatchFunc) (const AttnPattern *pattern,
                             const AttnChar *chars,
                             size_t n,
                             size_t at);

struct _AttnPattern {
  MatchFunc match;
  gunichar *text; /* [n] */
  size_t n;
};

static size_t
match_text (const AttnPattern *pattern, const AttnChar *chars, size_t n, size_t at)
{
  if (pattern->n > n - at)
    return 0;
  for (size_t i = 0; i < pattern->n; i++)
    if (chars[at + i].c != pattern->text[i])
      return 0;
  return pattern->n;
}

static size_t
count_white (const AttnChar *chars, size_t n, size_t at)
{
  size_t end = at;
  while (end < n && attn_char_is_white (chars[end].c))
    end++;
  return end - at;
}

/* \s+ */
static size_t
match_spaces (G_GNUC_UNUSED const AttnPattern *pattern, const AttnChar *chars, size_t n, size_t at)
{
  return count_white (chars, n, at);
}

/* \s */
static size_t
match_space (G_GNUC_UNUSED const AttnPattern *pattern,
             const AttnChar *chars,
             G_GNUC_UNUSED size_t n,
             size_t at)
{
  return attn_char_is_white (chars[at].c);
}

/* \s{2,} */
static size_t
match_many_spaces (G_GNUC_UNUSED const AttnPattern *pattern,
                   const AttnChar *chars,
                   size_t n,
                   size_t at)
{
  size_t n_white = count_white (chars, n, at);
  return n_white >= 2 ? n_white : 0;
}

/* \s{2,}|[\n\r\t] */
static size_t
match_spaces_or_breaks (G_GNUC_UNUSED const AttnPattern *pattern,
                        const AttnChar *chars,
                        size_t n,
                        size_t at)
{
  gunichar c = chars[at].c;
  size_t n_white = count_white (chars, n, at);
  return n_white >= 2 || c == '\n' || c == '\r' || c == '\t' ? n_white : 0;
}

/* " {2,}" */
static size_t
match_many_blanks (G_GNUC_UNUSED const AttnPattern *pattern,
                   const AttnChar *chars,
                   size_t n,
                   size_t at)
{
  size_t end = at;
  while (end < n && chars[end].c == ' ')
    end++;
  return end - at >= 2 ? end - at : 0;
}

/* 's|'t|'re|'ve|'m|'ll|'d */
static size_t
match_contraction (const AttnChar *chars, size_t n, size_t at)
{
  static const char endings[][3] = {"s", "t", "re", "ve", "m", "ll", "d"};
  if (chars[at].c != '\'')
    return 0;
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++) {
    size_t n_ending = strlen (endings[i]), k = 0;
    while (k < n_ending && at + 1 + k < n && chars[at + 1 + k].c == (gunichar)endings[i][k])
      k++;
    if (k == n_ending)
      return 1 + n_ending;
  }
  return 0;
}

typedef enum { KIND_LETTER, KIND_NUMBER, KIND_WHITE, KIND_OTHER } Kind;

static Kind
get_kind (gunichar c)
{
  unsigned classes = attn_char_get_classes (c);
  if ((classes & ATTN_CHAR_LETTER) != 0)
    return KIND_LETTER;
  if ((classes & ATTN_CHAR_NUMBER) != 0)
    return KIND_NUMBER;
  return attn_char_is_white (c) ? KIND_WHITE : KIND_OTHER;
}

/* 's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
 *
 * matches wherever it is asked: a run of one kind with the blank before it; of more white space
 * than one character, the last is left to the word behind it. */
static size_t
match_gpt2 (G_GNUC_UNUSED const AttnPattern *pattern, const AttnChar *chars, size_t n, size_t at)
{
  size_t n_contraction = match_contraction (chars, n, at);
  if (n_contraction > 0)
    return n_contraction;
  size_t begin = at + (chars[at].c == ' ' && at + 1 < n);
  Kind kind = get_kind (chars[begin].c);
  if (kind == KIND_WHITE) {
    size_t n_white = count_white (chars, n, at);
    return at + n_white < n && n_white > 1 ? n_white - 1 : n_white;
  }
  size_t end = begin + 1;
  while (end < n && get_kind (chars[end].c) == kind)
    end++;
  return end - at;
}

static const struct {
  const char *expression;
  MatchFunc match;
} known_expressions[] = {
    {"\\s+", match_spaces},
    {"\\s", match_space},
    {"\\s{2,}", match_many_spaces},
    {"\\s{2,}|[\\n\\r\\t]", match_spaces_or_breaks},
    {" {2,}", match_many_blanks},
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
     match_gpt2},
    {"'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", match_gpt2},
};

AttnPattern *
attn_pattern_new_text (const char *text)
{
  glong n = 0;
  AttnPattern *pattern = g_new0 (AttnPattern, 1);
  pattern->match = match_text;
  pattern->text = g_utf8_to_ucs4_fast (text, -1, &n);
  pattern->n = (size_t)n;
  return pattern;
}

static AttnPattern *
new_pattern (MatchFunc match)
{
  AttnPattern *pattern = g_new0 (AttnPattern, 1);
  pattern->match = match;
  return pattern;
}

AttnPattern *
attn_pattern_new_gpt2 (void)
{
  return new_pattern (match_gpt2);
}

AttnPattern *
attn_pattern_new_spaces_or_breaks (void)
{
  return new_pattern (match_spaces_or_breaks);
}

static AttnPattern *
new_expression (const char *expression, const char *where, const char *path, GError **error)
{
  for (size_t i = 0; i < G_N_ELEMENTS (known_expressions); i++)
    if (g_str_equal (known_expressions[i].expression, expression))
      return new_pattern (known_expressions[i].match);
  g_autofree char *shown = attn_file_dup_shown (expression, strlen (expression));
  attn_file_refuse (path, ATTN_ERROR_UNSUPPORTED, error,
                    "%s: found the regular expression \"%s\", wanted one that is known here "
                    "(GPT-2's, or of white space)",
                    where, shown);
  return NULL;
}

AttnPattern *
attn_pattern_read (json_t *value, const char *where, const char *path, GError **error)
{
  const char *text = NULL, *expression = NULL;
  if (!json_is_object (value) || json_object_size (value) != 1) {
    attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                      "%s: the pattern is no object with \"String\" or \"Regex\"", where);
    return NULL;
  }
  if (!attn_json_get_string (value, "String", NULL, &text, path, error) ||
      !attn_json_get_string (value, "Regex", NULL, &expression, path, error))
    return NULL;
  if (text != NULL)
    return attn_pattern_new_text (text);
  if (expression != NULL)
    return new_expression (expression, where, path, error);
  attn_file_refuse (path, ATTN_ERROR_FORMAT, error,
                    "%s: the pattern is no object with \"String\" or \"Regex\"", where);
  return NULL;
}

void
attn_pattern_free (AttnPattern *pattern)
{
  g_free (pattern->text);
  g_free (pattern);
}

bool
attn_pattern_find (
    const AttnPattern *pattern, const AttnChar *chars, size_t n, size_t at, AttnStretch *match)
{
  for (; at < n; at++) {
    size_t n_matched = pattern->match (pattern, chars, n, at);
    if (n_matched == 0)
      continue;
    *match = (AttnStretch){.first = at, .n = n_matched};
    return true;
  }
  return false;
}
