/* SPDX-License-Identifier: MIT */
/* What is on screen as a file: a copy of everything the picture depends on, written by the same
 * call the command line uses. */
#pragma once

#include "hs-session.h"

#include "attn-draw/picture.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _HsExport HsExport;

/* How the file differs from the screen. */
typedef struct {
  AttnDrawFormat format;
  bool as_on_screen;              /* the window's light or dark look; else paper */
  double scale;                   /* PNG: device px per px */
  double width_px, max_height_px; /* the shown layout's view has them; or another whole width */
  double width_mm;                /* printed width, for any height; 0 to go by px */
  double font_size_pt;            /* 0 for the screen's */
} HsExportOptions;

/**
 * hs_export_new:
 * @session: must show a picture
 *
 * Returns: a copy of what is shown with these options, for hs_export_free(); NULL when nothing is
 *   shown. It does not change when the session does.
 */
HsExport *hs_export_new (HsSession *session, const HsExportOptions *options);

void hs_export_free (HsExport *export);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsExport, hs_export_free)

/* Returns: (transfer full): the shell line that makes the same file. */
char *hs_export_dup_command (const HsExport *export, const char *path);

/* Returns: (transfer full): a name to suggest: "demo-model-layer-3-head-5.png". */
char *hs_export_dup_file_name (const HsExport *export);

/* How large the file will be: a PNG in pixels, the others in millimetres. */
void hs_export_get_size (const HsExport *export, double *width, double *height);

/* Returns: (transfer full): the file's bytes, or NULL with @error; for pictures of screen size. */
GBytes *hs_export_dup_bytes (HsExport *export, GError **error);

/**
 * hs_export_write_async:
 * @export: consumed
 * @path:   the file; it takes its place when complete
 *
 * Writes on another thread; @callback runs on the main thread.
 */
void hs_export_write_async (HsExport *export,
                            const char *path,
                            GAsyncReadyCallback callback,
                            gpointer user_data);

/* Returns: (transfer full): the path written, or NULL with ATTN_ERROR. */
char *hs_export_write_finish (GAsyncResult *result, GError **error);

G_END_DECLS
