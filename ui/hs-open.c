/* SPDX-License-Identifier: MIT */
/* Looks at a file on another thread, then shows it as what it is. */
#include "hs-open.h"

#include "hs-alert.h"
#include "hs-drop-hint.h"
#include "hs-errors.h"
#include "hs-open-attention.h"
#include "hs-session-actions.h"
#include "hs-told.h"
#include "hs-work.h"

#include "attn-draw/session.h"
#include "attn/folder.h"

#include <glib/gi18n.h>

#include <string.h>

#define MAX_BYTES (1 << 20) /* of a text file; models take far less */
#define OPEN "hs-open"
#define SLOW_MS 500

/* Lives as long as the window. */
typedef struct {
  GtkApplicationWindow *window; /* unowned */
  HsSession *session;
  HsUpdater *updater;
  HsStatusLine *status_line;     /* says what was done */
  GCancellable *reading;         /* nullable: the newest file's */
  GtkFileChooserNative *chooser; /* nullable */
  bool is_for_b;                 /* what the chooser asks for */
  gulong failed_handler;
  guint is_slow; /* source: the file takes so long that it is said */
} Open;

static void
stop_reading (Open *self)
{
  g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  g_clear_handle_id (&self->is_slow, g_source_remove);
}

static void
open_free (gpointer data)
{
  Open *self = data;

  stop_reading (self);
  g_clear_object (&self->chooser);
  g_signal_handler_disconnect (self->updater, self->failed_handler);
  g_object_unref (self->session);
  g_object_unref (self->updater);
  g_object_unref (self->status_line);
  g_free (self);
}

static void
show_text (Open *self, const char *text, const char *pair)
{
  HsSide *side = hs_session_peek_side (self->session);

  hs_side_set_texts (side, text, pair);
  if (hs_side_peek_attention (side) != NULL)
    g_action_group_activate_action (G_ACTION_GROUP (self->window), "leave-attention", NULL);
}

/* ---- a file ---- */

/* What a file turned out to be: a model, attention weights, or a text. */
typedef struct {
  char *model;        /* nullable: the path of its folder or weight file */
  char *attention;    /* nullable: the path of a file of weights that no model of ours made */
  char *text;         /* nullable */
  AttnLabels *labels; /* (nullable): what a text lists, if it is of tokens … */
  char *path;         /* … and where it is */
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_free (found->model);
  g_free (found->attention);
  g_free (found->text);
  g_clear_pointer (&found->labels, attn_labels_unref);
  g_free (found->path);
  g_free (found);
}

/* Without the mark of UTF-8 at its beginning and the line's end at its own. */
static char *
dup_text (const char *bytes, gsize n_bytes)
{
  static const char mark[] = "\xef\xbb\xbf";

  if (n_bytes >= strlen (mark) && memcmp (bytes, mark, strlen (mark)) == 0) {
    bytes += strlen (mark);
    n_bytes -= strlen (mark);
  }
  while (n_bytes > 0 && (bytes[n_bytes - 1] == '\n' || bytes[n_bytes - 1] == '\r'))
    n_bytes--;
  return g_strndup (bytes, n_bytes);
}

static char *
read_text (GFile *file, GError **error)
{
  g_autoptr (GFileInputStream) stream = g_file_read (file, NULL, error);
  g_autofree char *bytes = g_malloc (MAX_BYTES + 1);
  g_autofree char *name = g_file_get_parse_name (file);
  gsize n_bytes;

  if (stream == NULL || !g_input_stream_read_all (G_INPUT_STREAM (stream), bytes, MAX_BYTES + 1,
                                                  &n_bytes, NULL, error))
    return NULL;
  if (n_bytes > MAX_BYTES) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("%s is longer than 1 MiB"), name);
    return NULL;
  }
  if (memchr (bytes, '\0', n_bytes) != NULL || !g_utf8_validate (bytes, (gssize)n_bytes, NULL)) {
    g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, _ ("%s is no text in UTF-8"), name);
    return NULL;
  }
  return dup_text (bytes, n_bytes);
}

