/* SPDX-License-Identifier: MIT */
/* A picture, or its numbers, as the shell line that makes the same file again. */
#include "command-line.h"
#include "looked.h"
#include "picture-options.h"

#include "attn-draw/picture.h"

/* Sheets of paper settle the size; else the view does. */
static void
append_size (GString *line, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;
  if (attn_draw_is_on_sheets (picture)) {
    attn_draw_append_option (line, "--page", attn_draw_page_size_peek_name (picture->page.size));
    g_string_append (line, picture->page.landscape ? " --landscape" : "");
    return;
  }
  attn_draw_append_number (line, "--width-px", view->width_px);
  if (view->max_height_px > 0)
    attn_draw_append_number (line, "--height-px", view->max_height_px);
  if (view->kind == ATTN_DRAW_LAYERS && view->map_px > 0)
    attn_draw_append_number (line, "--map-px", view->map_px);
}

static void
append_arrangement (GString *line, const AttnDrawView *view)
{
  AttnArrangement arrangement = view->arrangement;
  if (attn_lens_is_joint (view->lens))
    arrangement.heads = (AttnHeadSet){{0}}; /* makes no difference to it */
  attn_draw_append_lens (line, view);
  attn_draw_append_arrangement (line, &arrangement);
  if (attn_draw_chooses_heads (view))
    attn_draw_append_heads (line, &view->arrangement.heads);
  if (view->words != NULL && view->arrangement.unit == ATTN_UNIT_WORDS)
    attn_draw_append_option (line, "--words-file", attn_word_list_peek_path (view->words));
}

/* Which head, where they are not all in one map. */
static void
append_head (GString *line, const AttnDrawView *view)
{
  if (!attn_draw_is_combined (view) || !view->arrangement.combine_layers)
    attn_draw_append_count (line, "--layer", view->layer + 1);
  if (!attn_draw_view_is_joint (view) && !attn_draw_chooses_heads (view))
    attn_draw_append_count (line, "--head", view->head + 1);
}

static void
append_view (GString *line, const AttnDrawView *view)
{
  char number[ATTN_NUMBER_SIZE];
  attn_draw_append_option (line, "--view", attn_draw_kind_peek_name (view->kind));
  append_head (line, view);
  append_arrangement (line, view);
  attn_draw_append_option (line, "--range", attn_draw_range_word (view, number));
  if (view->scale != ATTN_DRAW_SCALE_LINEAR)
    attn_draw_append_option (line, "--color-scale", attn_draw_scale_peek_name (view->scale));
  g_autofree char *crop = attn_draw_dup_crop_word (view);
  if (crop != NULL)
    attn_draw_append_option (line, "--crop", crop);
  if (view->hides_values)
    g_string_append (line, " --no-values");
  attn_draw_append_option (line, "--colormap", attn_draw_color_map_peek_name (view->color_map));
  attn_draw_append_option (line, "--palette", attn_draw_palette_peek_name (view->palette));
  attn_draw_append_number (line, "--font-size", view->font_size_pt);
  attn_draw_append_option (line, "--font", view->font_family);
  if (view->kind == ATTN_DRAW_HEADS && view->n_columns > 0)
    attn_draw_append_count (line, "--columns", view->n_columns);
  if (view->has_pin && view->pin_query != G_MAXSIZE)
    attn_draw_append_count (line, "--pin-query", view->pin_query);
  if (view->has_pin && view->pin_key != G_MAXSIZE)
    attn_draw_append_count (line, "--pin-key", view->pin_key);
}

static bool
is_same_arrays (const AttnDrawArrays *a, const AttnDrawArrays *b)
{
  return g_strcmp0 (a->attention, b->attention) == 0 && g_strcmp0 (a->array, b->array) == 0 &&
         g_strcmp0 (a->tokens, b->tokens) == 0 && g_strcmp0 (a->token_list, b->token_list) == 0 &&
         g_strcmp0 (a->key_list, b->key_list) == 0;
}

