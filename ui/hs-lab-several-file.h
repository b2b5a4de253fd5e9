/* SPDX-License-Identifier: MIT */
/* The lab's figure on several heads, or its numbers, on the way out of the window. */
#pragma once

#include "hs-figure-save.h"
#include "hs-session.h"

#include "attn-draw/several.h"

G_BEGIN_DECLS

/* What is on screen, for paper; a copy that does not change when the session does. */
typedef struct _HsLabSeveralFile HsLabSeveralFile;

/* @heads: referenced
 * @asked: its looks and heads are not read
 *
 * Returns: (nullable) (transfer full): NULL where nothing is shown. */
HsLabSeveralFile *
hs_lab_several_file_new (HsSession *session, AttnLayerHeads *heads, const AttnDrawSeveral *asked);

void hs_lab_several_file_free (gpointer file);

/* Any thread: as HsFigureFile's make. */
GBytes *hs_lab_several_file_make (gpointer file, const char *format, GError **error);

/* Returns: (transfer full): the shell line that makes the same PNG at @path. */
char *hs_lab_several_file_dup_command (HsLabSeveralFile *file, const char *path);

/* Returns: (transfer none): a name to suggest, without an ending; the file's. */
const char *hs_lab_several_file_peek_stem (HsLabSeveralFile *file);

G_END_DECLS
