/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --format: what was measured, as numbers or as a chart. */
#include "lab-parts.h"
#include "language.h"
#include "picture-looks.h"

#define PNG_SCALE 2.0
#define LEAST_WIDTH 200.0 /* px */
#define MOST_WIDTH 10000.0

/* @view: read; what is not asked for stays as files have it. Its family is borrowed by @look. */
static bool
read_look (const CliOptions *options, AttnDrawView *view, AttnDrawLabLook *look, GError **error)
{
  const char *language = options->lang != NULL ? options->lang : "en";
  if (!cli_language_check (language, error) || !cli_picture_looks_read (options, view, error))
    return false;
  look->style.palette = view->palette;
  look->style.font_size_pt = options->font_size;
  look->style.font_family = options->font != NULL ? view->font_family : NULL;
  look->translate = cli_language_use (language);
  look->style.language = g_str_equal (language, "zh_TW")   ? "zh-TW"
                         : g_str_equal (language, "zh_CN") ? "zh-CN"
                                                           : "en";
  if (options->width_px > 0)
    look->width = options->width_px;
  if (look->width < LEAST_WIDTH || look->width > MOST_WIDTH)
    return cli_usage (error, "--width-px %g: wanted is %g to %g", look->width, LEAST_WIDTH,
                      MOST_WIDTH);
  return true;
}

static bool
draw (const CliOptions *options,
      const CliLabForms *forms,
      AttnDrawFormat format,
      const void *data,
      GError **error)
{
  AttnDrawLabLook look = ATTN_DRAW_LAB_LOOK;
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  if (!read_look (options, view, &look, error))
    return false;
  const double scale = options->scale > 0        ? options->scale
                       : format == ATTN_DRAW_PNG ? PNG_SCALE
                                                 : 1;
  g_autoptr (GBytes) bytes = forms->write (data, &look, format, scale, error);
  if (bytes == NULL)
    return false;
  gsize n;
  const char *content = g_bytes_get_data (bytes, &n);
  g_autoptr (GString) whole = g_string_new_len (content, (gssize)n);
  g_autoptr (AttnOutput) output =
      cli_open_binary_output (options, attn_draw_format_peek_name (format), error);
  return output != NULL && cli_write (output, whole, error) && attn_output_commit (output, error);
}

bool
cli_lab_answer (const CliOptions *options,
                const CliLabForms *forms,
                const void *data,
                GError **error)
{
  AttnDrawFormat format;
  if (options->format != NULL && attn_draw_format_find (options->format, &format))
    return draw (options, forms, format, data, error);
  g_autofree char *text = NULL;
  if (g_strcmp0 (options->format, "csv") == 0)
    text = forms->dup_csv (data);
  else
    text = forms->dup_json (data);
  g_autoptr (GString) whole = g_string_new (text);
  return cli_answer (options, whole, error);
}
