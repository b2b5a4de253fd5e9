/* SPDX-License-Identifier: MIT */
/* The figure on several heads: what stands where at every width, and what is picked. */
#include "attn-draw/several.h"
#include "attn/model.h"
#include "attn/run.h"

#include <glib.h>

#include <math.h>
#include <string.h>

static AttnLayerHeads *
make_heads (size_t n_tokens)
{
  g_autoptr (GError) error = NULL;
  const AttnConfig config = {
      .family = (char *)(guintptr) "bert",
      .n_layers = 1,
      .n_heads = 6,
      .d_model = 24,
      .d_k = 4,
      .d_ff = 32,
      .vocab_size = 40,
      .n_positions = 64,
      .n_types = 2,
      .layer_norm_eps = 1e-12,
  };
  g_autoptr (AttnModel) model = attn_model_new_random (&config, &error);
  g_assert_no_error (error);
  g_autofree int32_t *ids = g_new (int32_t, n_tokens);
  for (size_t t = 0; t < n_tokens; t++)
    ids[t] = (int32_t)(t * 7 % 40);
  g_autoptr (AttnTrace) trace = attn_model_run_ids (model, ids, NULL, n_tokens, NULL, &error);
  g_assert_no_error (error);
  AttnLayerHeads *heads = attn_layer_heads_new (trace, 0, NULL, &error);
  g_assert_no_error (error);
  return heads;
}

static AttnDrawFigure *
make_figure (const AttnLayerHeads *heads, double width, double font_size_pt)
{
  const AttnDrawSeveral several = {
      .style = {.palette = ATTN_DRAW_PALETTE_PAPER, .font_size_pt = font_size_pt},
      .heads = heads,
      .width = width,
      .head = 1,
      .query = 2,
  };
  return attn_draw_several_new (&several);
}

static bool
overlap (const AttnDrawRect *a, const AttnDrawRect *b)
{
  return a->x < b->x + b->width - 0.5 && b->x < a->x + a->width - 0.5 &&
         a->y < b->y + b->height - 0.5 && b->y < a->y + a->height - 0.5;
}

static bool
is_inside (const AttnDrawRect *a, const AttnDrawRect *b)
{
  return a->x >= b->x && a->x + a->width <= b->x + b->width && a->y >= b->y &&
         a->y + a->height <= b->y + b->height;
}

/* Numbers of distances stand in the cells, and nothing else on a map. */
static bool
is_value (const AttnDrawFigureItem *ground, const AttnDrawFigureItem *item)
{
  return ground->id == ATTN_DRAW_SEVERAL_DISTANCE && item->kind == ATTN_DRAW_FIGURE_TEXT &&
         is_inside (&item->rect, &ground->rect);
}

/* Nothing reaches beyond the figure, and no text or map lies on another. */
static void
check_places (double width, double font_size_pt)
{
  g_autoptr (AttnLayerHeads) heads = make_heads (9);
  g_autoptr (AttnDrawFigure) figure = make_figure (heads, width, font_size_pt);
  const AttnDrawRect whole = {0, 0, attn_draw_figure_get_width (figure),
                              attn_draw_figure_get_height (figure)};
  const size_t n = attn_draw_figure_get_n_items (figure);
  for (size_t i = 0; i < n; i++) {
    const AttnDrawFigureItem *a = attn_draw_figure_peek_item (figure, i);
    g_assert_cmpfloat (a->rect.x, >=, -0.5);
    g_assert_cmpfloat (a->rect.x + a->rect.width, <=, whole.width + 0.5);
    g_assert_cmpfloat (a->rect.y + a->rect.height, <=, whole.height + 0.5);
    if (a->kind != ATTN_DRAW_FIGURE_TEXT && a->kind != ATTN_DRAW_FIGURE_MATRIX)
      continue;
    for (size_t j = i + 1; j < n; j++) {
      const AttnDrawFigureItem *b = attn_draw_figure_peek_item (figure, j);
      if ((b->kind == ATTN_DRAW_FIGURE_TEXT || b->kind == ATTN_DRAW_FIGURE_MATRIX) &&
          !is_value (a, b))
        g_assert_false (overlap (&a->rect, &b->rect));
    }
  }
}

static void
test_places (void)
{
  for (double width = 320; width <= 1600; width += 160) {
    check_places (width, 10);
    check_places (width, 20);
  }
}

