/* SPDX-License-Identifier: MIT */
/* headscope-cli tokenize: a text as a model's tokens. Reads only a folder's tokenizer files. */
#include "cli.h"
#include "elsewhere.h"
#include "subject.h"

#include "attn-hub/store.h"

typedef void (*AppendField) (GString *json, const AttnToken *token);

static void
append_id (GString *json, const AttnToken *token)
{
  g_string_append_printf (json, "%d", token->id);
}

static void
append_piece (GString *json, const AttnToken *token)
{
  cli_append_string (json, token->piece);
}

static void
append_span (GString *json, const AttnToken *token)
{
  if (token->sequence < 0)
    g_string_append (json, "null");
  else
    g_string_append_printf (json, "[%zu,%zu]", token->start, token->end);
}

static void
append_sequence (GString *json, const AttnToken *token)
{
  if (token->sequence < 0)
    g_string_append (json, "null");
  else
    g_string_append_printf (json, "%d", token->sequence);
}

static void
append_type (GString *json, const AttnToken *token)
{
  g_string_append_printf (json, "%d", token->type_id);
}

static void
append_special (GString *json, const AttnToken *token)
{
  g_string_append (json, token->special ? "true" : "false");
}

static void
append_tokens (GString *json, AttnTokens *tokens)
{
  static const struct {
    const char *name;
    AppendField append;
  } fields[] = {
      {"ids", append_id},        {"tokens", append_piece},
      {"offsets", append_span},  {"sequence", append_sequence},
      {"type_ids", append_type}, {"special", append_special},
  };
  for (size_t f = 0; f < G_N_ELEMENTS (fields); f++) {
    g_string_append_printf (json, "%s\"%s\":[", f > 0 ? "," : "{", fields[f].name);
    for (size_t t = 0; t < attn_tokens_get_n (tokens); t++) {
      if (t > 0)
        g_string_append_c (json, ',');
      fields[f].append (json, attn_tokens_peek (tokens, t));
    }
    g_string_append_c (json, ']');
  }
  g_string_append_printf (json, ",\"truncated\":%zu}\n", attn_tokens_get_n_truncated (tokens));
}

/* What the model would take: its config counts where there is a readable one. */
static size_t
find_limit (const char *folder, AttnTokenizer *tokenizer)
{
  size_t limit = attn_tokenizer_get_max_tokens (tokenizer);
  g_autoptr (AttnConfig) config = attn_config_load (folder, NULL);
  return config == NULL ? limit : MIN (limit, config->n_positions);
}

bool
cli_tokenize (const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "making tokens", error))
    return false;
  g_autoptr (GPtrArray) texts = cli_texts_read (options, error);
  g_autofree char *model = texts == NULL ? NULL : attn_hub_find_model (options->model, error);
  g_autofree char *folder = model == NULL ? NULL : attn_folder_find_transformer (model, error);
  g_autoptr (AttnTokenizer) tokenizer = folder == NULL ? NULL : attn_tokenizer_load (folder, error);
  if (tokenizer == NULL)
    return false;
  for (size_t i = 0; i < attn_tokenizer_get_n_warnings (tokenizer); i++)
    cli_warn ("warning: %s", attn_tokenizer_peek_warning (tokenizer, i));
  size_t limit = options->max_tokens > 0 ? options->max_tokens : find_limit (folder, tokenizer);
  g_autoptr (AttnOutput) output = cli_open_output (options, error);
  if (output == NULL)
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  for (guint i = 0; i < texts->len; i++) {
    g_autoptr (AttnTokens) tokens =
        cli_encode (tokenizer, g_ptr_array_index (texts, i), limit, error);
    if (tokens == NULL)
      return false;
    g_string_truncate (json, 0);
    append_tokens (json, tokens);
    if (!cli_write (output, json, error))
      return false;
  }
  return attn_output_commit (output, error);
}
