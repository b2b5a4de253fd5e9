/* SPDX-License-Identifier: MIT */
/* The figure on heads that are off: what stands where at every width, what is marked and picked. */
#include "attn-draw/ablation.h"
#include "attn/model.h"
#include "attn/run.h"

#include <glib.h>

#include <math.h>
#include <string.h>

#define L 3
#define H 4

typedef struct {
  AttnAblationClean clean;
  AttnTask task;
  AttnTrace *trace;
  double each[L * H], sizes[L * H];
  AttnImportance importance;
  AttnHeadGates *gates;
  AttnAblationOff off;
} Fixture;

static AttnTrace *
run (void)
{
  g_autoptr (GError) error = NULL;
  const AttnConfig config = {
      .family = (char *)(guintptr) "bert",
      .n_layers = L,
      .n_heads = H,
      .d_model = 16,
      .d_k = 4,
      .d_ff = 32,
      .vocab_size = 40,
      .n_positions = 64,
      .n_types = 2,
      .layer_norm_eps = 1e-12,
  };
  g_autoptr (AttnModel) model = attn_model_new_random (&config, &error);
  g_assert_no_error (error);
  const int32_t ids[] = {1, 8, 15, 22, 29};
  AttnTrace *trace = attn_model_run_ids (model, ids, NULL, G_N_ELEMENTS (ids), NULL, &error);
  g_assert_no_error (error);
  return trace;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->trace = run ();
  fixture->task =
      (AttnTask){.kind = ATTN_TASK_VECTOR, .n_draws = 1, .clean = fixture->trace, .loss = 0};
  fixture->clean = (AttnAblationClean){.task = &fixture->task, .n_layers = L, .n_heads = H};
  for (size_t i = 0; i < L * H; i++) {
    fixture->each[i] = i == 6 ? 0.9 : 0.05 * (double)i - 0.2;
    fixture->sizes[i] = 0.1 * (double)i;
  }
  fixture->importance = (AttnImportance){L, H, fixture->sizes, fixture->sizes, fixture->sizes};
  fixture->gates = attn_head_gates_new (L, H);
  attn_head_gates_set (fixture->gates, 1, 2, ATTN_GATE_ZERO);
  fixture->off =
      (AttnAblationOff){.gates = fixture->gates, .n_off = 1, .loss = 0.25, .trace = fixture->trace};
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  attn_trace_unref (fixture->trace);
  attn_head_gates_free (fixture->gates);
}

static AttnDrawFigure *
make (Fixture *fixture, double width, bool has_all)
{
  const AttnDrawAblation ablation = {
      .style = {.palette = ATTN_DRAW_PALETTE_PAPER, .font_size_pt = 10},
      .width = width,
      .numbers = {.clean = &fixture->clean,
                  .off = has_all ? &fixture->off : NULL,
                  .each = has_all ? fixture->each : NULL,
                  .importance = has_all ? &fixture->importance : NULL},
      .gates = fixture->gates,
      .layer = 2,
      .head = 1,
  };
  return attn_draw_ablation_new (&ablation);
}

/* Every switch is picked where it stands, once, and so are layers' and heads' names. */
static void
test_pick (Fixture *fixture, gconstpointer data)
{
  static const double widths[] = {360, 800, 1320};
  (void)data;
  for (size_t w = 0; w < G_N_ELEMENTS (widths); w++) {
    g_autoptr (AttnDrawFigure) figure = make (fixture, widths[w], true);
    size_t n_switches = 0, n_layers = 0, n_columns = 0;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      AttnDrawFigureHit hit;
      n_layers += item->id == ATTN_DRAW_ABLATION_LAYER;
      n_columns += item->id == ATTN_DRAW_ABLATION_COLUMN;
      if (item->id != ATTN_DRAW_ABLATION_HEAD)
        continue;
      n_switches++;
      g_assert_true (attn_draw_figure_pick (figure, item->rect.x + 1, item->rect.y + 1, &hit));
      g_assert_cmpuint (hit.id, ==, ATTN_DRAW_ABLATION_HEAD);
      g_assert_cmpuint (hit.row * H + hit.column, ==, n_switches - 1);
    }
    g_assert_cmpuint (n_switches, ==, L * H);
    g_assert_cmpuint (n_layers, ==, L);
    g_assert_cmpuint (n_columns, ==, H);
  }
}

