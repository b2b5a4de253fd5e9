/* SPDX-License-Identifier: MIT */
/* The numbers behind the picture as a file: the shown map, its layer's or all of them, or those of
 * a comparison, by the same call the command line uses. */
#pragma once

#include "hs-report.h"
#include "hs-session.h"

#include "attn/export.h"

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  HS_NUMBERS_MAP, /* the shown one; these three are A's in a comparison */
  HS_NUMBERS_LAYER,
  HS_NUMBERS_ALL,
  HS_NUMBERS_B,          /* the shown one of a comparison's B */
  HS_NUMBERS_DIFFERENCE, /* A − B of the shown ones */
} HsNumbersExtent;

typedef struct _HsNumbers HsNumbers;

/* Returns: a copy of what is shown, for hs_numbers_unref(); NULL when nothing is, or no B where it
 * is asked for. It does not change when the session does. An A − B that cannot be, because no token
 * is in both, is told when it is to be written. */
HsNumbers *hs_numbers_new (HsSession *session, AttnExportFormat format, HsNumbersExtent extent);

HsNumbers *hs_numbers_ref (HsNumbers *numbers);
void hs_numbers_unref (HsNumbers *numbers);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsNumbers, hs_numbers_unref)

/* Returns: (transfer full): the shell line that makes the same file. */
char *hs_numbers_dup_command (HsNumbers *numbers, const char *path);

/* Returns: (transfer full): a name to suggest: "demo-model-layer-3-head-5.csv". */
char *hs_numbers_dup_file_name (HsNumbers *numbers);

/* How the file will begin, and how large it will be. */
typedef struct {
  char *text;        /* first lines; of an archive of arrays what is in it */
  size_t n_maps;     /* in the file … */
  size_t rows, keys; /* … and how large each is */
  guint64 n_bytes;   /* of the file, about */
  double seconds;    /* it will take, about */
} HsNumbersSample;

void hs_numbers_sample_free (HsNumbersSample *sample);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsNumbersSample, hs_numbers_sample_free)

/* Makes one map's part of the file on another thread. */
void hs_numbers_sample_async (HsNumbers *numbers,
                              GCancellable *cancellable,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* Returns: (transfer full): the sample, or NULL with ATTN_ERROR. */
HsNumbersSample *hs_numbers_sample_finish (GAsyncResult *result, GError **error);

/* Writes the file, whole or not at all, on another thread. */
void hs_numbers_save_async (HsNumbers *numbers,
                            const char *path,
                            GCancellable *cancellable,
                            HsReportFunc progress,
                            gpointer progress_data,
                            GAsyncReadyCallback callback,
                            gpointer user_data);

/* Returns: (transfer full): the path written, or NULL with ATTN_ERROR; CANCELLED when stopped. */
char *hs_numbers_save_finish (GAsyncResult *result, GError **error);

/* Returns: (transfer full): the shown map for a spreadsheet: a row for each query, values parted by
 * tabs, tokens over and before them. Of a comparison all its maps, one under the other, each below
 * its name. May be called on any thread. */
char *hs_numbers_dup_table (HsNumbers *numbers, GError **error);

G_END_DECLS