/* Every cell of the distances is picked as its two heads; each head's map is there. */
static void
test_pick (void)
{
  g_autoptr (AttnLayerHeads) heads = make_heads (9);
  g_autoptr (AttnDrawFigure) figure = make_figure (heads, 1000, 10);
  const size_t item =
      attn_draw_figure_find (figure, ATTN_DRAW_SEVERAL_DISTANCE, ATTN_DRAW_FIGURE_MATRIX, 0);
  g_assert_cmpuint (item, <, G_MAXSIZE);
  for (size_t row = 0; row < heads->n_heads; row++)
    for (size_t column = 0; column < heads->n_heads; column++) {
      const AttnDrawRect cell = attn_draw_figure_place (figure, item, row, column);
      AttnDrawFigureHit hit;
      g_assert_true (
          attn_draw_figure_pick (figure, cell.x + cell.width / 2, cell.y + cell.height / 2, &hit));
      g_assert_cmpuint (hit.id, ==, ATTN_DRAW_SEVERAL_DISTANCE);
      g_assert_cmpuint (hit.row, ==, row);
      g_assert_cmpuint (hit.column, ==, column);
    }
  for (size_t head = 0; head < heads->n_heads; head++)
    g_assert_cmpuint (attn_draw_figure_find (figure, ATTN_DRAW_SEVERAL_MAPS + (unsigned)head,
                                             ATTN_DRAW_FIGURE_MATRIX, 0),
                      <, G_MAXSIZE);
}

/* A long text's maps share cells and a short one's have a row for each query. */
/* A layer of one head has no others to speak of. */
static void
test_one (void)
{
  g_autoptr (AttnLayerHeads) heads = make_heads (9);
  const size_t n_heads = heads->n_heads;
  heads->n_heads = 1;
  const AttnDrawSeveral several = {.heads = heads, .query = G_MAXSIZE, .width = 900};
  g_autofree char *title = attn_draw_several_dup_title (&several);
  g_assert_cmpstr (title, ==, "Layer 1: it has one head alone");
  g_autoptr (AttnDrawFigure) figure = attn_draw_several_new (&several);
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    g_assert_true (text == NULL || strstr (text, "1 heads") == NULL);
  }
  heads->n_heads = n_heads;
}

/* Returns: whether one of the figure's texts begins so. */
static bool
says (const AttnDrawFigure *figure, const char *beginning)
{
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const char *text = attn_draw_figure_peek_item (figure, i)->text;
    if (text != NULL && g_str_has_prefix (text, beginning))
      return true;
  }
  return false;
}

/* Pairs without a distance are counted; where there are no others, none is called the nearest. */
static void
test_unknown (void)
{
  g_autoptr (AttnLayerHeads) heads = make_heads (9);
  const size_t n = heads->n_heads;
  g_autofree char *line = g_strdup_printf ("Not compared: 1 of %zu pairs", n * (n - 1) / 2);
  heads->distances[1] = heads->distances[n] = NAN;
  heads->n_unknown = 1;
  g_autoptr (AttnDrawFigure) one = make_figure (heads, 1000, 10);
  g_assert_true (says (one, line));
  g_assert_true (says (one, "Most alike: "));
  g_assert_false (says (one, "nan") || says (one, "-nan"));
  for (size_t i = 0; i < n * n; i++)
    heads->distances[i] = i % (n + 1) == 0 ? 0 : NAN;
  heads->n_unknown = n * (n - 1) / 2;
  memset (heads->alike, 0, sizeof heads->alike);
  memset (heads->unlike, 0, sizeof heads->unlike);
  heads->one->lost = -NAN;
  g_autoptr (AttnDrawFigure) none = make_figure (heads, 1000, 10);
  g_assert_false (says (none, "Most "));
  g_assert_true (says (none, "Heads 1 and 2 side by side: NaN apart"));
  for (size_t i = 0; i < attn_draw_figure_get_n_items (none); i++) {
    const char *text = attn_draw_figure_peek_item (none, i)->text;
    g_assert_true (text == NULL || strstr (text, "-nan") == NULL);
  }
}

static void
test_long (void)
{
  g_autoptr (AttnLayerHeads) heads = make_heads (64);
  g_autoptr (AttnDrawFigure) figure = make_figure (heads, 480, 10);
  const size_t item =
      attn_draw_figure_find (figure, ATTN_DRAW_SEVERAL_MAPS, ATTN_DRAW_FIGURE_MATRIX, 0);
  const AttnDrawFigureItem *map = attn_draw_figure_peek_item (figure, item);
  g_assert_cmpuint (map->n_rows, ==, 64);
  g_assert_cmpuint (map->n_columns, ==, 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/several/places", test_places);
  g_test_add_func ("/several/pick", test_pick);
  g_test_add_func ("/several/one", test_one);
  g_test_add_func ("/several/unknown", test_unknown);
  g_test_add_func ("/several/long", test_long);
  return g_test_run ();
}
