/* SPDX-License-Identifier: MIT */
/* What is on screen as a file. */
#include "hs-export.h"

#include "hs-engine.h"
#include "hs-export-side.h"
#include "hs-format.h"
#include "hs-kept-side.h"
#include "hs-work.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define MM_PER_PT (25.4 / 72)

#define SHEET_WIDTH_PX 1200    /* of all layers, at least */
#define COPY_SCALE 2           /* sharp enough for a slide */
#define MAX_PREVIEWS 24        /* pages */
#define MAX_PREVIEW_SCALE 2.67 /* px of a preview for a pt of the page */

struct _HsExport {
  gatomicrefcount ref_count;
  AttnDrawPicture picture; /* points into what follows */
  AttnDrawView *view;
  AttnDrawPanels *panels; /* NULL until they are made, where the screen has others */
  AttnMaps *maps;         /* that they are made of */
  HsExportSide a;
  HsExportSide b;     /* of a comparison; of nothing in others */
  HsKeptSide *kept_b; /* nullable: what it would be compared with */
  bool in_lab;        /* what else the window showed, for a session */
  AttnDrawLabPage lab_page;
  AttnDrawLabPlace lab_place;
  AttnDrawLabExample lab_example;
  AttnAblationAsked ablation; /* its strings are owned */
  AttnDrawAtlasFilter atlas;
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

void
hs_export_options_init (HsExportOptions *options, const AttnDrawLayout *layout)
{
  *options = (HsExportOptions){.format = ATTN_DRAW_PNG, .scale = COPY_SCALE};
  if (layout != NULL)
    hs_export_options_set_layout (options, layout);
}

void
hs_export_options_set_layout (HsExportOptions *options, const AttnDrawLayout *layout)
{
  const AttnDrawView *view = attn_draw_layout_peek_view (layout);
  options->width_px = view->width_px;
  options->max_height_px = view->max_height_px;
  options->map_px = view->map_px;
}

static AttnDrawView *
dup_view (HsSession *session, const HsExportOptions *options, double *scale)
{
  AttnDrawView *view = attn_draw_view_copy (hs_session_peek_view (session));
  if (options->width_px > 0) { /* not before the window has been drawn once */
    view->width_px = options->width_px;
    view->max_height_px = options->max_height_px;
    view->map_px = options->map_px;
  }
  if (view->kind != ATTN_DRAW_COMPARE) {
    view->layer_b = hs_session_peek_asked (session)->layer_b;
    view->head_b = hs_session_peek_asked (session)->head_b;
  }
  if (options->what == HS_EXPORT_SHEET) {
    view->kind = ATTN_DRAW_LAYERS;
    view->width_px = MAX (view->width_px, SHEET_WIDTH_PX);
    view->max_height_px = 0;
    view->map_px = 0;
  }
  if (!options->as_on_screen)
    view->palette = ATTN_DRAW_PALETTE_PAPER;
  if (options->font_size_pt > 0)
    view->font_size_pt = options->font_size_pt;
  if (options->font_family != NULL) {
    g_free (view->font_family);
    view->font_family = g_strdup (options->font_family);
  }
  *scale = options->format == ATTN_DRAW_PNG ? options->scale : 1;
  if (options->width_mm > 0) {
    attn_draw_picture_set_width_mm (view, options->width_mm, options->format, scale);
    view->map_px = 0;
  }
  return view;
}

/* The picture's pointers lead to the export's own copies; B's model that is A's is not named. */
static void
own_picture (HsExport *export)
{
  AttnDrawPicture *picture = &export->picture;
  const HsExportSide *a = &export->a, *b = &export->b;
  picture->view = export->view;
  picture->model = a->model;
  picture->model_name = a->model_name;
  picture->text = a->text;
  picture->pair = a->pair;
  picture->model_b = g_strcmp0 (b->model, a->model) != 0 ? b->model : NULL;
  picture->model_name_b = b->model_name;
  picture->text_b = b->text;
  picture->pair_b = b->pair;
  picture->arrays = hs_export_side_get_arrays (a);
  picture->arrays_b = hs_export_side_get_arrays (b);
}

static bool
is_cut (const HsExportSide *side, size_t max_tokens)
{
  return side->source != NULL && attn_model_get_max_tokens (side->source) > max_tokens;
}

static void
fill_picture (HsExport *export, const HsExportOptions *options, size_t max_tokens)
{
  AttnDrawPicture *picture = &export->picture;
  own_picture (export);
  if (is_cut (&export->a, max_tokens) || is_cut (&export->b, max_tokens))
    picture->max_tokens = max_tokens;
  picture->language = peek_language ();
  picture->translate = hs_translate;
  picture->format = options->format;
  picture->page = options->page;
}

/* Returns: (nullable): without its picture; NULL where it is not known what a side is of. */
static HsExport *
export_new (HsSession *session, AttnDrawPanels *panels)
{
  AttnMaps *source = attn_draw_panels_peek_source (panels);
  AttnMaps *source_b = attn_draw_panels_peek_source_b (panels);
  HsExport *export = g_new0 (HsExport, 1);
  g_atomic_ref_count_init (&export->ref_count);
  export->maps = attn_maps_ref (source);
  if (hs_export_side_init (&export->a, session, source) &&
      (source_b == NULL || hs_export_side_init (&export->b, session, source_b)))
    return export;
  hs_export_unref (export);
  return NULL;
}

HsExport *
hs_export_new (HsSession *session, const HsExportOptions *options)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  HsExport *export = panels != NULL ? export_new (session, panels) : NULL;
  if (export == NULL)
    return NULL;
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  export->view = dup_view (session, options, &export->picture.scale);
  if (export->view->kind == hs_session_peek_view (session)->kind)
    export->panels = attn_draw_panels_ref (panels);
  if (export->panels == NULL) /* all layers of A */
    hs_export_side_clear (&export->b);
  if (export->view->kind != ATTN_DRAW_COMPARE)
    export->kept_b = hs_kept_side_new (session);
  export->in_lab = hs_session_get_in_lab (session);
  export->lab_page = hs_session_get_lab_page (session);
  export->lab_place = *hs_session_peek_lab_place (session);
  export->lab_example = hs_session_get_lab_example (session);
  attn_ablation_asked_set (&export->ablation, hs_session_peek_ablation (session));
  export->atlas = *hs_session_peek_atlas (session);
  fill_picture (export, options, answer != NULL ? answer->max_tokens : HS_MAX_TOKENS);
  return export;
}

