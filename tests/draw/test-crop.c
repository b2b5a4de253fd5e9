/* SPDX-License-Identifier: MIT */
/* Parts of maps: what is drawn is what the whole map shows there, and stands still while it moves.
 */
#include "cells.h"
#include "layout-checks.h"

#include "attn-draw/paint.h"

#include <math.h>

typedef struct {
  AttnDrawKind kind;
  size_t n_queries, n_keys;
  AttnDrawCrop crop;
  double width, max_height;
  bool causal, pins;
  AttnDrawScale scale;
} Case;

static AttnDrawLayout *
make (const Case *c)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {.n_layers = 1,
                     .n_heads = c->kind == ATTN_DRAW_HEADS ? 6 : 1,
                     .n_queries = c->n_queries,
                     .n_keys = c->n_keys,
                     .labels = fixture_words,
                     .n_labels = fixture_n_words,
                     .causal = c->causal};

  view->kind = c->kind;
  view->crop = c->crop;
  view->scale = c->scale;
  view->hides_values = true; /* cells alone */
  view->width_px = c->width;
  view->max_height_px = c->max_height;
  view->has_pin = c->pins;
  view->pin_query = c->n_queries / 2;
  view->pin_key = c->n_keys / 3;
  return fixture_make_layout (&fixture, view);
}

static AttnDrawCrop
random_crop (GRand *rand, size_t n_queries, size_t n_keys)
{
  AttnDrawCrop crop = {
      .first_query = (size_t)g_rand_int_range (rand, 0, (gint32)n_queries),
      .first_key = (size_t)g_rand_int_range (rand, 0, (gint32)n_keys),
  };
  crop.n_queries = (size_t)g_rand_int_range (rand, 1, (gint32)(n_queries - crop.first_query) + 1);
  crop.n_keys = (size_t)g_rand_int_range (rand, 1, (gint32)(n_keys - crop.first_key) + 1);
  return crop;
}

static Case
random_case (GRand *rand)
{
  size_t n_queries = (size_t)pow (2, g_rand_double_range (rand, 0, 8));
  size_t n_keys = g_rand_boolean (rand) ? n_queries : (size_t)g_rand_int_range (rand, 1, 200);
  return (Case){
      .kind = g_rand_boolean (rand) ? ATTN_DRAW_HEADS : ATTN_DRAW_HEATMAP,
      .n_queries = n_queries,
      .n_keys = n_keys,
      .crop = random_crop (rand, n_queries, n_keys),
      .width = g_rand_int_range (rand, 80, 1600),
      .max_height = g_rand_boolean (rand) ? g_rand_int_range (rand, 200, 1000) : 0,
      .causal = g_rand_boolean (rand),
      .pins = g_rand_boolean (rand),
  };
}

static void
assert_picks (const AttnDrawLayout *layout, size_t panel, size_t query, size_t key)
{
  AttnDrawRect cell = attn_draw_layout_place (layout, panel, query, key);
  const double shares[] = {0, 0.5, 1 - 1e-6};
  AttnDrawHit hit;

  for (size_t i = 0; i < G_N_ELEMENTS (shares); i++) {
    g_assert_true (attn_draw_pick (layout, cell.x + cell.width * shares[i],
                                   cell.y + cell.height * shares[i], &hit));
    g_assert_cmpuint (hit.panel, ==, panel);
    g_assert_cmpuint (hit.query, ==, query);
    g_assert_cmpuint (hit.key, ==, key);
  }
}

/* Picking is the inverse of placing, with the numbers of the whole map. */
static void
test_inverse (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);

  for (int trial = 0; trial < 80; trial++) {
    Case c = random_case (rand);
    g_autoptr (AttnDrawLayout) layout = make (&c);
    size_t n_panels = attn_draw_panels_get_n (attn_draw_layout_peek_panels (layout));
    for (int i = 0; i < 100; i++) {
      size_t panel = (size_t)g_rand_int_range (rand, 0, (gint32)n_panels);
      size_t query =
          c.crop.first_query + (size_t)g_rand_int_range (rand, 0, (gint32)c.crop.n_queries);
      size_t key = c.crop.first_key + (size_t)g_rand_int_range (rand, 0, (gint32)c.crop.n_keys);
      assert_picks (layout, panel, query, key);
    }
    layout_assert_sane (layout);
  }
}

