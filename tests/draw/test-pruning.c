/* SPDX-License-Identifier: MIT */
/* The figure on how many heads can go: which plots there are, what is marked, and what is said. */
#include "attn-draw/plot.h"
#include "attn-draw/pruning.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define L 2
#define H 5
#define N (L * H)
#define POINTS 11

typedef struct {
  AttnPruning pruning;
  AttnPruneCurve curves[4];
  AttnScore scores[4][POINTS], layers[L];
  double importance[N], effects[N];
} Fixture;

/* By importance it falls at 60 %, by effect never, at random at 30 and 50 %. */
static void
set_up (Fixture *fixture, gconstpointer data)
{
  static const AttnPruneOrder orders[] = {ATTN_PRUNE_BY_IMPORTANCE, ATTN_PRUNE_BY_ABLATION,
                                          ATTN_PRUNE_AT_RANDOM, ATTN_PRUNE_AT_RANDOM};
  static const size_t falls[] = {6, POINTS, 3, 5};
  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
    fixture->curves[i] = (AttnPruneCurve){orders[i], (uint32_t)i, NULL, fixture->scores[i]};
    for (size_t k = 0; k < POINTS; k++)
      fixture->scores[i][k] =
          (AttnScore){1 + 0.01 * (double)k + (k >= falls[i] ? 1 : 0), k >= falls[i] ? 0.5 : 1};
  }
  for (size_t i = 0; i < N; i++) {
    fixture->importance[i] = (double)i;
    fixture->effects[i] = -0.1 * (double)i;
  }
  fixture->layers[0] = (AttnScore){1.75, 0.5};
  fixture->layers[1] = (AttnScore){0.5, 1};
  fixture->pruning = (AttnPruning){.n_layers = L,
                                   .n_heads = N,
                                   .n_points = attn_prune_count_points (N),
                                   .n_texts = 1,
                                   .n_draws = 1,
                                   .kind = ATTN_TASK_NEXT,
                                   .importance = fixture->importance,
                                   .effects = fixture->effects,
                                   .layers = fixture->layers,
                                   .curves = fixture->curves,
                                   .n_curves = G_N_ELEMENTS (orders)};
  g_assert_cmpuint (fixture->pruning.n_points, ==, POINTS);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)fixture;
  (void)data;
}

static AttnDrawPruning
ask (const Fixture *fixture)
{
  return (AttnDrawPruning){.width = 1200, .pruning = &fixture->pruning, .layer = 1, .head = 2};
}

static const AttnDrawFigureItem *
find_text (const AttnDrawFigure *figure, const char *text)
{
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->text != NULL && strstr (item->text, text) != NULL)
      return item;
  }
  return NULL;
}

static size_t
count_frames (const AttnDrawFigure *figure, AttnDrawTone tone)
{
  const AttnDrawColor wanted = attn_draw_tone_get (&(AttnDrawFigureStyle){0}, tone);
  size_t n = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    n += item->kind == ATTN_DRAW_FIGURE_FRAME && memcmp (&item->color, &wanted, sizeof wanted) == 0;
  }
  return n;
}

/* Four plots; falls are framed in the loss and in the accuracy, the chosen head in the colour of
 * what was picked; the correlation is in the title. */
static void
test_figure (Fixture *fixture, gconstpointer data)
{
  const AttnDrawPruning asked = ask (fixture);
  g_autoptr (AttnDrawFigure) figure = attn_draw_pruning_new (&asked);
  (void)data;
  g_assert_nonnull (find_text (figure, "Loss while heads go"));
  g_assert_nonnull (find_text (figure, "Accuracy while heads go"));
  g_assert_nonnull (find_text (figure, "Layers differ"));
  g_assert_nonnull (find_text (figure, "rank correlation −1.00, with the effect’s size 1.00"));
  g_assert_cmpuint (count_frames (figure, ATTN_DRAW_TONE_TEXT), ==, 2 * 2); /* one never falls */
  g_assert_cmpuint (count_frames (figure, ATTN_DRAW_TONE_ACCENT), ==, 1);
}

