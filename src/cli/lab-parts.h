/* SPDX-License-Identifier: MIT */
/* The parts of headscope-cli lab. */
#pragma once

#include "cli.h"
#include "subject.h"

#include "attn-draw/lab-charts.h"
#include "attn-draw/picture.h"
#include "attn/lab.h"
#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>

#define CLI_LAB_TOKENS 128           /* of a text, where --tokens does not say */
#define CLI_LAB_FIGURE_WIDTH_PX 1320 /* unless --width-px: all steps stand in one row */

/* What a text's run is asked about; layer and head from 0. */
typedef struct {
  CliSubject subject;
  GPtrArray *texts;
  const CliText *text; /* the texts' */
  AttnTrace *trace;
  size_t layer, head;
} CliLabRun;

/* Runs the one text that options name. Returns: false with @error; clear @run in any case. */
bool cli_lab_run_init (CliLabRun *run, const CliOptions *options, GError **error);

void cli_lab_run_clear (CliLabRun *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliLabRun, cli_lab_run_clear)

/* Returns: (transfer full) (nullable): "1,2,4" as size_t that divide @d_model; NULL with @error. */
GArray *cli_lab_read_heads (const char *option, const char *list, size_t d_model, GError **error);

/* Returns: false with a CLI_USAGE @error where an option's number is too large. */
bool cli_lab_check_size (const char *option, size_t value, size_t most, GError **error);

/* What was measured in all forms of an answer. */
typedef struct {
  char *(*dup_csv) (const void *data);
  char *(*dup_json) (const void *data);
  GBytes *(*write) (const void *data,
                    const AttnDrawLabLook *look,
                    AttnDrawFormat format,
                    double scale,
                    GError **error);
} CliLabForms;

/* Answers with @data in the form that --format names; a chart's width, scale, looks and language
 * are as options ask. */
bool cli_lab_answer (const CliOptions *options,
                     const CliLabForms *forms,
                     const void *data,
                     GError **error);

/* Times of an attention block: measured now, or read from a file. */
bool cli_lab_time (const CliOptions *options, GError **error);
bool cli_lab_measured (const CliOptions *options, GError **error);

/* A step of a run as JSON, or the arithmetic of one of its cells. */
bool cli_lab_step (const CliOptions *options, GError **error);

/* Distances between the heads of a layer as JSON, and one head in their place. */
bool cli_lab_several (const CliOptions *options, GError **error);

/* Reads --cell for a matrix of this size. */
bool cli_lab_read_cell (
    const char *text, const AttnMatrix *matrix, size_t *row, size_t *column, GError **error);

/* Reads --step. */
bool cli_lab_read_step (const CliOptions *options, AttnStep *step, GError **error);

/* What options say of a figure; the view's looks are borrowed by @picture. */
bool cli_lab_read_picture (const CliOptions *options,
                           AttnDrawPicture *picture,
                           AttnDrawView *view,
                           GError **error);

/* Tells where the steps' figure with the looks of @view is wider than --width-px. */
void cli_lab_note_width (const CliOptions *options, const AttnDrawView *view);

/* Writes a figure's bytes where --figure says. */
bool cli_lab_write_figure (const CliOptions *options, GBytes *bytes, GError **error);

/* The heads of a layer as a picture. */
bool cli_lab_several_figure (const CliOptions *options, GError **error);

/* All steps as a picture. */
bool cli_lab_figure (const CliOptions *options, GError **error);

/* The steps of a head as code. */
bool cli_lab_code (const CliOptions *options, GError **error);

/* What a paper found, in the text's run, as JSON. */
bool cli_lab_finding (const CliOptions *options, GError **error);

/* Training curves as JSON. */
bool cli_lab_train (const CliOptions *options, GError **error);
