/* SPDX-License-Identifier: MIT */
/* Pictures on paper: every map once, on as few pages as are readable, all maps of one size. */
#include "draw-fixture.h"

#include "attn-draw/pages.h"

#include <math.h>
#include <string.h>

#define PT_PER_PX 0.75
#define MARGIN_PT (12 / 25.4 * 72)

typedef struct {
  AttnDrawKind kind;
  size_t n_layers, n_heads, n_tokens, columns;
  AttnDrawPage page;
  double scale;
  size_t least, most; /* pages */
} Case;

static const Case cases[] = {
    {ATTN_DRAW_HEATMAP, 2, 4, 9, 0, {ATTN_DRAW_PAGE_A4, false}, 1, 1, 1},
    {ATTN_DRAW_HEATMAP, 2, 4, 300, 0, {ATTN_DRAW_PAGE_A5, true}, 2, 1, 1},
    {ATTN_DRAW_HEADS, 2, 12, 20, 0, {ATTN_DRAW_PAGE_A4, false}, 1, 1, 1},
    {ATTN_DRAW_HEADS, 2, 12, 20, 2, {ATTN_DRAW_PAGE_A4, false}, 1, 2, 3},
    {ATTN_DRAW_HEADS, 2, 5, 20, 2, {ATTN_DRAW_PAGE_A5, true}, 1, 3, 3},
    {ATTN_DRAW_HEADS, 2, 7, 20, 1, {ATTN_DRAW_PAGE_LETTER, true}, 1, 7, 7},
    {ATTN_DRAW_HEADS, 2, 12, 20, 3, {ATTN_DRAW_PAGE_A4, true}, 3, 2, 12},
    {ATTN_DRAW_LAYERS, 12, 12, 30, 0, {ATTN_DRAW_PAGE_A4, false}, 1, 1, 1},
    {ATTN_DRAW_LAYERS, 12, 12, 30, 0, {ATTN_DRAW_PAGE_A5, true}, 0.7, 1, 2},
    {ATTN_DRAW_LAYERS, 24, 4, 30, 0, {ATTN_DRAW_PAGE_LETTER, false}, 1, 4, 8},
    {ATTN_DRAW_LAYERS, 11, 2, 6, 0, {ATTN_DRAW_PAGE_A5, true}, 0.5, 2, 11},
    {ATTN_DRAW_HEADS, 2, 12, 20, 0, {ATTN_DRAW_PAGE_PICTURE, false}, 1, 1, 1},
};

static bool
stands_on (const AttnDrawLayout *layout, size_t panel)
{
  return attn_draw_layout_get_panel_rect (layout, panel).width > 0;
}

static size_t
count_role (const AttnDrawLayout *layout, AttnDrawItemKind kind, AttnDrawRole role)
{
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    n += item->kind == kind && item->role == role;
  }
  return n;
}

/* Each page has what is needed to read it without the others. */
static void
check_page (const AttnDrawPages *pages, const Case *c, size_t index)
{
  const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, index);
  double scale = c->scale * PT_PER_PX;
  g_assert_cmpfloat (attn_draw_layout_get_width (layout) * scale, <=,
                     attn_draw_pages_get_width_pt (pages) + 1e-6);
  if (c->page.size != ATTN_DRAW_PAGE_PICTURE && attn_draw_pages_get_n (pages) > 1) {
    double between = attn_draw_pages_get_height_pt (pages) - 2 * MARGIN_PT;
    g_assert_cmpfloat (attn_draw_layout_get_width (layout), <=,
                       attn_draw_page_get_width_px (&c->page, c->scale));
    g_assert_cmpfloat (attn_draw_layout_get_height (layout) * scale, <=, between);
  }
  g_assert_cmpuint (count_role (layout, ATTN_DRAW_ITEM_TEXT, ATTN_DRAW_ROLE_TITLE), ==, 1);
  g_assert_cmpuint (count_role (layout, ATTN_DRAW_ITEM_BAR, ATTN_DRAW_ROLE_BAR), ==, 1);
  g_assert_cmpuint (count_role (layout, ATTN_DRAW_ITEM_TEXT, ATTN_DRAW_ROLE_NOTE), >=, 1);
}

static void
check_maps (const AttnDrawPages *pages, AttnDrawPanels *panels)
{
  AttnDrawRect size = {0};
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    size_t n_times = 0;
    for (size_t page = 0; page < attn_draw_pages_get_n (pages); page++) {
      const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, page);
      if (!stands_on (layout, panel))
        continue;
      AttnDrawRect rect = attn_draw_layout_get_panel_rect (layout, panel);
      n_times++;
      if (size.width > 0) {
        g_assert_cmpfloat (rect.width, ==, size.width);
        g_assert_cmpfloat (rect.height, ==, size.height);
      }
      size = rect;
    }
    g_assert_cmpuint (n_times, ==, 1);
  }
}

