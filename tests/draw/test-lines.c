/* SPDX-License-Identifier: MIT */
/* The view of lines: which weights have one, where it runs, how opaque it is, what is picked. */
#include "cells.h"
#include "head-colors.h"
#include "layout-checks.h"
#include "links.h"

#include "attn-draw/paint.h"
#include "attn-draw/write.h"

#include <math.h>
#include <string.h>

static const AttnDrawFocus all = {G_MAXSIZE, G_MAXSIZE, G_MAXSIZE};

/* Weights of 0 … 1 with a range of 1, so that a weight is its opacity. */
static AttnDrawLayout *
make_layout (const float *weights, size_t n, size_t n_heads, const AttnHeadSet *heads, size_t pin)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {
      .n_layers = 1,
      .n_heads = n_heads,
      .n_queries = n,
      .n_keys = n,
      .weights = weights,
  };
  view->kind = ATTN_DRAW_LINES;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 1;
  if (heads != NULL)
    view->arrangement.heads = *heads;
  view->has_pin = pin != G_MAXSIZE;
  view->pin_query = pin;
  return fixture_make_layout (&fixture, view);
}

static const AttnDrawItem *
find_lines (const AttnDrawLayout *layout)
{
  const AttnDrawItem *found = NULL;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    if (attn_draw_layout_peek_item (layout, i)->kind == ATTN_DRAW_ITEM_LINES)
      found = attn_draw_layout_peek_item (layout, i);
  g_assert_nonnull (found);
  return found;
}

typedef struct {
  size_t width, height;
  uint32_t *pixels;
} Picture;

static void
picture_clear (Picture *picture)
{
  g_free (picture->pixels);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Picture, picture_clear)

static Picture
raster (const AttnDrawLayout *layout, const AttnDrawFocus *focus, double scale)
{
  AttnDrawRect rect = find_lines (layout)->rect;
  Picture picture = {
      .width = (size_t)round (rect.width * scale),
      .height = (size_t)round (rect.height * scale),
  };
  picture.pixels = g_new (uint32_t, picture.width * picture.height);
  attn_draw_raster_lines (layout, focus, scale, 0, picture.height, picture.pixels, picture.width);
  return picture;
}

static const AttnDrawLink *
peek_link (const AttnDrawLinkSet *set, guint index)
{
  return &g_array_index (set->links, AttnDrawLink, index);
}

/* Exactly the weights from 2 % of the range's end on, the faintest first. */
static void
test_chosen (void)
{
  static const float weights[9] = {0.5f, 0.25f, 0.25f, 0.01f, 0.98f, 0.01f, 0, 0.02f, 0.98f};
  static const struct {
    uint32_t query, key;
    uint8_t code;
  } wanted[] = {{2, 1, 5}, {0, 1, 64}, {0, 2, 64}, {0, 0, 128}, {1, 1, 250}, {2, 2, 250}};
  g_autoptr (AttnDrawLayout) layout = make_layout (weights, 3, 1, NULL, G_MAXSIZE);
  const AttnDrawLinkSet *set = &layout->links->shown;

  g_assert_cmpuint (set->links->len, ==, G_N_ELEMENTS (wanted));
  for (guint i = 0; i < set->links->len; i++) {
    g_assert_cmpuint (peek_link (set, i)->query, ==, wanted[i].query);
    g_assert_cmpuint (peek_link (set, i)->key, ==, wanted[i].key);
    g_assert_cmpuint (peek_link (set, i)->code, ==, wanted[i].code);
  }
  g_assert_true (set->is_cut);
  g_assert_true (layout_has_note (layout, "lines fainter than 2 % are left out"));
}

/* Of very many the strongest are drawn, none weaker than the note says and all that are stronger.
 */
