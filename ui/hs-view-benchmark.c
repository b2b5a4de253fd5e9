/* SPDX-License-Identifier: MIT */
/* One step before each frame, and the time until its end. */
#include "hs-view-benchmark.h"

#include "hs-benchmark.h"
#include "hs-view-phases.h"

#include "attn/number.h"

#include <stdlib.h>

#define US_PER_MS 1000.0

typedef struct {
  double ms[HS_VIEW_PHASE_FRAMES];
} Times;

typedef struct {
  HsWindow *window;
  HsPicture *picture;
  GApplication *application;
  gboolean *done;
  GString *json;
  const HsViewPhase *phases;
  gsize n_phases, phase;
  gboolean has_begun;        /* all layers have been on screen */
  gboolean is_under_way;     /* the phase's view is on screen */
  guint frame;               /* of the phase */
  gint64 asked_us, begun_us; /* all layers; the present frame */
  double asked_cpu_ms, begun_cpu_ms;
  Times wall, cpu; /* of the phase's frames; a busy machine does not stretch the latter */
} Benchmark;

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

/* ---- what is printed ---- */

static int
compare_times (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void
append_ms (Benchmark *self, const char *name, double ms)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (self->json, "\"%s\": %s", name, attn_number_format_fixed (number, ms, 2));
}

/* Sorts the times. */
static void
append_times (Benchmark *self, const char *name, Times *times)
{
  const int n = HS_VIEW_PHASE_FRAMES;

  qsort (times->ms, (size_t)n, sizeof times->ms[0], compare_times);
  g_string_append_printf (self->json, "\"%s\": {", name);
  append_ms (self, "p50", times->ms[n / 2]);
  g_string_append (self->json, ", ");
  append_ms (self, "p95", times->ms[n * 95 / 100]);
  g_string_append (self->json, ", ");
  append_ms (self, "max", times->ms[n - 1]);
  g_string_append_c (self->json, '}');
}

static void
report_phase (Benchmark *self)
{
  g_string_append_printf (self->json, "%s\"%s\": {", self->phase == 0 ? "" : ", ",
                          self->phases[self->phase].name);
  append_times (self, "cpu_ms", &self->cpu);
  g_string_append (self->json, ", ");
  append_times (self, "wall_ms", &self->wall);
  g_string_append_c (self->json, '}');
}

static void
finish (Benchmark *self, GdkFrameClock *clock)
{
  g_autofree char *renderer = hs_benchmark_dup_renderer (GTK_WIDGET (self->window));
  g_string_append (self->json, "}, ");
  append_ms (self, "rss_mb", hs_benchmark_get_peak_mb ());
  g_print ("%s, \"renderer\": \"%s\"}\n", self->json->str, renderer);
  *self->done = TRUE;
  gdk_frame_clock_end_updating (clock);
  g_signal_handlers_disconnect_by_data (clock, self);
  g_application_quit (self->application);
}

/* ---- frames ---- */

static bool
is_shown (Benchmark *self, AttnDrawKind kind)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (self->picture);
  return layout != NULL && hs_session_is_current (peek_session (self)) &&
         attn_draw_layout_peek_view (layout)->kind == kind &&
         hs_picture_is_complete (self->picture);
}

static void
next_phase (Benchmark *self, GdkFrameClock *clock)
{
  self->phase++;
  self->frame = 0;
  if (self->phase == self->n_phases)
    finish (self, clock);
  else
    hs_session_set_kind (peek_session (self), self->phases[self->phase].kind);
}

static void
before_paint_cb (GdkFrameClock *clock G_GNUC_UNUSED, Benchmark *self)
{
  const HsViewPhase *phase = &self->phases[self->phase];

  self->begun_us = g_get_monotonic_time ();
  self->begun_cpu_ms = hs_benchmark_get_cpu_ms (CLOCK_THREAD_CPUTIME_ID);
  if (!self->has_begun) {
    if (self->asked_us == 0 && is_shown (self, ATTN_DRAW_HEATMAP)) {
      self->asked_us = self->begun_us;
      self->asked_cpu_ms = hs_benchmark_get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID);
      hs_session_set_kind (peek_session (self), ATTN_DRAW_LAYERS);
    }
  } else if (self->is_under_way || is_shown (self, phase->kind)) {
    self->is_under_way = TRUE; /* no hand waits for a frame to be complete */
    phase->step (self->picture, self->frame);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self->picture));
}

static void
begin (Benchmark *self, gint64 now)
{
  g_string_append_printf (self->json, "{\"tokens\": %u, \"layers\": %u, \"heads\": %u, ",
                          hs_session_get_n_tokens (peek_session (self)),
                          hs_session_get_n_layers (peek_session (self)),
                          hs_session_get_n_heads (peek_session (self)));
  append_ms (self, "all_layers_ms", (double)(now - self->asked_us) / US_PER_MS);
  g_string_append (self->json, ", ");
  append_ms (self, "all_layers_cpu_ms",
             hs_benchmark_get_cpu_ms (CLOCK_PROCESS_CPUTIME_ID) - self->asked_cpu_ms);
  g_string_append (self->json, ", \"frames\": {");
  self->has_begun = TRUE;
}

static void
after_paint_cb (GdkFrameClock *clock, Benchmark *self)
{
  gint64 now = g_get_monotonic_time ();

  if (!self->has_begun) {
    if (self->asked_us != 0 && is_shown (self, ATTN_DRAW_LAYERS))
      begin (self, now);
    return;
  }
  if (!self->is_under_way)
    return; /* the view is still on its way */
  self->wall.ms[self->frame] = (double)(now - self->begun_us) / US_PER_MS;
  self->cpu.ms[self->frame] =
      hs_benchmark_get_cpu_ms (CLOCK_THREAD_CPUTIME_ID) - self->begun_cpu_ms;
  self->frame++;
  if (self->frame < HS_VIEW_PHASE_FRAMES)
    return;
  self->is_under_way = FALSE;
  report_phase (self);
  next_phase (self, clock);
}

static void
realized_cb (GtkWidget *window, Benchmark *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  self->picture = hs_window_peek_picture (self->window);
  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), self);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), self);
  gdk_frame_clock_begin_updating (clock);
}

void
hs_view_benchmark_start (HsWindow *window, GApplication *application, gboolean *done)
{
  HsSession *session = hs_window_peek_session (window);
  Benchmark *self = g_new0 (Benchmark, 1);

  self->window = window;
  self->application = application;
  self->done = done;
  self->json = g_string_new (NULL);
  self->phases = hs_view_phases_peek (&self->n_phases);
  g_object_set_data_full (G_OBJECT (session), "hs-view-benchmark", self, benchmark_free);
  hs_benchmark_quit_on_failure (session, application);
  g_signal_connect (window, "realize", G_CALLBACK (realized_cb), self);
}
