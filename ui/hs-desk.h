/* SPDX-License-Identifier: MIT */
/* What stands behind one window: its session, the updater that serves it, the keeper that saves it.
 */
#pragma once

#include "hs-engine.h"
#include "hs-keeper.h"
#include "hs-session.h"
#include "hs-updater.h"

G_BEGIN_DECLS

typedef struct {
  HsSession *session;
  HsUpdater *updater;
  HsKeeper *keeper;       /* NULL where nothing is kept */
  char *model;            /* the model's name to begin with; NULL for the shipped one */
  HsAttention *attention; /* (nullable): another window's file to begin with */
  bool looks;             /* tokens of the file to begin with are looked for, and asked for */
  bool started;
} HsDesk;

/* Returns: (transfer full): a desk with an empty session and nothing loaded yet. */
HsDesk *hs_desk_new (HsEngine *engine);

/**
 * hs_desk_keep:
 * @path: (nullable): where the state is kept; NULL keeps nothing
 * @restore: whether the state that is there is taken over; one that makes no sense is passed over
 *           with a message
 *
 * Returns: whether something was taken over.
 */
bool hs_desk_keep (HsDesk *self, const char *path, bool restore);

/* The texts, the view and the model's name of another desk. */
void hs_desk_copy (HsDesk *self, HsDesk *other);

/* Begins to load the model, or takes @model (nullable), loaded by the same name before; where side
 * A wants a file of weights, reads that instead. */
void hs_desk_start (HsDesk *self, AttnModel *model);

/* Stops what runs; the engine may still be busy for a moment. */
void hs_desk_free (HsDesk *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsDesk, hs_desk_free)

G_END_DECLS
