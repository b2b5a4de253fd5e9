/* SPDX-License-Identifier: MIT */
/* What the lenses share: maps that are made of other maps, and work with progress. */
#pragma once

#include "attn/lens.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* How a lens answers for its maps; everything but weights is asked of the maps it was made of. */
typedef struct {
  bool joint;   /* one head for all of a layer's */
  bool through; /* a query sees whatever some layer below lets it */
  /* @maps are those it was made of */
  bool (*compute) (
      void *own, AttnMaps *maps, size_t layer, size_t head, float *weights, GError **error);
  void (*free) (void *own); /* nullable */
} AttnLensClass;

/* @klass: static; @own: consumed. */
AttnMaps *attn_lens_wrap (AttnMaps *maps, const AttnLensClass *klass, void *own);

/* Long work, or a share of it. */
typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable */
  void *progress_data;
  double start, share; /* of the whole that this is */
} AttnLensWork;

/* Tells that @done of this share is done. Returns: false with @error: CANCELLED, also where the
 * pool was stopped. */
bool attn_lens_work_tell (const AttnLensWork *work, double done, GError **error);

/* Writes [T, T] of one layer. */
typedef bool (*AttnLensFill) (
    void *own, size_t layer, const AttnLensWork *work, float *weights, GError **error);

/**
 * attn_lens_wrap_layers:
 * @own: consumed, also on error
 *
 * Maps of one head that @fill computes a layer of at a time, and keeps: those that @options want at
 * once, others when asked for.
 */
AttnMaps *attn_lens_wrap_layers (AttnMaps *maps,
                                 bool through,
                                 AttnLensFill fill,
                                 void (*free_own) (void *own),
                                 void *own,
                                 const AttnLensOptions *options,
                                 GError **error);

/* M = ½ mean_h a + ½ 1, rows over their sums; [T, T] in double, written. */
bool attn_lens_compute_layer_matrix (AttnMaps *maps, size_t layer, double *matrix, GError **error);

/* The lenses; each as attn_lens_new_maps(), on maps that it fits. */
AttnMaps *attn_lens_new_special (AttnMaps *maps);
AttnMaps *attn_lens_new_scores (AttnMaps *maps);
AttnMaps *attn_lens_new_norm (AttnMaps *maps);
AttnMaps *attn_lens_new_norm_layer (AttnMaps *maps);
AttnMaps *attn_lens_new_mixing (AttnMaps *maps);
AttnMaps *attn_lens_new_zeroing (AttnMaps *maps, const AttnLensOptions *options, GError **error);
AttnMaps *attn_lens_new_rollout (AttnMaps *maps, const AttnLensOptions *options, GError **error);
AttnMaps *
attn_lens_new_zeroing_rollout (AttnMaps *maps, const AttnLensOptions *options, GError **error);
AttnMaps *attn_lens_new_flow (AttnMaps *maps, const AttnLensOptions *options, GError **error);
AttnMaps *attn_lens_new_gradient (AttnMaps *maps, const AttnLensOptions *options, GError **error);
