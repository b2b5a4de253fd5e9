/* SPDX-License-Identifier: MIT */
/* What the page shows, written by the calls the command line makes. */
#include "hs-ablation-file.h"

#include "hs-lab-picture.h"

#include <string.h>

#define FILE_STEM "heads-off"

/* Its own copy of everything, for another thread. */
typedef struct {
  HsLabPicture *picture;
  AttnTrace *trace;
  AttnAblationAsked asked;
  AttnAblationClean *clean;
  AttnAblationOff *off; /* nullable, as what follows */
  double *each;
  AttnImportance *importance;
  size_t layer, head;
} Source;

AttnAblationNumbers
hs_ablation_get_numbers (const HsAblationFound *found, const HsAblationEach *each)
{
  return (AttnAblationNumbers){
      .kind = found->asked.kind,
      .clean = found->clean,
      .off = found->off,
      .each = each != NULL ? each->losses : NULL,
      .importance = found->importance,
  };
}

static void
source_free (gpointer data)
{
  Source *source = data;

  hs_lab_picture_free (source->picture);
  attn_trace_unref (source->trace);
  attn_ablation_asked_clear (&source->asked);
  attn_ablation_clean_unref (source->clean);
  attn_ablation_off_unref (source->off);
  g_free (source->each);
  g_clear_pointer (&source->importance, attn_importance_free);
  g_free (source);
}

/* What is shown is what is asked for as far as there is something. */
static void
take_asked (Source *source, const HsAblationFound *found, const HsAblationEach *each)
{
  attn_ablation_asked_set (&source->asked, &found->asked);
  source->asked.each = each != NULL;
  source->asked.importance = found->importance != NULL;
}

static Source *
source_new (HsSession *session, const HsAblationFound *found, const HsAblationEach *each)
{
  HsLabPicture *picture = hs_lab_picture_new (session);
  const size_t n = found->clean->n_layers * found->clean->n_heads;

  if (picture == NULL)
    return NULL;
  Source *source = g_new0 (Source, 1);
  source->picture = picture;
  source->trace = attn_trace_ref (found->trace);
  take_asked (source, found, each);
  source->clean = attn_ablation_clean_ref (found->clean);
  source->off = found->off != NULL ? attn_ablation_off_ref (found->off) : NULL;
  source->each = each != NULL ? g_memdup2 (each->losses, n * sizeof *each->losses) : NULL;
  if (found->importance != NULL)
    source->importance = hs_ablation_dup_importance (found->importance);
  source->layer = hs_session_get_layer (session);
  source->head = hs_session_get_head (session);
  return source;
}

static AttnDrawAblation
get_asked (const Source *source)
{
  return (AttnDrawAblation){
      .numbers = {source->asked.kind, source->clean, source->off, source->each, source->importance},
      .gates = source->off != NULL ? source->off->gates : NULL,
      .layer = source->layer,
      .head = source->head,
  };
}

static GBytes *
make_file (gpointer data, const char *name, GError **error)
{
  const Source *source = data;
  const AttnDrawAblation asked = get_asked (source);
  AttnDrawFormat format;

  if (!attn_draw_format_find (name, &format)) {
    char *text = g_str_equal (name, "csv") ? attn_ablation_dup_csv (&asked.numbers)
                                           : attn_ablation_dup_json (&asked.numbers);
    return g_bytes_new_take (text, strlen (text));
  }
  AttnDrawPicture picture = hs_lab_picture_get (source->picture, format);
  /* where its files are gone the picture says that it is not known */
  picture.weights_sha256 =
      attn_model_compute_sha256 (attn_trace_peek_model (source->trace), NULL, NULL, NULL);
  return attn_draw_ablation_write (&asked, &picture, error);
}

bool
hs_ablation_file_init (HsFigureFile *file,
                       HsSession *session,
                       const HsAblationFound *found,
                       const HsAblationEach *each)
{
  Source *source = source_new (session, found, each);

  if (source == NULL)
    return false;
  *file = (HsFigureFile){FILE_STEM, source, source_free, make_file, NULL};
  return true;
}

char *
hs_ablation_file_dup_command (HsSession *session,
                              const HsAblationFound *found,
                              const HsAblationEach *each)
{
  Source *source = source_new (session, found, each);

  if (source == NULL)
    return NULL;
  const AttnDrawAblation asked = get_asked (source);
  const AttnDrawPicture picture = hs_lab_picture_get (source->picture, ATTN_DRAW_PNG);
  char *command =
      attn_draw_ablation_dup_command (&source->asked, &asked, &picture, FILE_STEM ".png");
  source_free (source);
  return command;
}
