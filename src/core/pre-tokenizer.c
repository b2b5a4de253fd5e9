/* SPDX-License-Identifier: MIT */
/* The steps of cutting text into words. A step that only cuts leaves the characters where they
 * are; one that changes them writes new ones. */
#include "pre-tokenizer.h"

#include "byte-level.h"
#include "unicode.h"

typedef struct {
  AttnPattern *pattern; /* owned; NULL where @finds is used */
  bool (*finds) (gunichar c);
  gunichar c; /* a delimiter, or what stands for spaces */
  AttnCut cut;
  AttnPrepend prepend;
  bool flag; /* invert, prefix_space, split */
} Options;

typedef struct {
  /* cuts and changes @words in place; @spare's content does not matter */
  void (*run) (const Options *options, AttnWords *words, AttnWords *spare);
  Options options;
} Step;

struct _AttnPreTokenizer {
  GArray *steps; /* of Step */
};

static void
clear_step (gpointer step)
{
  g_clear_pointer (&((Step *)step)->options.pattern, attn_pattern_free);
}

AttnPreTokenizer *
attn_pre_tokenizer_new (void)
{
  AttnPreTokenizer *pre = g_new0 (AttnPreTokenizer, 1);
  pre->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (pre->steps, clear_step);
  return pre;
}

void
attn_pre_tokenizer_free (AttnPreTokenizer *pre)
{
  g_array_unref (pre->steps);
  g_free (pre);
}

static void
add_step (AttnPreTokenizer *pre,
          void (*run) (const Options *, AttnWords *, AttnWords *),
          const Options *options)
{
  Step step = {.run = run, .options = *options};
  g_array_append_val (pre->steps, step);
}

/* The new stretches, of the same characters, take the old ones' place. */
static void
take_stretches (AttnWords *words, AttnWords *spare)
{
  AttnWords before = *words;
  words->stretches = spare->stretches;
  words->n = spare->n;
  words->n_allocated = spare->n_allocated;
  words->failed |= spare->failed;
  spare->stretches = before.stretches;
  spare->n_allocated = before.n_allocated;
}

/* New characters with their stretches take the old ones' place. */
static void
take_text (AttnWords *words, AttnWords *spare)
{
  AttnWords before = *words;
  *words = *spare;
  words->chars = words->text.chars;
  words->failed |= before.failed || words->text.failed;
  *spare = before;
}

/* Puts found and other stretches of one word together; they come in turn, found ones also in a
 * row. */
typedef struct {
  AttnCut cut;
  AttnWords *out;
  size_t n_before; /* words there were before this one */
  bool was_found;
  AttnStretch pending; /* found, waiting for what is behind it; n 0: none */
} Joiner;

static void
join (Joiner *joiner, size_t first, size_t n, bool found)
{
  AttnWords *out = joiner->out;
  bool has_last = out->n > joiner->n_before;
  if (n == 0)
    return;
  if (joiner->cut == ATTN_CUT_MERGED_WITH_NEXT) {
    AttnStretch *pending = &joiner->pending;
    if (found) {
      attn_words_append (out, pending->first, pending->n);
      *pending = (AttnStretch){.first = first, .n = n};
    } else {
      attn_words_append (out, first - pending->n, pending->n + n);
      pending->n = 0;
    }
  } else if (has_last &&
             ((joiner->cut == ATTN_CUT_CONTIGUOUS && found == joiner->was_found) ||
              (joiner->cut == ATTN_CUT_MERGED_WITH_PREVIOUS && found && !joiner->was_found))) {
    out->stretches[out->n - 1].n += n;
  } else if (!found || joiner->cut != ATTN_CUT_REMOVED) {
    attn_words_append (out, first, n);
  }
  joiner->was_found = found;
}

static bool
find (const Options *options, const AttnChar *chars, size_t n, size_t at, AttnStretch *match)
{
  if (options->pattern != NULL)
    return attn_pattern_find (options->pattern, chars, n, at, match);
  while (at < n &&
         !(options->finds != NULL ? options->finds (chars[at].c) : chars[at].c == options->c))
    at++;
  *match = (AttnStretch){.first = at, .n = 1};
  return at < n;
}

