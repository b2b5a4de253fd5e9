/* SPDX-License-Identifier: MIT */
/* Timing on another thread, and its plot while it comes. */
#include "hs-lab-time.h"

#include "hs-accessible.h"
#include "hs-figure.h"
#include "hs-lab-count-tables.h"
#include "hs-lab-look.h"
#include "hs-measuring.h"
#include "hs-run-strip.h"

#include "attn/lab-text.h"
#include "attn/model.h"
#include "attn/number.h"

#include <glib/gi18n.h>

#include <string.h>

#define N_RUNS 15
#define PNG_SCALE 2
#define FILE_STEM "heads-timed"

/* What was measured, so far. A plain value. */
typedef struct {
  AttnTimingOptions options;
  size_t n, n_threads;
  AttnTiming timings[HS_LAB_COUNT_MAX];
} Measured;

struct _HsLabTime {
  HsPanel parent_instance;

  HsRunStrip *strip;
  GtkLabel *finding;
  HsFigure *figure;

  AttnLabShape shape;
  Measured measured;
  HsMeasuring *measuring;
};

G_DEFINE_FINAL_TYPE (HsLabTime, hs_lab_time, HS_TYPE_PANEL)

GtkWidget *
hs_lab_time_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_TIME, "session", session, NULL);
}

gboolean
hs_lab_time_is_running (HsLabTime *self)
{
  g_return_val_if_fail (HS_IS_LAB_TIME (self), FALSE);
  return hs_measuring_is_running (self->measuring);
}

const AttnTiming *
hs_lab_time_peek_timings (HsLabTime *self, size_t *n)
{
  g_return_val_if_fail (HS_IS_LAB_TIME (self), NULL);
  *n = self->measured.n;
  return self->measured.n > 0 ? self->measured.timings : NULL;
}

/* ---- what is shown ---- */

static bool
is_of_shape (const Measured *measured, const AttnLabShape *shape)
{
  return shape->d_model == measured->options.d_model &&
         shape->n_tokens == measured->options.n_tokens;
}

/* The chosen number of heads is marked where the plot is of its width and tokens. */
static AttnDrawTimingChart
get_chart (const Measured *measured, const AttnLabShape *shape)
{
  return (AttnDrawTimingChart){
      .times = {measured->options, measured->timings, measured->n, measured->n_threads,
                attn_kernel_peek_name ()},
      .picked = is_of_shape (measured, shape) ? shape->n_heads : 0,
  };
}

static AttnDrawFigure *
make_figure (double width, gpointer data)
{
  HsLabTime *self = data;
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));

  if (session == NULL)
    return NULL;
  const AttnDrawTimingChart chart = get_chart (&self->measured, &self->shape);
  const AttnDrawLabLook look = hs_lab_look_get (session, width);
  return attn_draw_timing_chart_new (&chart, &look);
}

/* Three digits, and no more than a microsecond has. */
static void
format_ms (char *number, double ms)
{
  const int decimals = ms < 0.1 ? 4 : ms < 1 ? 3 : ms < 10 ? 2 : ms < 100 ? 1 : 0;

  attn_number_format_fixed (number, ms, decimals);
}

/* Returns: (transfer full): the numbers of heads that no measurement tells apart from the quickest,
 * with commas between them. */
static char *
dup_quickest (const Measured *measured, const AttnTiming *quickest)
{
  GString *heads = g_string_new (NULL);

  for (size_t i = 0; i < measured->n; i++)
    if (measured->timings[i].low <= quickest->high)
      g_string_append_printf (heads, "%s%zu", heads->len > 0 ? ", " : "",
                              measured->timings[i].n_heads);
  return g_string_free (heads, FALSE);
}

