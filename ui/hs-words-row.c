/* SPDX-License-Identifier: MIT */
/* A button, the list's name or what is wrong with it, and a button that lets go of it. */
#include "hs-words-row.h"

#include "hs-children.h"
#include "hs-words.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

struct _HsWordsRow {
  GtkWidget parent_instance;

  HsSession *session;
  GSignalGroup *signals;
  HsAskWords ask;

  GtkLabel *name;
  GtkWidget *clear;
};

G_DEFINE_FINAL_TYPE (HsWordsRow, hs_words_row, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_SESSION, N_PROPS };

static GParamSpec *props[N_PROPS];

/* ---- asking ---- */

typedef struct {
  GtkFileChooserNative *chooser;
  HsAskWordsDone done;
  gpointer data;
} Question;

static void
response_cb (GtkNativeDialog *chooser, int response, gpointer data)
{
  g_autofree Question *question = data;
  g_autoptr (GFile) file = response == GTK_RESPONSE_ACCEPT
                               ? gtk_file_chooser_get_file (GTK_FILE_CHOOSER (chooser))
                               : NULL;
  question->done (file != NULL ? g_file_get_path (file) : NULL, question->data);
  g_object_unref (question->chooser);
}

/* GTK keeps no reference on a native chooser, so the question does until the answer. */
static void
ask_by_chooser (GtkWindow *parent, HsAskWordsDone done, gpointer data)
{
  Question *question = g_new0 (Question, 1);
  question->chooser =
      gtk_file_chooser_native_new (_ ("Choose a list of words"), parent,
                                   GTK_FILE_CHOOSER_ACTION_OPEN, _ ("_Open"), _ ("_Cancel"));
  question->done = done;
  question->data = data;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (question->chooser), TRUE);
  g_signal_connect (question->chooser, "response", G_CALLBACK (response_cb), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (question->chooser));
}

void
hs_words_row_set_ask (HsWordsRow *self, HsAskWords ask)
{
  g_return_if_fail (HS_IS_WORDS_ROW (self));
  self->ask = ask;
}

static void
show_name (HsWordsRow *self, const char *name, const char *tooltip)
{
  gtk_label_set_text (self->name, name);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->name), tooltip);
}

static void
loaded_cb (HsSession *session G_GNUC_UNUSED, const GError *error, gpointer data)
{
  g_autoptr (HsWordsRow) self = data;
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) &&
      self->session != NULL)
    show_name (self, error->message, error->message);
}

static void
chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsWordsRow) self = data;
  g_autofree char *chosen = path;
  if (chosen != NULL && self->session != NULL)
    hs_words_load_async (self->session, chosen, loaded_cb, g_object_ref (self));
}

static void
choose_cb (HsWordsRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  self->ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, chosen_cb, g_object_ref (self));
}

static void
clear_cb (HsWordsRow *self)
{
  hs_words_clear (self->session);
}

/* ---- showing ---- */

static void
show_words (HsWordsRow *self)
{
  AttnWordList *words = hs_session_peek_words (self->session);
  const char *path = words != NULL ? attn_word_list_peek_path (words) : NULL;
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autofree char *whole = path != NULL ? attn_file_dup_shown (path, strlen (path)) : NULL;
  show_name (self, name != NULL ? name : _ ("no list"),
             whole != NULL ? whole : _ ("Each Han character is a word."));
  gtk_widget_set_visible (self->clear, words != NULL);
}

static void
show_unit (HsWordsRow *self)
{
  const AttnArrangement *arrangement = hs_session_peek_arrangement (self->session);
  gtk_widget_set_sensitive (GTK_WIDGET (self), arrangement->unit == ATTN_UNIT_WORDS);
}

static void
bind_cb (HsWordsRow *self)
{
  show_words (self);
  show_unit (self);
}

static void
hs_words_row_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, HS_WORDS_ROW (object)->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_words_row_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsWordsRow *self = HS_WORDS_ROW (object);

  if (id != PROP_SESSION) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (!g_set_object (&self->session, g_value_get_object (value)))
    return;
  g_signal_group_set_target (self->signals, self->session);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_words_row_dispose (GObject *object)
{
  HsWordsRow *self = HS_WORDS_ROW (object);

  if (self->signals != NULL)
    g_signal_group_set_target (self->signals, NULL);
  g_clear_object (&self->signals);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_WORDS_ROW);
  hs_children_unparent (GTK_WIDGET (self));
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_words_row_parent_class)->dispose (object);
}

static void
hs_words_row_class_init (HsWordsRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_words_row_get_property;
  object_class->set_property = hs_words_row_set_property;
  object_class->dispose = hs_words_row_dispose;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-words-row.ui");
  gtk_widget_class_bind_template_child (widget_class, HsWordsRow, name);
  gtk_widget_class_bind_template_child (widget_class, HsWordsRow, clear);
  gtk_widget_class_bind_template_callback (widget_class, choose_cb);
  gtk_widget_class_bind_template_callback (widget_class, clear_cb);
}

static void
hs_words_row_init (HsWordsRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->ask = ask_by_chooser;
  self->signals = g_signal_group_new (HS_TYPE_SESSION);
  g_signal_group_connect_swapped (self->signals, "notify::words", G_CALLBACK (show_words), self);
  g_signal_group_connect_swapped (self->signals, "notify::arrangement", G_CALLBACK (show_unit),
                                  self);
  g_signal_connect_swapped (self->signals, "bind", G_CALLBACK (bind_cb), self);
}