/* Nothing stands outside of the figure, and switches do not lie on each other. */
static void
test_places (Fixture *fixture, gconstpointer data)
{
  (void)data;
  for (double width = 340; width < 1500; width += 130) {
    g_autoptr (AttnDrawFigure) figure = make (fixture, width, true);
    const double height = attn_draw_figure_get_height (figure);
    const AttnDrawFigureItem *last = NULL;
    for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
      const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
      g_assert_cmpfloat (item->rect.x, >=, -1);
      g_assert_cmpfloat (item->rect.x + item->rect.width, <=, width + 1);
      g_assert_cmpfloat (item->rect.y + item->rect.height, <=, height + 1);
      if (item->id != ATTN_DRAW_ABLATION_HEAD)
        continue;
      if (last != NULL && item->row == last->row)
        g_assert_cmpfloat (item->rect.x, >=, last->rect.x + last->rect.width);
      last = item;
    }
  }
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

static bool
is_inside (const AttnDrawRect *inner, const AttnDrawRect *outer)
{
  return inner->x >= outer->x && inner->y >= outer->y &&
         inner->x + inner->width <= outer->x + outer->width &&
         inner->y + inner->height <= outer->y + outer->height;
}

/* The one head that is off says so, and has the one frame in the colour of what was picked; effects
 * stand in their cells, and the ranking begins with the largest. */
static void
test_marks (Fixture *fixture, gconstpointer data)
{
  const AttnDrawFigureStyle style = {.palette = ATTN_DRAW_PALETTE_PAPER};
  const AttnDrawColor accent = attn_draw_tone_get (&style, ATTN_DRAW_TONE_ACCENT);
  g_autoptr (AttnDrawFigure) figure = make (fixture, 1320, true);
  const AttnDrawFigureItem *off = find_text (figure, "off"), *cell = NULL, *ranked = NULL;
  size_t n_frames = 0;
  (void)data;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    n_frames +=
        item->kind == ATTN_DRAW_FIGURE_FRAME && memcmp (&item->color, &accent, sizeof accent) == 0;
    if (item->id == ATTN_DRAW_ABLATION_HEAD && item->row == 1 && item->column == 2)
      cell = item;
    if (item->id == ATTN_DRAW_ABLATION_RANKED && item->kind == ATTN_DRAW_FIGURE_TEXT &&
        ranked == NULL)
      ranked = item;
  }
  g_assert_cmpuint (n_frames, ==, 1);
  while (off != NULL && g_strcmp0 (off->text, "off") != 0)
    off = NULL; /* a sentence */
  for (size_t i = 0; off == NULL && i < attn_draw_figure_get_n_items (figure); i++)
    if (g_strcmp0 (attn_draw_figure_peek_item (figure, i)->text, "off") == 0)
      off = attn_draw_figure_peek_item (figure, i);
  g_assert_nonnull (off);
  g_assert_true (is_inside (&off->rect, &cell->rect));
  g_assert_true (is_inside (&find_text (figure, "+0.90")->rect, &cell->rect));
  g_assert_nonnull (ranked);
  g_assert_cmpstr (ranked->text, ==, "2-3");
  g_assert_nonnull (find_text (figure, "looks as before")); /* it is the same run */
  g_assert_nonnull (find_text (figure, "every weight of A − B is exactly 0"));
  g_assert_nonnull (find_text (figure, "the sentence’s vector turns"));
}

/* Returns: the width of the bar before the only text @number. */
static double
find_bar (const AttnDrawFigure *figure, const char *number)
{
  double width = 0;
  for (size_t i = 0; i < attn_draw_figure_get_n_items (figure); i++) {
    const AttnDrawFigureItem *item = attn_draw_figure_peek_item (figure, i);
    if (item->kind == ATTN_DRAW_FIGURE_RULE)
      width = item->rect.width;
    if (g_strcmp0 (item->text, number) == 0)
      return width;
  }
  g_assert_not_reached ();
}

