/* SPDX-License-Identifier: MIT */
/* Charts of what the lab measures. */
#include "attn-draw/lab-charts.h"

#include "command-line.h"
#include "hs-build.h"

#include "attn-draw/plot.h"
#include "attn/lab-text.h"

#include <math.h>

#define N_(english) (english)
#define TIMING_TITLE N_ ("Time of one attention block on this machine")
#define EXPERIMENT_TITLE N_ ("Small layers trained with several numbers of heads")

static const char *
say (const AttnDrawLabLook *look, const char *english)
{
  return look->translate != NULL ? look->translate (english, look->translate_data) : english;
}

/* A sentence with one place for a number. */
static char *
dup_counted (const AttnDrawLabLook *look, const char *english, size_t number)
{
  g_autofree char *text = g_strdup_printf ("%zu", number);
  return attn_draw_format_string (say (look, english), text);
}

/* ---- times ---- */

static char *
dup_timing_subtitle (const AttnDrawTimingChart *chart, const AttnDrawLabLook *look)
{
  const AttnTimes *times = &chart->times;
  g_autofree char *tokens = dup_counted (look, N_ ("tokens: %s"), times->options.n_tokens);
  g_autofree char *threads = dup_counted (look, N_ ("threads: %s"), times->n_threads);
  const size_t n_runs = times->n > 0 ? times->timings[0].n_runs : times->options.n_runs;
  g_autofree char *lines = dup_counted (
      look, N_ ("line: median of measurements (%s); band: the middle half of them"), n_runs);
  return g_strdup_printf ("d_model: %zu · %s · %s · %s%s%s", times->options.d_model, tokens,
                          threads, times->kernel, *times->kernel != '\0' ? " · " : "", lines);
}

/* Heads that cannot share the width have no place in it. */
static bool
has_mark (const AttnDrawTimingChart *chart)
{
  return chart->picked > 0 && chart->times.options.d_model % chart->picked == 0;
}

AttnDrawFigure *
attn_draw_timing_chart_new (const AttnDrawTimingChart *chart, const AttnDrawLabLook *look)
{
  g_autofree char *subtitle = dup_timing_subtitle (chart, look);
  const size_t n = chart->times.n;
  g_autofree AttnDrawPlotPoint *points = g_new (AttnDrawPlotPoint, MAX (n, 1));
  g_autofree double *ticks = g_new (double, MAX (n, 1));
  for (size_t i = 0; i < n; i++) {
    const AttnTiming *timing = &chart->times.timings[i];
    ticks[i] = (double)timing->n_heads;
    points[i] = (AttnDrawPlotPoint){ticks[i], timing->median, timing->low, timing->high};
  }
  const AttnDrawPlotSeries series = {.points = points, .n = n};
  const AttnDrawPlot plot = {
      .reason = n > 0 ? NULL : say (look, N_ ("Nothing is measured yet")),
      .x = {.title = say (look, N_ ("heads h")),
            .is_log = true,
            .ticks = n > 0 ? ticks : NULL,
            .n_ticks = n},
      .y = {.title = say (look, N_ ("milliseconds, logarithmic")), .is_log = true},
      .series = &series,
      .n_series = 1,
      .has_mark = has_mark (chart),
      .mark = (double)chart->picked,
  };
  return attn_draw_chart_new (&(AttnDrawChart){.title = say (look, TIMING_TITLE),
                                               .subtitle = subtitle,
                                               .plots = &plot,
                                               .n_plots = 1,
                                               .margin = look->margin},
                              &look->style, look->width);
}

/* ---- training ---- */

static const struct {
  const char *title, *y;
} words[ATTN_N_MEASURES] = {
    [ATTN_MEASURE_LOSS] = {N_ ("Loss"), N_ ("nats, logarithmic")},
    [ATTN_MEASURE_PREVIOUS] = {N_ ("Which symbol stood just before?"), N_ ("share right")},
    [ATTN_MEASURE_FIRST] = {N_ ("Which symbol was the first?"), N_ ("share right")},
    [ATTN_MEASURE_MARKED] = {N_ ("Which symbol is the marked one?"), N_ ("share right")},
};

/* [n_points], as many as there are; the rest is not finite. */
static void
fill_points (const AttnExperiment *experiment,
             size_t index,
             AttnMeasure measure,
             AttnDrawPlotPoint *points)
{
  const size_t n = attn_experiment_get_n_points (experiment);
  for (size_t i = 0; i < n; i++) {
    const AttnSpread spread = attn_experiment_get_spread (experiment, index, i, measure);
    const double x = (double)attn_experiment_get_step (experiment, i);
    points[i] = spread.n > 0 ? (AttnDrawPlotPoint){x, spread.mean, spread.least, spread.most}
                             : (AttnDrawPlotPoint){x, NAN, NAN, NAN};
  }
}

