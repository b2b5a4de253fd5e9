/* SPDX-License-Identifier: MIT */
/* A session file on a window's session: the very same screen again. */
#pragma once

#include "hs-export.h"
#include "hs-status-line.h"
#include "hs-updater.h"

#include "attn-draw/session.h"

G_BEGIN_DECLS

/* One side's model of a file, loaded, or its attention. */
typedef struct {
  AttnModel *model;
  const char *name;       /* it was loaded by */
  HsAttention *attention; /* (nullable): instead of a model */
} HsSessionModel;

/**
 * hs_session_file_apply:
 * @a: the file's model
 * @b: of side B in the view compare; nothing for side A's. In other views B's is loaded when it is
 *   needed, and an attention meanwhile
 * @status_line: (nullable): where it is said when what was pinned or zoomed is no longer there
 *
 * Takes over models, files, texts and view. What is pinned, zoomed and magnified follows as soon as
 * the text's picture is there, unless the text is changed before.
 */
void hs_session_file_apply (HsSession *session,
                            HsUpdater *updater,
                            const AttnDrawSession *file,
                            const HsSessionModel *a,
                            const HsSessionModel *b,
                            HsStatusLine *status_line);

/* Layers and heads that are no more become the last ones, and the file's warnings say so; @a and @b
 * likewise. */
void hs_session_file_fit (AttnDrawSession *file, const HsSessionModel *a, const HsSessionModel *b);

/* Returns: whether the file sets another model against A's. */
bool hs_session_file_has_model_b (const AttnDrawSession *file);

/* Returns: what is to be read for a side that is of a file; everything is borrowed from @side. */
HsAttentionWish hs_session_file_get_wish (const AttnDrawSessionSide *side);

/* How such a session was exported; what of it is the screen's own is left as it is. */
void hs_session_file_get_options (const AttnDrawSession *file, HsExportOptions *options);

/* Saves what @export is of on another thread; hs_save_finish() tells. */
void hs_session_file_save_async (HsExport *export,
                                 double magnification,
                                 const char *path,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Reads a file on another thread. */
void hs_session_file_load_async (const char *path,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);

/* Returns: (transfer full): the session, or NULL with ATTN_ERROR. */
AttnDrawSession *hs_session_file_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