static void
cut_word (const Options *options, const AttnChar *chars, AttnStretch word, AttnWords *out)
{
  Joiner joiner = {.cut = options->cut, .out = out, .n_before = out->n};
  size_t done = 0;
  AttnStretch match;
  while (done < word.n && find (options, chars + word.first, word.n, done, &match)) {
    join (&joiner, word.first + done, match.first - done, options->flag);
    join (&joiner, word.first + match.first, match.n, !options->flag);
    done = match.first + match.n;
  }
  join (&joiner, word.first + done, word.n - done, options->flag);
  attn_words_append (out, joiner.pending.first, joiner.pending.n);
}

static void
run_split (const Options *options, AttnWords *words, AttnWords *spare)
{
  spare->n = 0;
  for (size_t i = 0; i < words->n && !spare->failed; i++)
    cut_word (options, words->chars, words->stretches[i], spare);
  take_stretches (words, spare);
}

void
attn_pre_tokenizer_add_split (AttnPreTokenizer *pre, AttnPattern *pattern, AttnCut cut, bool invert)
{
  Options options = {.pattern = pattern, .cut = cut, .flag = invert};
  add_step (pre, run_split, &options);
}

static bool
is_punctuation (gunichar c)
{
  return (attn_char_get_flags (c) & ATTN_CHAR_PUNCTUATION) != 0;
}

static bool
is_numeric (gunichar c)
{
  return (attn_char_get_classes (c) & ATTN_CHAR_NUMERIC) != 0;
}

void
attn_pre_tokenizer_add_white (AttnPreTokenizer *pre)
{
  Options options = {.finds = attn_char_is_white, .cut = ATTN_CUT_REMOVED};
  add_step (pre, run_split, &options);
}

void
attn_pre_tokenizer_add_punctuation (AttnPreTokenizer *pre, AttnCut cut)
{
  Options options = {.finds = is_punctuation, .cut = cut};
  add_step (pre, run_split, &options);
}

void
attn_pre_tokenizer_add_bert (AttnPreTokenizer *pre)
{
  attn_pre_tokenizer_add_white (pre);
  attn_pre_tokenizer_add_punctuation (pre, ATTN_CUT_ISOLATED);
}

void
attn_pre_tokenizer_add_digits (AttnPreTokenizer *pre, bool individual)
{
  Options options = {.finds = is_numeric,
                     .cut = individual ? ATTN_CUT_ISOLATED : ATTN_CUT_CONTIGUOUS};
  add_step (pre, run_split, &options);
}

void
attn_pre_tokenizer_add_delimiter (AttnPreTokenizer *pre, gunichar delimiter)
{
  Options options = {.c = delimiter, .cut = ATTN_CUT_REMOVED};
  add_step (pre, run_split, &options);
}

typedef enum { KIND_WHITE, KIND_WORD, KIND_OTHER } Kind;

static Kind
get_kind (gunichar c)
{
  if ((attn_char_get_classes (c) & ATTN_CHAR_WORD) != 0)
    return KIND_WORD;
  return attn_char_is_white (c) ? KIND_WHITE : KIND_OTHER;
}

static void
run_words (G_GNUC_UNUSED const Options *options, AttnWords *words, AttnWords *spare)
{
  spare->n = 0;
  for (size_t i = 0; i < words->n; i++) {
    size_t at = words->stretches[i].first, end = at + words->stretches[i].n;
    while (at < end) {
      Kind kind = get_kind (words->chars[at].c);
      size_t stop = at + 1;
      while (stop < end && get_kind (words->chars[stop].c) == kind)
        stop++;
      if (kind != KIND_WHITE)
        attn_words_append (spare, at, stop - at);
      at = stop;
    }
  }
  take_stretches (words, spare);
}

void
attn_pre_tokenizer_add_words (AttnPreTokenizer *pre)
{
  Options options = {0};
  add_step (pre, run_words, &options);
}

