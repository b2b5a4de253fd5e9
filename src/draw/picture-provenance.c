/* SPDX-License-Identifier: MIT */
/* What a picture's file tells of how it was made. */
#include "picture-provenance.h"

#include "hs-build.h"
#include "looked.h"
#include "picture-options.h"

#include "attn/arrays.h"

static void
append_part (GString *text, const char *of, size_t first, size_t n)
{
  if (n > 0)
    g_string_append_printf (text, ", %s %zu to %zu", of, first + 1, first + n);
}

/* Which maps they are, where the arrangement leaves a choice; layers and heads count from 1. */
static void
append_place (GString *text, const AttnDrawView *view)
{
  bool is_combined = attn_draw_is_combined (view);
  bool has_layer =
      view->kind != ATTN_DRAW_LAYERS && !(is_combined && view->arrangement.combine_layers);

  g_string_append_printf (text, "; view: %s", attn_draw_kind_peek_name (view->kind));
  if (view->kind == ATTN_DRAW_LAYERS)
    append_part (text, "layers", view->first_layer, view->n_layers);
  if (has_layer)
    g_string_append_printf (text, ", layer %zu", view->layer + 1);
  if (attn_draw_view_is_joint (view))
    return;
  if (view->kind == ATTN_DRAW_HEADS)
    append_part (text, "heads", view->first_head, view->n_heads);
  else if (has_layer && !attn_draw_chooses_heads (view))
    g_string_append_printf (text, ", head %zu", view->head + 1);
  if (attn_draw_chooses_heads (view) && !attn_head_set_is_empty (&view->arrangement.heads)) {
    g_string_append (text, ", shown:");
    attn_draw_append_heads (text, &view->arrangement.heads);
  }
}

/* What is described. */
typedef struct {
  const AttnDrawPicture *picture;
  const AttnArrays *arrays[2]; /* of A and B; NULL where they are of a model */
} Described;

static void
append_hash (GString *text, const char *of, const char *sha256)
{
  g_string_append_printf (text, "; %s: SHA-256 %s", of, sha256 != NULL ? sha256 : "not known");
}

static void
append_model (GString *text, const AttnDrawPicture *picture, bool of_b)
{
  const char *pair = of_b ? picture->pair_b : picture->pair;
  g_string_append_printf (text, "%s: %s", of_b ? "; compared with model" : "; model",
                          of_b ? picture->model_name_b : picture->model_name);
  append_hash (text, "weights", of_b ? picture->weights_sha256_b : picture->weights_sha256);
  g_string_append_printf (text, "; text: %s", of_b ? picture->text_b : picture->text);
  if (pair != NULL)
    g_string_append_printf (text, "; second text: %s", pair);
  if (picture->mask_positions != NULL && !of_b)
    g_string_append_printf (text, "; masked tokens: %s (from 0)", picture->mask_positions);
}

/* The file instead of the model, and tokens instead of the text. */
static void
append_arrays (GString *text, const Described *described, bool of_b)
{
  const AttnDrawPicture *picture = described->picture;
  const AttnArrays *arrays = described->arrays[of_b];
  const char *pair = of_b ? picture->pair_b : picture->pair;
  g_string_append_printf (text, "%s: %s", of_b ? "; compared with attention" : "; attention",
                          of_b ? picture->model_name_b : picture->model_name);
  if (attn_arrays_peek_array (arrays) != NULL)
    g_string_append_printf (text, ", array %s", attn_arrays_peek_array (arrays));
  g_string_append_printf (text, ", %s of %s", attn_arrays_peek_shape (arrays),
                          attn_arrays_peek_dtype (arrays));
  append_hash (text, "file", of_b ? picture->weights_sha256_b : picture->weights_sha256);
  const char *line = of_b ? picture->text_b : picture->text;
  if (line == NULL)
    g_string_append (text, "; tokens: numbers");
  else
    g_string_append_printf (text, "; %s: %s", pair != NULL ? "queries" : "tokens", line);
  if (pair != NULL)
    g_string_append_printf (text, "; keys: %s", pair);
}