/* What every plot of an experiment is made of. */
typedef struct {
  size_t n_heads, n_points;
  AttnDrawPlotPoint *points;  /* [measures, n_heads, n_points] */
  AttnDrawPlotSeries *series; /* [measures, n_heads] */
  char **names;               /* [n_heads] and NULL */
} Curves;

static void
curves_init (Curves *curves, const AttnExperiment *experiment)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  const size_t n_points = attn_experiment_get_n_points (experiment), n_heads = options->n_heads;
  *curves = (Curves){
      .n_heads = n_heads,
      .n_points = n_points,
      .points = g_new (AttnDrawPlotPoint, ATTN_N_MEASURES * n_heads * n_points),
      .series = g_new0 (AttnDrawPlotSeries, ATTN_N_MEASURES * n_heads),
      .names = g_new0 (char *, n_heads + 1),
  };
  for (size_t i = 0; i < n_heads; i++)
    curves->names[i] = g_strdup_printf ("h = %zu", options->heads[i]);
  for (size_t k = 0; k < ATTN_N_MEASURES * n_heads; k++) {
    AttnDrawPlotPoint *points = curves->points + k * n_points;
    fill_points (experiment, k % n_heads, (AttnMeasure)(k / n_heads), points);
    curves->series[k] =
        (AttnDrawPlotSeries){curves->names[k % n_heads], points, n_points, k % n_heads};
  }
}

static void
curves_clear (Curves *curves)
{
  g_free (curves->points);
  g_free (curves->series);
  g_strfreev (curves->names);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Curves, curves_clear)

static AttnDrawPlot
get_plot (const Curves *curves, AttnMeasure measure, const AttnDrawLabLook *look, size_t n_steps)
{
  const bool is_loss = measure == ATTN_MEASURE_LOSS;
  return (AttnDrawPlot){
      .title = say (look, words[measure].title),
      .x = {.title = say (look, N_ ("step")), .most = (double)n_steps},
      .y = {.title = say (look, words[measure].y), .is_log = is_loss, .most = is_loss ? 0 : 1},
      .series = curves->series + measure * curves->n_heads,
      .n_series = curves->n_heads,
  };
}

/* Seeds that have a point in some curve. */
static size_t
count_seeds (const AttnExperiment *experiment)
{
  size_t most = 0;
  for (size_t i = 0; i < attn_experiment_peek_options (experiment)->n_heads; i++)
    most = MAX (most, attn_experiment_get_spread (experiment, i, 0, ATTN_MEASURE_LOSS).n);
  return most;
}

AttnDrawFigure *
attn_draw_experiment_chart_new (const AttnExperiment *experiment, const AttnDrawLabLook *look)
{
  const AttnTrainOptions defaults = ATTN_TRAIN_OPTIONS;
  g_auto (Curves) curves = {0};
  AttnDrawPlot plots[ATTN_N_MEASURES];
  g_autofree char *lines = NULL, *subtitle = NULL;
  size_t n_steps = defaults.n_steps;
  if (experiment != NULL) {
    const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
    curves_init (&curves, experiment);
    n_steps = options->train.n_steps;
    lines = dup_counted (look,
                         N_ ("line: mean of the seeds (%s); band: from the lowest to the "
                             "highest"),
                         count_seeds (experiment));
    subtitle = g_strdup_printf ("d_model: %zu · %s", options->train.d_model, lines);
  }
  for (size_t i = 0; i < ATTN_N_MEASURES; i++)
    plots[i] = get_plot (&curves, (AttnMeasure)i, look, n_steps);
  return attn_draw_chart_new (&(AttnDrawChart){.title = say (look, EXPERIMENT_TITLE),
                                               .subtitle = subtitle,
                                               .plots = plots,
                                               .n_plots = ATTN_N_MEASURES,
                                               .n_columns = 2,
                                               .margin = look->margin},
                              &look->style, look->width);
}

/* ---- files ---- */

