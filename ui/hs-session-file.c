/* SPDX-License-Identifier: MIT */
/* What a session file says, property by property; what needs the picture comes after it. */
#include "hs-session-file.h"

#include "hs-save.h"
#include "hs-told.h"
#include "hs-work.h"

#include "attn/error.h"

#include <string.h>

#define LOOK "hs-session-look"

/* What can be set only once the picture is there. */
typedef struct {
  char *text;
  AttnDrawView *view; /* of which crop and pins are read */
  double magnification;
  HsStatusLine *status_line; /* (nullable): weak */
} Look;

static void
look_free (gpointer data)
{
  Look *look = data;

  g_free (look->text);
  attn_draw_view_free (look->view);
  g_clear_weak_pointer (&look->status_line);
  g_free (look);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Look, look_free)

/* Returns: (nullable) (transfer full): what was waited for; it is not any more. */
static Look *
take_look (HsSession *session)
{
  Look *look = g_object_steal_data (G_OBJECT (session), LOOK);

  if (look != NULL)
    g_signal_handlers_disconnect_by_data (session, look);
  return look;
}

static guint
to_index (size_t index)
{
  return index < HS_NONE ? (guint)index : HS_NONE;
}

/* Only what this text has: a session may be of other files under the same names. */
static void
apply_look (HsSession *session, Look *look)
{
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  AttnDrawView *view = look->view;
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);

  attn_draw_session_fit_place (attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY),
                               attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY), view,
                               warnings);
  hs_session_set_crop (session, &view->crop);
  hs_session_set_pinned (session, to_index (view->pin_query), to_index (view->pin_key));
  hs_session_set_magnification (session, look->magnification);
  if (warnings->len > 0 && look->status_line != NULL) {
    g_autofree char *told = hs_told_dup (g_ptr_array_index (warnings, 0));
    hs_status_line_say_also (look->status_line, told);
  }
}

static void
changed_cb (HsSession *session, GParamSpec *pspec G_GNUC_UNUSED, Look *look)
{
  g_autoptr (Look) taken = NULL;
  const HsState state = hs_session_get_state (session);
  const bool same = g_str_equal (hs_side_peek_text (hs_session_peek_side (session)), look->text);

  if (same && state == HS_STATE_BUSY)
    return;
  if (same && state == HS_STATE_READY && !hs_session_is_current (session))
    return;
  taken = take_look (session);
  if (same && state == HS_STATE_READY)
    apply_look (session, taken);
}

static void
await_picture (HsSession *session, const AttnDrawSession *file, HsStatusLine *status_line)
{
  HsSide *side = hs_session_peek_side (session);
  Look *look = g_new (Look, 1);

  *look = (Look){
      .text = g_strdup (hs_side_peek_text (side)),
      .view = attn_draw_view_copy (file->view),
      .magnification = file->magnification,
  };
  g_set_weak_pointer (&look->status_line, status_line);
  g_object_set_data_full (G_OBJECT (session), LOOK, look, look_free);
  g_signal_connect (session, "notify::state", G_CALLBACK (changed_cb), look);
  g_signal_connect (session, "notify::view", G_CALLBACK (changed_cb), look);
  changed_cb (session, NULL, look);
}

static void
apply_view (HsSession *session, const AttnDrawView *view)
{
  hs_session_return_head (session); /* or the file's choice of that very head would not be one */
  hs_session_set_kind (session, view->kind);
  hs_session_set_layer (session, to_index (view->layer));
  hs_session_set_head (session, to_index (view->head));
  hs_session_set_head_chosen (session, TRUE);
  hs_session_set_range (session, view->range);
  hs_session_set_range_max (session, view->range_max);
  hs_session_set_words (session, view->words);
  hs_session_set_arrangement (session, &view->arrangement);
  hs_session_set_lens (session, view->lens);
  hs_session_set_scale (session, view->scale);
  hs_session_set_shows_values (session, !view->hides_values);
  hs_session_set_color_map (session, view->color_map);
  hs_session_set_layer_b (session, to_index (view->layer_b));
  hs_session_set_head_b (session, to_index (view->head_b));
}

