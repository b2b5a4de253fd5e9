/* SPDX-License-Identifier: MIT */
/* The lab's pipeline, or the numbers of its step, on the way out of the window. */
#pragma once

#include "hs-figure-save.h"
#include "hs-session.h"

#include "attn-draw/pipeline.h"

G_BEGIN_DECLS

/* What is on screen, for paper; a copy that does not change when the session does. */
typedef struct _HsLabPipelineFile HsLabPipelineFile;

/* Returns: (nullable) (transfer full): NULL where nothing is shown. Of @asked the looks are not
 * read. */
HsLabPipelineFile *
hs_lab_pipeline_file_new (HsSession *session, AttnDrawSteps *steps, const AttnDrawPipeline *asked);

void hs_lab_pipeline_file_free (gpointer file);

/* Any thread: as HsFigureFile's make. */
GBytes *hs_lab_pipeline_file_make (gpointer file, const char *format, GError **error);

/* Returns: (transfer full): the shell line that makes the same PNG at @path. */
char *hs_lab_pipeline_file_dup_command (HsLabPipelineFile *file, const char *path);

/* Returns: (transfer none): a name to suggest, without an ending; the file's. */
const char *hs_lab_pipeline_file_peek_stem (HsLabPipelineFile *file);

G_END_DECLS
