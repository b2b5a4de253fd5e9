/* SPDX-License-Identifier: MIT */
/* One change at a time, and the time until the frame that shows it has ended. */
#include "hs-lab-benchmark.h"

#include "hs-benchmark.h"
#include "hs-lab-pipeline.h"
#include "hs-lab-walk.h"
#include "hs-lab.h"

#include "attn/number.h"

#include <stdbool.h>
#include <stdlib.h>

#define US_PER_MS 1000.0
#define N_TIMES 20 /* of all but the opening, which there is one of */

typedef struct Benchmark Benchmark;

typedef struct {
  const char *name;
  guint n;
  void (*change) (Benchmark *self, guint time);
} Phase;

struct Benchmark {
  HsWindow *window;
  GApplication *application;
  gboolean *done;
  GString *json;
  gsize phase;
  guint time; /* of the phase */
  bool has_begun, is_changing;
  gint64 begun_us;
  double begun_cpu_ms;
  double wall[N_TIMES], cpu[N_TIMES]; /* ms, of the phase */
};

static void
benchmark_free (gpointer data)
{
  Benchmark *self = data;

  g_string_free (self->json, TRUE);
  g_free (self);
}

static HsSession *
peek_session (Benchmark *self)
{
  return hs_window_peek_session (self->window);
}

static GtkWidget *
find (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find (child, type);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* ---- changes ---- */

static void
open_page (Benchmark *self, const char *page)
{
  gtk_widget_activate_action (GTK_WIDGET (self->window), "view.page", "s", page);
}

static void
change_open (Benchmark *self, guint time G_GNUC_UNUSED)
{
  open_page (self, "lab");
}

static void
change_step (Benchmark *self, guint time)
{
  static const AttnStep steps[] = {ATTN_STEP_QUERIES, ATTN_STEP_SCORES, ATTN_STEP_WEIGHTS,
                                   ATTN_STEP_OUTPUT};

  hs_lab_walk_set_step (peek_session (self), steps[time % G_N_ELEMENTS (steps)]);
}

static void
change_head (Benchmark *self, guint time)
{
  HsSession *session = peek_session (self);
  const guint n = hs_session_get_n_heads (session);

  hs_session_set_head (session, (hs_session_get_head (session) + 1 + time % 2) % n);
}

/* The picture in between is not measured. */
static void
change_page (Benchmark *self, guint time G_GNUC_UNUSED)
{
  open_page (self, hs_session_get_in_lab (peek_session (self)) ? "explore" : "lab");
}

static const Phase phases[] = {
    {"open", 1, change_open},
    {"step", N_TIMES, change_step},
    {"head", N_TIMES, change_head},
    {"reopen", N_TIMES, change_page},
};

/* ---- what is printed ---- */

static int
compare_times (const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void
append_times (GString *json, const char *name, double *ms, guint n)
{
  const guint at[] = {n / 2, n * 95 / 100, n - 1};
  static const char *const names[] = {"p50", "p95", "max"};

  qsort (ms, n, sizeof *ms, compare_times);
  g_string_append_printf (json, "\"%s\": {", name);
  for (guint i = 0; i < G_N_ELEMENTS (at); i++) {
    char number[ATTN_NUMBER_SIZE];
    g_string_append_printf (json, "%s\"%s\": %s", i > 0 ? ", " : "", names[i],
                            attn_number_format_fixed (number, ms[at[i]], 2));
  }
  g_string_append_c (json, '}');
}

static void
report_phase (Benchmark *self)
{
  const Phase *phase = &phases[self->phase];

  g_string_append_printf (self->json, ", \"%s\": {", phase->name);
  append_times (self->json, "cpu_ms", self->cpu, phase->n);
  g_string_append (self->json, ", ");
  append_times (self->json, "wall_ms", self->wall, phase->n);
  g_string_append_c (self->json, '}');
}

/* ---- frames ---- */

static gboolean
change_cb (gpointer data)
{
  Benchmark *self = data;

  self->is_changing = true;
  self->begun_us = g_get_monotonic_time ();
  self->begun_cpu_ms = hs_benchmark_get_cpu_ms (CLOCK_THREAD_CPUTIME_ID);
  phases[self->phase].change (self, self->time);
  gtk_widget_queue_draw (GTK_WIDGET (self->window));
  return G_SOURCE_REMOVE;
}

static void
finish (Benchmark *self, GdkFrameClock *clock)
{
  g_autofree char *renderer = hs_benchmark_dup_renderer (GTK_WIDGET (self->window));

  g_print ("%s, \"renderer\": \"%s\"}\n", self->json->str, renderer);
  *self->done = TRUE;
  g_signal_handlers_disconnect_by_data (clock, self);
  g_application_quit (self->application);
}

/* Whether what was asked for last is on the screen. */
static bool
is_shown (Benchmark *self)
{
  HsSession *session = peek_session (self);
  GtkWidget *page = find (GTK_WIDGET (self->window), HS_TYPE_LAB_PIPELINE);

  if (!hs_session_get_in_lab (session))
    return true;
  return page != NULL && hs_lab_pipeline_is_shown (HS_LAB_PIPELINE (page));
}

static void
begin (Benchmark *self, GdkFrameClock *clock)
{
  HsPicture *picture = hs_window_peek_picture (self->window);

  if (hs_picture_peek_layout (picture) == NULL || !hs_session_is_current (peek_session (self)) ||
      !hs_picture_is_complete (picture))
    return;
  self->has_begun = true;
  gdk_frame_clock_end_updating (clock);
  g_string_append_printf (self->json, "{\"tokens\": %u",
                          hs_session_get_n_tokens (peek_session (self)));
  g_timeout_add (100, change_cb, self); /* once everything is quiet */
}

static void
note_time (Benchmark *self)
{
  self->wall[self->time] = (double)(g_get_monotonic_time () - self->begun_us) / US_PER_MS;
  self->cpu[self->time] = hs_benchmark_get_cpu_ms (CLOCK_THREAD_CPUTIME_ID) - self->begun_cpu_ms;
  if (++self->time < phases[self->phase].n)
    return;
  report_phase (self);
  self->time = 0;
  self->phase++;
}

static void
after_paint_cb (GdkFrameClock *clock, Benchmark *self)
{
  if (!self->has_begun) {
    begin (self, clock);
    return;
  }
  if (!self->is_changing || !is_shown (self))
    return;
  self->is_changing = false;
  if (hs_session_get_in_lab (peek_session (self)))
    note_time (self);
  if (self->phase == G_N_ELEMENTS (phases))
    finish (self, clock);
  else
    g_timeout_add (20, change_cb, self);
}

static void
realized_cb (GtkWidget *window, Benchmark *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), self);
  gdk_frame_clock_begin_updating (clock);
}

void
hs_lab_benchmark_start (HsWindow *window, GApplication *application, gboolean *done)
{
  HsSession *session = hs_window_peek_session (window);
  Benchmark *self = g_new0 (Benchmark, 1);

  self->window = window;
  self->application = application;
  self->done = done;
  self->json = g_string_new (NULL);
  g_object_set_data_full (G_OBJECT (session), "hs-lab-benchmark", self, benchmark_free);
  hs_benchmark_quit_on_failure (session, application);
  g_signal_connect (window, "realize", G_CALLBACK (realized_cb), self);
}
