/* SPDX-License-Identifier: MIT */
/* headscope-cli lab: the arithmetic of head counts, the steps of a run with real numbers, and small
 * layers trained with several numbers of heads. */
#include "elsewhere.h"
#include "lab-forms.h"
#include "lab-parts.h"

#include "attn/error.h"

static void
append_nearest (GString *json, size_t below, size_t above)
{
  g_string_append_c (json, '[');
  if (below > 0)
    g_string_append_printf (json, "%zu", below);
  if (above > 0)
    g_string_append_printf (json, "%s%zu", below > 0 ? "," : "", above);
  g_string_append_c (json, ']');
}

static void
append_count (GString *json, const AttnLabShape *shape, const AttnLabCount *count)
{
  g_string_append_printf (json, "{\"d_model\":%zu,\"heads\":%zu,\"layers\":%zu,\"tokens\":%zu",
                          shape->d_model, shape->n_heads, shape->n_layers, shape->n_tokens);
  if (count->divisible)
    g_string_append_printf (json, ",\"d_k\":%zu,\"divisible\":true", count->d_k);
  else
    g_string_append (json, ",\"d_k\":null,\"divisible\":false");
  g_string_append (json, ",\"nearest_heads\":");
  append_nearest (json, count->heads_below, count->heads_above);
  g_string_append (json, ",\"nearest_d_model\":");
  append_nearest (json, count->width_below, count->width_above);
  g_string_append_printf (
      json,
      ",\"parameters\":%" G_GUINT64_FORMAT ",\"parameters_with_bias\":%" G_GUINT64_FORMAT
      ",\"multiply_adds\":%" G_GUINT64_FORMAT ",\"exponentials\":%" G_GUINT64_FORMAT
      ",\"map_bytes\":%" G_GUINT64_FORMAT "}\n",
      count->parameters, count->parameters_biased, count->projection_adds + count->attention_adds,
      count->exponentials, count->map_bytes);
}

/* Says why, after the numbers: a script reads those, a person this. */
static void
refuse (const AttnLabShape *shape, const AttnLabCount *count, GError **error)
{
  g_autoptr (GString) heads = g_string_new (NULL);
  if (count->heads_below > 0)
    g_string_append_printf (heads, "%zu", count->heads_below);
  if (count->heads_above > 0)
    g_string_append_printf (heads, "%s%zu", heads->len > 0 ? " or " : "", count->heads_above);
  g_autoptr (GString) widths = g_string_new (NULL);
  if (count->width_below > 0)
    g_string_append_printf (widths, "%zu or ", count->width_below);
  g_string_append_printf (widths, "%zu", count->width_above);
  g_set_error (
      error, ATTN_ERROR, ATTN_ERROR_SHAPE,
      "%zu heads cannot share d_model %zu evenly: %s heads can, and %zu heads can share %s",
      shape->n_heads, shape->d_model, heads->str, shape->n_heads, widths->str);
}

static bool
tell_count (const CliOptions *options, GError **error)
{
  const AttnLabShape shape = {
      .d_model = options->d_model,
      .n_heads = options->n_heads,
      .n_layers = options->n_layers > 0 ? options->n_layers : 1,
      .n_tokens = options->n_tokens > 0 ? options->n_tokens : CLI_LAB_TOKENS,
  };
  if (shape.d_model == 0 || shape.n_heads == 0)
    return cli_usage (error, "--d-model and --heads go together: both are needed");
  if (!cli_lab_check_size ("--d-model", shape.d_model, ATTN_LAB_MAX, error) ||
      !cli_lab_check_size ("--heads", shape.n_heads, ATTN_LAB_MAX, error) ||
      !cli_lab_check_size ("--tokens", shape.n_tokens, ATTN_LAB_MAX, error) ||
      !cli_lab_check_size ("--layers", shape.n_layers, ATTN_LAB_MAX_LAYERS, error))
    return false;
  AttnLabCount count;
  attn_lab_count (&shape, &count);
  g_autoptr (GString) json = g_string_new (NULL);
  append_count (json, &shape, &count);
  if (!cli_answer (options, json, error))
    return false;
  if (!count.divisible)
    refuse (&shape, &count, error);
  return count.divisible;
}

bool
cli_lab (const CliOptions *options, GError **error)
{
  static const CliRun runs[CLI_LAB_N_FORMS] = {
      [CLI_LAB_COUNT] = tell_count,
      [CLI_LAB_TIME] = cli_lab_time,
      [CLI_LAB_TIME_CHART] = cli_lab_time,
      [CLI_LAB_MEASURED] = cli_lab_measured,
      [CLI_LAB_MEASURED_CHART] = cli_lab_measured,
      [CLI_LAB_STEP] = cli_lab_step,
      [CLI_LAB_FIGURE] = cli_lab_figure,
      [CLI_LAB_SEVERAL] = cli_lab_several,
      [CLI_LAB_SEVERAL_FIGURE] = cli_lab_several_figure,
      [CLI_LAB_CODE] = cli_lab_code,
      [CLI_LAB_FINDING] = cli_lab_finding,
      [CLI_LAB_TRAIN] = cli_lab_train,
      [CLI_LAB_TRAIN_CHART] = cli_lab_train,
  };
  CliLabForm form;
  return cli_arrays_refuse (options, "the lab", error) &&
         cli_lab_find_form (options, &form, error) && runs[form](options, error);
}