static gpointer
look_at (gpointer file, HsReport *report, GError **error)
{
  const GFileType type = g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL);
  g_autofree char *path = g_file_get_path (file);
  Found *found;

  (void)report;
  if (type == G_FILE_TYPE_SPECIAL) { /* a pipe would be waited for without end */
    g_autofree char *name = g_file_get_parse_name (file);

    g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_REGULAR_FILE, _ ("%s is no regular file"), name);
    return NULL;
  }
  found = g_new0 (Found, 1);
  if (type != G_FILE_TYPE_DIRECTORY && path != NULL && hs_attention_takes (path))
    found->attention = g_strdup (path);
  else if (type == G_FILE_TYPE_DIRECTORY || (path != NULL && attn_folder_is_weight_file (path)))
    found->model = g_strdup (path);
  if (found->model == NULL && found->attention == NULL)
    found->text = read_text (file, error);
  if (found->text != NULL && path != NULL) {
    found->labels = attn_labels_load (path, NULL);
    found->path = g_strdup (path);
  }
  if (found->model != NULL || found->attention != NULL || found->text != NULL)
    return found;
  found_free (found);
  return NULL;
}

static const HsWorkClass look_work = {look_at, g_object_unref, found_free};

static void
looked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Open *self = data;
  g_autoptr (GError) error = NULL;
  Found *found = hs_work_finish (result, &error);

  (void)source;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return; /* the window is gone, or something newer was dropped */
  stop_reading (self);
  if (found == NULL) {
    g_autofree char *told = hs_told_dup (error->message);

    hs_status_line_say (self->status_line, told);
    return;
  }
  if (found->model != NULL)
    hs_updater_load (self->updater, found->model);
  else if (found->attention != NULL)
    hs_open_attention_file (self->window, found->attention);
  else if (found->labels == NULL ||
           !hs_open_attention_tokens (self->window, found->path, found->labels))
    show_text (self, found->text, NULL);
  found_free (found);
}

/* A file of a network, or one that never ends: it can be dropped again, or another instead. */
static gboolean
slow_cb (gpointer data)
{
  Open *self = data;

  self->is_slow = 0;
  hs_status_line_say (self->status_line, _ ("Reading the file…"));
  return G_SOURCE_REMOVE;
}

void
hs_open_file (GtkApplicationWindow *window, GFile *file)
{
  Open *self = g_object_get_data (G_OBJECT (window), OPEN);
  g_autofree char *path = g_file_get_path (file);

  if (path != NULL && g_str_has_suffix (path, ATTN_DRAW_SESSION_SUFFIX) &&
      g_file_query_file_type (file, G_FILE_QUERY_INFO_NONE, NULL) != G_FILE_TYPE_DIRECTORY) {
    hs_session_actions_open (window, path);
    return;
  }
  stop_reading (self);
  self->reading = g_cancellable_new ();
  self->is_slow = g_timeout_add (SLOW_MS, slow_cb, self);
  hs_work_start (&look_work, g_object_ref (file), self->reading, NULL, NULL, looked_cb, self);
}

/* ---- actions ---- */

static void
show_text_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  const char *text, *pair;

  (void)action;
  g_variant_get (value, "(&s&s)", &text, &pair);
  show_text (data, text, *pair != '\0' ? pair : NULL);
}

static void
load_model_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  Open *self = data;

  (void)action;
  hs_updater_load (self->updater, g_variant_get_string (value, NULL));
}

/* A side's name is the state of an action, which only holds UTF-8. */
static void
open_model_b (Open *self, GFile *file)
{
  g_autofree char *folder = g_file_get_path (file);

  if (folder != NULL && g_utf8_validate (folder, -1, NULL))
    hs_side_set_name (hs_session_peek_side_b (self->session), folder);
  else
    hs_status_line_say (self->status_line, _ ("The folder's name is not in UTF-8"));
}

static void
chosen_cb (GtkNativeDialog *chooser, int response, gpointer data)
{
  Open *self = data;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                               : NULL;

  if (file != NULL && self->is_for_b)
    open_model_b (self, file);
  else if (file != NULL)
    hs_open_file (self->window, file);
  g_clear_object (&self->chooser);
}

/* Consumes @chooser. */
static void
ask (Open *self, GtkFileChooserNative *chooser, bool is_for_b)
{
  self->is_for_b = is_for_b;
  g_clear_object (&self->chooser);
  self->chooser = chooser;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (chooser), TRUE);
  g_signal_connect (chooser, "response", G_CALLBACK (chosen_cb), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (chooser));
}

static void
ask_for_model (Open *self, bool is_for_b)
{
  ask (self,
       gtk_file_chooser_native_new (_ ("Open model folder"), GTK_WINDOW (self->window),
                                    GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Open"),
                                    _ ("_Cancel")),
       is_for_b);
}

