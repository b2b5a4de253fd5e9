/* SPDX-License-Identifier: MIT */
/* What is saved is what was shown when it was asked for, however long the answer takes. */
#include "hs-session-saving.h"

#include "hs-alert.h"
#include "hs-save.h"
#include "hs-session-file.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

typedef struct {
  HsStatusLine *status_line; /* referenced; in no window any more once that is closed */
  HsExport *export;
  double magnification;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->status_line);
  hs_export_unref (saving->export);
  g_free (saving);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

/* Returns: (nullable) (transfer none): the window, unless it was closed. */
static GtkWindow *
peek_window (const Saving *saving)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (saving->status_line));

  return root != NULL ? GTK_WINDOW (root) : NULL;
}

static void
tell_unsaved (const Saving *saving, const char *why)
{
  GtkWidget *alert = hs_alert_new (peek_window (saving), _ ("Save session"),
                                   _ ("The session could not be saved."), why);

  g_signal_connect (alert, "response", G_CALLBACK (gtk_window_destroy), NULL);
  gtk_window_present (GTK_WINDOW (alert));
}

static void
saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Saving) saving = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_save_finish (result, &error);

  if (peek_window (saving) == NULL)
    return;
  if (path == NULL) {
    tell_unsaved (saving, error->message);
    return;
  }
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autofree char *message = g_strdup_printf (_ ("Saved as %s"), shown);
  hs_status_line_say (saving->status_line, message);
}

static void
chosen_cb (char *path, gpointer data)
{
  g_autoptr (Saving) saving = data;
  g_autofree char *chosen = path;
  g_autofree char *whole = NULL;

  if (chosen == NULL || peek_window (saving) == NULL)
    return;
  whole = g_str_has_suffix (chosen, ATTN_DRAW_SESSION_SUFFIX)
              ? hs_ask_dup_single_ending (chosen)
              : g_strconcat (chosen, ATTN_DRAW_SESSION_SUFFIX, NULL);
  if (!g_str_equal (whole, chosen) && g_file_test (whole, G_FILE_TEST_EXISTS)) {
    /* the chooser asked about replacing another name */
    g_autofree char *shown = attn_file_dup_shown (whole, strlen (whole));
    g_autofree char *why =
        g_strdup_printf (_ ("%s exists already; choose it to replace it."), shown);

    tell_unsaved (saving, why);
    return;
  }
  hs_session_file_save_async (saving->export, saving->magnification, whole, saved_cb, saving);
  saving = NULL;
}

HsQuestion
hs_session_question (GtkFileChooserAction action, const char *title, const char *accept)
{
  return (HsQuestion){
      .action = action,
      .title = title,
      .accept = accept,
      .pattern = "*" ATTN_DRAW_SESSION_SUFFIX,
      .pattern_name = _ ("Sessions"),
  };
}

void
hs_session_saving_begin (HsSession *session,
                         const HsExportOptions *options,
                         HsStatusLine *status_line,
                         HsAsk ask)
{
  HsQuestion question =
      hs_session_question (GTK_FILE_CHOOSER_ACTION_SAVE, _ ("Save session"), _ ("_Save"));
  HsExportOptions shown = *options;
  HsExport *export;
  Saving *saving;
  g_autofree char *name = NULL;

  shown.what = HS_EXPORT_SHOWN;
  export = hs_export_new (session, &shown);
  if (export == NULL)
    return;
  saving = g_new (Saving, 1);
  *saving = (Saving){g_object_ref (status_line), export, hs_session_get_magnification (session)};
  name = hs_export_dup_name (export, false, hs_session_get_kind (session),
                             ATTN_DRAW_SESSION_SUFFIX + 1);
  question.name = name;
  ask (peek_window (saving), &question, chosen_cb, saving);
}
