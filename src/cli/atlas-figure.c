/* SPDX-License-Identifier: MIT */
/* From options to the figure of an atlas. */
#include "atlas-figure.h"

#include "cli.h"
#include "lab-parts.h"
#include "language.h"

#include <string.h>

bool
cli_atlas_read_filter (const CliOptions *options, AttnDrawAtlasFilter *filter, GError **error)
{
  const char *name = options->only_class;
  filter->layer = options->only_layer;
  if (name == NULL)
    return true;
  for (AttnPattern pattern = 0; pattern < ATTN_N_PATTERNS; pattern++)
    if (strcmp (name, attn_pattern_peek_name (pattern)) == 0) {
      filter->pattern = pattern + 1;
      return true;
    }
  return cli_usage_value (error, "--only-class", name,
                          "known are vertical, diagonal, vertical-diagonal, block, broad, mixed "
                          "and none");
}

GBytes *
cli_atlas_draw (const CliAtlasFigure *figure,
                const CliOptions *options,
                const AttnDrawAtlasFilter *filter,
                size_t layer,
                size_t head,
                AttnDrawPicture *picture,
                GError **error)
{
  const AttnDrawAtlas drawn = {
      .atlas = figure->atlas,
      .map = figure->map,
      .texts = figure->about->texts,
      .texts_sha256 = figure->about->texts_sha256,
      .layer = layer,
      .head = head,
      .filter = *filter,
  };
  picture->model_name = figure->name;
  picture->text = figure->text;
  picture->pair = figure->pair;
  picture->max_tokens = options->max_tokens;
  picture->weights_sha256 = figure->weights_sha256;
  picture->translate = cli_language_use (picture->language);
  return attn_draw_atlas_write (&drawn, picture, error);
}

/* Returns: false with CLI_USAGE where the atlas has no such layer or head. */
static bool
check_place (const CliOptions *options, const AttnAtlas *atlas, GError **error)
{
  if (options->layer > atlas->n_layers)
    return cli_usage (error, "--layer %zu: there are layers 1 to %zu", options->layer,
                      atlas->n_layers);
  if (options->head > atlas->n_heads)
    return cli_usage (error, "--head %zu: there are heads 1 to %zu", options->head, atlas->n_heads);
  if (options->only_layer > atlas->n_layers)
    return cli_usage (error, "--only-layer %zu: there are layers 1 to %zu", options->only_layer,
                      atlas->n_layers);
  return true;
}

bool
cli_atlas_write_figure (const CliAtlasFigure *figure, const CliOptions *options, GError **error)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {0};
  AttnDrawAtlasFilter filter = {0};
  if (!cli_lab_read_picture (options, &picture, view, error) ||
      !cli_atlas_read_filter (options, &filter, error) ||
      !check_place (options, figure->atlas, error))
    return false;
  g_autoptr (GBytes) bytes = cli_atlas_draw (figure, options, &filter, MAX (options->layer, 1) - 1,
                                             MAX (options->head, 1) - 1, &picture, error);
  return bytes != NULL && cli_lab_write_figure (options, bytes, error);
}