HsExport *
hs_export_ref (HsExport *export)
{
  g_atomic_ref_count_inc (&export->ref_count);
  return export;
}

void
hs_export_unref (HsExport *export)
{
  if (export == NULL || !g_atomic_ref_count_dec (&export->ref_count))
    return;
  attn_draw_panels_unref (export->panels);
  attn_maps_unref (export->maps);
  g_clear_pointer (&export->view, attn_draw_view_free);
  hs_export_side_clear (&export->a);
  hs_export_side_clear (&export->b);
  hs_kept_side_unref (export->kept_b);
  attn_ablation_asked_clear (&export->ablation);
  g_free (export);
}

HsExport *
hs_export_dup_as (HsExport *export, AttnDrawFormat format)
{
  if (export->picture.format == format)
    return hs_export_ref (export);
  HsExport *other = g_new0 (HsExport, 1);
  g_atomic_ref_count_init (&other->ref_count);
  other->picture = export->picture;
  other->picture.format = format;
  other->picture.scale = format == ATTN_DRAW_PNG ? COPY_SCALE : 1;
  other->maps = attn_maps_ref (export->maps);
  other->panels = export->panels != NULL ? attn_draw_panels_ref (export->panels) : NULL;
  other->view = attn_draw_view_copy (export->view);
  hs_export_side_copy (&other->a, &export->a);
  hs_export_side_copy (&other->b, &export->b);
  if (export->kept_b != NULL)
    other->kept_b = hs_kept_side_ref (export->kept_b);
  other->in_lab = export->in_lab;
  other->lab_page = export->lab_page;
  other->lab_place = export->lab_place;
  other->lab_example = export->lab_example;
  attn_ablation_asked_set (&other->ablation, &export->ablation);
  other->atlas = export->atlas;
  own_picture (other);
  return other;
}

char *
hs_export_dup_command (HsExport *export, const char *path)
{
  return attn_draw_picture_dup_command (&export->picture, path);
}

AttnDrawSession *
hs_export_dup_session (HsExport *export, double magnification)
{
  AttnDrawPicture picture = export->picture;
  if (hs_export_side_has_weights (&export->a))
    picture.weights_sha256 = hs_export_side_compute_sha256 (&export->a, NULL, NULL, NULL);
  if (hs_export_side_has_weights (&export->b))
    picture.weights_sha256_b = hs_export_side_compute_sha256 (&export->b, NULL, NULL, NULL);
  AttnDrawSession *session = attn_draw_session_new_from_picture (&picture);
  session->magnification = magnification;
  session->in_lab = export->in_lab;
  session->lab_page = export->lab_page;
  session->lab_place = export->lab_place;
  session->lab_example = export->lab_example;
  attn_ablation_asked_set (&session->ablation, &export->ablation);
  session->atlas = export->atlas;
  if (export->kept_b != NULL)
    hs_kept_side_put (export->kept_b, &session->b);
  return session;
}