static void
test_limit (void)
{
  const size_t n = 160;
  g_autofree float *weights = g_new (float, n *n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  size_t counts[256] = {0};
  for (size_t i = 0; i < n * n; i++) {
    weights[i] = (float)g_rand_double (rand);
    counts[attn_draw_color_index (weights[i], 1)] += 2; /* of two heads */
  }
  g_autoptr (AttnDrawLayout) layout = make_layout (weights, n, 2, NULL, G_MAXSIZE);
  const AttnDrawLinkSet *set = &layout->links->shown;
  size_t n_stronger = 0;
  for (unsigned code = set->least; code < 256; code++)
    n_stronger += counts[code];

  g_assert_cmpuint (set->least, >, ATTN_DRAW_LEAST_CODE);
  g_assert_cmpuint (set->links->len, ==, n_stronger);
  g_assert_cmpuint (set->links->len, <=, ATTN_DRAW_MAX_LINKS);
  g_assert_cmpuint (set->links->len + counts[set->least - 1], >, ATTN_DRAW_MAX_LINKS);
  g_assert_cmpuint (peek_link (set, 0)->code, ==, set->least);
  g_autofree char *note =
      g_strdup_printf ("lines fainter than %.0f %% are", 100 * set->least / 255.0);
  g_assert_true (layout_has_note (layout, note));

  /* one token's lines are all drawn, down to the faintest that can be seen */
  AttnDrawLinkSet own;
  AttnDrawFocus focus = {G_MAXSIZE, 7, G_MAXSIZE};
  attn_draw_links_choose (layout->links, layout, &focus, &own);
  size_t n_own = 0;
  for (size_t key = 0; key < n; key++)
    n_own += attn_draw_color_index (weights[7 * n + key], 1) >= ATTN_DRAW_LEAST_CODE ? 2 : 0;
  g_assert_cmpuint (own.links->len, ==, n_own);
  g_assert_cmpuint (own.least, ==, ATTN_DRAW_LEAST_CODE);
  g_array_unref (own.links);
}

/* Too many of one opacity: none is drawn, and the picture says so. */
static void
test_ties (void)
{
  const size_t n = 160;
  g_autofree float *weights = g_new (float, n *n);
  for (size_t i = 0; i < n * n; i++)
    weights[i] = 0.5f;
  g_autoptr (AttnDrawLayout) layout = make_layout (weights, n, 1, NULL, G_MAXSIZE);

  g_assert_cmpuint (layout->links->shown.links->len, ==, 0);
  g_assert_true (layout_has_note (layout, "too many lines"));
}

/* A level line of a known weight: its rows have its colour mixed with the ground by its opacity,
 * the rows beside it are the ground. */
static void
test_known_line (void)
{
  static const float opacities[] = {1, 0.5f, 0.2f};
  static const AttnDrawPalette palettes[] = {ATTN_DRAW_PALETTE_PAPER,
                                             ATTN_DRAW_PALETTE_SCREEN_DARK};
  const size_t scale = 4;

  for (size_t o = 0; o < G_N_ELEMENTS (opacities); o++)
    for (size_t p = 0; p < G_N_ELEMENTS (palettes); p++) {
      const float weights[4] = {0, 0, 0, opacities[o]};
      g_autoptr (AttnDrawView) view = attn_draw_view_new ();
      Fixture fixture = {1, 1, 2, 2, .weights = weights};
      view->kind = ATTN_DRAW_LINES;
      view->palette = palettes[p];
      view->range = ATTN_DRAW_RANGE_FIXED;
      g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
      g_auto (Picture) picture = raster (layout, NULL, (double)scale);
      double middle = layout->links->pitch * 1.5 * (double)scale;
      double half = layout->links->line_width * (double)scale / 2;
      AttnDrawColor ground = attn_draw_layout_get_background (layout);
      AttnDrawColor own = attn_draw_color_from_pixel (attn_draw_head_color (palettes[p], 0));
      double share = (double)opacities[o];
      AttnDrawColor mixed = {ground.red + share * (own.red - ground.red),
                             ground.green + share * (own.green - ground.green),
                             ground.blue + share * (own.blue - ground.blue)};
      for (size_t y = 0; y < picture.height; y++)
        for (size_t x = 0; x < picture.width; x++) {
          AttnDrawColor got = attn_draw_color_from_pixel (picture.pixels[y * picture.width + x]);
          double distance = fabs ((double)y + 0.5 - middle);
          if (distance > half + 0.5)
            g_assert_cmphex (picture.pixels[y * picture.width + x], ==,
                             attn_draw_color_to_pixel (ground));
          else if (distance < half - 0.5)
            /* opacities are rounded to 255ths, and channels to whole numbers */
            g_assert_cmpfloat (fabs (got.red - mixed.red) + fabs (got.green - mixed.green) +
                                   fabs (got.blue - mixed.blue),
                               <=, 3 * 1.6 / 255);
        }
    }
}

static size_t
count_painted (const Picture *picture, uint32_t ground)
{
  size_t n = 0;
  for (size_t i = 0; i < picture->width * picture->height; i++)
    n += picture->pixels[i] != ground;
  return n;
}

/* Whether the column of pixels at @x has anything within @reach of @y. */
static bool
has_paint (const Picture *picture, uint32_t ground, double x, double y, double reach)
{
  for (double at = MAX (floor (y - reach), 0); at < MIN (y + reach, (double)picture->height); at++)
    if (picture->pixels[(size_t)at * picture->width + (size_t)x] != ground)
      return true;
  return false;
}

/* Lines begin and end at their tokens, flat ones and steep ones; with a focus on one token nothing
 * begins at another. */
static void
test_ends (void)
{
  const size_t n = 90;
  g_autofree float *weights = g_new0 (float, n *n);
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  size_t keys[90];
  for (size_t query = 0; query < n; query++) {
    keys[query] = (size_t)g_rand_int_range (rand, 0, (gint32)n);
    weights[query * n + keys[query]] = 1;
  }
  g_autoptr (AttnDrawLayout) layout = make_layout (weights, n, 1, NULL, G_MAXSIZE);
  uint32_t ground = attn_draw_color_to_pixel (attn_draw_layout_get_background (layout));
  double pitch = layout->links->pitch;

  for (size_t query = 0; query < n; query++) {
    AttnDrawFocus focus = {G_MAXSIZE, query, G_MAXSIZE};
    g_auto (Picture) picture = raster (layout, &focus, 1);
    double right = (double)picture.width - 1;
    for (size_t token = 0; token < n; token++) {
      double y = ((double)token + 0.5) * pitch;
      double reach = 0.2 * pitch;
      if (token == query)
        g_assert_true (has_paint (&picture, ground, 0, y, pitch / 2));
      else if (token > query + 1 || token + 1 < query)
        g_assert_false (has_paint (&picture, ground, 0, y, reach));
      if (token == keys[query])
        g_assert_true (has_paint (&picture, ground, right, y, pitch / 2));
      else if (token > keys[query] + 1 || token + 1 < keys[query])
        g_assert_false (has_paint (&picture, ground, right, y, reach));
    }
  }
  AttnDrawFocus key = {G_MAXSIZE, G_MAXSIZE, keys[4]}, nobody = {7, G_MAXSIZE, G_MAXSIZE};
  g_auto (Picture) to_key = raster (layout, &key, 1);
  g_auto (Picture) none = raster (layout, &nobody, 1);
  g_assert_true (has_paint (&to_key, ground, 0, 4.5 * pitch, pitch / 2));
  g_assert_cmpuint (count_painted (&none, ground), ==, 0);
}

/* A pinned token keeps only its own lines, in files too; chosen heads only theirs. */
static void
test_subsets (void)
{
  const size_t n = 12;
  AttnHeadSet heads = {{0}};
  attn_head_set_put (&heads, 1, true);
  attn_head_set_put (&heads, 4, true);
  g_autoptr (AttnDrawLayout) some = make_layout (NULL, n, 6, &heads, G_MAXSIZE);
  g_autoptr (AttnDrawLayout) pinned = make_layout (NULL, n, 6, NULL, 3);

  g_assert_cmpuint (some->links->n_slots, ==, 2);
  g_assert_cmpuint (some->links->panels[0], ==, 1);
  g_assert_cmpuint (some->links->panels[1], ==, 4);
  g_assert_cmphex (some->links->colors[1], ==, attn_draw_head_color (ATTN_DRAW_PALETTE_PAPER, 4));
  g_assert_cmpstr (attn_draw_layout_peek_view (some)->strings.title, ==,
                   "Layer 1 · heads 2, 5 · attention weights");
  g_assert_cmpuint (pinned->links->shown.links->len, >, 0);
  for (guint i = 0; i < pinned->links->shown.links->len; i++)
    g_assert_cmpuint (peek_link (&pinned->links->shown, i)->query, ==, 3);
  AttnDrawFocus head = {2, G_MAXSIZE, G_MAXSIZE};
  AttnDrawLinkSet own;
  attn_draw_links_choose (pinned->links, pinned, &head, &own);
  g_assert_cmpuint (own.links->len, >, 0);
  for (guint i = 0; i < own.links->len; i++)
    g_assert_cmpuint (pinned->links->panels[peek_link (&own, i)->slot], ==, 2);
  g_array_unref (own.links);
}

/* Painted band by band, as the window does, it is the same picture, pixel by pixel. */
static void
test_bands (void)
{
  g_autoptr (AttnDrawLayout) layout = make_layout (NULL, 60, 5, NULL, G_MAXSIZE);
  static const double scales[] = {1, 1.5, 2};
  static const size_t bands[] = {1, 64, 100};

  for (size_t s = 0; s < G_N_ELEMENTS (scales); s++) {
    g_auto (Picture) whole = raster (layout, NULL, scales[s]);
    g_auto (Picture) chosen = raster (layout, &all, scales[s]);
    g_assert_cmpmem (whole.pixels, whole.width * whole.height * 4, chosen.pixels,
                     chosen.width * chosen.height * 4);
    for (size_t b = 0; b < G_N_ELEMENTS (bands); b++)
      for (size_t first = 0; first < whole.height; first += bands[b]) {
        size_t n = MIN (bands[b], whole.height - first);
        g_autofree uint32_t *part = g_new (uint32_t, n * whole.width);
        attn_draw_raster_lines (layout, NULL, scales[s], first, n, part, whole.width);
        g_assert_cmpmem (part, n * whole.width * 4, whole.pixels + first * whole.width,
                         n * whole.width * 4);
      }
  }
}

typedef struct {
  const AttnDrawStrokes *strokes;
  size_t first, n_rows;
  uint32_t *pixels; /* of the whole */
} Part;

static gpointer
paint_part (gpointer data)
{
  const Part *part = data;
  size_t width = attn_draw_strokes_get_width (part->strokes);
  attn_draw_strokes_raster (part->strokes, part->first, part->n_rows,
                            part->pixels + part->first * width, width);
  return NULL;
}

/* Lines outlive their layout and are painted by two threads, the same as by one. What they take is
 * estimated: each is at least as long as the picture is wide, and the parts add up to the whole but
 * for the lines' ends. */
static void
test_strokes (void)
{
  AttnDrawLayout *layout = make_layout (NULL, 60, 5, NULL, G_MAXSIZE);
  AttnDrawFocus focus = {G_MAXSIZE, 7, G_MAXSIZE};
  g_auto (Picture) wanted = raster (layout, &focus, 2);
  g_autoptr (AttnDrawStrokes) strokes = attn_draw_strokes_new (layout, &focus, 2);
  size_t width = attn_draw_strokes_get_width (strokes), half = wanted.height / 2;
  g_autofree uint32_t *pixels = g_new (uint32_t, width * wanted.height);
  Part upper = {strokes, 0, half, pixels};
  Part lower = {strokes, half, wanted.height - half, pixels};

  g_clear_pointer (&layout, attn_draw_layout_free);
  g_assert_cmpuint (width, ==, wanted.width);
  GThread *thread = g_thread_new ("strokes", paint_part, &upper);
  paint_part (&lower);
  g_thread_join (thread);
  g_assert_cmpmem (pixels, width * wanted.height * 4, wanted.pixels, width * wanted.height * 4);
  double whole = attn_draw_strokes_estimate (strokes, 0, wanted.height);
  double parts = attn_draw_strokes_estimate (strokes, 0, half) +
                 attn_draw_strokes_estimate (strokes, half, wanted.height - half);
  g_assert_cmpfloat (whole, >=, 0.99 * (double)width); /* the line to its own row is cut nowhere */
  g_assert_cmpfloat (ABS (whole - parts), <=, 0.01 * whole);
}

/* A recording is a vector surface. */
static Picture
play_lines (const AttnDrawLayout *layout)
{
  AttnDrawRect rect = find_lines (layout)->rect;
  cairo_surface_t *recording = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cairo_t *cr = cairo_create (recording);
  attn_draw_paint (layout, cr);
  cairo_destroy (cr);
  Picture picture = {.width = (size_t)rect.width, .height = (size_t)rect.height};
  picture.pixels = g_new0 (uint32_t, picture.width * picture.height);
  cairo_surface_t *surface = cairo_image_surface_create_for_data (
      (unsigned char *)picture.pixels, CAIRO_FORMAT_RGB24, (int)picture.width, (int)picture.height,
      (int)picture.width * 4);
  cr = cairo_create (surface);
  cairo_set_source_surface (cr, recording, -rect.x, -rect.y);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  cairo_surface_destroy (recording);
  return picture;
}

static double
compare (const Picture *a, const Picture *b)
{
  double sum = 0;
  for (size_t i = 0; i < a->width * a->height; i++)
    for (int shift = 0; shift < 24; shift += 8) {
      int one = (int)(a->pixels[i] >> shift & 0xff), two = (int)(b->pixels[i] >> shift & 0xff);
      sum += abs (one - two);
    }
  return sum / (3.0 * (double)(a->width * a->height));
}

/* Paths on paper are the lines of the screen, but for how the two smooth edges: less than three of
 * 256 steps on average, where an empty picture differs by far more. */
static void
test_paper (void)
{
  static const size_t sizes[] = {4, 16, 50};

  for (size_t s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (AttnDrawLayout) layout = make_layout (NULL, sizes[s], 3, NULL, G_MAXSIZE);
    g_auto (Picture) screen = raster (layout, NULL, 1);
    g_auto (Picture) paper = play_lines (layout);
    AttnDrawFocus nobody = {7, G_MAXSIZE, G_MAXSIZE};
    g_auto (Picture) none = raster (layout, &nobody, 1);
    double difference = compare (&screen, &paper), without = compare (&none, &paper);
    g_test_message ("%zu tokens: differs by %.2f, without lines by %.2f", sizes[s], difference,
                    without);
    g_assert_cmpfloat (difference, <, 3);
    g_assert_cmpfloat (difference, <, 0.25 * without);
  }
}

static void
assert_hit (const AttnDrawLayout *layout, AttnDrawRect rect, const AttnDrawHit *wanted)
{
  AttnDrawHit hit;
  g_assert_true (attn_draw_pick (layout, rect.x + rect.width / 2, rect.y + rect.height / 2, &hit));
  g_assert_cmpint (hit.role, ==, wanted->role);
  g_assert_cmpuint (hit.head, ==, wanted->head);
  g_assert_cmpuint (hit.query, ==, wanted->query);
  g_assert_cmpuint (hit.key, ==, wanted->key);
}

/* Labels by their rows, heads by their colours, lines by their middles. */
static void
test_pick (void)
{
  const size_t n = 9;
  g_autofree float *weights = g_new0 (float, n *n);
  for (size_t query = 0; query < n; query++)
    weights[query * n + (query * 4) % n] = 1;
  g_autoptr (AttnDrawLayout) layout = make_layout (weights, n, 1, NULL, G_MAXSIZE);
  g_autoptr (AttnDrawLayout) many = make_layout (NULL, n, 30, NULL, G_MAXSIZE);

  for (size_t token = 0; token < n; token++) {
    AttnDrawHit query = {
        ATTN_DRAW_ROLE_QUERY_LABEL, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, token, G_MAXSIZE};
    AttnDrawHit key = {ATTN_DRAW_ROLE_KEY_LABEL, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, G_MAXSIZE, token};
    assert_hit (layout, attn_draw_layout_place (layout, 0, token, G_MAXSIZE), &query);
    assert_hit (layout, attn_draw_layout_place (layout, 0, G_MAXSIZE, token), &key);
  }
  for (size_t query = 1; query < n; query += 3) {
    AttnDrawRect line = attn_draw_layout_place (layout, 0, query, (query * 4) % n);
    /* a tenth along, where no two cross */
    double share = 0.1, left = ((double)query + 0.5) * layout->links->pitch;
    double right = ((double)((query * 4) % n) + 0.5) * layout->links->pitch;
    AttnDrawHit hit;
    g_assert_true (attn_draw_pick (layout, line.x + share * line.width,
                                   layout->links->rect.y + left + share * (right - left), &hit));
    g_assert_cmpuint (hit.query, ==, query);
    g_assert_cmpuint (hit.key, ==, (query * 4) % n);
    g_assert_cmpuint (hit.head, ==, 0);
  }
  size_t n_swatches = 0;
  for (size_t i = 0; i < attn_draw_layout_get_n_items (many); i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (many, i);
    AttnDrawHit head = {ATTN_DRAW_ROLE_LEGEND, item->panel, 0, item->panel, G_MAXSIZE, G_MAXSIZE};
    if (item->role != ATTN_DRAW_ROLE_LEGEND || item->panel == G_MAXSIZE)
      continue;
    assert_hit (many, item->rect, &head);
    n_swatches += item->kind == ATTN_DRAW_ITEM_RULE;
  }
  g_assert_cmpuint (n_swatches, ==, 30);
}

/* Every query and key has a label, however many there are; the picture scrolls instead. */
static void
test_long (void)
{
  LayoutCase c = {ATTN_DRAW_LINES, 512, 512, 900, 10, NULL, false, false, 700};
  g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);
  size_t n_labels = 0;

  for (size_t i = 0; i < attn_draw_layout_get_n_items (layout); i++)
    n_labels += attn_draw_layout_peek_item (layout, i)->role == ATTN_DRAW_ROLE_KEY_LABEL;
  g_assert_cmpuint (n_labels, ==, 512);
  g_assert_cmpfloat (attn_draw_layout_get_height (layout), >, 5000);

  LayoutCase small = {ATTN_DRAW_LINES, 16, 16, 900, 10, NULL, false, false, 700};
  g_autoptr (AttnDrawLayout) fits = layout_case_make (&small);
  g_assert_cmpfloat (attn_draw_layout_get_height (fits), <=, 700);
  g_assert_cmpfloat (find_lines (fits)->rect.height, >, 400); /* uses the room it has */
}

