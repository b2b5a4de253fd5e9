/* SPDX-License-Identifier: MIT */
/* A filtered list over the models of this computer, and actions on the chosen row. */
#include "hs-models-here.h"

#include "hs-accessible.h"
#include "hs-children.h"
#include "hs-model-removal.h"
#include "hs-model-row.h"
#include "hs-model-use.h"
#include "hs-told.h"
#include "hs-verify-strip.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

#define READ_AGAIN_US G_USEC_PER_SEC

struct _HsModelsHere {
  GtkWidget parent_instance;

  HsDownloads *downloads;
  HsModels *models; /* theirs */
  HsWindow *window; /* unowned */
  gint64 read_us;   /* when the list was read anew for a download */
  GtkFilter *by_words;
  char *wanted; /* (nullable): target of the row chosen last */

  GtkSearchEntry *filter;
  GtkListBox *list;
  GtkLabel *placeholder;
  GtkLabel *place;
  HsVerifyStrip *verify_strip;
  GtkButton *open;
  GtkWidget *verify;
  GtkButton *remove;
};

G_DEFINE_FINAL_TYPE (HsModelsHere, hs_models_here, GTK_TYPE_WIDGET)

enum { SIGNAL_OPENED, SIGNAL_INCOMPLETE, N_SIGNALS };

static guint signals[N_SIGNALS];

/* Returns: (nullable). */
static HsModelItem *
peek_chosen (HsModelsHere *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);

  return row != NULL ? hs_model_row_peek_item (HS_MODEL_ROW (row)) : NULL;
}

/* ---- where a model is in use ---- */

static void
show_use (HsModelsHere *self, GtkListBoxRow *row)
{
  HsModelItem *item = hs_model_row_peek_item (HS_MODEL_ROW (row));
  g_autofree char *use = hs_model_use_dup (item, self->window, self->downloads);

  hs_model_row_set_use (HS_MODEL_ROW (row), use);
}

static bool
is_listed (HsModelsHere *self, HsDownload *download)
{
  GListModel *list = hs_models_peek_list (self->models);

  for (guint i = 0; i < g_list_model_get_n_items (list); i++) {
    g_autoptr (HsModelItem) item = g_list_model_get_item (list, i);
    const char *repo = hs_model_item_peek_entry (item)->repo;

    if (repo != NULL && hs_downloads_find_unfinished (self->downloads, repo) == download)
      return true;
  }
  return false;
}

static void
show_uses (HsModelsHere *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++)
    show_use (self, row);
}

/* What is being fetched stands in the list as soon as a file of it is there. */
static void
downloads_changed_cb (HsModelsHere *self)
{
  HsDownload *running = hs_downloads_peek_running (self->downloads);
  const gint64 now = g_get_monotonic_time ();

  show_uses (self);
  if (running == NULL || is_listed (self, running) || hs_models_get_is_reading (self->models) ||
      now - self->read_us < READ_AGAIN_US)
    return;
  self->read_us = now;
  hs_models_refresh (self->models);
}

/* ---- the list ---- */

static GtkWidget *
make_row (gpointer item, gpointer data)
{
  GtkWidget *row = hs_model_row_new (item);

  show_use (data, GTK_LIST_BOX_ROW (row));
  return row;
}

static const char *
peek_title (HsModelPlace place)
{
  switch (place) {
  case HS_MODEL_BUILT_IN:
    return _ ("Comes with the program");
  case HS_MODEL_CACHED:
    return _ ("Downloaded");
  case HS_MODEL_FOLDER:
    return _ ("Folders opened before");
  }
  return "";
}

static void
make_header (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  const HsModelPlace place = hs_model_item_get_place (hs_model_row_peek_item (HS_MODEL_ROW (row)));
  GtkWidget *label;

  (void)data;
  if (before != NULL &&
      hs_model_item_get_place (hs_model_row_peek_item (HS_MODEL_ROW (before))) == place) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  if (gtk_list_box_row_get_header (row) != NULL)
    return;
  label = gtk_label_new (peek_title (place));
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "list-title");
  gtk_list_box_row_set_header (row, label);
}