/* A word's characters as they are, behind @prefix unless that is 0 or begins it. */
static void
copy_word (const AttnWords *words, size_t index, gunichar prefix, AttnWords *out)
{
  const AttnChar *chars = words->chars + words->stretches[index].first;
  size_t n = words->stretches[index].n, begin = out->text.n;
  if (prefix != 0 && chars[0].c != prefix)
    attn_char_text_append (&out->text, prefix, chars[0].start, chars[0].end);
  for (size_t i = 0; i < n; i++)
    attn_char_text_append (&out->text, chars[i].c, chars[i].start, chars[i].end);
  attn_words_append (out, begin, out->text.n - begin);
}

static void
run_prefix_space (G_GNUC_UNUSED const Options *options, AttnWords *words, AttnWords *spare)
{
  spare->n = 0;
  spare->text.n = 0;
  for (size_t i = 0; i < words->n; i++)
    copy_word (words, i, ' ', spare);
  take_text (words, spare);
}

static void
run_byte_level (G_GNUC_UNUSED const Options *options, AttnWords *words, AttnWords *spare)
{
  spare->n = 0;
  spare->text.n = 0;
  for (size_t i = 0; i < words->n; i++) {
    size_t begin = spare->text.n;
    attn_byte_level_write (words->chars + words->stretches[i].first, words->stretches[i].n,
                           &spare->text);
    attn_words_append (spare, begin, spare->text.n - begin);
  }
  take_text (words, spare);
}

void
attn_pre_tokenizer_add_byte_level (AttnPreTokenizer *pre, bool prefix_space, bool by_pattern)
{
  Options options = {0};
  if (prefix_space)
    add_step (pre, run_prefix_space, &options);
  if (by_pattern)
    attn_pre_tokenizer_add_split (pre, attn_pattern_new_gpt2 (), ATTN_CUT_ISOLATED, false);
  add_step (pre, run_byte_level, &options);
}

static void
run_metaspace (const Options *options, AttnWords *words, AttnWords *spare)
{
  spare->n = 0;
  spare->text.n = 0;
  for (size_t i = 0; i < words->n; i++) {
    const AttnChar *first = words->chars + words->stretches[i].first;
    bool begins = first->c == ' ' || first->c == options->c;
    bool prepends = options->prepend == ATTN_PREPEND_ALWAYS ||
                    (options->prepend == ATTN_PREPEND_FIRST && first->start == 0);
    size_t begin = spare->text.n;
    copy_word (words, i, prepends && !begins ? options->c : 0, spare);
    for (size_t k = begin; k < spare->text.n; k++)
      if (spare->text.chars[k].c == ' ')
        spare->text.chars[k].c = options->c;
  }
  take_text (words, spare);
}

void
attn_pre_tokenizer_add_metaspace (AttnPreTokenizer *pre,
                                  gunichar replacement,
                                  AttnPrepend prepend,
                                  bool split)
{
  Options options = {.c = replacement, .prepend = prepend};
  add_step (pre, run_metaspace, &options);
  Options cut = {.c = replacement, .cut = ATTN_CUT_MERGED_WITH_NEXT};
  if (split)
    add_step (pre, run_split, &cut);
}

bool
attn_pre_tokenizer_writes_bytes (const AttnPreTokenizer *pre)
{
  for (guint i = 0; i < pre->steps->len; i++)
    if (g_array_index (pre->steps, Step, i).run == run_byte_level)
      return true;
  return false;
}

gunichar
attn_pre_tokenizer_get_space (const AttnPreTokenizer *pre)
{
  for (guint i = 0; i < pre->steps->len; i++) {
    const Step *step = &g_array_index (pre->steps, Step, i);
    if (step->run == run_metaspace)
      return step->options.c;
  }
  return 0;
}

void
attn_pre_tokenizer_run (const AttnPreTokenizer *pre,
                        const AttnChar *chars,
                        size_t n,
                        AttnWords *words,
                        AttnWords *spare)
{
  words->chars = chars;
  words->n = 0;
  attn_words_append (words, 0, n);
  for (guint i = 0; i < pre->steps->len && !words->failed; i++) {
    const Step *step = &g_array_index (pre->steps, Step, i);
    step->run (&step->options, words, spare);
  }
}
