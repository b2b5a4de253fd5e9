/* SPDX-License-Identifier: MIT */
/* What is on screen as a file. */
#include "hs-export.h"

#include "hs-engine.h"
#include "hs-format.h"

#include "attn-hub/store.h"

#include <string.h>

#define MM_PER_PX (25.4 / 96)

struct _HsExport {
  AttnDrawPicture picture; /* points into what follows */
  AttnDrawView *view;
  AttnDrawPanels *panels;
  AttnModel *source; /* of the weights */
  char *model, *model_name, *text, *pair;
};

/* Returns: (transfer none): the language the window speaks, by the names --lang takes. */
static const char *
peek_language (void)
{
  static const char *const known[] = {"zh_TW", "zh_CN", "en"};
  const char *const *names = g_get_language_names ();
  for (size_t i = 0; names[i] != NULL; i++)
    for (size_t k = 0; k < G_N_ELEMENTS (known); k++)
      if (strcmp (names[i], known[k]) == 0)
        return known[k];
  return "en";
}

/* The shipped model by its short name, so that the command works on another machine too. */
static char *
dup_model_argument (AttnModel *model)
{
  g_autofree char *shipped = attn_hub_find_model ("demo", NULL);
  const char *folder = attn_model_peek_folder (model);
  if (g_strcmp0 (folder, shipped) == 0)
    return g_strdup ("demo");
  return g_strdup (folder);
}

static AttnDrawView *
dup_view (HsSession *session, const HsExportOptions *options, double *scale)
{
  AttnDrawView *view = attn_draw_view_copy (hs_session_peek_view (session));
  view->width_px = options->width_px;
  view->max_height_px = options->max_height_px;
  if (!options->as_on_screen)
    view->palette = ATTN_DRAW_PALETTE_PAPER;
  if (options->font_size_pt > 0)
    view->font_size_pt = options->font_size_pt;
  *scale = options->format == ATTN_DRAW_PNG ? options->scale : 1;
  if (options->width_mm > 0)
    attn_draw_picture_set_width_mm (view, options->width_mm, options->format, scale);
  return view;
}

HsExport *
hs_export_new (HsSession *session, const HsExportOptions *options)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  if (panels == NULL)
    return NULL;
  AttnTrace *trace = attn_maps_peek_trace (attn_draw_panels_peek_maps (panels));
  AttnTokens *tokens = attn_trace_peek_tokens (trace);
  AttnModel *model = attn_trace_peek_model (trace);

  HsExport *export = g_new0 (HsExport, 1);
  export->panels = attn_draw_panels_ref (panels);
  export->source = attn_model_ref (model);
  export->view = dup_view (session, options, &export->picture.scale);
  export->model = dup_model_argument (model);
  export->model_name = g_strdup (attn_model_peek_name (model));
  export->text = g_strdup (attn_tokens_peek_text (tokens, 0, NULL));
  export->pair = g_strdup (attn_tokens_peek_text (tokens, 1, NULL));
  export->picture.view = export->view;
  export->picture.model = export->model;
  export->picture.model_name = export->model_name;
  export->picture.text = export->text;
  export->picture.pair = export->pair;
  if (attn_model_get_max_tokens (model) > HS_MAX_TOKENS)
    export->picture.max_tokens = HS_MAX_TOKENS;
  export->picture.language = peek_language ();
  export->picture.translate = hs_translate;
  export->picture.format = options->format;
  return export;
}

void
hs_export_free (HsExport *export)
{
  if (export == NULL)
    return;
  attn_draw_panels_unref (export->panels);
  attn_model_unref (export->source);
  attn_draw_view_free (export->view);
  g_free (export->model);
  g_free (export->model_name);
  g_free (export->text);
  g_free (export->pair);
  g_free (export);
}

char *
hs_export_dup_command (const HsExport *export, const char *path)
{
  return attn_draw_picture_dup_command (&export->picture, path);
}

char *
hs_export_dup_file_name (const HsExport *export)
{
  const AttnDrawView *view = export->view;
  const char *extension = attn_draw_format_peek_name (export->picture.format);
  g_autofree char *name = g_strdelimit (g_strdup (export->model_name), "/\\:", '-');
  const AttnArrangement *arrangement = &view->arrangement;
  bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  const char *combined = attn_combine_peek_name (arrangement->combine);
  bool all_layers = view->kind == ATTN_DRAW_LAYERS || (combines && arrangement->combine_layers);
  if (all_layers && combines)
    return g_strdup_printf ("%s-all-layers-%s.%s", name, combined, extension);
  if (all_layers)
    return g_strdup_printf ("%s-all-layers.%s", name, extension);
  if (combines)
    return g_strdup_printf ("%s-layer-%zu-%s.%s", name, view->layer + 1, combined, extension);
  if (view->kind == ATTN_DRAW_HEADS)
    return g_strdup_printf ("%s-layer-%zu-heads.%s", name, view->layer + 1, extension);
  if (view->kind == ATTN_DRAW_LINES)
    return g_strdup_printf ("%s-layer-%zu-lines.%s", name, view->layer + 1, extension);
  return g_strdup_printf ("%s-layer-%zu-head-%zu.%s", name, view->layer + 1, view->head + 1,
                          extension);
}

void
hs_export_get_size (const HsExport *export, double *width, double *height)
{
  g_autoptr (AttnDrawLayout) layout = attn_draw_layout_new (export->view, export->panels);
  double unit = export->picture.scale;
  if (export->picture.format != ATTN_DRAW_PNG)
    unit *= MM_PER_PX;
  *width = attn_draw_layout_get_width (layout) * unit;
  *height = attn_draw_layout_get_height (layout) * unit;
}

/* The weights' files may have been changed or removed meanwhile; the picture says so then. */
static void
note_weights (HsExport *export)
{
  export->picture.weights_sha256 = attn_model_compute_sha256 (export->source, NULL, NULL, NULL);
}

GBytes *
hs_export_dup_bytes (HsExport *export, GError **error)
{
  note_weights (export);
  return attn_draw_picture_write (&export->picture, export->panels, error);
}

/* ---- away from the main thread ---- */

typedef struct {
  HsExport *export;
  char *path;
} Job;

static void
job_free (Job *job)
{
  hs_export_free (job->export);
  g_free (job->path);
  g_free (job);
}

static void
write_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  (void)source;
  (void)cancellable;
  Job *job = data;
  GError *error = NULL;
  note_weights (job->export);
  if (attn_draw_picture_write_to_file (&job->export->picture, job->export->panels, job->path,
                                       &error))
    g_task_return_pointer (task, g_strdup (job->path), g_free);
  else
    g_task_return_error (task, error);
}

void
hs_export_write_async (HsExport *export,
                       const char *path,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  Job *job = g_new0 (Job, 1);
  job->export = export;
  job->path = g_strdup (path);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  g_task_set_source_tag (task, hs_export_write_async);
  g_task_set_task_data (task, job, (GDestroyNotify)job_free);
  g_task_run_in_thread (task, write_in_thread);
}

char *
hs_export_write_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
