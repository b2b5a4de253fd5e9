/* SPDX-License-Identifier: MIT */
/* Opening in three steps: the file, its models or files of weights, and only then the screen. */
#include "hs-session-actions.h"

#include "hs-alert.h"
#include "hs-errors.h"
#include "hs-export-actions.h"
#include "hs-open-attention.h"
#include "hs-session-file.h"
#include "hs-session-saving.h"
#include "hs-session-weights.h"
#include "hs-told.h"

#include "attn-hub/store.h"

#include <glib/gi18n.h>

#include <string.h>

#define DATA "hs-session-actions"

/* Lives as long as the window, which owns all of it. */
typedef struct {
  GtkApplicationWindow *window;
  HsPicture *picture;
  HsStatusLine *status_line;
  HsUpdater *updater; /* owned; nullable until it is set */
  HsAsk ask;
  GCancellable *opening; /* identity of the file that is being opened; NULL for none */
} Actions;

static void
stop_opening (Actions *actions)
{
  if (actions->opening != NULL)
    g_cancellable_cancel (actions->opening);
  g_clear_object (&actions->opening);
}

static void
actions_free (gpointer data)
{
  Actions *actions = data;

  stop_opening (actions);
  g_clear_object (&actions->updater);
  g_free (actions);
}

static Actions *
peek_actions (GtkApplicationWindow *window)
{
  return g_object_get_data (G_OBJECT (window), DATA);
}

void
hs_session_actions_set_updater (GtkApplicationWindow *window, HsUpdater *updater)
{
  g_set_object (&peek_actions (window)->updater, updater);
}

void
hs_session_actions_set_ask (GtkApplicationWindow *window, HsAsk ask)
{
  peek_actions (window)->ask = ask;
}

/* ---- one file on its way to the screen ---- */

typedef struct {
  GtkApplicationWindow *window; /* referenced */
  GCancellable *identity;
  char *path;
  AttnDrawSession *file; /* nullable: once it is read */
  bool of_b;             /* what is looked for or loaded is B's */
  char *names[2];        /* nullable: name or folder of A's and B's model, once it is found … */
  AttnModel *models[2];  /* … and loaded */
  HsAttention *attentions[2]; /* nullable: instead of a model */
} Opening;

static Opening *
opening_new (Actions *actions, const char *path)
{
  Opening *opening = g_new0 (Opening, 1);

  stop_opening (actions);
  actions->opening = g_cancellable_new ();
  opening->window = g_object_ref (actions->window);
  opening->identity = g_object_ref (actions->opening);
  opening->path = g_strdup (path);
  return opening;
}

static void
opening_free (Opening *opening)
{
  g_object_unref (opening->window);
  g_object_unref (opening->identity);
  attn_draw_session_free (opening->file);
  g_free (opening->path);
  for (int of = 0; of < 2; of++) {
    g_free (opening->names[of]);
    g_clear_pointer (&opening->models[of], attn_model_unref);
    g_clear_pointer (&opening->attentions[of], hs_attention_unref);
  }
  g_free (opening);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Opening, opening_free)

/* Returns: (nullable): the window's actions, unless it was closed or another file is opened. */
static Actions *
peek_newest (Opening *opening)
{
  Actions *actions = peek_actions (opening->window);

  return actions != NULL && actions->opening == opening->identity &&
                 !g_cancellable_is_cancelled (opening->identity)
             ? actions
             : NULL;
}

/* ---- words about what is wrong ---- */

