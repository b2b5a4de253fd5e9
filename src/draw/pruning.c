/* SPDX-License-Identifier: MIT */
/* The figure on how many heads can go: which plots it has, and what their points are. */
#include "plain-text.h"
#include "pruning-private.h"

#include "attn-draw/plot.h"

#include <math.h>

#define MARGIN 1.0 /* em */
#define PLOT_EM 17.0
#define MOST_PLOTS 4
#define N_COLUMNS 2
#define LAYER_COLOR 3 /* lines of layers have colours of their own */

/* A figure in the making: its plots, and all that they are made of, which it owns. */
typedef struct {
  const AttnDrawPruning *asked;
  AttnDrawPlot plots[MOST_PLOTS];
  size_t n_plots;
  GPtrArray *owned;
} Making;

/* Returns: zeros that live as long as @making. */
static void *
make (Making *making, size_t n, size_t size)
{
  void *block = g_malloc0_n (MAX (n, 1), size);
  g_ptr_array_add (making->owned, block);
  return block;
}

static const char *
keep (Making *making, char *text)
{
  g_ptr_array_add (making->owned, text);
  return text;
}

size_t
attn_draw_pruning_find_lines (const AttnPruning *pruning,
                              AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS])
{
  size_t n = 0;
  for (size_t i = 0; i < pruning->n_curves; i++) {
    if (n > 0 && lines[n - 1].order == pruning->curves[i].order)
      lines[n - 1].n++;
    else if (n < ATTN_N_PRUNE_ORDERS)
      lines[n++] = (AttnDrawPruningLine){pruning->curves[i].order, i, 1};
  }
  return n;
}

/* ---- which plots there are ---- */

static size_t
list_parts (const AttnPruning *pruning, AttnDrawPruningPart parts[MOST_PLOTS])
{
  size_t n = 0;
  parts[n++] = ATTN_DRAW_PRUNING_LOSS;
  if (pruning->kind != ATTN_TASK_VECTOR)
    parts[n++] = ATTN_DRAW_PRUNING_ACCURACY;
  parts[n++] = ATTN_DRAW_PRUNING_LAYER;
  if (pruning->importance != NULL && pruning->effects != NULL)
    parts[n++] = ATTN_DRAW_PRUNING_HEAD;
  return n;
}

AttnDrawPruningPart
attn_draw_pruning_find_part (const AttnPruning *pruning, unsigned id)
{
  AttnDrawPruningPart parts[MOST_PLOTS];
  const size_t n = list_parts (pruning, parts);
  for (size_t i = 0; i < n; i++)
    if (ATTN_DRAW_PLOT_ID (i) == id)
      return parts[i];
  return ATTN_DRAW_PRUNING_NONE;
}

/* ---- curves ---- */

static double
get_value (const AttnScore *score, bool is_loss)
{
  return is_loss ? score->loss : score->accuracy;
}

static void
fill_points (const AttnPruning *pruning,
             const AttnDrawPruningLine *line,
             bool is_loss,
             AttnDrawPlotPoint *points)
{
  for (size_t point = 0; point < pruning->n_points; point++) {
    const double removed = (double)attn_prune_get_removed (pruning->n_heads, point);
    double sum = 0, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < line->n; i++) {
      const double value = get_value (&pruning->curves[line->first + i].scores[point], is_loss);
      sum += value;
      low = fmin (low, value);
      high = fmax (high, value);
    }
    points[point] = (AttnDrawPlotPoint){100 * removed / (double)pruning->n_heads,
                                        sum / (double)line->n, low, high};
  }
}

/* Outlines the first point whose quality is below the share of that at the first one: of several
 * orders of their mean. */
static void
mark_fall (const AttnPruning *pruning, bool is_loss, AttnDrawPlotSeries *series)
{
  g_autofree double *quality = g_new (double, series->n);
  const bool is_vector = pruning->kind == ATTN_TASK_VECTOR;
  for (size_t i = 0; i < series->n; i++) {
    const double y = series->points[i].y;
    quality[i] = !is_loss ? y : is_vector ? 1 - y : exp (-y);
  }
  series->ring = attn_prune_find_fall (quality, series->n);
  series->has_ring = series->ring < series->n;
}

