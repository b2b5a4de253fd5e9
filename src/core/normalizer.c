/* SPDX-License-Identifier: MIT */
/* The steps of normalising that look at one character at a time, and their running in a row. */
#include "normalizer.h"

#include "byte-level.h"
#include "normal-forms.h"
#include "unicode.h"

#include <string.h>

typedef union {
  AttnBertNormalizer bert;
  AttnNormalForm form;
  AttnCharsmap *charsmap;
  struct {
    bool left, right;
  } strip;
  struct {
    AttnPattern *pattern; /* NULL: in front of the text */
    gunichar *content;    /* [n] */
    size_t n;
  } replace;
} Options;

typedef struct {
  void (*run) (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out);
  Options options;
} Step;

struct _AttnNormalizer {
  GArray *steps; /* of Step */
};

static void run_charsmap (const Options *options, const AttnChar *chars, size_t n, AttnCharText *);
static void run_replace (const Options *options, const AttnChar *chars, size_t n, AttnCharText *);
static void run_prepend (const Options *options, const AttnChar *chars, size_t n, AttnCharText *);

static void
clear_step (gpointer data)
{
  Step *step = data;
  if (step->run == run_charsmap)
    attn_charsmap_free (step->options.charsmap);
  if (step->run != run_replace && step->run != run_prepend)
    return;
  g_clear_pointer (&step->options.replace.pattern, attn_pattern_free);
  g_free (step->options.replace.content);
}

AttnNormalizer *
attn_normalizer_new (void)
{
  AttnNormalizer *normalizer = g_new0 (AttnNormalizer, 1);
  normalizer->steps = g_array_new (FALSE, FALSE, sizeof (Step));
  g_array_set_clear_func (normalizer->steps, clear_step);
  return normalizer;
}

void
attn_normalizer_free (AttnNormalizer *normalizer)
{
  g_array_unref (normalizer->steps);
  g_free (normalizer);
}

static void
run_bert (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  attn_bert_normalize (&options->bert, chars, n, out);
}

void
attn_normalizer_add_bert (AttnNormalizer *normalizer, const AttnBertNormalizer *options)
{
  Step step = {.run = run_bert, .options.bert = *options};
  g_array_append_val (normalizer->steps, step);
}

static void
run_form (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  AttnNormalForm form = options->form;
  attn_normal_form_write (chars, n, form == ATTN_FORM_KC || form == ATTN_FORM_KD,
                          form == ATTN_FORM_C || form == ATTN_FORM_KC, out);
}

void
attn_normalizer_add_form (AttnNormalizer *normalizer, AttnNormalForm form)
{
  Step step = {.run = run_form, .options.form = form};
  g_array_append_val (normalizer->steps, step);
}

static void
run_lower (G_GNUC_UNUSED const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  for (size_t i = 0; i < n; i++)
    attn_bert_append_lower (out, chars[i].c, chars[i].start, chars[i].end);
}

void
attn_normalizer_add_lower (AttnNormalizer *normalizer)
{
  Step step = {.run = run_lower};
  g_array_append_val (normalizer->steps, step);
}

static void
run_strip_accents (G_GNUC_UNUSED const Options *options,
                   const AttnChar *chars,
                   size_t n,
                   AttnCharText *out)
{
  for (size_t i = 0; i < n; i++)
    if ((attn_char_get_classes (chars[i].c) & ATTN_CHAR_MARK) == 0)
      attn_char_text_append (out, chars[i].c, chars[i].start, chars[i].end);
}

void
attn_normalizer_add_strip_accents (AttnNormalizer *normalizer)
{
  Step step = {.run = run_strip_accents};
  g_array_append_val (normalizer->steps, step);
}

static void
run_strip (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  size_t first = 0, end = n;
  while (options->strip.left && first < end && attn_char_is_white (chars[first].c))
    first++;
  while (options->strip.right && end > first && attn_char_is_white (chars[end - 1].c))
    end--;
  for (size_t i = first; i < end; i++)
    attn_char_text_append (out, chars[i].c, chars[i].start, chars[i].end);
}

void
attn_normalizer_add_strip (AttnNormalizer *normalizer, bool left, bool right)
{
  Step step = {.run = run_strip, .options.strip = {left, right}};
  g_array_append_val (normalizer->steps, step);
}

/* What the NMT task cleans away, as SentencePiece does. */
static bool
is_nmt_control (gunichar c)
{
  return (c >= 0x01 && c <= 0x08) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F ||
         c == 0x8F || c == 0x9F;
}

