/* SPDX-License-Identifier: MIT */
/* The figure of an atlas: every head is on the map and picked there, names do not lie on each
 * other, and every pattern is told with the numbers of its rule. */
#include "attn-draw/atlas.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define L 5
#define H 6

typedef struct {
  AttnAtlas *atlas;
  AttnAtlasMap *map;
} Fixture;

static void
put (AttnAtlas *atlas, size_t head, AttnPassportField field, double value)
{
  attn_moments_add (&atlas->heads[head].fields[field], value);
}

/* A head of each pattern in turn. */
static void
fill (AttnAtlas *atlas, size_t i)
{
  static const double masses[][5] = {/* cls, sep, previous, entropy, other */
                                     {0.3, 0.4, 0.1, 0.5, 0.3}, {0.1, 0.1, 0.7, 0.2, 0.3},
                                     {0.2, 0.1, 0.4, 0.3, 0.3}, {0.1, 0.1, 0.1, 0.7, 0.05},
                                     {0.1, 0.1, 0.1, 0.9, 0.3}, {0.1, 0.1, 0.1, 0.5, 0.3}};
  const double *mass = masses[i % G_N_ELEMENTS (masses)];
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++)
    put (atlas, i, field,
         field == ATTN_PASSPORT_CLS                  ? mass[0]
         : field == ATTN_PASSPORT_SEP                ? mass[1]
         : field == ATTN_PASSPORT_PREVIOUS           ? mass[2]
         : field == ATTN_PASSPORT_ENTROPY_NORMALISED ? mass[3]
         : field == ATTN_PASSPORT_OTHER              ? mass[4]
                                                     : 0.05);
  atlas->heads[i].classes[i % 6] = 1;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  (void)data;
  fixture->atlas = attn_atlas_new (L, H, true);
  fixture->atlas->n_texts = 1;
  for (size_t i = 0; i < L * H; i++)
    fill (fixture->atlas, i);
  for (size_t i = 0; i < L * H * (L * H - 1) / 2; i++)
    fixture->atlas->distances[i] = 0.1 + 0.5 * fabs (sin ((double)i));
  fixture->map = attn_atlas_map (fixture->atlas, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  attn_atlas_map_free (fixture->map);
  attn_atlas_free (fixture->atlas);
}

static AttnDrawAtlas
get_asked (Fixture *fixture, double width)
{
  return (AttnDrawAtlas){.style = {.palette = ATTN_DRAW_PALETTE_PAPER, .font_size_pt = 10},
                         .width = width,
                         .atlas = fixture->atlas,
                         .map = fixture->map,
                         .layer = 2,
                         .head = 1};
}

static bool
is_dot (const AttnDrawFigureItem *item)
{
  return item->id == ATTN_DRAW_ATLAS_HEAD && item->kind == ATTN_DRAW_FIGURE_FRAME;
}

/* At every width all heads have a dot inside of the figure, which is picked where no other lies. */
static void
test_dots (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (double width = 340; width < 1500; width += 130) {
    const AttnDrawAtlas asked = get_asked (fixture, width);
    g_autoptr (AttnDrawFigure) figure = attn_draw_atlas_new (&asked);
    const double height = attn_draw_figure_get_height (figure);
    bool seen[L * H] = {false};
    size_t n_picked = 0;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      g_assert_cmpfloat (item->rect.x, >=, -1);
      g_assert_cmpfloat (item->rect.x + item->rect.width, <=, width + 1);
      g_assert_cmpfloat (item->rect.y + item->rect.height, <=, height + 1);
      if (!is_dot (item))
        continue;
      AttnDrawFigureHit hit;
      g_assert_false (seen[item->row * H + item->column]);
      seen[item->row * H + item->column] = true;
      g_assert_true (attn_draw_figure_pick (figure, item->rect.x + item->rect.width / 2,
                                            item->rect.y + item->rect.height / 2, &hit));
      g_assert_cmpuint (hit.id, ==, ATTN_DRAW_ATLAS_HEAD);
      n_picked += hit.row == item->row && hit.column == item->column;
    }
    for (size_t i = 0; i < L * H; i++)
      g_assert_true (seen[i]);
    g_assert_cmpuint (n_picked, >, L * H / 2);
  }
}

