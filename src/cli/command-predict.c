/* SPDX-License-Identifier: MIT */
/* headscope-cli predict: the best guesses at each mask, or for the token after the text. */
#include "cli.h"
#include "elsewhere.h"
#include "subject.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <string.h>

#define DEFAULT_TOP 5

static void
note_no_mask (const CliSubject *subject, const CliText *text)
{
  const char *mask = attn_tokenizer_peek_mask (attn_model_peek_tokenizer (subject->model));
  g_autofree char *shown = mask != NULL ? attn_file_dup_shown (mask, strlen (mask)) : NULL;
  cli_warn ("note: %s%sno mask to guess at%s%s", text->place != NULL ? text->place : "",
            text->place != NULL ? ": " : "", mask != NULL ? "; type " : "",
            mask != NULL ? shown : "");
}

static bool
predict_one (
    const CliSubject *subject, const CliText *text, size_t top, AttnOutput *output, GError **error)
{
  g_autoptr (AttnTrace) trace = cli_subject_run (subject, text, error);
  g_autoptr (AttnPredictions) predictions =
      trace == NULL ? NULL : attn_trace_predict (trace, top, subject->pool, error);
  if (predictions == NULL)
    return false;
  if (predictions->n == 0)
    note_no_mask (subject, text);
  g_autoptr (GString) json = g_string_new (NULL);
  g_string_append (json, "{\"masks\":");
  attn_predictions_append_json (json, predictions);
  g_string_append (json, "}\n");
  return cli_write (output, json, error) && attn_output_flush (output, error);
}

bool
cli_predict (const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "guessing", error))
    return false;
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  g_auto (CliSubject) subject = {0};
  if (texts == NULL || !cli_subject_init (&subject, options, error))
    return false;
  if (!attn_model_has_lm_head (subject.model)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED, "%s has no LM head, so it cannot guess",
                 subject.name);
    return false;
  }
  g_autoptr (AttnOutput) output = cli_open_output (options, error);
  if (output == NULL)
    return false;
  size_t top = options->top > 0 ? options->top : DEFAULT_TOP;
  for (guint i = 0; i < texts->len; i++)
    if (!predict_one (&subject, g_ptr_array_index (texts, i), top, output, error))
      return false;
  return attn_output_commit (output, error);
}