static gboolean
matches (gpointer item, gpointer data)
{
  HsModelsHere *self = data;

  return hs_model_item_matches (item, gtk_editable_get_text (GTK_EDITABLE (self->filter)));
}

static void
filter_changed_cb (HsModelsHere *self)
{
  gtk_filter_changed (self->by_words, GTK_FILTER_CHANGE_DIFFERENT);
}

/* A search entry keeps Escape for itself, and the dialog would stay. */
static void
filter_left_cb (HsModelsHere *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "window.close", NULL);
}

/* Return in the filter goes on to what is left of the list. */
static void
filter_activated_cb (HsModelsHere *self)
{
  GtkListBoxRow *first = gtk_list_box_get_row_at_index (self->list, 0);

  if (first == NULL)
    return;
  gtk_list_box_select_row (self->list, first);
  gtk_widget_grab_focus (GTK_WIDGET (first));
}

/* Whether the Hub library can verify and remove it. */
static bool
is_cached (HsModelItem *item)
{
  return item != NULL && hs_model_item_get_place (item) == HS_MODEL_CACHED &&
         hs_model_item_peek_entry (item)->commit != NULL;
}

/* Whether a download can bring what it lacks. */
static bool
is_incomplete (HsModelsHere *self, HsModelItem *item)
{
  return item != NULL && hs_model_item_get_place (item) == HS_MODEL_CACHED &&
         hs_model_item_peek_entry (item)->state == ATTN_HUB_PARTIAL &&
         !hs_models_peek_places (self->models)->is_offline;
}

/* What the buttons do to @chosen, or why they do nothing. */
static void
tell_buttons (HsModelsHere *self, HsModelItem *chosen)
{
  const bool incomplete = is_incomplete (self, chosen);
  const char *opens = NULL, *verifies = _ ("Compare its files with what was downloaded");
  const char *removes = _ ("From this computer; you are asked before");
  const bool is_folder = chosen != NULL && hs_model_item_get_place (chosen) == HS_MODEL_FOLDER;

  if (incomplete)
    opens = _ ("Look up what is missing; nothing is downloaded yet");
  else if (chosen != NULL && !hs_model_item_is_usable (chosen))
    opens = _ ("This model cannot be opened: its line in the list tells why");
  if (chosen != NULL && !is_cached (chosen))
    verifies = _ ("Only of downloaded models it is known what their files should be");
  if (chosen != NULL && hs_model_item_get_place (chosen) == HS_MODEL_BUILT_IN)
    removes = _ ("This model comes with the program and stays with it");
  if (is_folder)
    removes = _ ("From this list alone: the folder and its files stay");
  hs_accessible_set_label (self->remove, is_folder ? _ ("_Take off list") : _ ("_Remove…"));
  hs_accessible_set_label (self->open, incomplete ? _ ("_Complete…") : _ ("_Open"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->open), opens);
  gtk_widget_set_tooltip_text (self->verify, verifies);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->remove), removes);
}

static void
selection_changed_cb (HsModelsHere *self)
{
  HsModelItem *chosen = peek_chosen (self);
  const bool usable = chosen != NULL && hs_model_item_is_usable (chosen);

  if (chosen != NULL) {
    g_free (self->wanted);
    self->wanted = g_strdup (hs_model_item_peek_target (chosen));
  }
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "models.open",
                                 usable || is_incomplete (self, chosen));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "models.open-b", usable);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "models.verify", is_cached (chosen));
  gtk_widget_action_set_enabled (
      GTK_WIDGET (self), "models.remove",
      is_cached (chosen) ||
          (chosen != NULL && hs_model_item_get_place (chosen) == HS_MODEL_FOLDER));
  tell_buttons (self, chosen);
}

/* How much a row is to be chosen: the one of before, the open model, any that can be opened. */
static int
rank (HsModelsHere *self, HsModelItem *item)
{
  HsSession *session = hs_window_peek_session (self->window);

  if (g_strcmp0 (hs_model_item_peek_target (item), self->wanted) == 0)
    return 4;
  if (hs_model_use_is_of_side (item, hs_session_peek_side (session)))
    return 3;
  return hs_model_item_is_usable (item) ? 2 : 1;
}

