/* SPDX-License-Identifier: MIT */
/* A picture, or its numbers, as the shell line that makes the same file again. */
#include "picture-options.h"

#include "attn-draw/picture.h"

#include <string.h>

static void
append_option (GString *line, const char *option, const char *value)
{
  bool plain = *value != '\0';
  for (const char *p = value; *p != '\0' && plain; p++)
    plain = g_ascii_isalnum (*p) || strchr ("_-+./,:@%", *p) != NULL;
  g_autofree char *quoted = plain ? g_strdup (value) : g_shell_quote (value);
  g_string_append_printf (line, " %s %s", option, quoted);
}

static void
append_count (GString *line, const char *option, size_t count)
{
  g_string_append_printf (line, " %s %zu", option, count);
}

static void
append_number (GString *line, const char *option, double value)
{
  char number[ATTN_NUMBER_SIZE];
  append_option (line, option, attn_draw_number_word (number, value));
}

/* Sheets of paper settle the size; else the view does. */
static void
append_size (GString *line, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;
  if (attn_draw_is_on_sheets (picture)) {
    append_option (line, "--page", attn_draw_page_size_peek_name (picture->page.size));
    g_string_append (line, picture->page.landscape ? " --landscape" : "");
    return;
  }
  append_number (line, "--width-px", view->width_px);
  if (view->max_height_px > 0)
    append_number (line, "--height-px", view->max_height_px);
  if (view->map_px > 0)
    append_number (line, "--map-px", view->map_px);
}

static void
append_arrangement (GString *line, const AttnDrawView *view)
{
  attn_draw_append_arrangement (line, &view->arrangement);
  if (attn_draw_chooses_heads (view))
    attn_draw_append_heads (line, &view->arrangement.heads);
  if (view->words != NULL && view->arrangement.unit == ATTN_UNIT_WORDS)
    append_option (line, "--words-file", attn_word_list_peek_path (view->words));
}

static void
append_view (GString *line, const AttnDrawView *view)
{
  char number[ATTN_NUMBER_SIZE];
  append_option (line, "--view", attn_draw_kind_peek_name (view->kind));
  if (!attn_draw_is_combined (view) || !view->arrangement.combine_layers)
    append_count (line, "--layer", view->layer + 1);
  if (!attn_draw_is_combined (view) && !attn_draw_chooses_heads (view))
    append_count (line, "--head", view->head + 1);
  append_arrangement (line, view);
  append_option (line, "--range", attn_draw_range_word (view, number));
  if (view->scale != ATTN_DRAW_SCALE_LINEAR)
    append_option (line, "--color-scale", attn_draw_scale_peek_name (view->scale));
  g_autofree char *crop = attn_draw_dup_crop_word (view);
  if (crop != NULL)
    append_option (line, "--crop", crop);
  if (view->hides_values)
    g_string_append (line, " --no-values");
  append_option (line, "--colormap", attn_draw_color_map_peek_name (view->color_map));
  append_option (line, "--palette", attn_draw_palette_peek_name (view->palette));
  append_number (line, "--font-size", view->font_size_pt);
  append_option (line, "--font", view->font_family);
  if (view->n_columns > 0)
    append_count (line, "--columns", view->n_columns);
  if (view->has_pin && view->pin_query != G_MAXSIZE)
    append_count (line, "--pin-query", view->pin_query);
  if (view->has_pin && view->pin_key != G_MAXSIZE)
    append_count (line, "--pin-key", view->pin_key);
}

/* The options of a side that is of arrays; @suffix is "" or "-b". */
static void
append_arrays_options (GString *line, const AttnDrawArrays *arrays, const char *suffix)
{
  const struct {
    const char *name, *value;
  } options[] = {{"--attention", arrays->attention},
                 {"--array", arrays->array},
                 {"--tokens", arrays->tokens},
                 {"--token-list", arrays->token_list},
                 {"--key-list", arrays->key_list}};
  for (size_t i = 0; i < G_N_ELEMENTS (options); i++) {
    g_autofree char *name = g_strconcat (options[i].name, suffix, NULL);
    if (options[i].value != NULL)
      append_option (line, name, options[i].value);
  }
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
    append_option (line, "--model-b", picture->model_b);
  if (of_arrays || g_strcmp0 (picture->text, picture->text_b) != 0 ||
      g_strcmp0 (picture->pair, picture->pair_b) != 0) {
    append_option (line, "--text-b", picture->text_b);
    if (picture->pair_b != NULL)
      append_option (line, "--pair-b", picture->pair_b);
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
    append_arrays_options (line, &picture->arrays_b, "-b");
  append_count (line, "--layer-b", view->layer_b + 1);
  append_count (line, "--head-b", view->head_b + 1);
}

/* What the picture is of. */
static void
append_subject (GString *line, const AttnDrawPicture *picture)
{
  if (picture->arrays.attention != NULL) {
    append_arrays_options (line, &picture->arrays, "");
    return;
  }
  append_option (line, "--model", picture->model != NULL ? picture->model : "demo");
  append_option (line, "--text", picture->text);
  if (picture->pair != NULL)
    append_option (line, "--pair", picture->pair);
  if (picture->max_tokens > 0)
    append_count (line, "--max-tokens", picture->max_tokens);
}

char *
attn_draw_picture_dup_numbers_command (const AttnDrawPicture *picture,
                                       const AttnExportChoice *choice,
                                       AttnExportFormat format,
                                       const char *path)
{
  const AttnDrawView *view = picture->view;
  GString *line = g_string_new ("headscope-cli attention");
  append_subject (line, picture);
  if (!choice->all_layers && !(attn_draw_is_combined (view) && view->arrangement.combine_layers))
    append_count (line, "--layer", choice->layer + 1);
  if (!choice->all_heads && !attn_draw_is_combined (view))
    append_count (line, "--head", choice->head + 1);
  append_arrangement (line, view);
  append_option (line, "--format", attn_export_format_peek_name (format));
  append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}

char *
attn_draw_picture_dup_command (const AttnDrawPicture *picture, const char *path)
{
  GString *line = g_string_new ("headscope-cli render");
  append_subject (line, picture);
  if (picture->view->kind == ATTN_DRAW_COMPARE)
    append_command_b (line, picture);
  append_view (line, picture->view);
  append_size (line, picture);
  append_option (line, "--format", attn_draw_format_peek_name (picture->format));
  append_number (line, "--scale", picture->scale);
  append_option (line, "--lang", picture->language != NULL ? picture->language : "en");
  append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}