/* A text of its own has no pair but its own. */
static void
append_model_b (GString *line, const AttnDrawPicture *picture)
{
  bool of_arrays = picture->arrays.attention != NULL;
  const char *model = of_arrays ? NULL : picture->model != NULL ? picture->model : "demo";

  if (picture->model_b != NULL && g_strcmp0 (picture->model_b, model) != 0)
    attn_draw_append_option (line, "--model-b", picture->model_b);
  if (of_arrays || g_strcmp0 (picture->text, picture->text_b) != 0 ||
      g_strcmp0 (picture->pair, picture->pair_b) != 0) {
    attn_draw_append_option (line, "--text-b", picture->text_b);
    if (picture->pair_b != NULL)
      attn_draw_append_option (line, "--pair-b", picture->pair_b);
  }
}

/* Only what tells B from A. */
static void
append_command_b (GString *line, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;

  if (picture->arrays_b.attention == NULL)
    append_model_b (line, picture);
  else if (!is_same_arrays (&picture->arrays, &picture->arrays_b))
    attn_draw_append_arrays (line, &picture->arrays_b, "-b");
  attn_draw_append_count (line, "--layer-b", view->layer_b + 1);
  if (!attn_lens_is_joint (view->lens))
    attn_draw_append_count (line, "--head-b", view->head_b + 1);
}

char *
attn_draw_picture_dup_numbers_command (const AttnDrawPicture *picture,
                                       const AttnExportChoice *choice,
                                       AttnExportFormat format,
                                       const char *path)
{
  const AttnDrawView *view = picture->view;
  GString *line = g_string_new ("headscope-cli attention");
  attn_draw_append_subject (line, picture);
  if (!choice->all_layers && !(attn_draw_is_combined (view) && view->arrangement.combine_layers))
    attn_draw_append_count (line, "--layer", choice->layer + 1);
  if (!choice->all_heads && !attn_draw_view_is_joint (view))
    attn_draw_append_count (line, "--head", choice->head + 1);
  append_arrangement (line, view);
  attn_draw_append_option (line, "--format", attn_export_format_peek_name (format));
  attn_draw_append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}

char *
attn_draw_picture_dup_difference_command (const AttnDrawPicture *picture,
                                          AttnExportFormat format,
                                          const char *path)
{
  GString *line = g_string_new ("headscope-cli compare");
  attn_draw_append_subject (line, picture);
  append_command_b (line, picture);
  append_head (line, picture->view);
  append_arrangement (line, picture->view);
  g_string_append (line, " --difference");
  attn_draw_append_option (line, "--format", attn_export_format_peek_name (format));
  attn_draw_append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}

AttnDrawPicture
attn_draw_picture_get_b (const AttnDrawPicture *picture)
{
  AttnDrawPicture b = *picture;
  const bool has_own = picture->model_b != NULL || picture->arrays_b.attention != NULL;

  b.model = has_own ? picture->model_b : picture->model;
  b.model_name = picture->model_name_b;
  b.weights_sha256 = picture->weights_sha256_b;
  b.text = picture->text_b;
  b.pair = picture->pair_b;
  b.arrays = picture->arrays_b;
  return b;
}

char *
attn_draw_picture_dup_command (const AttnDrawPicture *picture, const char *path)
{
  GString *line = g_string_new ("headscope-cli render");
  attn_draw_append_subject (line, picture);
  if (picture->view->kind == ATTN_DRAW_COMPARE)
    append_command_b (line, picture);
  if (picture->mask_positions != NULL)
    attn_draw_append_option (line, "--mask-positions", picture->mask_positions);
  append_view (line, picture->view);
  append_size (line, picture);
  attn_draw_append_option (line, "--format", attn_draw_format_peek_name (picture->format));
  attn_draw_append_number (line, "--scale", picture->scale);
  attn_draw_append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  attn_draw_append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}