/* What file names begin with: a file of arrays without its ending, and nothing a shell minds; a B,
 * so that A and B are two files; and the lens. */
static char *
dup_stem (const HsExportSide *side, bool of_b, AttnLens lens)
{
  g_autofree char *name = g_strdelimit (g_strdup (side->model_name), "/\\: ", '-');
  char *ending = side->attention != NULL ? strrchr (name, '.') : NULL;

  if (ending != NULL && ending != name)
    *ending = '\0';
  const bool is_raw = lens == ATTN_LENS_RAW;
  return g_strconcat (name, of_b ? "-B" : "", is_raw ? "" : "-",
                      is_raw ? "" : attn_lens_peek_name (lens), NULL);
}

char *
hs_export_dup_name (HsExport *export, bool of_b, AttnDrawKind kind, const char *extension)
{
  const AttnDrawView *view = export->view;
  g_autofree char *name = dup_stem (of_b ? &export->b : &export->a, of_b, view->lens);
  const size_t layer = (of_b ? view->layer_b : view->layer) + 1;
  const size_t head = (of_b ? view->head_b : view->head) + 1;
  const AttnArrangement *arrangement = &view->arrangement;
  bool combines = arrangement->combine != ATTN_COMBINE_NONE;
  const char *combined = attn_combine_peek_name (arrangement->combine);
  bool all_layers = kind == ATTN_DRAW_LAYERS || (combines && arrangement->combine_layers);
  if (kind == ATTN_DRAW_COMPARE)
    return g_strdup_printf ("%s-compared.%s", name, extension);
  if (all_layers && combines)
    return g_strdup_printf ("%s-all-layers-%s.%s", name, combined, extension);
  if (all_layers)
    return g_strdup_printf ("%s-all-layers.%s", name, extension);
  if (combines)
    return g_strdup_printf ("%s-layer-%zu-%s.%s", name, layer, combined, extension);
  if (attn_lens_is_joint (view->lens))
    return g_strdup_printf ("%s-layer-%zu.%s", name, layer, extension);
  if (kind == ATTN_DRAW_HEADS)
    return g_strdup_printf ("%s-layer-%zu-heads.%s", name, layer, extension);
  if (kind == ATTN_DRAW_LINES)
    return g_strdup_printf ("%s-layer-%zu-lines.%s", name, layer, extension);
  if (view->kind == ATTN_DRAW_TEXT)
    return g_strdup_printf ("%s-layer-%zu-head-%zu-text.%s", name, layer, head, extension);
  return g_strdup_printf ("%s-layer-%zu-head-%zu.%s", name, layer, head, extension);
}

char *
hs_export_dup_file_name (HsExport *export)
{
  return hs_export_dup_name (export, false, export->view->kind,
                             attn_draw_format_peek_name (export->picture.format));
}

const AttnDrawPicture *
hs_export_peek_picture (HsExport *export)
{
  return &export->picture;
}

/* ---- making the file ---- */

void
hs_export_file_free (HsExportFile *file)
{
  if (file == NULL)
    return;
  g_bytes_unref (file->bytes);
  g_clear_pointer (&file->preview, g_ptr_array_unref);
  g_free (file);
}

typedef struct {
  HsExport *export;
  int preview_px;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  hs_export_unref (job->export);
  g_free (job);
}

static void
free_file (gpointer file)
{
  hs_export_file_free (file);
}

/* The files may have been changed or removed meanwhile; the picture says so then. */
static bool
note_weights (const HsExportSide *side, const char **sha256, HsReport *report, GError **error)
{
  g_autoptr (GError) unknown = NULL;
  if (!hs_export_side_has_weights (side))
    return true;
  hs_report_begin_stage (report, 0.1);
  *sha256 = hs_export_side_compute_sha256 (side, hs_report_tell, report, &unknown);
  if (unknown == NULL || !g_error_matches (unknown, ATTN_ERROR, ATTN_ERROR_CANCELLED))
    return true;
  g_propagate_error (error, g_steal_pointer (&unknown));
  return false;
}