static bool
is_nmt_space (gunichar c)
{
  return c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0x1680 ||
         (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 || c == 0x2581 || c == 0xFEFF ||
         c == 0xFFFD;
}

static void
run_nmt (G_GNUC_UNUSED const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  for (size_t i = 0; i < n; i++)
    if (!is_nmt_control (chars[i].c))
      attn_char_text_append (out, is_nmt_space (chars[i].c) ? ' ' : chars[i].c, chars[i].start,
                             chars[i].end);
}

void
attn_normalizer_add_nmt (AttnNormalizer *normalizer)
{
  Step step = {.run = run_nmt};
  g_array_append_val (normalizer->steps, step);
}

static void
run_prepend (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  for (size_t i = 0; i < options->replace.n && n > 0; i++)
    attn_char_text_append (out, options->replace.content[i], chars[0].start, chars[0].end);
  for (size_t i = 0; i < n; i++)
    attn_char_text_append (out, chars[i].c, chars[i].start, chars[i].end);
}

void
attn_normalizer_add_prepend (AttnNormalizer *normalizer, const char *text)
{
  glong n = 0;
  Step step = {.run = run_prepend};
  step.options.replace.content = g_utf8_to_ucs4_fast (text, -1, &n);
  step.options.replace.n = (size_t)n;
  g_array_append_val (normalizer->steps, step);
}

/* What replaces a match spans its last character, as in the reference. */
static void
run_replace (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  AttnRewrite rewrite = {.old = chars, .n = n, .out = out};
  AttnStretch match;
  for (size_t at = 0; at < n && !out->failed; at = match.first + match.n) {
    if (!attn_pattern_find (options->replace.pattern, chars, n, at, &match))
      match = (AttnStretch){.first = n, .n = 0};
    while (rewrite.at < match.first)
      attn_rewrite_replace (&rewrite, chars[rewrite.at].c);
    attn_rewrite_skip (&rewrite, match.n);
    for (size_t i = 0; i < options->replace.n && match.n > 0; i++)
      attn_rewrite_insert (&rewrite, options->replace.content[i]);
  }
}

void
attn_normalizer_add_replace (AttnNormalizer *normalizer, AttnPattern *pattern, const char *content)
{
  glong n = 0;
  Step step = {.run = run_replace};
  step.options.replace.pattern = pattern;
  step.options.replace.content = g_utf8_to_ucs4_fast (content, -1, &n);
  step.options.replace.n = (size_t)n;
  g_array_append_val (normalizer->steps, step);
}

static void
run_byte_level (G_GNUC_UNUSED const Options *options,
                const AttnChar *chars,
                size_t n,
                AttnCharText *out)
{
  attn_byte_level_write (chars, n, out);
}

void
attn_normalizer_add_byte_level (AttnNormalizer *normalizer)
{
  Step step = {.run = run_byte_level};
  g_array_append_val (normalizer->steps, step);
}

static void
run_charsmap (const Options *options, const AttnChar *chars, size_t n, AttnCharText *out)
{
  attn_charsmap_write (options->charsmap, chars, n, out);
}

void
attn_normalizer_add_charsmap (AttnNormalizer *normalizer, AttnCharsmap *charsmap)
{
  Step step = {.run = run_charsmap, .options.charsmap = charsmap};
  g_array_append_val (normalizer->steps, step);
}

bool
attn_normalizer_writes_bytes (const AttnNormalizer *normalizer)
{
  for (guint i = 0; i < normalizer->steps->len; i++)
    if (g_array_index (normalizer->steps, Step, i).run == run_byte_level)
      return true;
  return false;
}

gunichar
attn_normalizer_get_space (const AttnNormalizer *normalizer)
{
  static const AttnChar space = {.c = ' '};
  for (guint i = 0; i < normalizer->steps->len; i++) {
    const Step *step = &g_array_index (normalizer->steps, Step, i);
    AttnStretch match;
    if (step->run == run_replace && step->options.replace.n == 1 &&
        step->options.replace.content[0] != ' ' &&
        attn_pattern_find (step->options.replace.pattern, &space, 1, 0, &match))
      return step->options.replace.content[0];
  }
  return 0;
}

static void
copy_chars (const AttnChar *chars, size_t n, AttnCharText *out)
{
  for (size_t i = 0; i < n; i++)
    attn_char_text_append (out, chars[i].c, chars[i].start, chars[i].end);
}

void
attn_normalizer_run (const AttnNormalizer *normalizer,
                     const AttnChar *chars,
                     size_t n,
                     AttnCharText *out,
                     AttnCharText *spare)
{
  out->n = 0;
  if (normalizer->steps->len == 0)
    copy_chars (chars, n, out);
  for (guint i = 0; i < normalizer->steps->len; i++) {
    const Step *step = &g_array_index (normalizer->steps, Step, i);
    if (i > 0) {
      AttnCharText before = *out;
      *out = *spare;
      *spare = before;
      out->n = 0;
      out->failed |= spare->failed;
      out->too_long |= spare->too_long;
      chars = spare->chars;
      n = spare->n;
    }
    step->run (&step->options, chars, n, out);
  }
}
