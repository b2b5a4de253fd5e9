/* SPDX-License-Identifier: MIT */
/* From a name to a download. */
#include "hs-models-get.h"

#include "hs-children.h"
#include "hs-download-row.h"
#include "hs-suggestions.h"
#include "hs-told.h"

#include <glib/gi18n.h>

struct _HsModelsGet {
  GtkWidget parent_instance;

  HsDownloads *queue;
  HsWindow *window; /* unowned */

  GtkWidget *ask;
  GtkEditable *entry;
  GtkWidget *look_up;
  GtkLabel *trouble;
  GtkLabel *promise;
  GtkListBox *downloads;
  GtkListBox *suggestions;
};

G_DEFINE_FINAL_TYPE (HsModelsGet, hs_models_get, GTK_TYPE_WIDGET)

enum { SIGNAL_OPENED, N_SIGNALS };

static guint signals[N_SIGNALS];

static bool
is_offline (HsModelsGet *self)
{
  return hs_models_peek_places (hs_downloads_peek_models (self->queue))->is_offline;
}

/* @text: (nullable): until the name is another one. */
static void
show_notice (HsModelsGet *self, const char *text)
{
  gtk_label_set_text (self->trouble, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->trouble), text != NULL);
}

/* What is wrong with the name. */
static void
show_trouble (HsModelsGet *self, const char *trouble)
{
  g_autofree char *text = g_strdup_printf ("%s\n%s", _ ("No model can be called so."), trouble);

  show_notice (self, text);
}

static void
stopped_cb (HsModelsGet *self, const char *name)
{
  g_autofree char *text = g_strdup_printf (
      _ ("%s: stopped. What has arrived is kept; downloading it again goes on from there."), name);

  show_notice (self, text);
}

static void
entry_changed_cb (HsModelsGet *self)
{
  show_notice (self, NULL);
  gtk_widget_set_sensitive (self->look_up, *gtk_editable_get_text (self->entry) != '\0');
}

static void
look_up_cb (HsModelsGet *self)
{
  const char *text = gtk_editable_get_text (self->entry);
  g_autoptr (GError) error = NULL;
  g_autofree char *told = NULL;

  if (is_offline (self) || *text == '\0')
    return;
  if (!hs_downloads_look_up (self->queue, text, &error))
    told = hs_told_dup (error->message);
  if (told != NULL)
    show_trouble (self, told);
}

static void
suggestion_selected_cb (HsModelsGet *self, GtkListBoxRow *row)
{
  if (row != NULL)
    gtk_editable_set_text (self->entry, gtk_widget_get_name (GTK_WIDGET (row)));
}

static void
open_cb (HsModelsGet *self, const char *folder)
{
  gtk_widget_activate_action (GTK_WIDGET (self->window), "win.load-model", "s", folder);
  g_signal_emit (self, signals[SIGNAL_OPENED], 0);
}

static GtkWidget *
make_row (gpointer download, gpointer data)
{
  HsModelsGet *self = data;
  GtkWidget *row = hs_download_row_new (self->queue, download);

  g_signal_connect_object (row, "open", G_CALLBACK (open_cb), self, G_CONNECT_SWAPPED);
  /* the keyboard must not be left on what is about to vanish, nor on a suggestion, which would be
   * chosen then */
  g_signal_connect_object (row, "stopped", G_CALLBACK (stopped_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (row, "leave", G_CALLBACK (gtk_widget_grab_focus), self,
                           G_CONNECT_SWAPPED);
  return row;
}

/* Whether a usable model of this name is on this computer. */
static bool
is_here (HsModelsGet *self, const char *name)
{
  GListModel *list = hs_models_peek_list (hs_downloads_peek_models (self->queue));

  for (guint i = 0; i < g_list_model_get_n_items (list); i++) {
    g_autoptr (HsModelItem) item = g_list_model_get_item (list, i);
    if (hs_model_item_get_place (item) == HS_MODEL_CACHED && hs_model_item_is_usable (item) &&
        g_str_equal (hs_model_item_peek_name (item), name))
      return true;
  }
  return false;
}

static void
models_changed_cb (HsModelsGet *self)
{
  GtkListBoxRow *row;

  for (int i = 0; (row = gtk_list_box_get_row_at_index (self->suggestions, i)) != NULL; i++)
    hs_suggestion_row_set_here (GTK_WIDGET (row),
                                is_here (self, gtk_widget_get_name (GTK_WIDGET (row))));
}

static void
list_changed_cb (HsModelsGet *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->downloads),
                          g_list_model_get_n_items (hs_downloads_peek_list (self->queue)) > 0);
}