static void
fit_side (AttnDrawSession *file, const HsSessionModel *of, bool of_b)
{
  AttnDrawView *view = file->view;
  size_t n_layers, n_heads;

  if (of->attention != NULL) {
    n_layers = attn_maps_get_n_layers (of->attention->maps);
    n_heads = attn_maps_get_n_heads (of->attention->maps);
  } else {
    const AttnConfig *config = attn_model_peek_config (of->model);
    n_layers = config->n_layers;
    n_heads = config->n_heads;
  }
  attn_draw_session_fit (of_b ? "layer_b" : "layer", n_layers, of_b ? &view->layer_b : &view->layer,
                         file->warnings);
  attn_draw_session_fit (of_b ? "head_b" : "head", n_heads, of_b ? &view->head_b : &view->head,
                         file->warnings);
  attn_draw_session_fit_heads (n_heads, &view->arrangement, file->warnings);
}

void
hs_session_file_fit (AttnDrawSession *file, const HsSessionModel *a, const HsSessionModel *b)
{
  const bool has_b = b->attention != NULL || b->model != NULL;

  fit_side (file, a, false);
  if (file->view->kind == ATTN_DRAW_COMPARE && (has_b || a->attention == NULL))
    fit_side (file, has_b ? b : a, true);
}

static void
apply_page (HsSession *session, const AttnDrawSession *file)
{
  hs_session_set_lab_place (session, &file->lab_place);
  hs_session_set_ablation (session, &file->ablation);
  hs_session_set_atlas (session, &file->atlas);
  hs_session_set_lab_page (session, file->lab_page);
  hs_session_set_in_lab (session, file->in_lab);
}

/* The lab gives back what its example stands in for, and may choose another one with another text.
 */
static void
apply_example (HsSession *session, const AttnDrawSession *file)
{
  const AttnDrawLabExample *example = &file->lab_example;

  if (!file->in_lab || !example->is_example)
    return;
  hs_session_set_layer (session, to_index (example->own_layer));
  hs_session_set_head (session, to_index (example->own_head));
  hs_session_set_head_chosen (session, FALSE);
  hs_session_lend_head (session, to_index (file->view->layer), to_index (file->view->head));
}

bool
hs_session_file_has_model_b (const AttnDrawSession *file)
{
  return file->b.model != NULL && g_strcmp0 (file->b.model, file->a.model) != 0;
}

HsAttentionWish
hs_session_file_get_wish (const AttnDrawSessionSide *side)
{
  return (HsAttentionWish){
      .place = {.path = side->attention, .array = side->array, .tokens = side->tokens},
      .token_list = side->token_list,
      .key_list = side->key_list,
      .forgives = true,
  };
}

/* A file's weights leave the texts as they are, for the way back. */
static void
apply_side_a (HsSession *session,
              HsUpdater *updater,
              const AttnDrawSession *file,
              const HsSessionModel *a)
{
  HsSide *side = hs_session_peek_side (session);

  if (a->attention != NULL) {
    hs_updater_show_attention (updater, a->attention);
    return;
  }
  if (hs_side_peek_model (side) != a->model || hs_side_peek_wanted (side)->path != NULL)
    hs_updater_use (updater, a->name, a->model);
  hs_side_set_texts (side, file->a.text, file->a.pair);
}

