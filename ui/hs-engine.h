/* SPDX-License-Identifier: MIT */
/* The window's door to the core: everything slow, on other threads, one forward pass at a time.
 *
 * Callbacks and progress arrive on the main thread. A request and all it holds are copied or
 * referenced, so the caller may go on at once. */
#pragma once

#include "hs-answer.h"
#include "hs-report.h"

#include "attn/model.h"
#include "attn/pool.h"

#include <gio/gio.h>

G_BEGIN_DECLS

#define HS_TYPE_ENGINE (hs_engine_get_type ())
G_DECLARE_FINAL_TYPE (HsEngine, hs_engine, HS, ENGINE, GObject)

/* Most tokens the window runs a model on, unless told otherwise; the model's own limit may be
 * smaller. */
#define HS_MAX_TOKENS 512

/* The most that can be asked for: beyond, one head's weights alone fill 16 MB. */
#define HS_MOST_TOKENS 2048

typedef struct {
  AttnMaps *maps;           /* nullable: when set only their panels are made, no model is run */
  HsAttention *attention;   /* (nullable): the file that the maps are of */
  AttnModel *model;         /* else the model to run … */
  const char *text;         /* … on this text, UTF-8 … */
  const char *pair;         /* … and this second one; NULL for none */
  const AttnDrawView *view; /* what panels are wanted for */
} HsRequest;

typedef HsReportFunc HsEngineProgress;

/* Returns: an engine with a pool of its own. */
HsEngine *hs_engine_new (void);

/* Returns: (transfer none): for use at once; another number of threads is another pool. */
AttnPool *hs_engine_peek_pool (HsEngine *self);

/* Returns: (transfer none): the pool, which stays until it is returned: for other threads' work. */
AttnPool *hs_engine_borrow_pool (HsEngine *self);

void hs_engine_return_pool (HsEngine *self);

/* For runs from now on. @max_tokens: 1 … HS_MOST_TOKENS. Returns: whether that is a change. */
bool hs_engine_set_max_tokens (HsEngine *self, size_t max_tokens);

/* @n_threads: 0 for as many as there are cores. Takes effect when nothing runs. */
void hs_engine_set_n_threads (HsEngine *self, size_t n_threads);

/**
 * hs_engine_run_async:
 * @progress: (nullable): not called any more once @callback was
 *
 * Tokenises, runs the model, makes the panels and, where the text has a mask, the guesses. A layer
 * or head of the view that the model has not is replaced by the last one.
 */
void hs_engine_run_async (HsEngine *self,
                          const HsRequest *request,
                          GCancellable *cancellable,
                          HsEngineProgress progress,
                          gpointer progress_data,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/* Returns: (transfer full): the answer, or NULL with ATTN_ERROR or G_IO_ERROR_CANCELLED. */
HsAnswer *hs_engine_run_finish (HsEngine *self, GAsyncResult *result, GError **error);

/**
 * hs_engine_load_async:
 * @name:  "demo" (or NULL), or a folder
 * @first: (nullable): what to run as soon as the model is there, on the same thread; its model is
 *         not read. Should that run fail the model is loaded all the same
 */
void hs_engine_load_async (HsEngine *self,
                           const char *name,
                           const HsRequest *first,
                           GCancellable *cancellable,
                           HsEngineProgress progress,
                           gpointer progress_data,
                           GAsyncReadyCallback callback,
                           gpointer user_data);

/* Returns: (transfer full): the model, or NULL with @error. @answer: (out) (nullable): what came of
 * the first request, for hs_answer_unref(). */
AttnModel *
hs_engine_load_finish (HsEngine *self, GAsyncResult *result, HsAnswer **answer, GError **error);

/* Runs the main loop until every task has called back; a program does so before it ends, so that no
 * thread is in the core while it is taken down. */
void hs_engine_drain (HsEngine *self);

G_END_DECLS