static const char *
name_line (Making *making, const AttnDrawPruningLine *line)
{
  const AttnDrawPruning *asked = making->asked;
  const char *order = attn_draw_pruning_peek_order (asked, line->order);
  if (line->n == 1)
    return order;
  g_autofree char *n = g_strdup_printf ("%zu", line->n);
  const char *const arguments[] = {order, n};
  return keep (making, attn_draw_pruning_fill (
                           asked, N_ ("%1$s: mean of %2$s orders, least to most"), arguments, 2));
}

static void
add_curves (Making *making, bool is_loss)
{
  const AttnDrawPruning *asked = making->asked;
  const AttnPruning *pruning = asked->pruning;
  const bool is_vector = pruning->kind == ATTN_TASK_VECTOR;
  AttnDrawPruningLine lines[ATTN_N_PRUNE_ORDERS];
  const size_t n = attn_draw_pruning_find_lines (pruning, lines);
  AttnDrawPlotSeries *series = make (making, n, sizeof *series);
  for (size_t i = 0; i < n; i++) {
    AttnDrawPlotPoint *points = make (making, pruning->n_points, sizeof *points);
    fill_points (pruning, &lines[i], is_loss, points);
    series[i] = (AttnDrawPlotSeries){
        .name = name_line (making, &lines[i]), .points = points, .n = pruning->n_points};
    series[i].color = lines[i].order;
    mark_fall (pruning, is_loss, &series[i]);
  }
  making->plots[making->n_plots++] = (AttnDrawPlot){
      .title = attn_draw_pruning_say (asked, !is_loss    ? N_ ("Accuracy while heads go")
                                             : is_vector ? N_ ("The vector’s change while heads go")
                                                         : N_ ("Loss while heads go")),
      .x = {.title = attn_draw_pruning_say (asked, N_ ("heads off, %"))},
      .y = {.title = attn_draw_pruning_say (asked, !is_loss    ? N_ ("share guessed right")
                                                   : is_vector ? N_ ("1 − cosine")
                                                               : N_ ("loss, nats"))},
      .series = series,
      .n_series = n,
  };
}

/* ---- layers ---- */

static void
fill_layers (const AttnPruning *pruning, AttnDrawPlotPoint *all, AttnDrawPlotPoint *one)
{
  const double clean = pruning->curves[0].scores[0].loss;
  for (size_t layer = 0; layer < pruning->n_layers; layer++) {
    const double x = (double)layer + 1, effect = pruning->layers[layer].loss - clean;
    double least, largest;
    const double mean = attn_pruning_get_layer (pruning, layer, &least, &largest);
    all[layer] = (AttnDrawPlotPoint){x, effect, effect, effect};
    one[layer] = (AttnDrawPlotPoint){x, mean, least, largest};
  }
}

static void
add_layers (Making *making)
{
  const AttnDrawPruning *asked = making->asked;
  const AttnPruning *pruning = asked->pruning;
  const size_t L = pruning->n_layers, n = pruning->effects != NULL ? 2 : 1;
  AttnDrawPlotPoint *all = make (making, L, sizeof *all), *one = make (making, L, sizeof *one);
  AttnDrawPlotSeries *series = make (making, n, sizeof *series);
  double *ticks = make (making, L, sizeof *ticks);
  fill_layers (pruning, all, one);
  for (size_t layer = 0; layer < L; layer++)
    ticks[layer] = (double)layer + 1;
  series[0] = (AttnDrawPlotSeries){attn_draw_pruning_say (asked, N_ ("all heads of the layer off")),
                                   all, L, LAYER_COLOR};
  if (n > 1)
    series[1] = (AttnDrawPlotSeries){
        attn_draw_pruning_say (asked, N_ ("one head off: mean, least to most")), one, L,
        LAYER_COLOR + 1};
  making->plots[making->n_plots++] = (AttnDrawPlot){
      .title = attn_draw_pruning_say (asked, N_ ("Layers differ")),
      .x = {.title = attn_draw_pruning_say (asked, N_ ("layer")), .ticks = ticks, .n_ticks = L},
      .y = {.title = attn_draw_pruning_peek_measure (asked)},
      .series = series,
      .n_series = n,
      .has_legend = true,
  };
}