/* What is left out has no extent, and no label. */
static void
test_left_out (void)
{
  Case c = {.n_queries = 20,
            .n_keys = 20,
            .crop = {.first_query = 3, .n_queries = 4, .first_key = 10, .n_keys = 4},
            .width = 700};
  g_autoptr (AttnDrawLayout) layout = make (&c);
  AttnDrawRect panel = attn_draw_layout_get_panel_rect (layout, 0);

  for (size_t token = 0; token < 20; token++) {
    AttnDrawRect row = attn_draw_layout_place (layout, 0, token, G_MAXSIZE);
    AttnDrawRect column = attn_draw_layout_place (layout, 0, G_MAXSIZE, token);
    bool has_row = token >= 3 && token < 7, has_column = token >= 10 && token < 14;
    g_assert_cmpfloat (row.width, ==, panel.width);
    g_assert_cmpint (row.height > 0, ==, has_row);
    g_assert_cmpint (column.width > 0, ==, has_column);
    g_assert_cmpint (layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, token) != NULL, ==,
                     has_row);
    g_assert_cmpint (layout_find_label (layout, ATTN_DRAW_ROLE_KEY_LABEL, token) != NULL, ==,
                     has_column);
  }
  AttnDrawRect above = attn_draw_layout_place (layout, 0, 0, G_MAXSIZE);
  AttnDrawRect below = attn_draw_layout_place (layout, 0, 19, G_MAXSIZE);
  g_assert_cmpfloat (above.y, ==, panel.y);
  g_assert_cmpfloat (below.y, ==, panel.y + panel.height);
  g_assert_true (layout_has_note (layout, "part: rows 4 – 7 of 20, columns 11 – 14 of 20"));
}

/* A crop that lies outside, or of everything, is the whole map; one that reaches out ends there. */
static void
test_clamped (void)
{
  static const struct {
    AttnDrawCrop asked, drawn;
  } cases[] = {
      {{0}, {0, 9, 0, 9}},
      {{0, 9, 0, 9}, {0, 9, 0, 9}},
      {{9, 3, 100, 1}, {0, 9, 0, 9}},
      {{7, 5, 2, G_MAXSIZE}, {7, 2, 2, 7}},
      {{4, 0, 3, 2}, {0, 9, 3, 2}},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c = {.n_queries = 9, .n_keys = 9, .crop = cases[i].asked, .width = 500};
    g_autoptr (AttnDrawLayout) layout = make (&c);
    AttnDrawCrop drawn = attn_draw_layout_get_crop (layout);
    g_assert_cmpuint (drawn.first_query, ==, cases[i].drawn.first_query);
    g_assert_cmpuint (drawn.n_queries, ==, cases[i].drawn.n_queries);
    g_assert_cmpuint (drawn.first_key, ==, cases[i].drawn.first_key);
    g_assert_cmpuint (drawn.n_keys, ==, cases[i].drawn.n_keys);
    g_assert_cmpint (layout_has_note (layout, "part: "), ==, i > 2);
  }
}

/* Pixels of a part are the pixels of the whole at the same size of cells; ranges and ranks are the
 * whole map's. */
static void
test_same_pixels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (32);
  const size_t side = 3;

  for (int trial = 0; trial < 60; trial++) {
    Case c = random_case (rand);
    c.causal = false; /* patterns have a place of their own on the picture */
    c.scale = (AttnDrawScale)(trial % 3);
    g_autoptr (AttnDrawLayout) part = make (&c);
    AttnDrawCrop crop = c.crop;
    c.crop = (AttnDrawCrop){0};
    g_autoptr (AttnDrawLayout) whole = make (&c);
    size_t width = c.n_keys * side, height = c.n_queries * side;
    g_autofree uint32_t *all = g_new (uint32_t, width * height);
    g_autofree uint32_t *some = g_new (uint32_t, width * height);
    attn_draw_cells_raster (whole, 0, width, height, 1, all, width);
    attn_draw_cells_raster (part, 0, crop.n_keys * side, crop.n_queries * side, 1, some, width);
    const uint32_t *corner = all + crop.first_query * side * width + crop.first_key * side;
    for (size_t y = 0; y < crop.n_queries * side; y++)
      g_assert_cmpmem (some + y * width, crop.n_keys * side * sizeof *some, corner + y * width,
                       crop.n_keys * side * sizeof *some);
  }
}

/* While a part moves over the map, the panel and the letters keep their place and size. */
static void
test_stands_still (void)
{
  static const size_t sizes[] = {1, 3, 10, 60, 150};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++)
    for (int kind = 0; kind < 2; kind++) {
      Case c = {.kind = (AttnDrawKind)kind,
                .n_queries = 200,
                .n_keys = 200,
                .crop = {0, sizes[s], 0, sizes[s]},
                .width = 1100,
                .max_height = 700};
      g_autoptr (AttnDrawLayout) first = make (&c);
      AttnDrawRect panel = attn_draw_layout_get_panel_rect (first, 0);
      for (size_t at = 1; at + sizes[s] <= 200; at += 13) {
        c.crop.first_query = c.crop.first_key = at;
        g_autoptr (AttnDrawLayout) layout = make (&c);
        AttnDrawRect now = attn_draw_layout_get_panel_rect (layout, 0);
        g_assert_cmpfloat (now.width, ==, panel.width);
        g_assert_cmpfloat (now.height, ==, panel.height);
        g_assert_cmpfloat (now.y, ==, panel.y);
        /* the note's numbers may grow by digits where it is the widest line */
        g_assert_cmpfloat (fabs (now.x - panel.x), <=, 12);
        layout_assert_clear (layout);
        layout_assert_inside (layout);
      }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crop/inverse", test_inverse);
  g_test_add_func ("/crop/left-out", test_left_out);
  g_test_add_func ("/crop/clamped", test_clamped);
  g_test_add_func ("/crop/same-pixels", test_same_pixels);
  g_test_add_func ("/crop/stands-still", test_stands_still);
  return g_test_run ();
}
