/* SPDX-License-Identifier: MIT */
/* Pruning curves of the page's text, by the calls the command line makes. */
#include "hs-ablation-curves.h"

#include "hs-format.h"
#include "hs-lab-picture.h"
#include "hs-lab-source.h"

#include <string.h>

#define FILE_STEM "prune-curve"

HsAblationCurves *
hs_ablation_curves_new (AttnAblationClean *clean)
{
  HsAblationCurves *curves = g_new0 (HsAblationCurves, 1);

  curves->clean = attn_ablation_clean_ref (clean);
  return curves;
}

void
hs_ablation_curves_free (HsAblationCurves *curves)
{
  if (curves == NULL)
    return;
  attn_ablation_clean_unref (curves->clean);
  attn_pruning_unref (curves->pruning);
  g_free (curves);
}

/* ---- measured ---- */

static const AttnTask *
get_task_cb (size_t text G_GNUC_UNUSED, void *data, GError **error G_GNUC_UNUSED)
{
  const AttnAblationClean *clean = data;

  return clean->task;
}

static bool
told_cb (double fraction, void *report)
{
  return hs_measuring_tell (report, NULL, fraction);
}

gpointer
hs_ablation_measure_curves (gpointer data,
                            AttnPool *pool,
                            HsMeasuringReport *report,
                            GError **error)
{
  const HsAblationCurves *job = data;
  const gint64 start = g_get_monotonic_time ();
  const AttnPruneOptions options = {pool, told_cb, report};
  const AttnModel *model = attn_trace_peek_model (job->clean->task->clean);
  const AttnPruningAsked asked = attn_pruning_ask_all (model, (uint32_t)job->clean->seed);
  g_autoptr (HsAblationCurves) curves = hs_ablation_curves_new (job->clean);

  curves->pruning = attn_pruning_new (&asked, 1, get_task_cb, job->clean, &options, error);
  curves->elapsed_us = g_get_monotonic_time () - start;
  return curves->pruning != NULL ? g_steal_pointer (&curves) : NULL;
}

/* ---- shown ---- */

AttnDrawPruning
hs_ablation_curves_get (HsSession *session, const AttnPruning *pruning)
{
  return (AttnDrawPruning){
      .style = hs_lab_get_style (session),
      .pruning = pruning,
      .layer = hs_session_get_layer (session),
      .head = hs_session_get_head (session),
      .translate = hs_translate,
  };
}

/* ---- out of the window ---- */

/* Its own copy of everything, for another thread. */
typedef struct {
  HsLabPicture *picture;
  AttnTrace *trace;
  AttnPruning *pruning;
  AttnAblationAsked asked;
  size_t layer, head;
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  hs_lab_picture_free (source->picture);
  attn_trace_unref (source->trace);
  attn_pruning_unref (source->pruning);
  attn_ablation_asked_clear (&source->asked);
  g_free (source);
}

static Source *
source_new (HsSession *session, const HsAblationCurves *curves)
{
  HsLabPicture *picture = hs_lab_picture_new (session);

  if (picture == NULL)
    return NULL;
  Source *source = g_new0 (Source, 1);
  source->picture = picture;
  source->trace = attn_trace_ref (curves->clean->task->clean);
  source->pruning = attn_pruning_ref (curves->pruning);
  attn_ablation_asked_set (&source->asked, hs_session_peek_ablation (session));
  source->layer = hs_session_get_layer (session);
  source->head = hs_session_get_head (session);
  return source;
}

static AttnDrawPruning
get_asked (const Source *source)
{
  return (AttnDrawPruning){
      .pruning = source->pruning, .layer = source->layer, .head = source->head};
}

static GBytes *
make_file (gpointer data, const char *name, GError **error)
{
  const Source *source = data;
  const AttnDrawPruning asked = get_asked (source);
  AttnDrawFormat format;

  if (!attn_draw_format_find (name, &format)) {
    char *text = g_str_equal (name, "csv") ? attn_pruning_dup_csv (source->pruning)
                                           : attn_pruning_dup_json (source->pruning);
    return g_bytes_new_take (text, strlen (text));
  }
  AttnDrawPicture picture = hs_lab_picture_get (source->picture, format);
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 =
      attn_model_compute_sha256 (attn_trace_peek_model (source->trace), NULL, NULL, NULL);
  return attn_draw_pruning_write (&asked, &picture, error);
}

bool
hs_ablation_curves_file_init (HsFigureFile *file,
                              HsSession *session,
                              const HsAblationCurves *curves)
{
  Source *source = source_new (session, curves);

  if (source == NULL)
    return false;
  *file = (HsFigureFile){FILE_STEM, source, source_free, make_file, NULL};
  return true;
}

char *
hs_ablation_curves_dup_command (HsSession *session, const HsAblationCurves *curves)
{
  Source *source = source_new (session, curves);

  if (source == NULL)
    return NULL;
  const AttnDrawPruning asked = get_asked (source);
  const AttnDrawPicture picture = hs_lab_picture_get (source->picture, ATTN_DRAW_PNG);
  char *command =
      attn_draw_pruning_dup_command (&source->asked, &asked, &picture, FILE_STEM ".png");
  source_free (source);
  return command;
}
