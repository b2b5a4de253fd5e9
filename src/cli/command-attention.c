/* SPDX-License-Identifier: MIT */
/* headscope-cli attention: the maps as numbers. */
#include "arranged.h"
#include "cli.h"
#include "elsewhere.h"
#include "lens.h"
#include "subject.h"

#include "attn-hub/store.h"

#include <string.h>

static bool
read_with (const char *with, AttnExportChoice *choice, GError **error)
{
  g_auto (GStrv) words = g_strsplit (with, ",", -1);
  for (size_t i = 0; words[i] != NULL; i++) {
    bool *wanted = strcmp (words[i], "hidden") == 0   ? &choice->with_hidden
                   : strcmp (words[i], "logits") == 0 ? &choice->with_logits
                                                      : NULL;
    if (wanted == NULL)
      return cli_usage_value (error, "--with", with,
                              "known are \"hidden\", \"logits\" and \"hidden,logits\"");
    if (*wanted)
      return cli_usage_value (error, "--with", with, "%s stands there twice", words[i]);
    *wanted = true;
  }
  return true;
}

/* What the maps go through before they are written. */
typedef struct {
  AttnArrangement arrangement;
  AttnWordList *words; /* nullable */
} Arranged;

static void
arranged_clear (Arranged *arranged)
{
  g_clear_pointer (&arranged->words, attn_word_list_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Arranged, arranged_clear)

/* A lens of whole layers has one map for all heads. */
static bool
read_lens (const CliOptions *options, AttnExportChoice *choice, GError **error)
{
  if (!cli_lens_read (options, &choice->lens, error) ||
      !cli_lens_check (choice->lens, options, error))
    return false;
  if (!attn_lens_is_joint (choice->lens))
    return true;
  choice->all_heads = choice->all_layers;
  choice->head = 0;
  return true;
}

/* Of combined heads there is one, and one layer where these are combined, too. */
static bool
read_arranged (const CliOptions *options,
               Arranged *arranged,
               AttnExportChoice *choice,
               GError **error)
{
  AttnArrangement *arrangement = &arranged->arrangement;
  if (!cli_arrangement_read (options, arrangement, false, error) ||
      !cli_words_read (options, arrangement, &arranged->words, error))
    return false;
  choice->arrangement = arrangement;
  if (options->batch != NULL && !attn_arrangement_is_plain (arrangement))
    return cli_usage (error, "--batch writes maps as they are: it excludes what arranges them");
  if (options->batch != NULL && (options->lens != NULL || options->mask_positions != NULL))
    return cli_usage (error, "--batch writes maps as they are: it excludes --lens and "
                             "--mask-positions");
  if (arrangement->combine == ATTN_COMBINE_NONE)
    return true;
  choice->all_heads = choice->all_layers && !arrangement->combine_layers;
  choice->head = 0;
  if (arrangement->combine_layers) {
    choice->all_layers = false;
    choice->layer = 0;
  }
  return true;
}

static bool
read_options (const CliOptions *options,
              AttnExportChoice *choice,
              AttnExportFormat *format,
              GError **error)
{
  *choice = (AttnExportChoice){
      .all_layers = options->layer == 0 || options->all_layers,
      .all_heads = options->head == 0 || options->all_heads,
      .layer = options->layer - 1,
      .head = options->head - 1,
  };
  *format = ATTN_EXPORT_JSON;
  if (options->format != NULL && !attn_export_format_find (options->format, format))
    return cli_usage_value (error, "--format", options->format,
                            "known are json, csv, npy, npz and safetensors");
  if (options->with != NULL && !read_with (options->with, choice, error))
    return false;
  if (*format != ATTN_EXPORT_SAFETENSORS && (options->with != NULL || options->batch != NULL))
    return cli_usage (error, "%s needs --format safetensors",
                      options->batch != NULL ? "--batch" : "--with");
  return true;
}

static bool
write_bytes (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  return attn_output_write (data, bytes, n_bytes, error);
}

static bool
export_one (const CliSubject *subject,
            const CliText *text,
            const Arranged *arranged,
            const AttnExportChoice *choice,
            AttnExportFormat format,
            const CliOptions *options,
            AttnOutput *output,
            GError **error)
{
  bool tells = attn_export_format_has_about (format);
  g_autoptr (CliHash) hash = tells ? cli_hash_start (subject) : NULL;
  g_autoptr (AttnMaps) all = cli_subject_new_maps (subject, text, error);
  if (all == NULL)
    return false;
  const bool one_layer = !choice->all_layers && !arranged->arrangement.combine_layers;
  g_autoptr (AttnMaps) seen = cli_lens_new_maps (choice->lens, all, subject, text,
                                                 one_layer ? choice->layer : G_MAXSIZE, error);
  if (seen == NULL)
    return false;
  g_autoptr (AttnMaps) maps =
      attn_maps_arrange (seen, &arranged->arrangement, arranged->words, choice->pool, error);
  if (maps == NULL)
    return false;
  AttnExportAbout about = {
      .model_name = subject->model != NULL ? attn_hub_peek_model_name (subject->model) : NULL,
      .weights_sha256 = tells ? cli_hash_wait (hash) : NULL,
      .max_tokens = options->max_tokens,
      .words = arranged->words,
      .arrays = subject->arrays,
  };
  AttnExportChoice told = *choice;
  told.about = &about;
  return attn_export (maps, &told, format, write_bytes, output, error);
}

static void
unref_tokens (void *tokens)
{
  attn_tokens_unref (tokens);
}

static bool
export_all (const CliSubject *subject,
            GPtrArray *texts,
            const AttnExportChoice *choice,
            AttnOutput *output,
            GError **error)
{
  g_autoptr (GPtrArray) tokens = g_ptr_array_new_with_free_func (unref_tokens);
  for (guint i = 0; i < texts->len; i++) {
    AttnTokens *encoded = cli_subject_encode (subject, g_ptr_array_index (texts, i), error);
    if (encoded == NULL)
      return false;
    g_ptr_array_add (tokens, encoded);
  }
  return attn_export_texts (subject->model, (AttnTokens *const *)tokens->pdata, tokens->len, choice,
                            write_bytes, output, error);
}

bool
cli_attention (const CliOptions *options, GError **error)
{
  AttnExportChoice choice;
  AttnExportFormat format;
  g_auto (Arranged) arranged = {0};
  if (!cli_arrays_check (options, error) || !read_options (options, &choice, &format, error) ||
      !read_lens (options, &choice, error) || !read_arranged (options, &arranged, &choice, error))
    return false;
  cli_lens_leave_rows (choice.lens, &arranged.arrangement);
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  g_auto (CliSubject) subject = {0};
  if (texts == NULL || !cli_subject_init (&subject, options, error) ||
      !cli_subject_check (&subject, options->all_layers ? 0 : options->layer,
                          options->all_heads ? 0 : options->head, error) ||
      !cli_arrangement_check (&arranged.arrangement, cli_subject_get_n_heads (&subject), error))
    return false;
  choice.pool = subject.pool;
  if (choice.with_logits && !attn_model_has_lm_head (subject.model))
    cli_warn ("note: %s has no LM head, so logits are left out", subject.name);
  bool text_format = format == ATTN_EXPORT_JSON || format == ATTN_EXPORT_CSV;
  g_autoptr (AttnOutput) output =
      text_format ? cli_open_output (options, error)
                  : cli_open_binary_output (options, attn_export_format_peek_name (format), error);
  if (output == NULL)
    return false;
  bool done = options->batch != NULL
                  ? export_all (&subject, texts, &choice, output, error)
                  : export_one (&subject, g_ptr_array_index (texts, 0), &arranged, &choice, format,
                                options, output, error);
  return done && attn_output_commit (output, error);
}