bool
hs_export_get_about (
    HsExport *export, bool of_b, AttnExportAbout *about, HsReport *report, GError **error)
{
  const HsExportSide *side = of_b ? &export->b : &export->a;
  *about = (AttnExportAbout){
      .model_name = side->model_name,
      .max_tokens = export->picture.max_tokens,
      .words = export->view->words,
      .arrays = side->attention != NULL ? side->attention->arrays : NULL,
  };
  return note_weights (side, &about->weights_sha256, report, error);
}

static GdkTexture *
paint_preview (AttnDrawPages *pages, guint page, int side_px)
{
  double width_pt = attn_draw_pages_get_width_pt (pages);
  double height_pt = attn_draw_pages_get_height_pt (pages);
  double scale = MIN (side_px / MAX (width_pt, height_pt), MAX_PREVIEW_SCALE);
  int width = MAX ((int)ceil (width_pt * scale), 1),
      height = MAX ((int)ceil (height_pt * scale), 1);
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cairo_t *cr = cairo_create (surface);
  cairo_scale (cr, scale, scale);
  attn_draw_pages_paint (pages, page, cr);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  size_t stride = (size_t)cairo_image_surface_get_stride (surface);
  g_autoptr (GBytes) bytes =
      g_bytes_new_with_free_func (cairo_image_surface_get_data (surface), stride * (size_t)height,
                                  (GDestroyNotify)cairo_surface_destroy, surface);
  return gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
}

static void
describe_file (HsExportFile *file, const AttnDrawPicture *picture, AttnDrawPages *pages)
{
  const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, 0);
  bool is_png = picture->format == ATTN_DRAW_PNG;
  file->n_pages = (guint)attn_draw_pages_get_n (pages);
  if (is_png) {
    attn_draw_write_measure_png (layout, picture->scale, &file->width, &file->height);
    return;
  }
  file->width = attn_draw_pages_get_width_pt (pages) * MM_PER_PT;
  file->height = attn_draw_pages_get_height_pt (pages) * MM_PER_PT;
}

/* Returns: (transfer full): the panels of the screen, or those of all layers made now. */
static AttnDrawPanels *
provide_panels (HsExport *export, HsReport *report, GError **error)
{
  if (export->panels != NULL)
    return attn_draw_panels_ref (export->panels);
  hs_report_begin_stage (report, 0.4);
  return attn_draw_panels_new (export->view, export->maps, NULL, hs_report_tell, report, error);
}

static HsExportFile *
make_file (const Job *job, AttnDrawPanels *panels, HsReport *report, GError **error)
{
  AttnDrawPicture picture = job->export->picture;
  picture.progress = hs_report_tell;
  picture.progress_data = report;
  if (!note_weights (&job->export->a, &picture.weights_sha256, report, error) ||
      !note_weights (&job->export->b, &picture.weights_sha256_b, report, error))
    return NULL;
  hs_report_begin_rest (report);
  GBytes *bytes = attn_draw_picture_write (&picture, panels, error);
  if (bytes == NULL)
    return NULL;
  g_autoptr (AttnDrawPages) pages = attn_draw_picture_new_pages (&picture, panels);
  HsExportFile *file = g_new0 (HsExportFile, 1);
  file->bytes = bytes;
  describe_file (file, &picture, pages);
  int side = file->n_pages > 1 ? job->preview_px / 2 : job->preview_px;
  if (job->preview_px > 0)
    file->preview = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint page = 0; file->preview != NULL && page < MIN (file->n_pages, MAX_PREVIEWS); page++)
    g_ptr_array_add (file->preview, paint_preview (pages, page, side));
  return file;
}

static gpointer
make_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Job *job = data;
  gint64 start = g_get_monotonic_time ();
  g_autoptr (AttnDrawPanels) panels = provide_panels (job->export, report, error);
  HsExportFile *file = panels == NULL ? NULL : make_file (job, panels, report, error);
  if (file != NULL)
    file->seconds = (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  return file;
}

void
hs_export_make_async (HsExport *export,
                      const HsExportWish *wish,
                      GCancellable *cancellable,
                      GAsyncReadyCallback callback,
                      gpointer user_data)
{
  static const HsWorkClass klass = {make_in_thread, job_free, free_file, .writes = true};
  const HsExportWish nothing = {0};
  const HsExportWish *wanted = wish != NULL ? wish : &nothing;
  Job *job = g_new0 (Job, 1);
  job->export = hs_export_ref (export);
  job->preview_px = wanted->preview_px;
  hs_work_start (&klass, job, cancellable, wanted->progress, wanted->progress_data, callback,
                 user_data);
}

HsExportFile *
hs_export_make_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
