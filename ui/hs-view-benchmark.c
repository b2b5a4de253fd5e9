/* SPDX-License-Identifier: MIT */
/* One step before each frame, and the time until its end. */
#include "hs-view-benchmark.h"

#include "hs-benchmark.h"
#include "hs-zoom.h"

#include "attn/number.h"

#include <stdlib.h>
#include <time.h>

#define N_FRAMES 60
#define US_PER_MS 1000.0
#define SCROLL_PX 40
#define N_ZOOMS 8   /* steps in, and as many out again */
#define N_PANNED 20 /* rows and columns */

typedef struct _Benchmark Benchmark;

typedef struct {
  const char *name;
  AttnDrawKind kind;
  void (*step) (Benchmark *self, guint frame);
} Phase;

struct _Benchmark {
  HsWindow *window;
  HsPicture *picture;
  GApplication *application;
  gboolean *done;
  GString *json;
  const Phase *phase; /* NULL until all layers are on screen */
  guint frame;
  gint64 asked_us, begun_us; /* all layers; the present frame */
  double begun_cpu_ms;
  double times_ms[N_FRAMES];
  double max_cpu_ms; /* of the phase's frames: what a busy machine does not stretch */
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

/* Of the main thread. */
static double
get_cpu_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static GtkAdjustment *
peek_adjustment (Benchmark *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->picture));
}

/* ---- steps ---- */

static void
zoom_step (Benchmark *self, guint frame)
{
  bool in = frame / N_ZOOMS % 2 == 0;
  hs_picture_magnify (self->picture, in ? 1.2 : 1 / 1.2,
                      gtk_widget_get_width (GTK_WIDGET (self->picture)) / 2.0,
                      gtk_widget_get_height (GTK_WIDGET (self->picture)) / 2.0);
}

/* Down, and up again at the end. */
static void
scroll_step (Benchmark *self, guint frame)
{
  GtkAdjustment *adjustment = peek_adjustment (self);
  double value = gtk_adjustment_get_value (adjustment);
  double by = frame < N_FRAMES / 2 ? SCROLL_PX : -SCROLL_PX;
  gtk_adjustment_set_value (adjustment, value + by);
}

static void
hover_step (Benchmark *self, guint frame)
{
  AttnDrawPanels *panels = hs_session_peek_panels (peek_session (self));
  size_t panel = frame * 7 % attn_draw_panels_get_n (panels);
  guint n = hs_session_get_n_tokens (peek_session (self));
  bool is_exact = attn_draw_panels_peek (panels, panel) != NULL;
  HsCell cell = {
      .layer = (guint)attn_draw_panels_get_layer (panels, panel),
      .head = (guint)attn_draw_panels_get_head (panels, panel),
      .query = is_exact ? frame % n : HS_NONE,
      .key = is_exact ? (2 * frame + 1) % n : HS_NONE,
  };
  hs_session_set_hovered (peek_session (self), &cell);
}

static void
choose_step (Benchmark *self, guint frame)
{
  HsSession *session = peek_session (self);
  hs_session_set_head (session, frame % hs_session_get_n_heads (session));
}

/* Into one map, or into all of a layer, and out again. */
static void
crop_step (Benchmark *self, guint frame)
{
  bool in = frame < N_FRAMES / 2;
  hs_zoom_by (peek_session (self), in ? HS_ZOOM_STEP : 1 / HS_ZOOM_STEP);
}

/* Over the map, with as many cells as have room for their weights, down and up again. */
static void
pan_step (Benchmark *self, guint frame)
{
  ptrdiff_t by = frame < N_FRAMES / 2 ? 1 : -1;
  if (frame == 0)
    hs_zoom_set_crop (peek_session (self),
                      &(AttnDrawCrop){.n_queries = N_PANNED, .n_keys = N_PANNED});
  hs_zoom_pan (peek_session (self), by, by);
}

static const Phase phases[] = {
    {"zoom", ATTN_DRAW_LAYERS, zoom_step},
    {"scroll", ATTN_DRAW_LAYERS, scroll_step},
    {"hover", ATTN_DRAW_LAYERS, hover_step},
    {"choose", ATTN_DRAW_LAYERS, choose_step},
    {"heatmap_hover", ATTN_DRAW_HEATMAP, hover_step},
    {"heatmap_zoom", ATTN_DRAW_HEATMAP, crop_step},
    {"heads_zoom", ATTN_DRAW_HEADS, crop_step},
    {"heatmap_pan", ATTN_DRAW_HEATMAP, pan_step},
    {"zoomed_hover", ATTN_DRAW_HEATMAP, hover_step},
};

