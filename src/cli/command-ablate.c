/* SPDX-License-Identifier: MIT */
/* headscope-cli ablate: the loss with heads switched off at once or one by one, as numbers or as a
 * figure. */
#include "ablation.h"
#include "cli.h"
#include "elsewhere.h"
#include "lab-parts.h"

#include <string.h>

static bool
check_format (const CliOptions *options, GError **error)
{
  if (options->figure != NULL || options->format == NULL || strcmp (options->format, "json") == 0 ||
      strcmp (options->format, "csv") == 0)
    return true;
  return cli_usage_value (error, "--format", options->format,
                          "known are json and csv; a picture is asked for by --figure");
}

static bool
answer_numbers (const CliOptions *options, const CliAblation *ablation, GError **error)
{
  const AttnAblationNumbers numbers = cli_ablation_get_numbers (ablation);
  const bool is_csv = g_strcmp0 (options->format, "csv") == 0;
  g_autofree char *text =
      is_csv ? attn_ablation_dup_csv (&numbers) : attn_ablation_dup_json (&numbers);
  g_autoptr (GString) whole = g_string_new (text);
  return cli_answer (options, whole, error);
}

static bool
draw (const CliOptions *options, CliAblation *ablation, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const size_t layer = MAX (options->layer, 1), head = MAX (options->head, 1);
  AttnDrawPicture picture = {0};
  if (!cli_lab_read_picture (options, &picture, view, error) ||
      !cli_ablation_init (ablation, options, false, error) ||
      !cli_subject_check (&ablation->subject, layer, head, error))
    return false;
  g_autoptr (GBytes) bytes =
      cli_ablation_draw (ablation, options, layer - 1, head - 1, &picture, error);
  return bytes != NULL && cli_lab_write_figure (options, bytes, error);
}

bool
cli_ablate (const CliOptions *options, GError **error)
{
  const bool has_wish = options->each || options->off != NULL || options->importance;
  g_auto (CliAblation) ablation = {.asked = ATTN_ABLATION_ASKED};
  if (!has_wish && options->figure == NULL)
    return cli_usage (error, "wanted is at least one of: --each, --off, --importance");
  if (!cli_arrays_refuse (options, "ablation", error) || !check_format (options, error) ||
      !cli_ablation_read (options, &ablation.asked, error))
    return false;
  if (options->figure != NULL)
    return draw (options, &ablation, error);
  return cli_ablation_init (&ablation, options, false, error) &&
         answer_numbers (options, &ablation, error);
}
