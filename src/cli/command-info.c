/* SPDX-License-Identifier: MIT */
/* headscope-cli info: what a model is, or a file of attention. */
#include "cli.h"
#include "elsewhere.h"
#include "subject.h"

#include "attn-draw/diagnostics.h"
#include "attn-hub/diagnostics.h"
#include "attn-hub/store.h"

static void
append_sizes (GString *json, AttnModel *model)
{
  const AttnConfig *config = attn_model_peek_config (model);
  AttnParameterCounts counts = {0};
  attn_model_get_parameter_counts (model, &counts);
  g_string_append (json, "{\"name\":");
  cli_append_string (json, attn_hub_peek_model_name (model));
  g_string_append (json, ",\"family\":");
  cli_append_string (json, config->family);
  g_string_append_printf (json,
                          ",\"layers\":%zu,\"heads\":%zu,\"d_model\":%zu,\"d_k\":%zu,\"d_ff\":%zu"
                          ",\"vocab\":%zu,\"max_tokens\":%zu",
                          config->n_layers, config->n_heads, config->d_model, config->d_k,
                          config->d_ff, config->vocab_size, attn_model_get_max_tokens (model));
  g_string_append_printf (json,
                          ",\"parameters\":{\"total\":%zu,\"attention_block\":%zu,"
                          "\"attention_block_no_bias\":%zu,\"head\":%zu}",
                          counts.total, counts.attention_block, counts.attention_block_no_bias,
                          counts.head);
}

static bool
append_weights (GString *json, AttnModel *model, bool with_hash, GError **error)
{
  g_string_append (json, ",\"weights\":{\"files\":[");
  const char *const *files = attn_model_peek_files (model);
  for (size_t i = 0; files[i] != NULL; i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, files[i]);
  }
  g_string_append (json, "],\"dtype\":");
  cli_append_string (json, attn_model_peek_dtype_name (model));
  g_string_append_printf (json, ",\"bytes\":%" G_GUINT64_FORMAT, attn_model_get_n_bytes (model));
  if (with_hash) {
    const char *sha256 = attn_model_compute_sha256 (model, NULL, NULL, error);
    if (sha256 == NULL)
      return false;
    g_string_append (json, ",\"sha256\":");
    cli_append_string (json, sha256);
  }
  g_string_append_c (json, '}');
  return true;
}

static void
append_warnings (GString *json, AttnModel *model)
{
  g_string_append (json, ",\"kernel\":");
  cli_append_string (json, attn_kernel_peek_name ());
  g_string_append (json, ",\"warnings\":[");
  for (size_t i = 0; i < attn_model_get_n_warnings (model); i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, attn_model_peek_warning (model, i));
  }
  g_string_append_c (json, ']');
}

static bool
append_tensors (GString *json, const char *folder, GError **error)
{
  g_autofree char *weights = attn_folder_find_weights (folder, error);
  g_autoptr (AttnSource) source = weights == NULL ? NULL : attn_source_open (weights, error);
  if (source == NULL)
    return false;
  g_string_append (json, ",\"tensors\":[");
  for (size_t i = 0; i < attn_source_get_n_tensors (source); i++) {
    const AttnTensorInfo *tensor = attn_source_peek_tensor (source, i);
    g_string_append (json, i > 0 ? ",{\"name\":" : "{\"name\":");
    cli_append_string (json, tensor->name);
    g_string_append (json, ",\"dtype\":");
    cli_append_string (json, tensor->dtype_name);
    g_string_append (json, ",\"shape\":[");
    for (size_t d = 0; d < tensor->n_dims; d++)
      g_string_append_printf (json, d > 0 ? ",%zu" : "%zu", tensor->shape[d]);
    g_string_append (json, "]}");
  }
  g_string_append_c (json, ']');
  return true;
}

static void
append_diagnostics (GString *json, const CliSubject *subject)
{
  g_autoptr (AttnDiagnostics) diagnostics =
      attn_draw_diagnostics_new (attn_pool_get_n_threads (subject->pool), subject->model,
                                 attn_hub_peek_model_name (subject->model));
  attn_hub_diagnostics_add (diagnostics);
  attn_diagnostics_add (diagnostics, "locale", "%s", g_get_language_names ()[0]);
  g_string_append_c (json, ',');
  attn_diagnostics_append_json (diagnostics, json);
}

