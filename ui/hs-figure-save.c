/* SPDX-License-Identifier: MIT */
/* Makes the file on another thread, for a name that was asked for or for the clipboard, and tells
 * what came of it. */
#include "hs-figure-save.h"

#include "hs-save.h"
#include "hs-work.h"

#include "attn/quote.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

typedef struct {
  GtkWidget *widget; /* referenced */
  HsFigureSaid say;
  HsFigureFile file; /* its source is owned until it is saved */
  char format[8];
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->widget);
  if (saving->file.source != NULL)
    saving->file.free_source (saving->file.source);
  g_free (saving);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Saving, saving_free)

/* What the other thread has; nothing of the window. */
typedef struct {
  HsFigureFile file;
  char format[8];
} Source;

static void
source_free (gpointer data)
{
  Source *source = data;

  source->file.free_source (source->file.source);
  g_free (source);
}

static GBytes *
make_file (gpointer data, GError **error)
{
  const Source *source = data;

  return source->file.make (source->file.source, source->format, error);
}

/* Who is told when it is done. */
typedef struct {
  GtkWidget *widget; /* referenced */
  HsFigureSaid say;
} Told;

static void
saved_cb (GObject *object G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autofree Told *told = data;
  g_autoptr (GtkWidget) widget = told->widget;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_save_finish (result, &error);

  if (gtk_widget_get_root (widget) == NULL)
    return;
  if (path == NULL) {
    told->say (widget, error->message);
    return;
  }
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autofree char *sentence = g_strdup_printf (_ ("Saved as %s"), shown);
  told->say (widget, sentence);
}

#define N_FORMATS 5

static const char *const formats[N_FORMATS] = {"png", "svg", "pdf", "csv", "json"};

static bool
read_ending (const char *path, char format[8])
{
  const char *dot = strrchr (path, '.');

  for (size_t i = 0; dot != NULL && i < N_FORMATS; i++)
    if (g_ascii_strcasecmp (dot + 1, formats[i]) == 0)
      return g_strlcpy (format, formats[i], 8) < 8;
  return false;
}

static void
chosen_cb (char *path, gpointer data)
{
  static const HsSaveClass klass = {make_file, source_free};
  g_autoptr (Saving) saving = data;
  g_autofree char *chosen = path;

  if (chosen == NULL || gtk_widget_get_root (saving->widget) == NULL)
    return;
  g_autofree char *whole = hs_ask_dup_single_ending (chosen);
  if (saving->format[0] == '\0' && !read_ending (whole, saving->format)) {
    saving->say (saving->widget,
                 _ ("A name that ends in .png, .svg, .pdf, .csv or .json says what the file is to "
                    "be; this one does not"));
    return;
  }
  Source *source = g_new (Source, 1);
  source->file = saving->file;
  memcpy (source->format, saving->format, sizeof source->format);
  saving->file.source = NULL;
  Told *told = g_new (Told, 1);
  *told = (Told){g_object_ref (saving->widget), saving->say};
  hs_save_async (&klass, source, whole, saved_cb, told);
}

void
hs_figure_save (
    GtkWidget *widget, const HsFigureFile *file, const char *format, HsAsk ask, HsFigureSaid say)
{
  HsQuestion question = {
      .action = GTK_FILE_CHOOSER_ACTION_SAVE, .title = file->title, .accept = _ ("_Save")};
  g_autofree char *name =
      g_strdup_printf ("%s.%s", file->stem, format != NULL ? format : formats[0]);
  g_autofree char *pattern = format != NULL ? g_strdup_printf ("*.%s", format)
                                            : g_strdup ("*.png *.svg *.pdf *.csv *.json");
  GtkRoot *root = gtk_widget_get_root (widget);
  Saving *saving = g_new0 (Saving, 1);

  saving->widget = g_object_ref (widget);
  saving->say = say;
  saving->file = *file;
  g_strlcpy (saving->format, format != NULL ? format : "", sizeof saving->format);
  question.name = name;
  question.pattern = pattern;
  question.pattern_name = format != NULL ? pattern : _ ("Pictures and tables");
  ask (root != NULL ? GTK_WINDOW (root) : NULL, &question, chosen_cb, saving);
}

/* ---- the clipboard ---- */

static gpointer
make_bytes (gpointer source, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return make_file (source, error);
}

static void
unref_bytes (gpointer bytes)
{
  g_bytes_unref (bytes);
}

typedef struct {
  Told told;
  bool is_image;
} Copying;

static void
made_cb (GObject *object G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autofree Copying *copying = data;
  g_autoptr (GtkWidget) widget = copying->told.widget;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hs_work_finish (result, &error);

  if (gtk_widget_get_root (widget) == NULL)
    return;
  if (bytes == NULL) {
    copying->told.say (widget, error->message);
    return;
  }
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_for_bytes (
      copying->is_image ? "image/png" : "text/plain;charset=utf-8", bytes);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (widget), content);
  copying->told.say (widget, copying->is_image ? _ ("The picture is in the clipboard")
                                               : _ ("The numbers are in the clipboard"));
}

void
hs_figure_copy (GtkWidget *widget, const HsFigureFile *file, const char *format, HsFigureSaid say)
{
  static const HsWorkClass klass = {make_bytes, source_free, unref_bytes};
  Source *source = g_new (Source, 1);
  Copying *copying = g_new (Copying, 1);

  source->file = *file;
  g_strlcpy (source->format, format, sizeof source->format);
  *copying = (Copying){{g_object_ref (widget), say}, strcmp (format, "png") == 0};
  hs_work_start (&klass, source, NULL, NULL, NULL, made_cb, copying);
}