static char *
dup_comparison (const Measured *measured, const AttnTiming *quickest, const AttnTiming *slowest)
{
  g_autofree char *heads = dup_quickest (measured, quickest);
  char low[ATTN_NUMBER_SIZE], high[ATTN_NUMBER_SIZE];

  format_ms (low, quickest->median);
  format_ms (high, slowest->median);
  if (quickest->high >= slowest->low)
    return g_strdup_printf (
        _ ("All took between %s and %s ms, and differ no more than measurements "
           "of one h do."),
        low, high);
  if (strchr (heads, ',') != NULL)
    return g_strdup_printf (
        _ ("Quickest: h = %s, which differ no more than measurements of one h do, %s ms. "
           "Slowest: h = %zu, %s ms."),
        heads, low, slowest->n_heads, high);
  return g_strdup_printf (_ ("Quickest: h = %zu, %s ms. Slowest: h = %zu, %s ms."),
                          quickest->n_heads, low, slowest->n_heads, high);
}

/* Returns: (transfer full): of what shape it was, the quickest and the slowest, where they can be
 * told apart, and whether the shape is still the chosen one. */
static char *
dup_finding (const Measured *measured, const AttnLabShape *shape)
{
  const AttnTiming *quickest = &measured->timings[0], *slowest = &measured->timings[0];
  const AttnTimingOptions *options = &measured->options;

  for (size_t i = 1; i < measured->n; i++) {
    const AttnTiming *timing = &measured->timings[i];
    if (timing->median < quickest->median)
      quickest = timing;
    if (timing->median > slowest->median)
      slowest = timing;
  }
  g_autofree char *comparison = dup_comparison (measured, quickest, slowest);
  if (is_of_shape (measured, shape))
    return g_steal_pointer (&comparison);
  return g_strdup_printf (
      _ ("This was measured with d_model = %zu and T = %zu, not with the numbers "
         "above. %s"),
      options->d_model, options->n_tokens, comparison);
}

static void
show (GtkWidget *page)
{
  HsLabTime *self = HS_LAB_TIME (page);
  const bool has_any = self->measured.n > 0;

  gtk_widget_set_visible (GTK_WIDGET (self->figure), has_any);
  gtk_widget_set_visible (GTK_WIDGET (self->finding), has_any);
  hs_run_strip_set_has_file (self->strip, has_any && !hs_measuring_is_running (self->measuring));
  if (has_any) {
    g_autofree char *finding = dup_finding (&self->measured, &self->shape);
    gtk_label_set_text (self->finding, finding);
  }
  hs_figure_renew (self->figure);
}

void
hs_lab_time_set_shape (HsLabTime *self, const AttnLabShape *shape)
{
  g_return_if_fail (HS_IS_LAB_TIME (self));
  self->shape = *shape;
  if (self->measured.n > 0)
    show (GTK_WIDGET (self));
}

/* ---- the work ---- */

typedef struct {
  AttnTimingOptions options;
  size_t heads[HS_LAB_COUNT_MAX], n, n_threads;
  HsMeasuringReport *report; /* while it runs */
} Job;

static Measured *
measured_new (const Job *job, const AttnTiming *timings, size_t n)
{
  Measured *measured = g_new0 (Measured, 1);

  measured->options = job->options;
  measured->n = n;
  measured->n_threads = job->n_threads;
  for (size_t i = 0; i < n; i++)
    measured->timings[i] = timings[i];
  return measured;
}

static bool
told_cb (const AttnTiming *timings, size_t n, double fraction, void *data)
{
  const Job *job = data;

  return hs_measuring_tell (job->report, n > 0 ? measured_new (job, timings, n) : NULL, fraction);
}

static gpointer
measure (gpointer data, AttnPool *pool, HsMeasuringReport *report, GError **error)
{
  Job *job = data;
  AttnTiming timings[HS_LAB_COUNT_MAX];

  job->report = report;
  job->n_threads = attn_pool_get_n_threads (pool);
  if (!attn_timing_run (&job->options, job->heads, job->n, pool, told_cb, job, timings, error))
    return NULL;
  return measured_new (job, timings, job->n);
}

static void
take (GtkWidget *page, gpointer state)
{
  g_autofree Measured *measured = state;

  HS_LAB_TIME (page)->measured = *measured;
}

static const HsMeasuringClass measuring_class = {measure, g_free, g_free, take, show};

