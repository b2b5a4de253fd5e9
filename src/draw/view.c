/* SPDX-License-Identifier: MIT */
/* The view: its defaults, copies and names. */
#include "attn-draw/view.h"

#include "wording.h"

#include "attn/names.h"

static const char *const kind_names[] = {
    [ATTN_DRAW_HEATMAP] = "heatmap", [ATTN_DRAW_HEADS] = "heads", [ATTN_DRAW_LAYERS] = "layers",
    [ATTN_DRAW_LINES] = "lines",     [ATTN_DRAW_TEXT] = "text",   [ATTN_DRAW_COMPARE] = "compare",
};

static const char *const scale_names[] = {
    [ATTN_DRAW_SCALE_LINEAR] = "linear",
    [ATTN_DRAW_SCALE_LOG] = "log",
    [ATTN_DRAW_SCALE_RANK] = "rank",
};

static const char *const palette_names[] = {
    [ATTN_DRAW_PALETTE_PAPER] = "paper",
    [ATTN_DRAW_PALETTE_SCREEN] = "screen",
    [ATTN_DRAW_PALETTE_SCREEN_DARK] = "screen-dark",
};

AttnDrawView *
attn_draw_view_new (void)
{
  AttnDrawView *view = g_new0 (AttnDrawView, 1);

  view->kind = ATTN_DRAW_HEATMAP;
  view->range = ATTN_DRAW_RANGE_AUTO;
  view->range_max = 1;
  view->color_map = ATTN_DRAW_COLOR_MAP_YLGNBU;
  view->palette = ATTN_DRAW_PALETTE_PAPER;
  view->font_family = g_strdup ("Sans");
  view->language = g_strdup ("en");
  view->font_size_pt = 10;
  view->width_px = 800;
  view->max_height_px = 0;
  view->pin_query = G_MAXSIZE;
  view->pin_key = G_MAXSIZE;
  return view;
}

static AttnDrawStrings
strings_copy (const AttnDrawStrings *strings)
{
  return (AttnDrawStrings){
      .title = g_strdup (strings->title),
      .subject = g_strdup (strings->subject),
      .arranged = g_strdup (strings->arranged),
      .subtitle = g_strdup (strings->subtitle),
      .axes = g_strdup (strings->axes),
      .range = g_strdup (strings->range),
      .mean_range = g_strdup (strings->mean_range),
      .head_format = g_strdup (strings->head_format),
      .layer_format = g_strdup (strings->layer_format),
      .strip = g_strdup (strings->strip),
      .two_lists = g_strdup (strings->two_lists),
      .thinned = g_strdup (strings->thinned),
      .pooled = g_strdup (strings->pooled),
      .hidden = g_strdup (strings->hidden),
      .not_a_number = g_strdup (strings->not_a_number),
      .infinite = g_strdup (strings->infinite),
      .not_finite = g_strdup (strings->not_finite),
      .negative = g_strdup (strings->negative),
      .polarity = g_strdup (strings->polarity),
      .mean_without = g_strdup (strings->mean_without),
      .subtitle_b = g_strdup (strings->subtitle_b),
      .difference_range = g_strdup (strings->difference_range),
      .signs = g_strdup (strings->signs),
      .no_difference = g_strdup (strings->no_difference),
      .apart = g_strdup (strings->apart),
      .alone = g_strdup (strings->alone),
      .alone_queries = g_strdup (strings->alone_queries),
      .alone_keys = g_strdup (strings->alone_keys),
      .zero = g_strdup (strings->zero),
      .part = g_strdup (strings->part),
      .left_out = g_strdup (strings->left_out),
      .too_many = g_strdup (strings->too_many),
      .heads = g_strdup (strings->heads),
      .from = g_strdup (strings->from),
      .mean = g_strdup (strings->mean),
  };
}

static void
strings_clear (AttnDrawStrings *strings)
{
  g_free (strings->title);
  g_free (strings->subject);
  g_free (strings->arranged);
  g_free (strings->subtitle);
  g_free (strings->axes);
  g_free (strings->range);
  g_free (strings->mean_range);
  g_free (strings->head_format);
  g_free (strings->layer_format);
  g_free (strings->strip);
  g_free (strings->two_lists);
  g_free (strings->thinned);
  g_free (strings->pooled);
  g_free (strings->hidden);
  g_free (strings->not_a_number);
  g_free (strings->infinite);
  g_free (strings->not_finite);
  g_free (strings->negative);
  g_free (strings->polarity);
  g_free (strings->mean_without);
  g_free (strings->subtitle_b);
  g_free (strings->difference_range);
  g_free (strings->signs);
  g_free (strings->no_difference);
  g_free (strings->apart);
  g_free (strings->alone);
  g_free (strings->alone_queries);
  g_free (strings->alone_keys);
  g_free (strings->zero);
  g_free (strings->part);
  g_free (strings->left_out);
  g_free (strings->too_many);
  g_free (strings->heads);
  g_free (strings->from);
  g_free (strings->mean);
  *strings = (AttnDrawStrings){NULL};
}