static bool
append_file (GString *json, AttnArrays *arrays, bool with_hash, GError **error)
{
  g_string_append (json, "{\"name\":");
  cli_append_string (json, attn_arrays_peek_name (arrays));
  g_string_append (json, ",\"format\":");
  cli_append_string (json, attn_arrays_format_peek_name (attn_arrays_get_format (arrays)));
  g_string_append (json, ",\"array\":");
  if (attn_arrays_peek_array (arrays) != NULL)
    cli_append_string (json, attn_arrays_peek_array (arrays));
  else
    g_string_append (json, "null");
  g_string_append (json, ",\"dtype\":");
  cli_append_string (json, attn_arrays_peek_dtype (arrays));
  g_string_append_printf (
      json, ",\"shape\":%s,\"layers\":%zu,\"heads\":%zu,\"queries\":%zu,\"keys\":%zu",
      attn_arrays_peek_shape (arrays), attn_arrays_get_n_layers (arrays),
      attn_arrays_get_n_heads (arrays), attn_arrays_get_n (arrays, ATTN_SIDE_QUERY),
      attn_arrays_get_n (arrays, ATTN_SIDE_KEY));
  const char *sha256 = with_hash ? attn_arrays_compute_sha256 (arrays, NULL, NULL, error) : NULL;
  if (with_hash && sha256 == NULL)
    return false;
  if (with_hash) {
    g_string_append (json, ",\"sha256\":");
    cli_append_string (json, sha256);
  }
  return true;
}

static void
append_labels (GString *json, const char *key, const AttnLabels *labels, AttnSide side)
{
  g_string_append_printf (json, ",\"%s\":[", key);
  for (size_t i = 0; i < attn_labels_get_n (labels, side); i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, attn_labels_peek (labels, side, i));
  }
  g_string_append_c (json, ']');
}

/* What is in a file of another program's attention. */
static bool
tell_arrays (const CliOptions *options, GError **error)
{
  g_auto (CliSubject) subject = {0};
  if (options->tensors || options->diagnostics)
    return cli_arrays_refuse (options, options->tensors ? "--tensors" : "--diagnostics", error);
  if (!cli_arrays_check (options, error) || !cli_subject_init (&subject, options, error))
    return false;
  /* whether the tokens fit */
  g_autoptr (AttnMaps) maps = cli_subject_new_maps (&subject, NULL, error);
  g_autoptr (GString) json = g_string_new (NULL);
  if (maps == NULL || !append_file (json, subject.arrays, options->hash, error))
    return false;
  bool is_one = attn_labels_is_one_list (subject.labels);
  append_labels (json, is_one ? "tokens" : "query_tokens", subject.labels, ATTN_SIDE_QUERY);
  if (!is_one)
    append_labels (json, "key_tokens", subject.labels, ATTN_SIDE_KEY);
  g_string_append (json, ",\"warnings\":[");
  for (size_t i = 0; i < attn_arrays_get_n_warnings (subject.arrays); i++) {
    if (i > 0)
      g_string_append_c (json, ',');
    cli_append_string (json, attn_arrays_peek_warning (subject.arrays, i));
  }
  g_string_append (json, "]}\n");
  return cli_answer (options, json, error);
}

bool
cli_info (const CliOptions *options, GError **error)
{
  if (options->attention != NULL)
    return tell_arrays (options, error);
  if (!cli_arrays_check (options, error))
    return false;
  g_autofree char *folder = attn_hub_find_model (options->model, error);
  g_auto (CliSubject) subject = {0};
  if (folder == NULL || !cli_subject_init (&subject, options, error))
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  append_sizes (json, subject.model);
  if (!append_weights (json, subject.model, options->hash, error))
    return false;
  append_warnings (json, subject.model);
  if (options->tensors && !append_tensors (json, folder, error))
    return false;
  if (options->diagnostics)
    append_diagnostics (json, &subject);
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
