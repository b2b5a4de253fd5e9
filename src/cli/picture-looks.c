/* SPDX-License-Identifier: MIT */
/* Reading how a picture is to look, and what kind of file it is to be. */
#include "picture-looks.h"

#include <string.h>

#define MAX_MAP_PX 20000
#define MIN_FONT_SIZE_PT 1.0
#define MAX_FONT_SIZE_PT 200.0

bool
cli_picture_looks_read (const CliOptions *options, AttnDrawView *view, GError **error)
{
  if (options->palette != NULL && !attn_draw_palette_find (options->palette, &view->palette))
    return cli_usage_value (error, "--palette", options->palette,
                            "known are paper, screen and screen-dark");
  if (options->colormap != NULL && !attn_draw_color_map_find (options->colormap, &view->color_map))
    return cli_usage_value (error, "--colormap", options->colormap,
                            "known are YlGnBu, viridis, cividis, magma and grey");
  if (options->color_scale != NULL && !attn_draw_scale_find (options->color_scale, &view->scale))
    return cli_usage_value (error, "--color-scale", options->color_scale,
                            "known are linear, log and rank");
  view->hides_values = view->hides_values || options->no_values;
  if (options->font_size > 0 &&
      (options->font_size < MIN_FONT_SIZE_PT || options->font_size > MAX_FONT_SIZE_PT))
    return cli_usage (error, "--font-size %g: wanted is %g to %g pt", options->font_size,
                      MIN_FONT_SIZE_PT, MAX_FONT_SIZE_PT);
  if (options->font_size > 0)
    view->font_size_pt = options->font_size;
  if (options->font != NULL) {
    if (!g_utf8_validate (options->font, -1, NULL))
      return cli_usage (error, "--font: the name is not valid UTF-8");
    g_free (view->font_family);
    view->font_family = g_strdup (options->font);
  }
  if (options->n_columns > 0)
    view->n_columns = options->n_columns;
  if (options->map_px > MAX_MAP_PX)
    return cli_usage (error, "--map-px %g: wanted is at most %d", options->map_px, MAX_MAP_PX);
  if (options->map_px > 0)
    view->map_px = options->map_px;
  return true;
}

bool
cli_picture_format_read (const CliOptions *options,
                         const char *option,
                         bool keeps,
                         AttnDrawFormat *format,
                         GError **error)
{
  if (options->output == NULL)
    return cli_usage (error, "where to? Name a file by -o; - is standard output");
  if (options->format != NULL) {
    if (attn_draw_format_find (options->format, format))
      return true;
    return cli_usage_value (error, "--format", options->format, "known are png, svg and pdf");
  }
  const char *ending = strrchr (options->output, '.');
  if ((ending != NULL && attn_draw_format_find (ending + 1, format)) || keeps)
    return true;
  return cli_usage_value (error, option, options->output,
                          "the name does not end in .png, .svg or .pdf; say which by --format");
}
