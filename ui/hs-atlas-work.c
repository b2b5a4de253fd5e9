/* SPDX-License-Identifier: MIT */
/* Atlases of one text, made on other threads. */
#include "hs-atlas-work.h"

#include "hs-work.h"

#include "attn/error.h"

#define QUICK_CELLS 3e7 /* to compare: a fraction of a second */

static void
found_clear (gpointer data)
{
  HsAtlasFound *found = data;

  attn_maps_unref (found->maps);
  g_clear_pointer (&found->attention, hs_attention_unref);
  attn_atlas_free (found->atlas);
  attn_atlas_map_free (found->map);
  g_clear_error (&found->fault);
}

HsAtlasFound *
hs_atlas_found_ref (HsAtlasFound *found)
{
  return g_atomic_rc_box_acquire (found);
}

void
hs_atlas_found_unref (HsAtlasFound *found)
{
  if (found != NULL)
    g_atomic_rc_box_release_full (found, found_clear);
}

typedef struct {
  HsAtlasFound *found; /* to be filled */
  size_t n_threads;
} Job;

static void
free_found (gpointer found)
{
  hs_atlas_found_unref (found);
}

static void
job_free (gpointer data)
{
  Job *job = data;

  hs_atlas_found_unref (job->found);
  g_free (job);
}

static bool
is_cancelled (const GError *error)
{
  return g_error_matches (error, ATTN_ERROR, ATTN_ERROR_CANCELLED) ||
         g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

/* Returns: false where it was cancelled; any other fault is found's. */
static bool
fill (HsAtlasFound *found, AttnPool *pool, HsReport *report, GError **error)
{
  const AttnAtlasOptions options = {
      .alone = true, .pool = pool, .progress = hs_report_tell, .progress_data = report};
  g_autoptr (AttnAtlas) atlas = attn_atlas_new (
      attn_maps_get_n_layers (found->maps), attn_maps_get_n_heads (found->maps), found->is_whole);
  g_autoptr (GError) fault = NULL;

  if (!attn_atlas_add_maps (atlas, found->maps, 0, &options, &fault)) {
    if (is_cancelled (fault))
      g_propagate_error (error, g_steal_pointer (&fault));
    else
      found->fault = g_steal_pointer (&fault);
    return *error == NULL;
  }
  if (found->is_whole && atlas->n_layers * atlas->n_heads > 1)
    found->map = attn_atlas_map (atlas, NULL); /* odd weights leave no places */
  found->atlas = g_steal_pointer (&atlas);
  return true;
}

static gpointer
find_in_thread (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  g_autoptr (AttnPool) pool = attn_pool_new (job->n_threads);
  g_autoptr (GError) stopped = NULL;

  hs_report_begin_rest (report);
  if (fill (job->found, pool, report, &stopped))
    return g_steal_pointer (&job->found);
  g_propagate_error (error, g_steal_pointer (&stopped));
  return NULL;
}

static bool
is_quick (const AttnMaps *maps)
{
  const double heads = (double)attn_maps_get_n_layers (maps) * (double)attn_maps_get_n_heads (maps);
  const double n = (double)attn_maps_get_n (maps, ATTN_SIDE_KEY);

  return heads * heads / 2 * n * n <= QUICK_CELLS;
}

void
hs_atlas_find_async (AttnMaps *maps,
                     HsAttention *attention,
                     bool whole,
                     GCancellable *cancellable,
                     GAsyncReadyCallback callback,
                     gpointer user_data)
{
  static const HsWorkClass klass = {find_in_thread, job_free, free_found, false};
  Job *job = g_new (Job, 1);

  *job = (Job){g_atomic_rc_box_new0 (HsAtlasFound), hs_work_get_n_threads ()};
  job->found->maps = attn_maps_ref (maps);
  job->found->attention = attention != NULL ? hs_attention_ref (attention) : NULL;
  job->found->is_whole = whole || is_quick (maps);
  hs_work_start (&klass, job, cancellable, NULL, NULL, callback, user_data);
}

HsAtlasFound *
hs_atlas_find_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