static bool
meet (const AttnDrawRect *a, const AttnDrawRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

/* Names stand beside dots, and none on another one. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  (void)data;
  const AttnDrawAtlas asked = get_asked (fixture, 1000);
  g_autoptr (AttnDrawFigure) figure = attn_draw_atlas_new (&asked);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->id == ATTN_DRAW_ATLAS_HEAD && item->text != NULL && strlen (item->text) == 3)
      g_ptr_array_add (names, (gpointer)(guintptr)item);
  }
  g_assert_cmpuint (names->len, >, L * H / 2);
  for (guint a = 0; a < names->len; a++)
    for (guint b = a + 1; b < names->len; b++) {
      const AttnDrawFigureItem *first = g_ptr_array_index (names, a);
      const AttnDrawFigureItem *second = g_ptr_array_index (names, b);
      g_assert_false (meet (&first->rect, &second->rect));
    }
}

/* Each pattern's rule, with the numbers that it was asked of and its thresholds. */
static void
test_rules (Fixture *fixture, gconstpointer data)
{
  static const char *const parts[] = {
      "0.700 of the weight, which is 0.50", "the previous token gets 0.700", "0.300 of the weight",
      "other sentence gets 0.050",          "0.900 of ln T, which is 0.85",  "no rule holds"};
  const AttnDrawAtlas asked = get_asked (fixture, 800);
  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (parts); i++) {
    const AttnPassport passport = attn_atlas_get_passport (fixture->atlas, 0, i);
    g_assert_cmpint (passport.pattern, ==, i);
    g_autofree char *rule = attn_draw_atlas_dup_rule (&asked, &passport);
    g_assert_nonnull (strstr (rule, parts[i]));
  }
}

/* A filter dims what it leaves out; a layer that there is not leaves out nothing. */
static void
test_filter (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (size_t layer = 0; layer <= L + 1; layer++) {
    AttnDrawAtlas asked = get_asked (fixture, 800);
    asked.filter = (AttnDrawAtlasFilter){ATTN_PATTERN_BROAD + 1, layer};
    g_autoptr (AttnDrawFigure) figure = attn_draw_atlas_new (&asked);
    const AttnDrawColor broad = attn_draw_atlas_get_color (&asked.style, ATTN_PATTERN_BROAD);
    double largest = 0;
    size_t n = 0;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++)
      if (is_dot (attn_draw_figure_peek_item (figure, i)))
        largest = fmax (largest, attn_draw_figure_peek_item (figure, i)->rect.width);
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      n += is_dot (item) && item->rect.width > 0.9 * largest;
    }
    g_assert_cmpfloat (broad.red + broad.green + broad.blue, >, 0);
    g_assert_cmpuint (n, ==, layer == 0 || layer > L ? L : 1);
  }
}

/* Without distances there are passports all the same. */
static void
test_no_map (Fixture *fixture, gconstpointer data)
{
  AttnDrawAtlas asked = get_asked (fixture, 800);
  bool told = false;
  (void)data;
  asked.map = NULL;
  g_autoptr (AttnDrawFigure) figure = attn_draw_atlas_new (&asked);
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    g_assert_cmpuint (item->id, !=, ATTN_DRAW_ATLAS_HEAD);
    told |= item->text != NULL && strstr (item->text, "Layer 3, head 2") != NULL;
  }
  g_assert_true (told);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/atlas/dots", Fixture, NULL, set_up, test_dots, tear_down);
  g_test_add ("/atlas/names", Fixture, NULL, set_up, test_names, tear_down);
  g_test_add ("/atlas/rules", Fixture, NULL, set_up, test_rules, tear_down);
  g_test_add ("/atlas/filter", Fixture, NULL, set_up, test_filter, tear_down);
  g_test_add ("/atlas/no-map", Fixture, NULL, set_up, test_no_map, tear_down);
  return g_test_run ();
}