/* What is not as ATTN_DRAW_LAB_LOOK has it, as the command line's words. */
static void
append_look (GString *command, const AttnDrawLabLook *look)
{
  const AttnDrawFigureStyle *style = &look->style;
  if (style->palette != ATTN_DRAW_PALETTE_PAPER)
    attn_draw_append_option (command, "--palette", attn_draw_palette_peek_name (style->palette));
  if (style->font_size_pt > 0)
    attn_draw_append_number (command, "--font-size", style->font_size_pt);
  if (style->font_family != NULL)
    attn_draw_append_option (command, "--font", style->font_family);
  if (look->width < ATTN_DRAW_LAB_WIDTH || look->width > ATTN_DRAW_LAB_WIDTH)
    attn_draw_append_number (command, "--width-px", look->width);
  if (style->language == NULL || g_str_equal (style->language, "en"))
    return;
  g_autofree char *language = g_strdelimit (g_strdup (style->language), "-", '_');
  attn_draw_append_option (command, "--lang", language);
}

/* Frees @figure and @command, which makes the same file. */
static GBytes *
write_figure (AttnDrawFigure *figure,
              const char *title,
              char *command,
              AttnDrawFormat format,
              double scale,
              GError **error)
{
  g_autoptr (AttnDrawFigure) owned = figure;
  g_autofree char *made_by = command;
  g_autofree char *description = g_strdup_printf ("Headscope " HS_VERSION "\nmade by: %s", made_by);
  const AttnDrawProvenance provenance = {
      .title = title, .description = description, .creator = "Headscope " HS_VERSION};
  return attn_draw_figure_write (owned, format, scale, &provenance, error);
}

/* Nobody measures the same again, so the numbers are in the line. */
static char *
dup_timing_command (const AttnDrawTimingChart *chart, const AttnDrawLabLook *look)
{
  g_autofree char *json = attn_times_dup_json (&chart->times);
  g_autofree char *quoted = g_shell_quote (g_strdelimit (json, "\n", ' '));
  GString *command = g_string_new (NULL);
  g_string_printf (command, "printf %%s %s | headscope-cli lab --measured -", quoted);
  if (has_mark (chart))
    attn_draw_append_count (command, "--mark", chart->picked);
  append_look (command, look);
  return g_string_free (command, FALSE);
}

static char *
dup_experiment_command (const AttnExperiment *experiment, const AttnDrawLabLook *look)
{
  const AttnExperimentOptions *options = attn_experiment_peek_options (experiment);
  GString *command = g_string_new ("headscope-cli lab --train ");
  for (size_t i = 0; i < options->n_heads; i++)
    g_string_append_printf (command, i > 0 ? ",%zu" : "%zu", options->heads[i]);
  g_string_append_printf (command, " --seeds %zu --steps %zu", options->n_seeds,
                          options->train.n_steps);
  if (!attn_experiment_is_whole (experiment)) /* one that was stopped, again as far as that */
    attn_draw_append_count (command, "--points", attn_experiment_count_points (experiment));
  append_look (command, look);
  return g_string_free (command, FALSE);
}

/* Frees @command. */
static char *
append_place (char *command, AttnDrawFormat format, const char *path)
{
  g_autofree char *owned = command;
  GString *line = g_string_new (owned);
  attn_draw_append_option (line, "--format", attn_draw_format_peek_name (format));
  attn_draw_append_option (line, "-o", path);
  return g_string_free (line, FALSE);
}

GBytes *
attn_draw_timing_chart_write (const AttnDrawTimingChart *chart,
                              const AttnDrawLabLook *look,
                              AttnDrawFormat format,
                              double scale,
                              GError **error)
{
  return write_figure (attn_draw_timing_chart_new (chart, look), say (look, TIMING_TITLE),
                       dup_timing_command (chart, look), format, scale, error);
}

GBytes *
attn_draw_experiment_chart_write (const AttnExperiment *experiment,
                                  const AttnDrawLabLook *look,
                                  AttnDrawFormat format,
                                  double scale,
                                  GError **error)
{
  return write_figure (attn_draw_experiment_chart_new (experiment, look),
                       say (look, EXPERIMENT_TITLE), dup_experiment_command (experiment, look),
                       format, scale, error);
}

char *
attn_draw_timing_chart_dup_command (const AttnDrawTimingChart *chart,
                                    const AttnDrawLabLook *look,
                                    AttnDrawFormat format,
                                    const char *path)
{
  return append_place (dup_timing_command (chart, look), format, path);
}

char *
attn_draw_experiment_chart_dup_command (const AttnExperiment *experiment,
                                        const AttnDrawLabLook *look,
                                        AttnDrawFormat format,
                                        const char *path)
{
  return append_place (dup_experiment_command (experiment, look), format, path);
}
