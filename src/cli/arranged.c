/* SPDX-License-Identifier: MIT */
/* Reading what arranges maps, with a sentence for everything that is wrong with it. */
#include "arranged.h"

#include <string.h>

#define WANTED_HEADS "wanted are heads counted from 1, with commas between them: 1,4,7 or 1-6,12"

/* "4" or "4-7" as a run of heads from 1. */
static bool
read_run (const char *word, guint64 *first, guint64 *last)
{
  g_auto (GStrv) ends = g_strsplit (word, "-", 2);
  if (ends[0] == NULL ||
      !g_ascii_string_to_unsigned (ends[0], 10, 1, ATTN_HEAD_SET_MAX, first, NULL))
    return false;
  *last = *first;
  return ends[1] == NULL ||
         (g_ascii_string_to_unsigned (ends[1], 10, 1, ATTN_HEAD_SET_MAX, last, NULL) &&
          *last >= *first);
}

static bool
read_heads (const char *value, AttnHeadSet *heads, GError **error)
{
  g_auto (GStrv) words = g_strsplit (value, ",", -1);
  *heads = (AttnHeadSet){{0}};
  for (size_t i = 0; words[i] != NULL; i++) {
    guint64 first = 0, last = 0;
    if (!read_run (words[i], &first, &last))
      return cli_usage_value (error, "--heads", value, WANTED_HEADS);
    for (guint64 head = first; head <= last; head++)
      attn_head_set_put (heads, (size_t)head - 1, true);
  }
  return true;
}

static bool
read_hidden (const char *value, unsigned *hide, GError **error)
{
  static const struct {
    const char *name;
    AttnHide flag;
  } names[] = {{"none", ATTN_HIDE_NOTHING},
               {"cls", ATTN_HIDE_CLS},
               {"sep", ATTN_HIDE_SEP},
               {"punctuation", ATTN_HIDE_PUNCTUATION}};
  g_auto (GStrv) words = g_strsplit (value, ",", -1);
  *hide = ATTN_HIDE_NOTHING;
  for (size_t i = 0; words[i] != NULL; i++) {
    size_t n = 0;
    while (n < G_N_ELEMENTS (names) && strcmp (words[i], names[n].name) != 0)
      n++;
    if (n == G_N_ELEMENTS (names))
      return cli_usage_value (error, "--hide", value,
                              "known are cls, sep and punctuation, with commas between them");
    *hide |= names[n].flag;
  }
  return true;
}

static bool
read_kept (const CliOptions *options, AttnArrangement *arrangement, GError **error)
{
  if (options->threshold > 0 && options->top_keys > 0)
    return cli_usage (error, "--threshold and --top-keys exclude each other");
  if (options->threshold > 1)
    return cli_usage (error, "--threshold %g: a weight is at most 1", options->threshold);
  if (options->threshold > 0) {
    arrangement->keep = ATTN_KEEP_ABOVE;
    arrangement->threshold = options->threshold;
  }
  if (options->top_keys > 0) {
    arrangement->keep = ATTN_KEEP_TOP;
    arrangement->n_top = options->top_keys;
  }
  return true;
}

/* Lines are of all heads, or of the one or the several that are named. */
static bool
read_lines_head (const CliOptions *options, AttnHeadSet *heads, GError **error)
{
  if (options->heads != NULL)
    return cli_usage (error, "--head and --heads exclude each other: each says which heads have "
                             "lines");
  *heads = (AttnHeadSet){{0}};
  if (options->head <= ATTN_HEAD_SET_MAX) /* else no model has it, which is told later */
    attn_head_set_put (heads, options->head - 1, true);
  return true;
}

static bool
read_combined (const CliOptions *options,
               AttnArrangement *arrangement,
               bool takes_heads,
               GError **error)
{
  if (options->combine != NULL && !attn_combine_find (options->combine, &arrangement->combine))
    return cli_usage_value (error, "--combine", options->combine, "known are mean, max and none");
  if (options->heads != NULL && !read_heads (options->heads, &arrangement->heads, error))
    return false;
  arrangement->combine_layers = arrangement->combine_layers || options->combine_layers;
  bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  if (!combines && ((options->heads != NULL && !takes_heads) || options->combine_layers))
    return cli_usage (error, "%s says what is combined; say how by --combine mean or max",
                      options->combine_layers ? "--all-layers" : "--heads");
  if (combines && options->head > 0)
    return cli_usage (error, "--head and --combine exclude each other: --heads says which heads "
                             "are combined");
  if (!combines && takes_heads && options->head > 0 &&
      !read_lines_head (options, &arrangement->heads, error))
    return false;
  if (combines && arrangement->combine_layers && options->layer > 0)
    return cli_usage (error, "--layer and --all-layers exclude each other");
  return true;
}

bool
cli_arrangement_read (const CliOptions *options,
                      AttnArrangement *arrangement,
                      bool takes_heads,
                      GError **error)
{
  if (options->unit != NULL && !attn_unit_find (options->unit, &arrangement->unit))
    return cli_usage_value (error, "--unit", options->unit,
                            "known are tokens, characters and words");
  if (options->part != NULL && !attn_part_find (options->part, &arrangement->part))
    return cli_usage_value (error, "--part", options->part,
                            "known are all, a-a, a-b, b-a and b-b: from which text to which");
  arrangement->renormalise = arrangement->renormalise || options->renormalise;
  return (options->hide == NULL || read_hidden (options->hide, &arrangement->hide, error)) &&
         read_kept (options, arrangement, error) &&
         read_combined (options, arrangement, takes_heads, error);
}

bool
cli_words_read (const CliOptions *options,
                const AttnArrangement *arrangement,
                AttnWordList **words,
                GError **error)
{
  if (options->words_file == NULL)
    return true;
  if (arrangement->unit != ATTN_UNIT_WORDS)
    return cli_usage (error, "--words-file needs --unit words");
  AttnWordList *list = attn_word_list_load (options->words_file, error);
  if (list == NULL)
    return false;
  g_clear_pointer (words, attn_word_list_unref);
  *words = list;
  return true;
}

bool
cli_arrangement_check (const AttnArrangement *arrangement, size_t n_heads, GError **error)
{
  if (attn_head_set_is_empty (&arrangement->heads))
    return true;
  for (size_t head = n_heads; head < ATTN_HEAD_SET_MAX; head++)
    if (attn_head_set_has (&arrangement->heads, head))
      return cli_usage (error, "--heads %zu: the model has heads 1 to %zu", head + 1, n_heads);
  return true;
}