/* Nothing stands outside, and every point is picked where it is. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  AttnDrawPruning asked = ask (fixture);
  (void)data;
  for (asked.width = 330; asked.width < 1500; asked.width += 230) {
    g_autoptr (AttnDrawFigure) figure = attn_draw_pruning_new (&asked);
    size_t n_heads = 0;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      g_assert_cmpfloat (item->rect.x, >=, -1);
      g_assert_cmpfloat (item->rect.x + item->rect.width, <=, asked.width + 1);
      n_heads += item->id > 0 && attn_draw_pruning_find_part (&fixture->pruning, item->id) ==
                                     ATTN_DRAW_PRUNING_HEAD;
    }
    g_assert_cmpuint (n_heads, ==, N);
  }
}

/* A sentence for each order. */
static void
test_falls (Fixture *fixture, gconstpointer data)
{
  AttnDrawPruning asked = ask (fixture);
  g_autofree char *falls = attn_draw_pruning_dup_falls (&asked);
  (void)data;
  g_assert_nonnull (strstr (falls, "By importance: the accuracy falls below 90 % of that with all "
                                   "heads once 60 % of them are off\n"));
  g_assert_nonnull (strstr (falls, "By the effect of removing each: the accuracy stays at 90 %"));
  g_assert_nonnull (strstr (falls,
                            "At random: the accuracy falls below 90 % of that with all heads "
                            "once 30 to 50 % of them are off"));
  for (size_t i = 0; i < POINTS; i++)
    fixture->scores[0][i].accuracy = 0;
  g_autofree char *none = attn_draw_pruning_dup_falls (&asked);
  g_assert_nonnull (strstr (none, "nothing is guessed right"));
}

static void
test_points (Fixture *fixture, gconstpointer data)
{
  static const struct {
    unsigned id;
    size_t row, column;
    const char *said;
  } cases[] = {
      {ATTN_DRAW_PLOT_ID (0), 6, 0,
       "By importance, 6 of 10 heads off: loss 2.0600, accuracy 0.5000"},
      {ATTN_DRAW_PLOT_ID (1), 4, 2, "At random, 4 of 10 heads off: loss 1.5400, accuracy 0.7500"},
      {ATTN_DRAW_PLOT_ID (2), 1, 0, "layer 2, all its heads off: change of the loss −0.5000"},
      {ATTN_DRAW_PLOT_ID (2), 0, 1,
       "layer 1, one head off: change of the loss −0.2000 on average, from −0.4000 to 0.0000"},
      {ATTN_DRAW_PLOT_ID (3), 7, 0,
       "layer 2, head 3: importance 7.0000; removed alone, change of the loss −0.7000"},
      {ATTN_DRAW_PLOT_ID (3), N, 0, ""},
      {ATTN_DRAW_PLOT_ID (4), 0, 0, ""},
      {0, 0, 0, ""},
  };
  const AttnDrawPruning asked = ask (fixture);
  (void)data;
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *said =
        attn_draw_pruning_dup_point (&asked, cases[i].id, cases[i].row, cases[i].column);
    g_assert_cmpstr (said, ==, cases[i].said);
  }
}

/* A vector has no accuracy, and without gradients nothing is held against effects; without curves
 * there is a reason. */
static void
test_less (Fixture *fixture, gconstpointer data)
{
  AttnDrawPruning asked = ask (fixture);
  (void)data;
  fixture->pruning.kind = ATTN_TASK_VECTOR;
  fixture->pruning.importance = NULL;
  g_autoptr (AttnDrawFigure) figure = attn_draw_pruning_new (&asked);
  g_assert_null (find_text (figure, "Accuracy"));
  g_assert_null (find_text (figure, "rank correlation"));
  g_assert_nonnull (find_text (figure, "The vector’s change while heads go"));
  g_assert_cmpint (attn_draw_pruning_find_part (&fixture->pruning, ATTN_DRAW_PLOT_ID (1)), ==,
                   ATTN_DRAW_PRUNING_LAYER);
  asked.pruning = NULL;
  g_autoptr (AttnDrawFigure) empty = attn_draw_pruning_new (&asked);
  g_assert_nonnull (find_text (empty, "Nothing is measured yet"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/pruning/figure", Fixture, NULL, set_up, test_figure, tear_down);
  g_test_add ("/pruning/places", Fixture, NULL, set_up, test_places, tear_down);
  g_test_add ("/pruning/falls", Fixture, NULL, set_up, test_falls, tear_down);
  g_test_add ("/pruning/points", Fixture, NULL, set_up, test_points, tear_down);
  g_test_add ("/pruning/less", Fixture, NULL, set_up, test_less, tear_down);
  return g_test_run ();
}