static void
append_side (GString *text, const Described *described, bool of_b)
{
  if (described->arrays[of_b] != NULL)
    append_arrays (text, described, of_b);
  else
    append_model (text, described->picture, of_b);
}

/* What is compared with the model and the text told before. */
static void
append_side_b (GString *text, const Described *described)
{
  const AttnDrawView *view = described->picture->view;
  append_side (text, described, true);
  if (!attn_draw_view_is_joint (view))
    g_string_append_printf (text, "; layer %zu, head %zu", view->layer_b + 1, view->head_b + 1);
  else if (!attn_draw_is_combined (view) || !view->arrangement.combine_layers)
    g_string_append_printf (text, "; layer %zu", view->layer_b + 1);
}

static void
append_arrangement (GString *text, const AttnDrawView *view)
{
  if (view->lens != ATTN_LENS_RAW)
    g_string_append_printf (text, "; lens: %s", attn_lens_peek_name (view->lens));
  if (!attn_arrangement_is_plain (&view->arrangement)) {
    g_string_append (text, "; arranged by");
    attn_draw_append_arrangement (text, &view->arrangement);
  }
  if (view->words != NULL && view->arrangement.unit == ATTN_UNIT_WORDS) {
    g_autofree char *name = g_path_get_basename (attn_word_list_peek_path (view->words));
    g_string_append_printf (text, "; word list: %s", name);
  }
}

/* As the command line takes them: rows and columns count from 0. */
static void
append_drawn (GString *text, const AttnDrawView *view)
{
  g_autofree char *crop = attn_draw_dup_crop_word (view);

  if (view->scale != ATTN_DRAW_SCALE_LINEAR)
    g_string_append_printf (text, "; colour scale: %s", attn_draw_scale_peek_name (view->scale));
  if (crop != NULL)
    g_string_append_printf (text, "; rows and columns: %s (from 0, ends left out)", crop);
  if (view->has_pin && view->pin_query != G_MAXSIZE)
    g_string_append_printf (text, "; pinned query: %zu (from 0)", view->pin_query);
  if (view->has_pin && view->pin_key != G_MAXSIZE)
    g_string_append_printf (text, "; pinned key: %zu (from 0)", view->pin_key);
  if (view->hides_values && attn_draw_kind_has_cells (view->kind))
    g_string_append (text, "; no values in cells");
}

static void
append_looks (GString *text, const AttnDrawPicture *picture)
{
  const AttnDrawView *view = picture->view;
  char number[ATTN_NUMBER_SIZE];

  if (attn_draw_is_on_sheets (picture))
    g_string_append_printf (text, "; page: %s%s",
                            attn_draw_page_size_peek_name (picture->page.size),
                            picture->page.landscape ? ", landscape" : "");
  g_string_append_printf (text, "; range: %s; colour map: %s%s; palette: %s",
                          attn_draw_range_word (view, number),
                          attn_draw_color_map_peek_name (view->color_map),
                          attn_draw_view_reverses_map (view) ? " reversed" : "",
                          attn_draw_palette_peek_name (view->palette));
  g_string_append_printf (text, "; font: %s, %s pt", view->font_family,
                          attn_draw_number_word (number, view->font_size_pt));
}

static const AttnArrays *
peek_arrays (const AttnMaps *maps)
{
  return maps != NULL ? attn_maps_peek_arrays (maps) : NULL;
}

char *
attn_draw_picture_describe (const AttnDrawPicture *picture, AttnDrawPanels *panels)
{
  Described described = {.picture = picture,
                         .arrays = {peek_arrays (attn_draw_panels_peek_source (panels)),
                                    peek_arrays (attn_draw_panels_peek_source_b (panels))}};
  GString *text = g_string_new ("Headscope " HS_VERSION);

  append_side (text, &described, false);
  if (picture->max_tokens > 0 && described.arrays[0] == NULL)
    g_string_append_printf (text, "; at most %zu tokens", picture->max_tokens);
  if (picture->view->kind == ATTN_DRAW_COMPARE)
    append_side_b (text, &described);
  append_place (text, picture->view);
  append_arrangement (text, picture->view);
  append_drawn (text, picture->view);
  append_looks (text, picture);
  return g_string_free (text, FALSE);
}
