/* SPDX-License-Identifier: MIT */
/* headscope-cli lens: the table of lenses, and which of them fit the model and the text. */
#include "cli.h"
#include "elsewhere.h"
#include "hidden.h"
#include "subject.h"

#include "attn/lens.h"

static void
append_field (GString *json, const char *key, const char *value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  cli_append_string (json, value);
}

static void
append_lens (GString *json, AttnLens lens, AttnLensReason reason)
{
  const AttnLensAbout *about = attn_lens_peek_about (lens);
  g_autofree char *why = attn_lens_dup_reason (lens, reason);
  g_string_append_printf (json, "%s{\"name\":", lens == 0 ? "" : ",");
  cli_append_string (json, attn_lens_peek_name (lens));
  append_field (json, "title", about->title);
  append_field (json, "meaning", about->meaning);
  append_field (json, "level", attn_lens_level_peek_name (about->level));
  append_field (json, "cost", attn_lens_cost_peek_name (about->cost));
  append_field (json, "families", about->families);
  if (about->max_tokens > 0)
    g_string_append_printf (json, ",\"max_tokens\":%zu", about->max_tokens);
  g_string_append_printf (json, ",\"defined\":%s", why == NULL ? "true" : "false");
  if (why != NULL)
    append_field (json, "reason", why);
  g_string_append_c (json, '}');
}

bool
cli_lens (const CliOptions *options, GError **error)
{
  const bool has_text = options->text != NULL || options->file != NULL;
  if (cli_hidden_is_asked (options))
    return cli_hidden (options, error);
  if (options->top > 0 || options->guess != NULL)
    return cli_usage (error, "--top goes with --logits, --guess with --contributions");
  if (!cli_arrays_check (options, error))
    return false;
  g_autoptr (GPtrArray) texts =
      has_text || options->attention != NULL ? cli_texts_read (options, error) : NULL;
  g_auto (CliSubject) subject = {0};
  if ((has_text && texts == NULL) || !cli_subject_init (&subject, options, error))
    return false;
  g_autoptr (AttnMaps) maps =
      texts != NULL ? cli_subject_new_maps (&subject, g_ptr_array_index (texts, 0), error) : NULL;
  if (texts != NULL && maps == NULL)
    return false;
  g_autoptr (GString) json = g_string_new ("{\"lenses\":[");
  for (unsigned i = 0; i < ATTN_N_LENSES; i++)
    append_lens (json, (AttnLens)i,
                 maps != NULL ? attn_lens_get_reason ((AttnLens)i, maps)
                              : attn_lens_get_model_reason ((AttnLens)i, subject.model, 0));
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}