/* After each reading there are other rows; buttons always have one to act on. */
static void
rows_changed_cb (HsModelsHere *self)
{
  GtkListBoxRow *row, *best = NULL;
  int highest = 0;

  if (gtk_list_box_get_selected_row (self->list) != NULL)
    return;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->list, i)) != NULL; i++) {
    const int found = rank (self, hs_model_row_peek_item (HS_MODEL_ROW (row)));
    if (found > highest)
      best = row;
    highest = MAX (highest, found);
  }
  gtk_list_box_select_row (self->list, best);
}

static void
models_changed_cb (HsModelsHere *self)
{
  const char *cache = hs_models_peek_places (self->models)->cache;
  g_autofree char *trouble = hs_told_dup (hs_models_peek_trouble (self->models));
  g_autofree char *shown = attn_file_dup_shown (cache, strlen (cache));
  g_autofree char *bytes = g_format_size (hs_models_get_n_bytes (self->models));
  g_autofree char *text = g_strdup_printf (
      _ ("Downloaded models are in %s, shared with Python’s libraries: %s"), shown, bytes);

  gtk_label_set_text (self->place, trouble != NULL ? trouble : text);
  gtk_label_set_text (self->placeholder, hs_models_get_is_reading (self->models)
                                             ? _ ("Looking what is there…")
                                             : _ ("No model is called so"));
}

/* ---- actions ---- */

static void
open_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  HsModelsHere *self = HS_MODELS_HERE (widget);
  HsModelItem *chosen = peek_chosen (self);

  if (is_incomplete (self, chosen)) {
    g_autofree char *name = hs_model_item_dup_hub_name (chosen);
    g_signal_emit (self, signals[SIGNAL_INCOMPLETE], 0, name);
    return;
  }
  if (chosen == NULL || !hs_model_item_is_usable (chosen))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.load-model", "s",
                              hs_model_item_peek_target (chosen));
  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
}

static void
open_b_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  HsModelsHere *self = HS_MODELS_HERE (widget);
  HsModelItem *chosen = peek_chosen (self);

  if (chosen == NULL || !hs_model_item_is_usable (chosen))
    return;
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.model-b", "s",
                              hs_model_item_peek_target (chosen));
  hs_session_set_kind (hs_window_peek_session (self->window), ATTN_DRAW_COMPARE);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
}

static void
verify_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  HsModelsHere *self = HS_MODELS_HERE (widget);

  if (is_cached (peek_chosen (self)))
    hs_verify_strip_start (self->verify_strip, self->models, peek_chosen (self));
}

/* It can be opened again as it was, so nobody is asked. */
static void
take_off (HsModelsHere *self, HsModelItem *item)
{
  g_autofree char *text =
      g_strdup_printf (_ ("%s is off the list; its folder and files stay as they are."),
                       hs_model_item_peek_name (item));

  gtk_widget_activate_action (GTK_WIDGET (self->window), "app.forget-model", "s",
                              hs_model_item_peek_target (item));
  hs_verify_strip_say (self->verify_strip, text);
  hs_models_refresh (self->models);
}

static void
remove_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  HsModelsHere *self = HS_MODELS_HERE (widget);
  HsModelItem *chosen = peek_chosen (self);

  if (is_cached (chosen)) {
    hs_model_removal_ask (GTK_WINDOW (gtk_widget_get_root (widget)), self->models, chosen,
                          hs_model_use_is_open (chosen, self->window));
  } else if (chosen != NULL && hs_model_item_get_place (chosen) == HS_MODEL_FOLDER) {
    take_off (self, chosen);
  }
}

/* The dialog makes way for the chooser. */
static void
leave_for (HsModelsHere *self, const char *action)
{
  HsWindow *window = self->window;

  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
  gtk_widget_activate_action (GTK_WIDGET (window), action, NULL);
}

static void
folder_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  leave_for (HS_MODELS_HERE (widget), "win.open-model");
}

static void
file_cb (GtkWidget *widget, const char *action G_GNUC_UNUSED, GVariant *value G_GNUC_UNUSED)
{
  leave_for (HS_MODELS_HERE (widget), "win.open-weights");
}