/* Files stay small however many weights there are. */
static void
test_file_size (void)
{
  AttnDrawProvenance provenance = {"title", "description", "creator"};
  LayoutCase c = {ATTN_DRAW_LINES, 128, 128, 900, 10, NULL, false, false};
  g_autoptr (AttnDrawLayout) layout = layout_case_make (&c);

  for (AttnDrawFormat format = ATTN_DRAW_SVG; format <= ATTN_DRAW_PDF; format++) {
    g_autoptr (GError) error = NULL;
    gint64 begin = g_get_monotonic_time ();
    g_autoptr (GBytes) bytes = attn_draw_write (layout, format, 1, &provenance, &error);
    g_assert_no_error (error);
    g_test_message ("%s: %u lines, %zu bytes, %.0f ms", attn_draw_format_peek_name (format),
                    layout->links->shown.links->len, g_bytes_get_size (bytes),
                    (double)(g_get_monotonic_time () - begin) / 1000);
    g_assert_cmpuint (g_bytes_get_size (bytes), <, 3 << 20);
  }
}

/* What may not be seen, and what is no number, has no line. */
static void
test_no_weight (void)
{
  const float weights[4] = {NAN, 0.5f, 0.25f, 0.5f};
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  Fixture fixture = {1, 1, 2, 2, .weights = weights, .causal = true};
  view->kind = ATTN_DRAW_LINES;
  g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);

  g_assert_cmpuint (layout->links->shown.links->len, ==, 2);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (peek_link (&layout->links->shown, i)->query, ==, 1);
  g_assert_true (layout_has_note (layout, "not numbers"));
  g_assert_false (layout_has_note (layout, "hatched"));
}

