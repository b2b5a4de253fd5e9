/* SPDX-License-Identifier: MIT */
/* The pre-tokenizer a tokenizer.json describes. */
#include "pre-tokenizer.h"
#include "step-reader.h"

#include "attn/error.h"

#include <string.h>

static bool
read_plain (json_t *step, const AttnStepContext *context, G_GNUC_UNUSED GError **error)
{
  static const struct {
    const char *type;
    void (*add) (AttnPreTokenizer *);
  } steps[] = {
      {"BertPreTokenizer", attn_pre_tokenizer_add_bert},
      {"Whitespace", attn_pre_tokenizer_add_words},
      {"WhitespaceSplit", attn_pre_tokenizer_add_white},
  };
  const char *type = json_string_value (json_object_get (step, "type"));
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++)
    if (g_str_equal (steps[i].type, type))
      steps[i].add (context->target);
  return true;
}

static bool
read_byte_level (json_t *step, const AttnStepContext *context, GError **error)
{
  bool prefix_space, by_pattern;
  if (!attn_step_get_bool (step, "add_prefix_space", true, &prefix_space, context, error) ||
      !attn_step_get_bool (step, "use_regex", true, &by_pattern, context, error))
    return false;
  attn_pre_tokenizer_add_byte_level (context->target, prefix_space, by_pattern);
  return true;
}

/* Finds one of a few names. @value: unchanged where the field is missing. */
static bool
get_choice (json_t *step,
            const char *key,
            const char *const *names,
            int *value,
            const AttnStepContext *context,
            GError **error)
{
  const char *name;
  if (!attn_step_get_string (step, key, NULL, &name, context, error))
    return false;
  if (name == NULL)
    return true;
  for (int i = 0; names[i] != NULL; i++)
    if (g_str_equal (names[i], name)) {
      *value = i;
      return true;
    }
  g_autofree char *place = g_strdup_printf ("%s: %s", context->path, context->section);
  g_autoptr (GString) wanted = g_string_new ("one of");
  for (int i = 0; names[i] != NULL; i++)
    g_string_append_printf (wanted, "%s %s", i > 0 ? "," : "", names[i]);
  return attn_json_refuse (error, ATTN_ERROR_UNSUPPORTED, place, key, json_object_get (step, key),
                           wanted->str);
}

/* Older files say only add_prefix_space, which is always or never. */
static bool
read_metaspace (json_t *step, const AttnStepContext *context, GError **error)
{
  static const char *const schemes[] = {"always", "first", "never", NULL};
  gunichar replacement;
  bool prefix_space, split;
  if (!attn_step_get_bool (step, "add_prefix_space", true, &prefix_space, context, error))
    return false;
  int scheme = prefix_space ? ATTN_PREPEND_ALWAYS : ATTN_PREPEND_NEVER;
  if (!attn_step_get_char (step, "replacement", 0x2581, &replacement, context, error) ||
      !attn_step_get_bool (step, "split", true, &split, context, error) ||
      !get_choice (step, "prepend_scheme", schemes, &scheme, context, error))
    return false;
  attn_pre_tokenizer_add_metaspace (context->target, replacement, (AttnPrepend)scheme, split);
  return true;
}

static bool
get_cut (json_t *step, AttnCut *cut, const AttnStepContext *context, GError **error)
{
  static const char *const cuts[] = {
      "Removed", "Isolated", "Contiguous", "MergedWithPrevious", "MergedWithNext", NULL};
  int value = ATTN_CUT_ISOLATED;
  if (!get_choice (step, "behavior", cuts, &value, context, error))
    return false;
  *cut = (AttnCut)value;
  return true;
}

static bool
read_punctuation (json_t *step, const AttnStepContext *context, GError **error)
{
  AttnCut cut;
  if (!get_cut (step, &cut, context, error))
    return false;
  attn_pre_tokenizer_add_punctuation (context->target, cut);
  return true;
}

static bool
read_split (json_t *step, const AttnStepContext *context, GError **error)
{
  AttnCut cut;
  bool invert;
  if (!get_cut (step, &cut, context, error) ||
      !attn_step_get_bool (step, "invert", false, &invert, context, error))
    return false;
  AttnPattern *pattern = attn_pattern_read (json_object_get (step, "pattern"),
                                            "pre_tokenizer: Split", context->path, error);
  if (pattern == NULL)
    return false;
  attn_pre_tokenizer_add_split (context->target, pattern, cut, invert);
  return true;
}

static bool
read_digits (json_t *step, const AttnStepContext *context, GError **error)
{
  bool individual;
  if (!attn_step_get_bool (step, "individual_digits", false, &individual, context, error))
    return false;
  attn_pre_tokenizer_add_digits (context->target, individual);
  return true;
}

static bool
read_delimiter (json_t *step, const AttnStepContext *context, GError **error)
{
  gunichar delimiter;
  if (!attn_step_get_char (step, "delimiter", ' ', &delimiter, context, error))
    return false;
  attn_pre_tokenizer_add_delimiter (context->target, delimiter);
  return true;
}

bool
attn_pre_tokenizer_read (json_t *value, AttnPreTokenizer *pre, const char *path, GError **error)
{
  static const AttnStepReader readers[] = {
      {"BertPreTokenizer", read_plain},
      {"ByteLevel", read_byte_level},
      {"Metaspace", read_metaspace},
      {"Whitespace", read_plain},
      {"WhitespaceSplit", read_plain},
      {"Punctuation", read_punctuation},
      {"Split", read_split},
      {"Digits", read_digits},
      {"CharDelimiterSplit", read_delimiter},
  };
  AttnStepContext context = {.path = path, .section = "pre_tokenizer", .target = pre};
  return attn_steps_read (value, "pretokenizers", readers, G_N_ELEMENTS (readers), &context, error);
}
