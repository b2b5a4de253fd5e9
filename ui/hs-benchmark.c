/* SPDX-License-Identifier: MIT */
/* Times the program's start, from inside. */
#include "hs-benchmark.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#include <stdio.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  HsWindow *window;
  GApplication *application;
  gboolean *done;
  gboolean frame_begun; /* the panels were there when this frame began */
} Benchmark;

/* Field 22 of /proc/self/stat: clock ticks from boot to the start of this process. The command's
 * name before it may hold blanks and brackets; its last bracket ends it. */
static double
get_start_s (void)
{
  g_autofree char *stat = NULL;
  const char *rest;
  g_auto (GStrv) fields = NULL;

  if (!g_file_get_contents ("/proc/self/stat", &stat, NULL, NULL))
    return 0;
  rest = strrchr (stat, ')');
  if (rest == NULL)
    return 0;
  fields = g_strsplit (rest + 2, " ", -1);
  if (g_strv_length (fields) < 20)
    return 0;
  return g_ascii_strtod (fields[19], NULL) / (double)sysconf (_SC_CLK_TCK);
}

static double
get_age_ms (void)
{
  struct timespec now;

  clock_gettime (CLOCK_BOOTTIME, &now);
  return ((double)now.tv_sec + (double)now.tv_nsec / 1e9 - get_start_s ()) * 1e3;
}

double
hs_benchmark_get_cpu_ms (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

double
hs_benchmark_get_peak_mb (void)
{
  g_autofree char *status = NULL;
  const char *line;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL))
    return 0;
  line = strstr (status, "VmHWM:");
  return line != NULL ? g_ascii_strtod (line + strlen ("VmHWM:"), NULL) / 1024 : 0;
}

/* "GskCairoRenderer" is "cairo". */
char *
hs_benchmark_dup_renderer (GtkWidget *window)
{
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  g_autofree char *name = g_ascii_strdown (G_OBJECT_TYPE_NAME (renderer), -1);
  const char *start = g_str_has_prefix (name, "gsk") ? name + strlen ("gsk") : name;
  const char *end = strstr (start, "renderer");

  return g_strndup (start, end != NULL ? (gsize)(end - start) : strlen (start));
}

static void
before_paint_cb (GdkFrameClock *clock G_GNUC_UNUSED, Benchmark *self)
{
  self->frame_begun = hs_session_peek_panels (hs_window_peek_session (self->window)) != NULL;
}

static void
after_paint_cb (GdkFrameClock *clock, Benchmark *self)
{
  char age[ATTN_NUMBER_SIZE], peak[ATTN_NUMBER_SIZE];
  g_autofree char *renderer = NULL;

  if (!self->frame_begun || *self->done)
    return;
  renderer = hs_benchmark_dup_renderer (GTK_WIDGET (self->window));
  attn_number_format_fixed (age, get_age_ms (), 1);
  attn_number_format_fixed (peak, hs_benchmark_get_peak_mb (), 1);
  g_print ("{\"first_picture_ms\": %s, \"rss_mb\": %s, \"renderer\": \"%s\"}\n", age, peak,
           renderer);
  *self->done = TRUE;
  g_signal_handlers_disconnect_by_data (clock, self);
  g_application_quit (self->application);
}

static void
realized_cb (GtkWidget *window, Benchmark *self)
{
  GdkFrameClock *clock = gtk_widget_get_frame_clock (window);

  g_signal_connect (clock, "before-paint", G_CALLBACK (before_paint_cb), self);
  g_signal_connect (clock, "after-paint", G_CALLBACK (after_paint_cb), self);
}

static void
state_changed_cb (HsSession *session, GParamSpec *pspec G_GNUC_UNUSED, GApplication *application)
{
  const HsState state = hs_session_get_state (session);

  if (state == HS_STATE_FAILED)
    g_printerr ("headscope: %s\n", hs_session_peek_detail (session));
  if (state == HS_STATE_EMPTY)
    g_printerr ("headscope: %s\n", _ ("There is no text, so there is no first picture to time"));
  if (state == HS_STATE_FAILED || state == HS_STATE_EMPTY)
    g_application_quit (application);
}

void
hs_benchmark_quit_on_failure (HsSession *session, GApplication *application)
{
  g_signal_connect (session, "notify::state", G_CALLBACK (state_changed_cb), application);
}

void
hs_benchmark_start (HsWindow *window, GApplication *application, gboolean *done)
{
  HsSession *session = hs_window_peek_session (window);
  Benchmark *self = g_new0 (Benchmark, 1);

  self->window = window;
  self->application = application;
  self->done = done;
  g_object_set_data_full (G_OBJECT (session), "hs-benchmark", self, g_free);
  hs_benchmark_quit_on_failure (session, application);
  g_signal_connect (window, "realize", G_CALLBACK (realized_cb), self);
}