/* Guesses before and after have bars of one scale. */
static void
test_guesses (Fixture *fixture, gconstpointer data)
{
  AttnGuess guesses[] = {{"a", "a", 1, 0.5F}, {"b", "b", 2, 0.25F}};
  AttnGuess others[] = {{"b", "b", 2, 0.375F}, {"c", "c", 3, 0.125F}};
  AttnPrediction before = {.n_guesses = 2, .guesses = guesses};
  AttnPrediction after = {.n_guesses = 2, .guesses = others};
  AttnPredictions all = {1, &before, fixture->trace}, off = {1, &after, fixture->trace};
  (void)data;
  fixture->clean.before = &all;
  fixture->off.after = &off;
  g_autoptr (AttnDrawFigure) figure = make (fixture, 1320, true);
  const double whole = find_bar (figure, "0.500");
  g_assert_cmpfloat (whole, >, 20);
  g_assert_cmpfloat_with_epsilon (find_bar (figure, "0.250"), whole / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (find_bar (figure, "0.375"), whole * 0.75, 1e-6);
  g_assert_cmpfloat_with_epsilon (find_bar (figure, "0.125"), whole / 4, 1e-6);
}

/* Without numbers there are switches alone, and the loss says what it is of. */
static void
test_bare (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AttnDrawFigure) figure = make (fixture, 900, false);
  (void)data;
  g_assert_nonnull (find_text (figure, "a click switches one off or on"));
  g_assert_nonnull (find_text (figure, "guesses no words"));
  g_assert_null (find_text (figure, "looks as before"));
  g_assert_null (find_text (figure, "Importance"));
}

/* Weights that are kept are drawn as they are, with the head they are of: none is computed anew. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (AttnTrace) other = run ();
  fixture->off.trace = other;
  g_autoptr (AttnDrawAblationWeights) weights =
      attn_draw_ablation_weights_new (fixture->trace, other, 0, 3);
  const AttnDrawAblation ablation = {
      .width = 1320,
      .numbers = {.clean = &fixture->clean, .off = &fixture->off},
      .weights = weights,
      .gates = fixture->gates,
      .layer = 2,
      .head = 1,
  };
  float map[25];
  (void)data;
  g_autoptr (AttnDrawFigure) figure = attn_draw_ablation_new (&ablation);
  g_assert_nonnull (find_text (figure, "Layer 1, head 4"));
  g_assert_null (find_text (figure, "Layer 3, head 2"));
  g_assert_true (attn_draw_ablation_weights_are_of (weights, fixture->trace, other, 0, 3));
  g_assert_false (attn_draw_ablation_weights_are_of (weights, fixture->trace, other, 0, 2));
  g_assert_false (attn_draw_ablation_weights_are_of (weights, other, other, 0, 3));
  attn_trace_compute_map (fixture->trace, 0, 3, map);
  for (size_t i = 0; i < G_N_ELEMENTS (map); i++) {
    const float weight = (float)attn_draw_ablation_weights_get (weights, 0, i / 5, i % 5);
    g_assert_cmpmem (&weight, sizeof weight, &map[i], sizeof weight);
  }
  g_assert_true (attn_draw_ablation_weights_get (weights, 2, 4, 4) == 0); /* runs alike */
  g_assert_true (isnan (attn_draw_ablation_weights_get (weights, 0, 5, 0)));
}

/* Signs: a real minus, and none where all digits are 0. */
static void
test_signed (void)
{
  static const struct {
    double value;
    const char *text;
  } cases[] = {{-0.25, "−0.2500"}, {0.5, "+0.5000"}, {-0.00001, "0.0000"}, {0, "0.0000"}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = attn_draw_ablation_dup_signed (cases[i].value, 4);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/ablation/pick", Fixture, NULL, set_up, test_pick, tear_down);
  g_test_add ("/ablation/places", Fixture, NULL, set_up, test_places, tear_down);
  g_test_add ("/ablation/marks", Fixture, NULL, set_up, test_marks, tear_down);
  g_test_add ("/ablation/guesses", Fixture, NULL, set_up, test_guesses, tear_down);
  g_test_add ("/ablation/bare", Fixture, NULL, set_up, test_bare, tear_down);
  g_test_add ("/ablation/kept", Fixture, NULL, set_up, test_kept, tear_down);
  g_test_add_func ("/ablation/signed", test_signed);
  return g_test_run ();
}