static void
tell (Actions *actions, const GError *error)
{
  GtkWidget *alert = hs_alert_new (GTK_WINDOW (actions->window), _ ("Open session"),
                                   _ ("The session could not be opened."), error->message);

  hs_status_line_say (actions->status_line, hs_error_peek_sentence (error));
  g_signal_connect (alert, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

/* ---- the screen ---- */

/* @n_read: how many of the file's warnings are of reading it. Returns: whether what it names has
 * changed since. */
static bool
say_opened (Actions *actions, const Opening *opening, guint n_read)
{
  const GPtrArray *warnings = opening->file->warnings;
  const bool has_changed = warnings->len > n_read;
  g_autofree char *name = g_filename_display_basename (opening->path);
  g_autofree char *message =
      warnings->len > 0 ? hs_told_dup (g_ptr_array_index (warnings, has_changed ? n_read : 0))
                        : g_strdup_printf (_ ("Opened %s"), name);

  hs_status_line_say (actions->status_line, message);
  return has_changed;
}

static void
show (Actions *actions, Opening *opening)
{
  const HsSessionModel a = {opening->models[0], opening->names[0], opening->attentions[0]};
  const HsSessionModel b = {opening->models[1], opening->names[1], opening->attentions[1]};
  HsSession *session = hs_picture_peek_session (actions->picture);
  AttnDrawSession *file = opening->file;
  const guint n_read = file->warnings->len;
  HsExportOptions options;
  bool has_changed;

  g_clear_object (&actions->opening);
  hs_session_file_fit (file, &a, &b);
  has_changed = say_opened (actions, opening, n_read);
  hs_session_file_apply (session, actions->updater, file, &a, &b, actions->status_line);
  hs_export_actions_get_options (actions->window, &options);
  hs_session_file_get_options (file, &options);
  hs_export_actions_set_options (actions->window, &options);
  if (has_changed) /* which has been said */
    return;
  hs_session_weights_check (actions->status_line, &file->a, &a);
  hs_session_weights_check (actions->status_line, &file->b, &b);
}

static void find_side (Opening *opening);

/* Whether B has something of its own that is seen at once. */
static bool
needs_b (const AttnDrawSession *file)
{
  return file->view->kind == ATTN_DRAW_COMPARE &&
         (file->b.attention != NULL || hs_session_file_has_model_b (file));
}

/* Consumes @opening, one of whose sides is there. */
static void
go_on (Actions *actions, Opening *opening)
{
  if (!opening->of_b && needs_b (opening->file)) {
    opening->of_b = true;
    find_side (opening);
    return;
  }
  show (actions, opening);
  opening_free (opening);
}

/* Consumes @opening. */
static void
take_model (Actions *actions, Opening *opening, AttnModel *model)
{
  opening->models[opening->of_b] = attn_model_ref (model);
  go_on (actions, opening);
}

static void
model_loaded_cb (GObject *engine, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (HsAnswer) none = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = hs_engine_load_finish (HS_ENGINE (engine), result, &none, &error);
  Actions *actions = peek_newest (opening);

  if (actions == NULL)
    return;
  if (model == NULL)
    tell (actions, error);
  else
    take_model (actions, g_steal_pointer (&opening), model);
}

/* ---- the models ---- */

static void find_model (Opening *opening, const char *name);
static void read_attention (Opening *opening);

static AttnDrawSessionSide *
peek_side (Opening *opening)
{
  return opening->of_b ? &opening->file->b : &opening->file->a;
}

static void
folder_chosen_cb (char *path, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autofree char *folder = path;

  if (folder != NULL && peek_newest (opening) != NULL)
    find_model (g_steal_pointer (&opening), folder);
}

static void
file_chosen_cb (char *path, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autofree char *chosen = path;
  AttnDrawSessionSide *side = peek_side (opening);

  if (chosen == NULL || peek_newest (opening) == NULL)
    return;
  g_free (side->attention);
  side->attention = g_steal_pointer (&chosen);
  read_attention (g_steal_pointer (&opening));
}

static void
missing_response_cb (GtkWidget *alert, int response, gpointer data G_GNUC_UNUSED)
{
  g_autoptr (Opening) opening = g_object_steal_data (G_OBJECT (alert), DATA);
  Actions *actions = peek_newest (opening);
  const bool is_of_file = peek_side (opening)->attention != NULL;
  const HsQuestion of_model = {
      .action = GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER,
      .title = _ ("Where the model is"),
      .accept = _ ("_Open"),
  };
  const HsQuestion of_file = hs_open_attention_question ();

  gtk_window_destroy (GTK_WINDOW (alert));
  if (response == GTK_RESPONSE_ACCEPT && actions != NULL)
    actions->ask (GTK_WINDOW (actions->window), is_of_file ? &of_file : &of_model,
                  is_of_file ? file_chosen_cb : folder_chosen_cb, g_steal_pointer (&opening));
}

static void
free_opening (gpointer opening)
{
  opening_free (opening);
}

/* Consumes @opening. */
static void
tell_missing (Actions *actions, Opening *opening, const GError *error)
{
  const bool is_of_file = peek_side (opening)->attention != NULL;
  GtkWidget *alert = hs_alert_new (
      GTK_WINDOW (actions->window), _ ("Open session"),
      is_of_file ? _ ("The session's attention file cannot be read. If it has moved, say where it "
                      "is now; all else of the session stays.")
                 : _ ("The session's model is not there. If it has moved, say where it is now."),
      error->message);

  gtk_dialog_add_button (GTK_DIALOG (alert),
                         is_of_file ? _ ("Choose _file…") : _ ("Choose _folder…"),
                         GTK_RESPONSE_ACCEPT);
  hs_alert_offer_model (alert, error);
  gtk_dialog_set_default_response (GTK_DIALOG (alert), GTK_RESPONSE_ACCEPT);
  g_object_set_data_full (G_OBJECT (alert), DATA, opening, free_opening);
  g_signal_connect (alert, "response", G_CALLBACK (missing_response_cb), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

/* Returns: (nullable) (transfer none): a model of the screen, or of the file, from this folder. */
static AttnModel *
find_loaded (Actions *actions, Opening *opening, const char *folder)
{
  HsSession *session = hs_picture_peek_session (actions->picture);
  AttnModel *const models[] = {
      opening->models[0],
      hs_side_peek_model (hs_session_peek_side (session)),
      hs_side_peek_model (hs_session_peek_side_b (session)),
  };

  for (size_t i = 0; i < G_N_ELEMENTS (models); i++)
    if (models[i] != NULL && g_strcmp0 (attn_model_peek_folder (models[i]), folder) == 0)
      return models[i];
  return NULL;
}

/* Consumes @opening. */
static void
find_model (Opening *opening, const char *name)
{
  Actions *actions = peek_newest (opening);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = attn_hub_find_model (name, &error);
  g_autofree char *absolute = NULL;
  AttnModel *model;

  if (folder == NULL) {
    tell_missing (actions, opening, error);
    return;
  }
  absolute = g_canonicalize_filename (folder, NULL);
  g_free (opening->names[opening->of_b]);
  opening->names[opening->of_b] = g_strdup (name);
  model = find_loaded (actions, opening, absolute);
  if (model != NULL) {
    take_model (actions, opening, model);
    return;
  }
  hs_status_line_say (actions->status_line, _ ("Loading the session's model…"));
  hs_engine_load_async (hs_updater_peek_engine (actions->updater), name, NULL, opening->identity,
                        NULL, NULL, model_loaded_cb, opening);
}

/* ---- files of weights ---- */

static void
attention_read_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAttention) attention = hs_attention_load_finish (result, &error);
  Actions *actions = peek_newest (opening);

  if (actions == NULL)
    return;
  if (attention == NULL) {
    tell_missing (actions, g_steal_pointer (&opening), error);
    return;
  }
  if (attention->note != NULL)
    g_ptr_array_add (opening->file->warnings, g_strdup (attention->note));
  opening->attentions[opening->of_b] = g_steal_pointer (&attention);
  go_on (actions, g_steal_pointer (&opening));
}

/* Consumes @opening. B's tokens are A's where it comes without any. */
static void
read_attention (Opening *opening)
{
  HsAttention *a = opening->attentions[0];
  HsAttentionWish wish = hs_session_file_get_wish (peek_side (opening));

  if (a != NULL && !hs_attention_is_numbered (a))
    wish.others = attn_maps_peek_labels (a->maps);
  hs_attention_load_async (&wish, opening->identity, NULL, NULL, attention_read_cb, opening);
}

/* Consumes @opening. */
static void
find_side (Opening *opening)
{
  if (peek_side (opening)->attention != NULL)
    read_attention (opening);
  else
    find_model (opening, peek_side (opening)->model);
}

/* ---- the file ---- */

static void
read_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Opening) opening = data;
  g_autoptr (GError) error = NULL;
  Actions *actions;

  opening->file = hs_session_file_load_finish (result, &error);
  actions = peek_newest (opening);
  if (actions == NULL)
    return;
  if (opening->file == NULL) {
    tell (actions, error);
    return;
  }
  find_side (g_steal_pointer (&opening));
}

