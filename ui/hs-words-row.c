/* SPDX-License-Identifier: MIT */
/* A button, the list's name or what is wrong with it, and a button that lets go of it. */
#include "hs-words-row.h"

#include "hs-told.h"
#include "hs-words.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

struct _HsWordsRow {
  HsPanel parent_instance;

  HsAsk ask;

  GtkLabel *name;
  GtkWidget *clear;
};

G_DEFINE_FINAL_TYPE (HsWordsRow, hs_words_row, HS_TYPE_PANEL)

static HsSession *
peek_session (HsWordsRow *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

/* ---- asking ---- */

void
hs_words_row_set_ask (HsWordsRow *self, HsAsk ask)
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
      peek_session (self) != NULL) {
    g_autofree char *told = hs_told_dup (error->message);

    show_name (self, told, told);
  }
}

static void
chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsWordsRow) self = data;
  g_autofree char *chosen = path;
  if (chosen != NULL && peek_session (self) != NULL)
    hs_words_load_async (peek_session (self), chosen, loaded_cb, g_object_ref (self));
}

static void
choose_cb (HsWordsRow *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  const HsQuestion question = {
      .action = GTK_FILE_CHOOSER_ACTION_OPEN,
      .title = _ ("Choose a list of words"),
      .accept = _ ("_Open"),
  };
  self->ask (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL, &question, chosen_cb,
             g_object_ref (self));
}

static void
clear_cb (HsWordsRow *self)
{
  hs_words_clear (peek_session (self));
}

/* ---- showing ---- */

static void
show_words (HsPanel *panel)
{
  HsWordsRow *self = HS_WORDS_ROW (panel);
  AttnWordList *words = hs_session_peek_words (hs_panel_peek_session (panel));
  const char *path = words != NULL ? attn_word_list_peek_path (words) : NULL;
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;
  g_autofree char *whole = path != NULL ? attn_file_dup_shown (path, strlen (path)) : NULL;
  show_name (self, name != NULL ? name : _ ("each Han character alone"),
             whole != NULL ? whole : _ ("Each Han character is a word."));
  gtk_widget_set_visible (self->clear, words != NULL);
}

static void
show_unit (HsPanel *panel)
{
  const AttnArrangement *arrangement = hs_session_peek_arrangement (hs_panel_peek_session (panel));
  gtk_widget_set_sensitive (GTK_WIDGET (panel), arrangement->unit == ATTN_UNIT_WORDS);
}

static void
hs_words_row_update (HsPanel *panel)
{
  show_words (panel);
  show_unit (panel);
}

static void
hs_words_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_WORDS_ROW);
  G_OBJECT_CLASS (hs_words_row_parent_class)->dispose (object);
}

static void
hs_words_row_class_init (HsWordsRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_words_row_dispose;
  HS_PANEL_CLASS (klass)->update = hs_words_row_update;

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
  self->ask = hs_ask_by_chooser;
  hs_panel_watch (HS_PANEL (self), "words", show_words);
  hs_panel_watch (HS_PANEL (self), "arrangement", show_unit);
}