/* ---- heads ---- */

static const char *
title_heads (Making *making)
{
  const char *arguments[2];
  for (size_t i = 0; i < 2; i++) {
    const double correlation = attn_pruning_correlate (making->asked->pruning, i == 1);
    if (isnan (correlation))
      return attn_draw_pruning_say (making->asked, N_ ("Importance against true effect"));
    arguments[i] = keep (making, attn_draw_dup_number (correlation, 2));
  }
  return keep (making, attn_draw_pruning_fill (
                           making->asked,
                           N_ ("Importance against true effect: rank correlation %1$s, with the "
                               "effect’s size %2$s"),
                           arguments, 2));
}

static void
add_heads (Making *making)
{
  const AttnDrawPruning *asked = making->asked;
  const AttnPruning *pruning = asked->pruning;
  const size_t H = pruning->n_heads / pruning->n_layers;
  AttnDrawPlotPoint *points = make (making, pruning->n_heads, sizeof *points);
  AttnDrawPlotSeries *series = make (making, 1, sizeof *series);
  for (size_t i = 0; i < pruning->n_heads; i++)
    points[i] =
        (AttnDrawPlotPoint){pruning->importance[i], pruning->effects[i], (double)NAN, (double)NAN};
  *series = (AttnDrawPlotSeries){
      .points = points,
      .n = pruning->n_heads,
      .color = LAYER_COLOR + 1,
      .is_scattered = true,
      .has_ring = asked->layer < pruning->n_layers && asked->head < H,
      .ring = asked->layer * H + asked->head,
      .is_picked = true,
  };
  making->plots[making->n_plots++] = (AttnDrawPlot){
      .title = title_heads (making),
      .x = {.title = attn_draw_pruning_say (asked, N_ ("importance by gradients, |∂L/∂ξ|"))},
      .y = {.title = attn_draw_pruning_peek_measure (asked)},
      .series = series,
      .n_series = 1,
  };
}

/* ---- the figure ---- */

/* Axes, and the reason why there is nothing between them. */
static AttnDrawFigure *
make_empty (const AttnDrawPruning *asked)
{
  const AttnDrawPlot plot = {
      .title = attn_draw_pruning_say (asked, N_ ("How many heads can go")),
      .reason = attn_draw_pruning_say (asked, N_ ("Nothing is measured yet")),
      .x = {.title = attn_draw_pruning_say (asked, N_ ("heads off, %")), .most = 100},
      .y = {.title = attn_draw_pruning_say (asked, N_ ("loss, nats"))},
  };
  const AttnDrawChart chart = {
      .plots = &plot, .n_plots = 1, .plot_height = PLOT_EM, .margin = MARGIN};
  return attn_draw_chart_new (&chart, &asked->style, asked->width);
}

AttnDrawFigure *
attn_draw_pruning_new (const AttnDrawPruning *asked)
{
  if (asked->pruning == NULL)
    return make_empty (asked);
  Making making = {.asked = asked};
  AttnDrawPruningPart parts[MOST_PLOTS];
  const size_t n = list_parts (asked->pruning, parts);
  g_autoptr (GPtrArray) owned = making.owned = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < n; i++) {
    if (parts[i] == ATTN_DRAW_PRUNING_LAYER)
      add_layers (&making);
    else if (parts[i] == ATTN_DRAW_PRUNING_HEAD)
      add_heads (&making);
    else
      add_curves (&making, parts[i] == ATTN_DRAW_PRUNING_LOSS);
  }
  g_autofree char *title = attn_draw_pruning_dup_title (asked);
  g_autofree char *subtitle = attn_draw_pruning_dup_subtitle (asked);
  const AttnDrawChart chart = {
      .title = title,
      .subtitle = subtitle,
      .plots = making.plots,
      .n_plots = making.n_plots,
      .plot_height = PLOT_EM,
      .margin = MARGIN,
      .n_columns = N_COLUMNS,
  };
  return attn_draw_chart_new (&chart, &asked->style, asked->width);
}