static void
row_activated_cb (HsModelsHere *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "models.open", NULL);
}

static void
removed_cb (HsModelsHere *self, const char *name, guint64 n_bytes)
{
  g_autofree char *bytes = g_format_size (n_bytes);
  g_autofree char *text = g_strdup_printf (_ ("%s was removed; %s are free again."), name, bytes);

  hs_verify_strip_say (self->verify_strip, text);
}

void
hs_models_here_set_up (HsModelsHere *self, HsDownloads *downloads, HsWindow *window)
{
  HsSession *session = hs_window_peek_session (window);
  HsModels *models = hs_downloads_peek_models (downloads);
  g_autoptr (GtkFilterListModel) filtered = NULL;

  g_return_if_fail (HS_IS_MODELS_HERE (self) && self->models == NULL);

  self->downloads = g_object_ref (downloads);
  self->models = g_object_ref (models);
  self->window = window;
  self->by_words = GTK_FILTER (gtk_custom_filter_new (matches, self, NULL));
  filtered = gtk_filter_list_model_new (g_object_ref (hs_models_peek_list (models)),
                                        g_object_ref (self->by_words));
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (filtered), make_row, self, NULL);
  gtk_list_box_set_header_func (self->list, make_header, NULL, NULL);
  g_signal_connect_object (filtered, "items-changed", G_CALLBACK (rows_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (downloads, "changed", G_CALLBACK (downloads_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (models, "removed", G_CALLBACK (removed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (models, "notify", G_CALLBACK (models_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side (session), "notify::model", G_CALLBACK (show_uses),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side_b (session), "notify::model",
                           G_CALLBACK (show_uses), self, G_CONNECT_SWAPPED);
  models_changed_cb (self);
  selection_changed_cb (self);
  rows_changed_cb (self);
}

/* ---- object ---- */

static void
hs_models_here_dispose (GObject *object)
{
  HsModelsHere *self = HS_MODELS_HERE (object);

  if (self->list != NULL)
    gtk_list_box_bind_model (self->list, NULL, NULL, NULL, NULL);
  if (self->by_words != NULL) /* the list model may live longer */
    gtk_custom_filter_set_filter_func (GTK_CUSTOM_FILTER (self->by_words), NULL, NULL, NULL);
  g_clear_object (&self->by_words);
  g_clear_object (&self->models);
  g_clear_object (&self->downloads);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_MODELS_HERE);
  hs_children_unparent (GTK_WIDGET (self));
  G_OBJECT_CLASS (hs_models_here_parent_class)->dispose (object);
}

static void
hs_models_here_finalize (GObject *object)
{
  g_free (HS_MODELS_HERE (object)->wanted);
  G_OBJECT_CLASS (hs_models_here_parent_class)->finalize (object);
}

static gboolean
hs_models_here_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (HS_MODELS_HERE (widget)->filter));
}

static void
hs_models_here_class_init (HsModelsHereClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_models_here_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_models_here_finalize;
  widget_class->grab_focus = hs_models_here_grab_focus;
  signals[SIGNAL_OPENED] = g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_INCOMPLETE] =
      g_signal_new ("incomplete", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure (HS_TYPE_VERIFY_STRIP);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-models-here.ui");
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, filter);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, list);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, placeholder);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, place);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, verify_strip);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, open);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, verify);
  gtk_widget_class_bind_template_child (widget_class, HsModelsHere, remove);
  gtk_widget_class_bind_template_callback (widget_class, filter_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, filter_left_cb);
  gtk_widget_class_bind_template_callback (widget_class, row_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, selection_changed_cb);
  gtk_widget_class_install_action (widget_class, "models.open", NULL, open_cb);
  gtk_widget_class_install_action (widget_class, "models.open-b", NULL, open_b_cb);
  gtk_widget_class_install_action (widget_class, "models.verify", NULL, verify_cb);
  gtk_widget_class_install_action (widget_class, "models.remove", NULL, remove_cb);
  gtk_widget_class_install_action (widget_class, "models.folder", NULL, folder_cb);
  gtk_widget_class_install_action (widget_class, "models.file", NULL, file_cb);
}

static void
hs_models_here_init (HsModelsHere *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
