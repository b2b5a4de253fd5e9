/* SPDX-License-Identifier: MIT */
/* Timing on another thread, and its plot while it comes. */
#include "hs-lab-time.h"

#include "hs-accessible.h"
#include "hs-errors.h"
#include "hs-figure.h"
#include "hs-lab-count-tables.h"
#include "hs-lab-look.h"
#include "hs-live.h"
#include "hs-run-strip.h"
#include "hs-work.h"

#include "attn/lab-text.h"
#include "attn/model.h"
#include "attn/number.h"

#include <glib/gi18n.h>

#include <string.h>

#define N_RUNS 15
#define PNG_SCALE 2

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
  GCancellable *cancellable; /* nullable: of what runs */
  HsLive *live;              /* nullable: likewise */
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
  return self->cancellable != NULL;
}

const AttnTiming *
hs_lab_time_peek_timings (HsLabTime *self, size_t *n)
{
  g_return_val_if_fail (HS_IS_LAB_TIME (self), NULL);
  *n = self->measured.n;
  return self->measured.n > 0 ? self->measured.timings : NULL;
}

/* ---- what is shown ---- */

/* The chosen number of heads is marked where the plot is of its width and tokens. */
static AttnDrawTimingChart
get_chart (const Measured *measured, const AttnLabShape *shape)
{
  const bool fits =
      shape->d_model == measured->options.d_model && shape->n_tokens == measured->options.n_tokens;

  return (AttnDrawTimingChart){
      .times = {measured->options, measured->timings, measured->n, measured->n_threads,
                attn_kernel_peek_name ()},
      .picked = fits ? shape->n_heads : 0,
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

/* Returns: (transfer full): the quickest and the slowest, and how far apart they are. */
static char *
dup_finding (const Measured *measured)
{
  const AttnTiming *quickest = &measured->timings[0], *slowest = &measured->timings[0];
  char low[ATTN_NUMBER_SIZE], high[ATTN_NUMBER_SIZE];

  for (size_t i = 1; i < measured->n; i++) {
    const AttnTiming *timing = &measured->timings[i];
    if (timing->median < quickest->median)
      quickest = timing;
    if (timing->median > slowest->median)
      slowest = timing;
  }
  attn_number_format_fixed (low, quickest->median, quickest->median < 0.1 ? 5 : 2);
  attn_number_format_fixed (high, slowest->median, slowest->median < 0.1 ? 5 : 2);
  return g_strdup_printf (_ ("Quickest: h = %zu, %s ms. Slowest: h = %zu, %s ms."),
                          quickest->n_heads, low, slowest->n_heads, high);
}

static void
show (HsLabTime *self)
{
  const bool has_any = self->measured.n > 0;

  gtk_widget_set_visible (GTK_WIDGET (self->figure), has_any);
  gtk_widget_set_visible (GTK_WIDGET (self->finding), has_any);
  hs_run_strip_set_has_file (self->strip, has_any && self->cancellable == NULL);
  if (has_any) {
    g_autofree char *finding = dup_finding (&self->measured);
    gtk_label_set_text (self->finding, finding);
  }
  hs_figure_renew (self->figure);
}

static void
take_newest (HsLabTime *self)
{
  g_autofree Measured *newest = hs_live_take (self->live);

  if (newest != NULL)
    self->measured = *newest;
}

void
hs_lab_time_set_shape (HsLabTime *self, const AttnLabShape *shape)
{
  g_return_if_fail (HS_IS_LAB_TIME (self));
  self->shape = *shape;
  if (self->measured.n > 0)
    hs_figure_renew (self->figure);
}

/* ---- the work ---- */

typedef struct {
  AttnTimingOptions options;
  size_t heads[HS_LAB_COUNT_MAX], n, n_threads;
  HsLive *live;
  HsReport *report; /* while it runs */
} Job;

static void
job_free (gpointer data)
{
  hs_live_unref (((Job *)data)->live);
  g_free (data);
}

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
  Job *job = data;

  if (n > 0)
    hs_live_put (job->live, measured_new (job, timings, n));
  return hs_report_tell (fraction, job->report);
}

static gpointer
measure (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  g_autoptr (AttnPool) pool = attn_pool_new (0);
  AttnTiming timings[HS_LAB_COUNT_MAX];

  job->report = report;
  job->n_threads = attn_pool_get_n_threads (pool);
  hs_report_begin_rest (report);
  if (!attn_timing_run (&job->options, job->heads, job->n, pool, told_cb, job, timings, error))
    return NULL;
  return measured_new (job, timings, job->n);
}

static void
progress_cb (double fraction, gpointer data)
{
  HsLabTime *self = data;

  hs_run_strip_set_fraction (self->strip, fraction);
  take_newest (self);
  show (self);
}

static void
measured_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsLabTime) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree Measured *measured = hs_work_finish (result, &error);

  if (self->cancellable == NULL || self->cancellable != g_task_get_cancellable (G_TASK (result)))
    return;
  if (measured != NULL)
    self->measured = *measured;
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->live, hs_live_unref);
  hs_run_strip_set_running (self->strip, FALSE);
  hs_run_strip_say (self->strip, error != NULL ? hs_error_peek_sentence (error) : NULL);
  show (self);
}

void
hs_lab_time_start (HsLabTime *self)
{
  static const HsWorkClass klass = {measure, job_free, g_free};
  Job *job;

  g_return_if_fail (HS_IS_LAB_TIME (self));
  if (self->cancellable != NULL || self->shape.d_model == 0)
    return;
  job = g_new0 (Job, 1);
  job->options = (AttnTimingOptions){self->shape.d_model, self->shape.n_tokens, N_RUNS};
  job->n = hs_lab_count_choose_heads (&self->shape, job->heads);
  self->cancellable = g_cancellable_new ();
  self->live = hs_live_new (g_free);
  job->live = hs_live_ref (self->live);
  hs_run_strip_say (self->strip, NULL);
  hs_run_strip_set_running (self->strip, TRUE);
  show (self);
  hs_work_start (&klass, job, self->cancellable, progress_cb, self, measured_cb,
                 g_object_ref (self));
}

/* What has come until then stays. */
void
hs_lab_time_stop (HsLabTime *self)
{
  g_return_if_fail (HS_IS_LAB_TIME (self));
  if (self->cancellable == NULL)
    return;
  g_cancellable_cancel (self->cancellable);
  take_newest (self);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->live, hs_live_unref);
  hs_run_strip_set_running (self->strip, FALSE);
  hs_run_strip_say (self->strip, _ ("Stopped; what was measured until then is shown"));
  show (self);
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
  *file = (HsRunFile){"heads-timed", source, g_free, make_file};
  return true;
}

/* ---- object ---- */

static void
hs_lab_time_update (HsPanel *panel)
{
  hs_figure_renew (HS_LAB_TIME (panel)->figure);
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
hs_lab_time_class_init (HsLabTimeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_time_dispose;
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
  hs_run_strip_set_file (self->strip, get_file, self);
  g_signal_connect_swapped (self->strip, "run", G_CALLBACK (hs_lab_time_start), self);
  g_signal_connect_swapped (self->strip, "stop", G_CALLBACK (hs_lab_time_stop), self);
  hs_panel_watch (HS_PANEL (self), "dark", hs_lab_time_update);
  hs_panel_watch (HS_PANEL (self), "view", hs_lab_time_update);
}