/* A line that is asked for by its ends is as strong as the one that is drawn, on any scale; of what
 * has no weight, cannot be seen or is no number it has no strength at all. */
static void
test_strength (void)
{
  static const float weights[9] = {0.5f, 0.1f, 0.1f, 4.8e-15f, 0.98f, 0.3f, NAN, 0, 0.0571f};
  static const double wanted[9] = {128, 0, 0, 0, 250, 0, 0, 0, 15};

  for (AttnDrawScale scale = ATTN_DRAW_SCALE_LINEAR; scale <= ATTN_DRAW_SCALE_RANK; scale++) {
    g_autoptr (AttnDrawView) view = attn_draw_view_new ();
    Fixture fixture = {1, 1, 3, 3, .weights = weights, .causal = true};
    view->kind = ATTN_DRAW_LINES;
    view->range = ATTN_DRAW_RANGE_FIXED;
    view->range_max = 1;
    view->scale = scale;
    g_autoptr (AttnDrawLayout) layout = fixture_make_layout (&fixture, view);
    const AttnDrawLinkSet *set = &layout->links->shown;
    AttnDrawLine line;
    g_assert_cmpuint (set->links->len, >=, 2);
    for (guint i = 0; i < set->links->len; i++) {
      const AttnDrawLink *link = peek_link (set, i);
      g_assert_true (attn_draw_layout_find_line (layout, 0, link->query, link->key, &line));
      g_assert_cmpfloat_with_epsilon (line.strength * 255, link->code, 1e-9); /* one division */
      g_assert_cmpfloat_with_epsilon (line.width, layout->links->line_width, 1e-9);
    }
    for (size_t i = 0; i < 9; i++) {
      bool is_none = i == 1 || i == 2 || i == 5 || i == 6 || i == 7; /* unseen, no number, 0 */
      g_assert_true (attn_draw_layout_find_line (layout, 0, i / 3, i % 3, &line));
      if (scale == ATTN_DRAW_SCALE_LINEAR || is_none)
        g_assert_cmpfloat_with_epsilon (line.strength * 255, wanted[i], 1e-9);
    }
    g_assert_false (attn_draw_layout_find_line (layout, 0, 3, 0, &line));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lines/chosen", test_chosen);
  g_test_add_func ("/lines/limit", test_limit);
  g_test_add_func ("/lines/ties", test_ties);
  g_test_add_func ("/lines/known-line", test_known_line);
  g_test_add_func ("/lines/ends", test_ends);
  g_test_add_func ("/lines/subsets", test_subsets);
  g_test_add_func ("/lines/bands", test_bands);
  g_test_add_func ("/lines/strokes", test_strokes);
  g_test_add_func ("/lines/paper", test_paper);
  g_test_add_func ("/lines/strength", test_strength);
  g_test_add_func ("/lines/pick", test_pick);
  g_test_add_func ("/lines/long", test_long);
  g_test_add_func ("/lines/file-size", test_file_size);
  g_test_add_func ("/lines/no-weight", test_no_weight);
  return g_test_run ();
}
