/* SPDX-License-Identifier: MIT */
/* The normaliser a tokenizer.json describes. */
#include "file.h"
#include "normalizer.h"
#include "step-reader.h"

#include "attn/error.h"

#include <string.h>

static bool
read_bert (json_t *step, const AttnStepContext *context, GError **error)
{
  AttnBertNormalizer options;
  if (!attn_step_get_bool (step, "clean_text", true, &options.clean, context, error) ||
      !attn_step_get_bool (step, "handle_chinese_chars", true, &options.split_ideographs, context,
                           error) ||
      !attn_step_get_bool (step, "lowercase", true, &options.lower, context, error) ||
      !attn_step_get_bool (step, "strip_accents", options.lower, &options.strip_accents, context,
                           error))
    return false;
  attn_normalizer_add_bert (context->target, &options);
  return true;
}

static bool
read_strip (json_t *step, const AttnStepContext *context, GError **error)
{
  bool left, right;
  if (!attn_step_get_bool (step, "strip_left", true, &left, context, error) ||
      !attn_step_get_bool (step, "strip_right", true, &right, context, error))
    return false;
  attn_normalizer_add_strip (context->target, left, right);
  return true;
}

static bool
read_form (json_t *step, const AttnStepContext *context, G_GNUC_UNUSED GError **error)
{
  const char *type = json_string_value (json_object_get (step, "type"));
  bool compatible = strlen (type) == strlen ("NFKC");
  bool compose = g_str_has_suffix (type, "C");
  AttnNormalForm form =
      compatible ? (compose ? ATTN_FORM_KC : ATTN_FORM_KD) : (compose ? ATTN_FORM_C : ATTN_FORM_D);
  attn_normalizer_add_form (context->target, form);
  return true;
}

static bool
read_plain (json_t *step, const AttnStepContext *context, G_GNUC_UNUSED GError **error)
{
  static const struct {
    const char *type;
    void (*add) (AttnNormalizer *);
  } steps[] = {
      {"StripAccents", attn_normalizer_add_strip_accents},
      {"Lowercase", attn_normalizer_add_lower},
      {"Nmt", attn_normalizer_add_nmt},
      {"ByteLevel", attn_normalizer_add_byte_level},
  };
  const char *type = json_string_value (json_object_get (step, "type"));
  for (size_t i = 0; i < G_N_ELEMENTS (steps); i++)
    if (g_str_equal (steps[i].type, type))
      steps[i].add (context->target);
  return true;
}

static bool
read_prepend (json_t *step, const AttnStepContext *context, GError **error)
{
  const char *text;
  if (!attn_step_get_string (step, "prepend", "", &text, context, error))
    return false;
  attn_normalizer_add_prepend (context->target, text);
  return true;
}

static bool
read_replace (json_t *step, const AttnStepContext *context, GError **error)
{
  const char *content;
  if (!attn_step_get_string (step, "content", "", &content, context, error))
    return false;
  AttnPattern *pattern = attn_pattern_read (json_object_get (step, "pattern"),
                                            "normalizer: Replace", context->path, error);
  if (pattern == NULL)
    return false;
  attn_normalizer_add_replace (context->target, pattern, content);
  return true;
}

/* GLib's decoder passes over what is no base64, so that is looked for first. */
static guint8 *
decode_base64 (const char *text, gsize *n_bytes)
{
  size_t n = strlen (text), n_padding = 0;
  while (n_padding < 2 && n_padding < n && text[n - 1 - n_padding] == '=')
    n_padding++;
  for (size_t i = 0; i < n - n_padding; i++)
    if (!g_ascii_isalnum (text[i]) && text[i] != '+' && text[i] != '/')
      return NULL;
  return n % 4 == 0 ? g_base64_decode (text, n_bytes) : NULL;
}

static bool
read_charsmap (json_t *step, const AttnStepContext *context, GError **error)
{
  static const char key[] = "precompiled_charsmap";
  const char *text;
  if (!attn_step_get_string (step, key, "", &text, context, error))
    return false;
  if (text[0] == '\0')
    return true;
  gsize n_bytes = 0;
  g_autofree guint8 *blob = decode_base64 (text, &n_bytes);
  g_autofree char *what = g_strdup_printf ("%s: normalizer: %s", context->path, key);
  if (blob == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_FORMAT, "%s: found no base64, wanted a map in it",
                 what);
    return false;
  }
  AttnCharsmap *map = attn_charsmap_new (blob, n_bytes, what, error);
  if (map == NULL)
    return false;
  attn_normalizer_add_charsmap (context->target, map);
  return true;
}

bool
attn_normalizer_read (json_t *value, AttnNormalizer *normalizer, const char *path, GError **error)
{
  static const AttnStepReader readers[] = {
      {"BertNormalizer", read_bert},
      {"Strip", read_strip},
      {"StripAccents", read_plain},
      {"NFC", read_form},
      {"NFD", read_form},
      {"NFKC", read_form},
      {"NFKD", read_form},
      {"Lowercase", read_plain},
      {"Nmt", read_plain},
      {"Precompiled", read_charsmap},
      {"Replace", read_replace},
      {"Prepend", read_prepend},
      {"ByteLevel", read_plain},
  };
  AttnStepContext context = {.path = path, .section = "normalizer", .target = normalizer};
  return attn_steps_read (value, "normalizers", readers, G_N_ELEMENTS (readers), &context, error);
}