void
hs_session_actions_open (GtkApplicationWindow *window, const char *path)
{
  Actions *actions = peek_actions (window);
  Opening *opening;

  g_return_if_fail (actions != NULL && actions->updater != NULL);
  opening = opening_new (actions, path);
  hs_session_file_load_async (path, opening->identity, read_cb, opening);
}

/* Whoever chooses another file wants that one opened. */
static void
open_chosen_cb (char *path, gpointer data)
{
  g_autoptr (GtkApplicationWindow) window = data;
  g_autofree char *chosen = path;

  if (chosen == NULL || peek_actions (window) == NULL)
    return;
  if (hs_attention_takes (chosen))
    hs_open_attention_file (window, chosen);
  else
    hs_session_actions_open (window, chosen);
}

static void
open_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  Actions *actions = data;
  HsQuestion question =
      hs_session_question (GTK_FILE_CHOOSER_ACTION_OPEN, _ ("Open session"), _ ("_Open"));

  question.pattern = "*" ATTN_DRAW_SESSION_SUFFIX " *.npy *.npz *.safetensors";
  question.pattern_name = _ ("Sessions and attention files");
  actions->ask (GTK_WINDOW (actions->window), &question, open_chosen_cb,
                g_object_ref (actions->window));
}

static void
save_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  Actions *actions = data;
  HsExportOptions options;

  hs_export_actions_get_options (actions->window, &options);
  hs_session_saving_begin (hs_picture_peek_session (actions->picture), &options,
                           actions->status_line, actions->ask);
}

static gboolean
has_panels (GBinding *binding G_GNUC_UNUSED,
            const GValue *from,
            GValue *to,
            gpointer data G_GNUC_UNUSED)
{
  g_value_set_boolean (to, g_value_get_boxed (from) != NULL);
  return TRUE;
}

void
hs_session_actions_add (GtkApplicationWindow *window, HsPicture *picture, HsStatusLine *status_line)
{
  static const GActionEntry entries[] = {{"save-session", save_cb}, {"open-session", open_cb}};
  Actions *actions = g_new0 (Actions, 1);

  *actions = (Actions){
      .window = window, .picture = picture, .status_line = status_line, .ask = hs_ask_by_chooser};
  g_object_set_data_full (G_OBJECT (window), DATA, actions, actions_free);
  /* whoever opens a file keeps the window, but not what is in it */
  g_signal_connect_swapped (window, "destroy", G_CALLBACK (stop_opening), actions);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), actions);
  g_object_bind_property_full (hs_picture_peek_session (picture), "panels",
                               g_action_map_lookup_action (G_ACTION_MAP (window), "save-session"),
                               "enabled", G_BINDING_SYNC_CREATE, has_panels, NULL, NULL, NULL);
}
