/* SPDX-License-Identifier: MIT */
/* What the page on heads that are off has computed on other threads. */
#pragma once

#include "hs-measuring.h"

#include "attn-draw/ablation.h"
#include "attn/ablation.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* What is asked: of which run, and which head's weights are looked at. Borrowed. */
typedef struct {
  AttnTrace *trace; /* nullable: nothing is asked, and what was answered is forgotten */
  const AttnAblationAsked *asked;
  size_t layer, head;
} HsAblationQuestion;

/* The text as it is, with the heads of the moment off, and importance: each of them as far as it
 * is asked for and can be had. Owned by who has it. */
typedef struct {
  AttnTrace *trace;         /* referenced: what was asked about … */
  AttnAblationAsked asked;  /* … and what; its strings are owned */
  AttnAblationClean *clean; /* nullable, as what follows: referenced */
  AttnAblationOff *off;
  AttnDrawAblationWeights *weights; /* of @off, and the head that was looked at */
  AttnImportance *importance;       /* owned */
  GError *fault;                    /* owned: why something that is asked for is not there */
} HsAblationFound;

void hs_ablation_found_free (HsAblationFound *found);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAblationFound, hs_ablation_found_free)

/**
 * hs_ablation_find_async:
 * @question: with a trace
 * @known: (nullable): found before: what it has in common with @question is not computed again
 */
void hs_ablation_find_async (const HsAblationQuestion *question,
                             const HsAblationFound *known,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* Returns: (transfer full): what was found, or NULL with @error, cancelled. */
HsAblationFound *hs_ablation_find_finish (GAsyncResult *result, GError **error);

/* A head's weights alone. */
void hs_ablation_look_async (AttnTrace *clean,
                             AttnTrace *off,
                             size_t layer,
                             size_t head,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

/* Returns: (transfer full): the weights, or NULL with @error: no memory, cancelled. */
AttnDrawAblationWeights *hs_ablation_look_finish (GAsyncResult *result, GError **error);

/* Returns: (transfer full): a copy, for attn_importance_free(). */
AttnImportance *hs_ablation_dup_importance (const AttnImportance *importance);

/* Every head removed in turn. Owned by who has it. */
typedef struct {
  AttnAblationClean *clean; /* referenced: of this … */
  AttnAblationAsked asked;  /* … and this kind; its strings are owned */
  double *losses;           /* [n_layers, n_heads]; owned */
  gint64 elapsed_us;
} HsAblationEach;

void hs_ablation_each_free (HsAblationEach *each);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAblationEach, hs_ablation_each_free)

/* Returns: (transfer full): without losses yet: a job for hs_ablation_measure_each(). */
HsAblationEach *hs_ablation_each_new (AttnAblationClean *clean, const AttnAblationAsked *asked);

/* Returns: whether it is the answer to @asked of @clean. */
bool hs_ablation_each_is_of (const HsAblationEach *each,
                             const AttnAblationClean *clean,
                             const AttnAblationAsked *asked);

/* HsMeasuringClass.measure; the state is an HsAblationEach of its own. */
gpointer
hs_ablation_measure_each (gpointer job, AttnPool *pool, HsMeasuringReport *report, GError **error);

G_END_DECLS