static void
fill_suggestions (HsModelsGet *self)
{
  size_t n;
  const AttnHubSuggestion *table = attn_hub_suggestions_peek (&n);

  for (size_t i = 0; i < n; i++)
    gtk_list_box_append (self->suggestions, hs_suggestion_row_new (&table[i]));
}

static void
show_promise (HsModelsGet *self)
{
  const char *endpoint = hs_models_peek_places (hs_downloads_peek_models (self->queue))->endpoint;
  g_autofree char *text = g_strdup_printf (
      is_offline (self) ? _ ("Nothing can be downloaded from %s: HF_HUB_OFFLINE or "
                             "TRANSFORMERS_OFFLINE is set. Start the program without it.")
                        : _ ("Models come from %s. It is asked for nothing before you press Look "
                             "up, and nothing is downloaded before you press Download."),
      endpoint);

  gtk_label_set_text (self->promise, text);
  gtk_widget_set_sensitive (self->ask, !is_offline (self));
}

void
hs_models_get_set_name (HsModelsGet *self, const char *name)
{
  g_return_if_fail (HS_IS_MODELS_GET (self));

  gtk_editable_set_text (self->entry, name);
  gtk_widget_grab_focus (self->look_up);
}

void
hs_models_get_look_up (HsModelsGet *self, const char *name)
{
  g_return_if_fail (HS_IS_MODELS_GET (self));
  gtk_editable_set_text (self->entry, name);
  look_up_cb (self);
}

void
hs_models_get_set_up (HsModelsGet *self, HsDownloads *downloads, HsWindow *window)
{
  GListModel *list = hs_downloads_peek_list (downloads);

  g_return_if_fail (HS_IS_MODELS_GET (self) && self->queue == NULL);

  self->queue = g_object_ref (downloads);
  self->window = window;
  gtk_list_box_bind_model (self->downloads, list, make_row, self, NULL);
  g_signal_connect_object (list, "items-changed", G_CALLBACK (list_changed_cb), self,
                           G_CONNECT_SWAPPED);
  fill_suggestions (self);
  g_signal_connect_object (hs_models_peek_list (hs_downloads_peek_models (downloads)),
                           "items-changed", G_CALLBACK (models_changed_cb), self,
                           G_CONNECT_SWAPPED);
  models_changed_cb (self);
  list_changed_cb (self);
  show_promise (self);
  entry_changed_cb (self);
}

static void
hs_models_get_dispose (GObject *object)
{
  HsModelsGet *self = HS_MODELS_GET (object);

  if (self->downloads != NULL)
    gtk_list_box_bind_model (self->downloads, NULL, NULL, NULL, NULL);
  g_clear_object (&self->queue);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_MODELS_GET);
  hs_children_unparent (GTK_WIDGET (self));
  G_OBJECT_CLASS (hs_models_get_parent_class)->dispose (object);
}

static gboolean
hs_models_get_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (HS_MODELS_GET (widget)->entry));
}

static void
hs_models_get_class_init (HsModelsGetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_models_get_dispose;
  widget_class->grab_focus = hs_models_get_grab_focus;
  signals[SIGNAL_OPENED] = g_signal_new ("opened", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-models-get.ui");
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, ask);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, entry);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, look_up);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, trouble);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, promise);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, downloads);
  gtk_widget_class_bind_template_child (widget_class, HsModelsGet, suggestions);
  gtk_widget_class_bind_template_callback (widget_class, look_up_cb);
  gtk_widget_class_bind_template_callback (widget_class, entry_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, suggestion_selected_cb);
}

static void
hs_models_get_init (HsModelsGet *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
