/* SPDX-License-Identifier: MIT */
/* What is on screen as a picture's file: a copy of everything the picture depends on, written by
 * the same call the command line uses. */
#pragma once

#include "hs-report.h"
#include "hs-session.h"

#include "attn-draw/session.h"
#include "attn/export.h"

#include <gdk/gdk.h>
#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _HsExport HsExport;

typedef enum {
  HS_EXPORT_SHOWN, /* what is on screen */
  HS_EXPORT_SHEET, /* every head of every layer, whatever is on screen */
} HsExportWhat;

/* How the file differs from the screen. All zero is a PNG for paper that is as large as nothing, so
 * begin with hs_export_options_init(). */
typedef struct {
  HsExportWhat what;
  AttnDrawFormat format;
  bool as_on_screen;              /* the window's light or dark look; else paper */
  double scale;                   /* PNG: device px per px */
  AttnDrawPage page;              /* PDF */
  double width_px, max_height_px; /* the shown layout's view has them; or another whole width */
  double map_px;                  /* likewise; of all layers' maps, 0 to go by width and height */
  double width_mm;                /* printed width, for any height; 0 to go by px */
  double font_size_pt;            /* 0 for the screen's */
  const char *font_family;        /* (nullable): likewise; interned */
} HsExportOptions;

/* A PNG of what @layout (nullable) shows, as sharp as screens and slides need. */
void hs_export_options_init (HsExportOptions *options, const AttnDrawLayout *layout);

/* Takes over where and how large the picture on screen is. */
void hs_export_options_set_layout (HsExportOptions *options, const AttnDrawLayout *layout);

/**
 * hs_export_new:
 * @session: must show a picture
 *
 * Returns: a copy of what is shown with these options, for hs_export_unref(); NULL when nothing is
 *   shown. It does not change when the session does.
 */
HsExport *hs_export_new (HsSession *session, const HsExportOptions *options);

HsExport *hs_export_ref (HsExport *export);
void hs_export_unref (HsExport *export);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsExport, hs_export_unref)

/* Returns: (transfer full): the same picture in another format, or @export itself. */
HsExport *hs_export_dup_as (HsExport *export, AttnDrawFormat format);

/* Returns: (transfer full): the shell line that makes the same file. */
char *hs_export_dup_command (HsExport *export, const char *path);

/* Returns: (transfer full): a name to suggest: "demo-model-layer-3-head-5.png". */
char *hs_export_dup_file_name (HsExport *export);

/* Returns: (transfer full): such a name for a file of another kind and ending; @of_b: of a
 * comparison's B alone. */
char *hs_export_dup_name (HsExport *export, bool of_b, AttnDrawKind kind, const char *extension);

/* Returns: (transfer none): the picture the file is of; valid as long as @export. */
const AttnDrawPicture *hs_export_peek_picture (HsExport *export);

/* Returns: (transfer full): a session that opens this screen and makes this file. @magnification:
 * of the window's all layers. */
AttnDrawSession *hs_export_dup_session (HsExport *export, double magnification);

/* Tells about numbers of the same maps, A's or a comparison's B's, what the picture's file tells;
 * the view's word list is borrowed. To be called away from the main thread: weights not hashed
 * before are read.
 *
 * Returns: false with @error: CANCELLED. */
bool hs_export_get_about (
    HsExport *export, bool of_b, AttnExportAbout *about, HsReport *report, GError **error);

/* ---- making the file, away from the main thread ---- */

/* What came of it. */
typedef struct {
  GBytes *bytes;
  double width, height; /* of the picture or its pages: PNG in pixels, the others in millimetres */
  guint n_pages;
  double seconds;     /* it took */
  GPtrArray *preview; /* of GdkTexture: the first pages, small; NULL where none was asked for */
} HsExportFile;

void hs_export_file_free (HsExportFile *file);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsExportFile, hs_export_file_free)

/* @fraction: 0 … 1, on the main thread */
typedef void (*HsExportProgress) (double fraction, gpointer data);

typedef struct {
  int preview_px; /* longer side of the previews; 0 for none */
  HsExportProgress progress;
  gpointer progress_data;
} HsExportWish;

/**
 * hs_export_make_async:
 * @wish: (nullable)
 *
 * Makes the file's bytes, the weights' hash among them. @callback runs on the main thread.
 */
void hs_export_make_async (HsExport *export,
                           const HsExportWish *wish,
                           GCancellable *cancellable,
                           GAsyncReadyCallback callback,
                           gpointer user_data);

/* Returns: (transfer full): the file, or NULL with ATTN_ERROR; one that was stopped is CANCELLED.
 */
HsExportFile *hs_export_make_finish (GAsyncResult *result, GError **error);

G_END_DECLS
