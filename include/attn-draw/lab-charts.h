/* SPDX-License-Identifier: MIT */
/* Charts of what the lab measures: the same ones in the window and in files of the command line. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/view.h"
#include "attn/experiment.h"
#include "attn/times.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

/* How any of them is made. @translate: (nullable): none means English. */
typedef struct {
  AttnDrawFigureStyle style;
  double width;  /* px */
  double margin; /* em of empty ground around it */
  AttnDrawTranslate translate;
  void *translate_data;
} AttnDrawLabLook;

/* Times, and what is picked. */
typedef struct {
  AttnTimes times; /* its pointers are borrowed */
  size_t picked;   /* number of heads that is marked, where it divides d_model; 0 for none */
} AttnDrawTimingChart;

/* Returns: (transfer full): the time of a block against the number of heads.
 *
 * Test: tests/draw/test-plot.c */
AttnDrawFigure *attn_draw_timing_chart_new (const AttnDrawTimingChart *chart,
                                            const AttnDrawLabLook *look);

/* Returns: (transfer full): loss and right answers of each question against the steps, as far as
 * they have come. @experiment: (nullable): an empty chart.
 *
 * Test: tests/draw/test-plot.c */
AttnDrawFigure *attn_draw_experiment_chart_new (const AttnExperiment *experiment,
                                                const AttnDrawLabLook *look);

/* A look for files: paper, letters of 10 points, ATTN_DRAW_LAB_WIDTH wide, with a margin. */
#define ATTN_DRAW_LAB_WIDTH 820.0 /* px */
#define ATTN_DRAW_LAB_LOOK \
  { \
    .width = ATTN_DRAW_LAB_WIDTH, .margin = 1 \
  }

/* The same as files, which say what makes them again: of times, which no two measurements have in
 * common, with the numbers themselves. @scale as attn_draw_write() takes it.
 *
 * Returns: (transfer full): the bytes, or NULL with @error: TOO_LARGE, IO.
 * Test: tests/draw/test-plot.c */
GBytes *attn_draw_timing_chart_write (const AttnDrawTimingChart *chart,
                                      const AttnDrawLabLook *look,
                                      AttnDrawFormat format,
                                      double scale,
                                      GError **error);
GBytes *attn_draw_experiment_chart_write (const AttnExperiment *experiment,
                                          const AttnDrawLabLook *look,
                                          AttnDrawFormat format,
                                          double scale,
                                          GError **error);

/* Returns: (transfer full): the shell line that makes the same file at @path.
 *
 * Test: tests/ui/test-lab.c: it makes the very same bytes. */
char *attn_draw_timing_chart_dup_command (const AttnDrawTimingChart *chart,
                                          const AttnDrawLabLook *look,
                                          AttnDrawFormat format,
                                          const char *path);
char *attn_draw_experiment_chart_dup_command (const AttnExperiment *experiment,
                                              const AttnDrawLabLook *look,
                                              AttnDrawFormat format,
                                              const char *path);

G_END_DECLS