/* ---- frames ---- */

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
  g_string_append_printf (self->json, "\"%s\": %s", name, attn_number_format_fixed (number, ms, 1));
}

static void
report_phase (Benchmark *self)
{
  qsort (self->times_ms, N_FRAMES, sizeof self->times_ms[0], compare_times);
  g_string_append_printf (self->json, ", \"%s\": {", self->phase->name);
  append_ms (self, "median_ms", self->times_ms[N_FRAMES / 2]);
  g_string_append (self->json, ", ");
  append_ms (self, "max_ms", self->times_ms[N_FRAMES - 1]);
  g_string_append (self->json, ", ");
  append_ms (self, "max_cpu_ms", self->max_cpu_ms);
  g_string_append_c (self->json, '}');
}

static bool
is_shown (Benchmark *self, AttnDrawKind kind)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (self->picture);
  return layout != NULL && hs_session_is_current (peek_session (self)) &&
         attn_draw_layout_peek_view (layout)->kind == kind &&
         hs_picture_is_complete (self->picture);
}

static void
finish (Benchmark *self, GdkFrameClock *clock)
{
  g_autofree char *renderer = hs_benchmark_dup_renderer (GTK_WIDGET (self->window));
  g_string_append (self->json, ", ");
  append_ms (self, "rss_mb", hs_benchmark_get_peak_mb ());
  g_print ("%s, \"renderer\": \"%s\"}\n", self->json->str, renderer);
  *self->done = TRUE;
  gdk_frame_clock_end_updating (clock);
  g_signal_handlers_disconnect_by_data (clock, self);
  g_application_quit (self->application);
}

static void
next_phase (Benchmark *self, GdkFrameClock *clock)
{
  self->phase++;
  self->frame = 0;
  self->max_cpu_ms = 0;
  if (self->phase == phases + G_N_ELEMENTS (phases))
    finish (self, clock);
  else
    hs_session_set_kind (peek_session (self), self->phase->kind);
}

static void
before_paint_cb (GdkFrameClock *clock G_GNUC_UNUSED, Benchmark *self)
{
  self->begun_us = g_get_monotonic_time ();
  self->begun_cpu_ms = get_cpu_ms ();
  if (self->phase == NULL) {
    if (self->asked_us == 0 && is_shown (self, ATTN_DRAW_HEATMAP)) {
      self->asked_us = self->begun_us;
      hs_session_set_kind (peek_session (self), ATTN_DRAW_LAYERS);
    }
  } else if (is_shown (self, self->phase->kind)) {
    self->phase->step (self, self->frame);
  }
  gtk_widget_queue_draw (GTK_WIDGET (self->picture));
}

static void
after_paint_cb (GdkFrameClock *clock, Benchmark *self)
{
  gint64 now = g_get_monotonic_time ();
  if (self->phase == NULL) {
    if (self->asked_us == 0 || !is_shown (self, ATTN_DRAW_LAYERS))
      return;
    g_string_append_printf (self->json, "{\"tokens\": %u, \"layers\": %u, \"heads\": %u, ",
                            hs_session_get_n_tokens (peek_session (self)),
                            hs_session_get_n_layers (peek_session (self)),
                            hs_session_get_n_heads (peek_session (self)));
    append_ms (self, "all_layers_ms", (double)(now - self->asked_us) / US_PER_MS);
    self->phase = phases;
    return;
  }
  self->times_ms[self->frame] = (double)(now - self->begun_us) / US_PER_MS;
  self->max_cpu_ms = MAX (self->max_cpu_ms, get_cpu_ms () - self->begun_cpu_ms);
  self->frame++;
  if (self->frame < N_FRAMES)
    return;
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
  g_object_set_data_full (G_OBJECT (session), "hs-view-benchmark", self, benchmark_free);
  hs_benchmark_quit_on_failure (session, application);
  g_signal_connect (window, "realize", G_CALLBACK (realized_cb), self);
}
