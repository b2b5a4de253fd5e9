/* SPDX-License-Identifier: MIT */
/* A part of a comparison: the same tokens of all three maps, whatever each has of them. */
#include "layout-checks.h"

#include "attn-draw/paint.h"

/* In reading order: [CLS] the cat dog sat down . [SEP]; dog is number 6, down number 7. */
static const char *const cat[] = {"[CLS]", "the", "cat", "sat", ".", "[SEP]"};
static const char *const dog[] = {"[CLS]", "the", "dog", "sat", "down", ".", "[SEP]"};
#define N_JOINT 8

static AttnMaps *
make_maps (const char *const *labels, size_t n)
{
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = 1,
      .n_queries = n,
      .n_keys = n,
      .labels = labels,
      .n_labels = n,
  };
  return fixture_make_maps (&fixture);
}

static AttnDrawLayout *
make_layout (const AttnDrawCrop *crop, double width, double height, bool shows_values)
{
  g_autoptr (AttnMaps) a = make_maps (cat, G_N_ELEMENTS (cat));
  g_autoptr (AttnMaps) b = make_maps (dog, G_N_ELEMENTS (dog));
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GError) error = NULL;
  view->kind = ATTN_DRAW_COMPARE;
  view->crop = *crop;
  view->width_px = width;
  view->max_height_px = height;
  view->hides_values = !shows_values;
  view->has_pin = true;
  view->pin_query = 6; /* "dog" */
  view->pin_key = 3;   /* "sat" */
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new_compare (view, a, b, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return attn_draw_layout_new (view, panels);
}

static void
assert_crop (const AttnDrawLayout *layout, size_t panel, const AttnDrawCrop *wanted)
{
  AttnDrawCrop crop = attn_draw_layout_get_panel_crop (layout, panel);
  g_assert_cmpuint (crop.n_queries, ==, wanted->n_queries);
  g_assert_cmpuint (crop.n_keys, ==, wanted->n_keys);
  if (wanted->n_queries > 0)
    g_assert_cmpuint (crop.first_query, ==, wanted->first_query);
  if (wanted->n_keys > 0)
    g_assert_cmpuint (crop.first_key, ==, wanted->first_key);
}

/* Rows cat and dog, columns sat to [SEP]: what A and B have of them, and nothing of A − B. */
static void
test_tokens (void)
{
  static const AttnDrawCrop crop = {2, 2, 4, 4};
  static const AttnDrawCrop wanted[] = {{2, 1, 3, 3}, {2, 1, 3, 4}, {0, 0, 2, 3}};
  g_autoptr (AttnDrawLayout) layout = make_layout (&crop, 900, 500, true);

  for (size_t panel = 0; panel < G_N_ELEMENTS (wanted); panel++)
    assert_crop (layout, panel, &wanted[panel]);
  AttnDrawRect a = attn_draw_layout_get_panel_rect (layout, 0);
  AttnDrawRect b = attn_draw_layout_get_panel_rect (layout, 1);
  g_assert_cmpfloat_with_epsilon (a.width / 3, b.width / 4, 0.5); /* cells of one size, whole px */
  g_assert_cmpfloat (attn_draw_layout_get_panel_rect (layout, 2).width, ==, 0);
  g_assert_true (layout_has_note (layout, "rows 3 – 4 of 8, columns 5 – 8 of 8"));
  g_assert_null (layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 0));
  g_assert_nonnull (layout_find_label (layout, ATTN_DRAW_ROLE_QUERY_LABEL, 2));
}

/* Of a part that only B has there is only B, and the row that is pinned in it is marked once. */
static void
test_only_b (void)
{
  static const AttnDrawCrop crop = {3, 1, 0, 0};
  g_autoptr (AttnDrawLayout) layout = make_layout (&crop, 900, 500, true);
  size_t n_titles = 0, n_marks = 0;

  g_assert_cmpfloat (attn_draw_layout_get_panel_rect (layout, 0).width, ==, 0);
  g_assert_cmpfloat (attn_draw_layout_get_panel_rect (layout, 1).width, >, 0);
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    n_titles += item->role == ATTN_DRAW_ROLE_HEAD_TITLE;
    n_marks += item->kind == ATTN_DRAW_ITEM_MARK;
  }
  g_assert_cmpuint (n_titles, ==, 3);
  g_assert_cmpuint (n_marks, ==, 3); /* the row, the column and the cell */
}

static void
paint (const AttnDrawLayout *layout)
{
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)attn_draw_layout_get_width (layout),
                                  (int)attn_draw_layout_get_height (layout));
  cairo_t *cr = cairo_create (surface);
  attn_draw_paint (layout, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

/* Picking finds the cell that is there, by the panel's own numbers. */
static void
assert_inverse (const AttnDrawLayout *layout, size_t panel)
{
  AttnDrawCrop crop = attn_draw_layout_get_panel_crop (layout, panel);
  if (crop.n_queries == 0 || crop.n_keys == 0)
    return;
  size_t query = crop.first_query + crop.n_queries - 1, key = crop.first_key;
  AttnDrawRect rect = attn_draw_layout_place (layout, panel, query, key);
  AttnDrawHit hit;
  g_assert_true (attn_draw_pick (layout, rect.x + rect.width / 2, rect.y + rect.height / 2, &hit));
  g_assert_cmpuint (hit.panel, ==, panel);
  g_assert_cmpuint (hit.query, ==, query);
  g_assert_cmpuint (hit.key, ==, key);
}

/* Rows that only A has and columns that only B has: no map, but a picture all the same. */
static void
test_nothing (void)
{
  static const AttnDrawCrop crop = {2, 1, 3, 1};
  g_autoptr (AttnDrawLayout) layout = make_layout (&crop, 700, 400, true);

  for (size_t panel = 0; panel < 3; panel++)
    g_assert_cmpfloat (attn_draw_layout_get_panel_rect (layout, panel).width, ==, 0);
  layout_assert_sane (layout);
  paint (layout);
}

/* Every part there is, in a wide and in a narrow picture. */
static void
test_every_part (void)
{
  for (size_t first = 0; first < N_JOINT; first++)
    for (size_t n = 1; n <= N_JOINT - first; n++)
      for (size_t first_key = 0; first_key < N_JOINT; first_key += 3) {
        AttnDrawCrop crop = {first, n, first_key, 1 + n % 3};
        bool is_narrow = n % 2 == 0;
        g_autoptr (AttnDrawLayout) layout =
            make_layout (&crop, is_narrow ? 260 : 900, is_narrow ? 0 : 420, true);
        layout_assert_sane (layout);
        for (size_t panel = 0; panel < 3; panel++)
          assert_inverse (layout, panel);
        paint (layout);
      }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compared-part/tokens", test_tokens);
  g_test_add_func ("/compared-part/only-b", test_only_b);
  g_test_add_func ("/compared-part/nothing", test_nothing);
  g_test_add_func ("/compared-part/every-part", test_every_part);
  return g_test_run ();
}
