/* SPDX-License-Identifier: MIT */
/* The updater's fields, and what its loads need of it. */
#pragma once

#include "hs-comparer.h"
#include "hs-heads-feeder.h"
#include "hs-ranker.h"
#include "hs-runner.h"
#include "hs-updater.h"

G_BEGIN_DECLS

struct _HsUpdater {
  GObject parent_instance;

  HsEngine *engine;
  HsSession *session;
  HsRunner *text_runner;
  HsRunner *panel_runner;
  HsHeadsFeeder *heads_feeder;
  HsComparer *comparer;
  HsRanker *ranker;

  char *name;         /* model asked for last */
  char *working;      /* (nullable): the one to go on with: that was loaded last, say */
  GCancellable *load; /* identity of the load under way; NULL for none */
};

/* Runs what side A asks now, unless something is on its way that asks again when it is there. */
void hs_updater_ask (HsUpdater *self);

/* The newest answer goes to the session. */
void hs_updater_take_answer (HsUpdater *self, HsAnswer *answer);

/* No picture and no answer, but a sentence. */
void hs_updater_fail (HsUpdater *self, const GError *error);

/* Nothing runs any more. */
void hs_updater_stop_runs (HsUpdater *self);

/* Where only another lens is on its way: what is shown stays. Returns: whether it was so. */
bool hs_updater_stop_lens (HsUpdater *self);

/* Nothing is loaded any more. */
void hs_updater_drop_load (HsUpdater *self);

/* Borrows from the session. */
HsRequest hs_updater_request_for_text (HsUpdater *self);

G_END_DECLS