AttnDrawView *
attn_draw_view_copy (const AttnDrawView *view)
{
  AttnDrawView *copy = g_new (AttnDrawView, 1);

  *copy = *view;
  copy->words = view->words != NULL ? attn_word_list_ref (view->words) : NULL;
  copy->font_family = g_strdup (view->font_family);
  copy->language = g_strdup (view->language);
  copy->cls_name = g_strdup (view->cls_name);
  copy->sep_name = g_strdup (view->sep_name);
  copy->strings = strings_copy (&view->strings);
  return copy;
}

void
attn_draw_view_free (AttnDrawView *view)
{
  if (view == NULL)
    return;
  strings_clear (&view->strings);
  attn_word_list_unref (view->words);
  g_free (view->font_family);
  g_free (view->language);
  g_free (view->cls_name);
  g_free (view->sep_name);
  g_free (view);
}

bool
attn_draw_kind_has_cells (AttnDrawKind kind)
{
  return kind != ATTN_DRAW_LINES && kind != ATTN_DRAW_TEXT;
}

bool
attn_draw_kind_has_layer (AttnDrawKind kind)
{
  return kind == ATTN_DRAW_HEADS || kind == ATTN_DRAW_LINES;
}

const uint32_t *
attn_draw_view_peek_diverging (const AttnDrawView *view)
{
  bool is_dark = view->palette == ATTN_DRAW_PALETTE_SCREEN_DARK;
  return attn_draw_diverging_peek_lut (is_dark ? ATTN_DRAW_DIVERGING_DARK
                                               : ATTN_DRAW_DIVERGING_LIGHT);
}

bool
attn_draw_view_reverses_map (const AttnDrawView *view)
{
  return view->palette == ATTN_DRAW_PALETTE_SCREEN_DARK &&
         attn_draw_color_map_begins_light (view->color_map);
}

AttnDrawRange
attn_draw_view_resolve_range (const AttnDrawView *view)
{
  if (view->range != ATTN_DRAW_RANGE_AUTO)
    return view->range;
  switch (view->kind) {
  case ATTN_DRAW_HEADS:
  case ATTN_DRAW_LINES:
    return ATTN_DRAW_RANGE_LAYER;
  case ATTN_DRAW_LAYERS:
    return ATTN_DRAW_RANGE_MODEL;
  case ATTN_DRAW_HEATMAP:
  case ATTN_DRAW_TEXT:
  case ATTN_DRAW_COMPARE:
  default:
    return ATTN_DRAW_RANGE_MAP;
  }
}

const char *
attn_draw_kind_peek_name (AttnDrawKind kind)
{
  g_return_val_if_fail ((size_t)kind < G_N_ELEMENTS (kind_names), kind_names[0]);
  return kind_names[kind];
}

bool
attn_draw_kind_find (const char *name, AttnDrawKind *kind)
{
  size_t index = attn_name_find (name, kind_names, G_N_ELEMENTS (kind_names));
  if (index == G_N_ELEMENTS (kind_names))
    return false;
  *kind = (AttnDrawKind)index;
  return true;
}

const char *
attn_draw_scale_peek_name (AttnDrawScale scale)
{
  g_return_val_if_fail ((size_t)scale < G_N_ELEMENTS (scale_names), scale_names[0]);
  return scale_names[scale];
}

bool
attn_draw_scale_find (const char *name, AttnDrawScale *scale)
{
  size_t index = attn_name_find (name, scale_names, G_N_ELEMENTS (scale_names));
  if (index == G_N_ELEMENTS (scale_names))
    return false;
  *scale = (AttnDrawScale)index;
  return true;
}

const char *
attn_draw_palette_peek_name (AttnDrawPalette palette)
{
  g_return_val_if_fail ((size_t)palette < G_N_ELEMENTS (palette_names), palette_names[0]);
  return palette_names[palette];
}

bool
attn_draw_palette_find (const char *name, AttnDrawPalette *palette)
{
  size_t index = attn_name_find (name, palette_names, G_N_ELEMENTS (palette_names));
  if (index == G_N_ELEMENTS (palette_names))
    return false;
  *palette = (AttnDrawPalette)index;
  return true;
}