/* One file of a folder that has several models' weights, say. */
static void
open_weights_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  static const char *const patterns[] = {"*.safetensors", "*.bin", "*.pt", "*.pth"};
  Open *self = data;
  g_autoptr (GtkFileFilter) weights = gtk_file_filter_new ();
  GtkFileChooserNative *chooser =
      gtk_file_chooser_native_new (_ ("Open weight file"), GTK_WINDOW (self->window),
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));

  (void)action;
  (void)value;
  gtk_file_filter_set_name (weights, _ ("Weights beside their config.json"));
  for (size_t i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_pattern (weights, patterns[i]);
  gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (chooser), weights);
  ask (self, chooser, false);
}

static void
open_model_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  (void)action;
  (void)value;
  ask_for_model (data, false);
}

static void
open_model_b_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  (void)action;
  (void)value;
  ask_for_model (data, true);
}

static void
stop_model_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  Open *self = data;

  (void)action;
  (void)value;
  hs_updater_stop_load (self->updater);
}

static void
stop_model_b_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  Open *self = data;

  (void)action;
  (void)value;
  hs_updater_stop_b (self->updater);
}

/* ---- dropped ---- */

static gboolean
files_dropped_cb (GtkDropTarget *target, const GValue *value, double x, double y, Open *self)
{
  const GSList *files = g_value_get_boxed (value);

  (void)target;
  (void)x;
  (void)y;
  if (files == NULL)
    return FALSE;
  hs_open_file (self->window, files->data);
  return TRUE;
}

static gboolean
text_dropped_cb (GtkDropTarget *target, const GValue *value, double x, double y, Open *self)
{
  const char *text = g_value_get_string (value);

  (void)target;
  (void)x;
  (void)y;
  if (text == NULL || !g_utf8_validate (text, -1, NULL))
    return FALSE;
  show_text (self, text, NULL);
  return TRUE;
}

/* Files come before the text fields, which would take them for their names; a text dropped on a
 * field belongs to that field. */
static void
add_targets (Open *self)
{
  GtkDropTarget *files = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkDropTarget *text = gtk_drop_target_new (G_TYPE_STRING, GDK_ACTION_COPY);

  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (files), GTK_PHASE_CAPTURE);
  g_signal_connect (files, "drop", G_CALLBACK (files_dropped_cb), self);
  g_signal_connect (text, "drop", G_CALLBACK (text_dropped_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->window), GTK_EVENT_CONTROLLER (files));
  hs_drop_hint_add (GTK_WINDOW (self->window), files);
  gtk_widget_add_controller (GTK_WIDGET (self->window), GTK_EVENT_CONTROLLER (text));
}

/* ---- a model that cannot be opened ---- */

static void
load_failed_cb (Open *self, const GError *error)
{
  g_autofree char *detail =
      g_strdup_printf ("%s\n%s", hs_error_peek_sentence (error), error->message);
  GtkWidget *alert =
      hs_alert_new (GTK_WINDOW (self->window), _ ("Open model folder"),
                    _ ("The model could not be opened; the one before stays."), detail);

  hs_alert_offer_model (alert, error);
  g_signal_connect (alert, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

void
hs_open_add (GtkApplicationWindow *window,
             HsSession *session,
             HsUpdater *updater,
             HsStatusLine *status_line)
{
  static const GActionEntry entries[] = {
      {.name = "show-text", .activate = show_text_cb, .parameter_type = "(ss)"},
      {.name = "load-model", .activate = load_model_cb, .parameter_type = "s"},
      {.name = "open-model", .activate = open_model_cb},
      {.name = "open-weights", .activate = open_weights_cb},
      {.name = "open-model-b", .activate = open_model_b_cb},
      {.name = "stop-model", .activate = stop_model_cb},
      {.name = "stop-model-b", .activate = stop_model_b_cb},
  };
  Open *self = g_new0 (Open, 1);
  g_autoptr (GPropertyAction) model_b = NULL;

  self->window = window;
  self->session = g_object_ref (session);
  self->updater = g_object_ref (updater);
  self->status_line = g_object_ref (status_line);
  g_object_set_data_full (G_OBJECT (window), OPEN, self, open_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), self);
  model_b = g_property_action_new ("model-b", hs_session_peek_side_b (session), "name");
  g_action_map_add_action (G_ACTION_MAP (window), G_ACTION (model_b));
  hs_open_attention_add (window, session, updater, status_line);
  add_targets (self);
  self->failed_handler =
      g_signal_connect_swapped (updater, "load-failed", G_CALLBACK (load_failed_cb), self);
}