void
hs_lab_time_start (HsLabTime *self)
{
  g_return_if_fail (HS_IS_LAB_TIME (self));
  if (hs_measuring_is_running (self->measuring) || self->shape.d_model == 0)
    return;
  Job *job = g_new0 (Job, 1);
  job->options = (AttnTimingOptions){self->shape.d_model, self->shape.n_tokens, N_RUNS};
  job->n = hs_lab_count_choose_heads (&self->shape, job->heads);
  hs_measuring_start (self->measuring, job);
}

void
hs_lab_time_stop (HsLabTime *self)
{
  g_return_if_fail (HS_IS_LAB_TIME (self));
  hs_measuring_stop (self->measuring);
}

/* ---- files ---- */

typedef struct {
  Measured measured;
  AttnLabShape shape;
  AttnDrawLabLook look;
} FileSource;

static GBytes *
make_file (gpointer data, const char *format, GError **error)
{
  const FileSource *source = data;
  const Measured *measured = &source->measured;
  const AttnDrawTimingChart chart = get_chart (measured, &source->shape);
  AttnDrawFormat drawn;

  if (attn_draw_format_find (format, &drawn))
    return attn_draw_timing_chart_write (&chart, &source->look, drawn,
                                         drawn == ATTN_DRAW_PNG ? PNG_SCALE : 1, error);
  char *text = g_str_equal (format, "csv") ? attn_times_dup_csv (&chart.times)
                                           : attn_times_dup_json (&chart.times);
  return g_bytes_new_take (text, strlen (text));
}

static bool
get_file (HsRunFile *file, gpointer data)
{
  HsLabTime *self = data;

  if (self->measured.n == 0)
    return false;
  FileSource *source = g_new (FileSource, 1);
  *source = (FileSource){self->measured, self->shape,
                         hs_lab_look_get_for_file (hs_panel_peek_session (HS_PANEL (self)))};
  *file = (HsRunFile){FILE_STEM, source, g_free, make_file};
  return true;
}

/* ---- object ---- */

static void
hs_lab_time_update (HsPanel *panel)
{
  hs_figure_renew (HS_LAB_TIME (panel)->figure);
}

static char *
dup_command (gpointer data)
{
  HsLabTime *self = data;
  const AttnDrawTimingChart chart = get_chart (&self->measured, &self->shape);
  const AttnDrawLabLook look = hs_lab_look_get_for_file (hs_panel_peek_session (HS_PANEL (self)));

  if (self->measured.n == 0)
    return NULL;
  return attn_draw_timing_chart_dup_command (&chart, &look, ATTN_DRAW_PNG, FILE_STEM ".png");
}

/* The work holds the page: closing its window ends both. */
static void
hs_lab_time_unroot (GtkWidget *widget)
{
  hs_lab_time_stop (HS_LAB_TIME (widget));
  GTK_WIDGET_CLASS (hs_lab_time_parent_class)->unroot (widget);
}

static void
hs_lab_time_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_TIME);
  G_OBJECT_CLASS (hs_lab_time_parent_class)->dispose (object);
}

static void
hs_lab_time_finalize (GObject *object)
{
  hs_measuring_free (HS_LAB_TIME (object)->measuring);
  G_OBJECT_CLASS (hs_lab_time_parent_class)->finalize (object);
}

static void
hs_lab_time_class_init (HsLabTimeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_time_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_lab_time_finalize;
  HS_PANEL_CLASS (klass)->update = hs_lab_time_update;
  widget_class->unroot = hs_lab_time_unroot;

  g_type_ensure (HS_TYPE_FIGURE);
  g_type_ensure (HS_TYPE_RUN_STRIP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-lab-time.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabTime, strip);
  gtk_widget_class_bind_template_child (widget_class, HsLabTime, finding);
  gtk_widget_class_bind_template_child (widget_class, HsLabTime, figure);
}

static void
hs_lab_time_init (HsLabTime *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
  hs_figure_set_maker (self->figure, make_figure, self);
  hs_run_strip_set_file (self->strip, get_file, dup_command, self);
  self->measuring = hs_measuring_new (&measuring_class, GTK_WIDGET (self), self->strip);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_lab_time_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (hs_lab_time_stop), self);
  hs_panel_watch (HS_PANEL (self), "dark", hs_lab_time_update);
  hs_panel_watch (HS_PANEL (self), "view", hs_lab_time_update);
}
