/* SPDX-License-Identifier: MIT */
/* A measurement of the lab on another thread: begun, shown while it comes, stopped at any time. */
#pragma once

#include "hs-run-strip.h"

#include "attn/pool.h"

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

typedef struct HsMeasuring HsMeasuring;
typedef struct HsMeasuringReport HsMeasuringReport;

/* What is measured. A state is what is known at some moment, on its own; a job what to measure. */
typedef struct {
  /* On the other thread. @pool: for this work alone, with the threads that the preferences allow;
   * it is stopped with the work. Returns: (transfer full): the last state, or NULL with @error. */
  gpointer (*measure) (gpointer job, AttnPool *pool, HsMeasuringReport *report, GError **error);
  GDestroyNotify free_job, free_state;
  /* On the main thread. @state: (transfer full): newer than all before. */
  void (*take) (GtkWidget *page, gpointer state);
  /* After each change: it began, more has come, it is over. */
  void (*show) (GtkWidget *page);
} HsMeasuringClass;

/* @klass: static. @page, @strip: borrowed; the page frees it, and stops it when it leaves its
 * window: what runs holds the page. */
HsMeasuring *hs_measuring_new (const HsMeasuringClass *klass, GtkWidget *page, HsRunStrip *strip);

void hs_measuring_free (HsMeasuring *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsMeasuring, hs_measuring_free)

bool hs_measuring_is_running (const HsMeasuring *self);

/* @job: consumed. Must not be running. */
void hs_measuring_start (HsMeasuring *self, gpointer job);

/* What has come until then stays. Nothing where nothing runs. */
void hs_measuring_stop (HsMeasuring *self);

/* For measure. @state: (nullable) (transfer full): what is known now; @fraction: 0 … 1. Returns:
 * whether to go on. */
bool hs_measuring_tell (HsMeasuringReport *report, gpointer state, double fraction);

G_END_DECLS