/* What is drawn lies on the page, between its margins. */
static void
check_ink (const AttnDrawPages *pages, const Case *c, size_t index)
{
  int width = (int)ceil (attn_draw_pages_get_width_pt (pages));
  int height = (int)ceil (attn_draw_pages_get_height_pt (pages));
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);
  cairo_t *cr = cairo_create (surface);
  attn_draw_pages_paint (pages, index, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  const guint8 *data = cairo_image_surface_get_data (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface);
  size_t n_inked = 0;
  for (int y = 0; y < height - 1; y++)
    for (int x = 0; x < width - 1; x++) {
      guint32 pixel;
      memcpy (&pixel, data + (size_t)y * stride + 4 * (size_t)x, sizeof pixel);
      if ((pixel & 0xffffff) == 0xffffff)
        continue;
      n_inked++;
      bool is_foot = y > height - 34; /* the page's number */
      if (c->page.size != ATTN_DRAW_PAGE_PICTURE && !is_foot)
        g_assert_true (x >= 33 && x < width - 33 && y >= 33); /* 12 mm are 34 pt */
    }
  g_assert_cmpuint (n_inked, >, 100);
  cairo_surface_destroy (surface);
}

static void
name_cb (G_GNUC_UNUSED AttnDrawView *view, void *data)
{
  ++*(int *)data;
}

static void
check_case (const Case *c)
{
  Fixture fixture = {
      .n_layers = c->n_layers,
      .n_heads = c->n_heads,
      .n_queries = c->n_tokens,
      .n_keys = c->n_tokens,
  };
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = c->kind;
  view->n_columns = c->columns;
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  int n_named = 0;
  g_autoptr (AttnDrawPages) pages =
      attn_draw_pages_new (view, panels, &c->page, c->scale, name_cb, &n_named);
  size_t n = attn_draw_pages_get_n (pages);
  g_test_message ("kind %u, %zu × %zu heads, %s%s: %zu pages", c->kind, c->n_layers, c->n_heads,
                  attn_draw_page_size_peek_name (c->page.size), c->page.landscape ? " lying" : "",
                  n);
  g_assert_cmpuint (n, >=, c->least);
  g_assert_cmpuint (n, <=, c->most);
  g_assert_cmpint (n_named, >=, (int)n);
  check_maps (pages, panels);
  for (size_t i = 0; i < n; i++) {
    check_page (pages, c, i);
    check_ink (pages, c, i);
  }
}

static void
test_cases (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (&cases[i]);
}

/* ISO 216 and ANSI, in points. */
static void
test_sizes (void)
{
  static const double wanted[][2] = {{595.28, 841.89}, {419.53, 595.28}, {612, 792}};
  Fixture fixture = {.n_layers = 1, .n_heads = 1, .n_queries = 5, .n_keys = 5};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (&fixture, view);
  for (unsigned size = ATTN_DRAW_PAGE_A4; size < ATTN_DRAW_N_PAGE_SIZES; size++)
    for (int landscape = 0; landscape < 2; landscape++) {
      AttnDrawPage page = {(AttnDrawPageSize)size, landscape == 1};
      g_autoptr (AttnDrawPages) pages = attn_draw_pages_new (view, panels, &page, 1, NULL, NULL);
      /* half a hundredth of a point, as the sizes are rounded above */
      g_assert_cmpfloat_with_epsilon (attn_draw_pages_get_width_pt (pages),
                                      wanted[size - 1][landscape], 0.005);
      g_assert_cmpfloat_with_epsilon (attn_draw_pages_get_height_pt (pages),
                                      wanted[size - 1][1 - landscape], 0.005);
    }
}

static void
test_names (void)
{
  for (unsigned size = 0; size < ATTN_DRAW_N_PAGE_SIZES; size++) {
    AttnDrawPageSize found = ATTN_DRAW_N_PAGE_SIZES;
    g_assert_true (
        attn_draw_page_size_find (attn_draw_page_size_peek_name ((AttnDrawPageSize)size), &found));
    g_assert_cmpuint (found, ==, size);
  }
  AttnDrawPageSize untouched = ATTN_DRAW_PAGE_A5;
  g_assert_false (attn_draw_page_size_find ("a0", &untouched));
  g_assert_cmpuint (untouched, ==, ATTN_DRAW_PAGE_A5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pages/cases", test_cases);
  g_test_add_func ("/pages/sizes", test_sizes);
  g_test_add_func ("/pages/names", test_names);
  return g_test_run ();
}