/* Another view than compare waits for nothing of B. */
static void
apply_source_b (HsSession *session,
                HsUpdater *updater,
                const AttnDrawSession *file,
                const HsSessionModel *b)
{
  HsSide *side = hs_session_peek_side_b (session);
  const HsAttentionWish wish = hs_session_file_get_wish (&file->b);

  if (b->attention != NULL) {
    hs_updater_show_attention_b (updater, b->attention);
    return;
  }
  if (file->view->kind == ATTN_DRAW_COMPARE) {
    hs_updater_use_b (updater, b->model != NULL ? b->name : "", b->model);
    return;
  }
  if (wish.place.path != NULL || hs_side_peek_wanted (side)->path != NULL)
    hs_updater_use_b (updater, "", NULL);
  if (wish.place.path != NULL)
    hs_updater_open_attention_b (updater, &wish);
  else
    hs_side_set_name (side, hs_session_file_has_model_b (file) ? file->b.model : "");
}

/* Without a text of its own B has A's. */
static void
apply_side_b (HsSession *session,
              HsUpdater *updater,
              const AttnDrawSession *file,
              const HsSessionModel *b)
{
  HsSide *a = hs_session_peek_side (session);
  const bool has_text = file->b.text != NULL && file->b.attention == NULL;

  apply_source_b (session, updater, file, b);
  hs_side_set_texts (hs_session_peek_side_b (session),
                     has_text ? file->b.text : hs_side_peek_text (a),
                     has_text ? file->b.pair : hs_side_peek_pair (a));
}

void
hs_session_file_apply (HsSession *session,
                       HsUpdater *updater,
                       const AttnDrawSession *file,
                       const HsSessionModel *a,
                       const HsSessionModel *b,
                       HsStatusLine *status_line)
{
  HsSide *side = hs_session_peek_side (session);
  const bool same = a->attention == NULL && hs_side_peek_wanted (side)->path == NULL &&
                    hs_side_peek_model (side) == a->model && hs_side_peek_answer (side) != NULL &&
                    g_str_equal (hs_side_peek_text (side), file->a.text) &&
                    g_strcmp0 (hs_side_peek_pair (side), file->a.pair) == 0 &&
                    hs_session_peek_asked (session)->words == file->view->words;

  g_autoptr (Look) before = take_look (session); /* of a file that was opened just before */
  if (!same)
    hs_side_set_answer (side, NULL); /* the old text is not drawn by the new view */
  apply_side_a (session, updater, file, a);
  apply_side_b (session, updater, file, b);
  g_object_freeze_notify (G_OBJECT (session));
  apply_view (session, file->view);
  apply_page (session, file);
  apply_example (session, file);
  g_object_thaw_notify (G_OBJECT (session));
  if (!same)
    hs_updater_retry (updater);
  await_picture (session, file, status_line);
}

void
hs_session_file_get_options (const AttnDrawSession *file, HsExportOptions *options)
{
  options->format = file->format;
  options->scale = file->scale;
  options->page = file->page;
  options->as_on_screen = file->view->palette != ATTN_DRAW_PALETTE_PAPER;
  options->font_size_pt = file->view->font_size_pt;
  options->font_family = g_intern_string (file->view->font_family);
}

/* ---- files ---- */

typedef struct {
  HsExport *export;
  double magnification;
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  hs_export_unref (source->export);
  g_free (source);
}

static GBytes *
make_file (gpointer data, GError **error G_GNUC_UNUSED)
{
  const Source *source = data;
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (source->export, source->magnification);
  char *json = attn_draw_session_dup_json (file);

  return g_bytes_new_take (json, strlen (json));
}

void
hs_session_file_save_async (HsExport *export,
                            double magnification,
                            const char *path,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  static const HsSaveClass klass = {make_file, source_free};
  Source *source = g_new (Source, 1);

  *source = (Source){hs_export_ref (export), magnification};
  hs_save_async (&klass, source, path, callback, user_data);
}

static gpointer
load_in_thread (gpointer path, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return attn_draw_session_load (path, error);
}

static void
free_file (gpointer file)
{
  attn_draw_session_free (file);
}

void
hs_session_file_load_async (const char *path,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  static const HsWorkClass klass = {load_in_thread, g_free, free_file};

  hs_work_start (&klass, g_strdup (path), cancellable, NULL, NULL, callback, user_data);
}

AttnDrawSession *
hs_session_file_load_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}
