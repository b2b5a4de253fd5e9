/* SPDX-License-Identifier: MIT */
/* Asks how the picture should be saved, saves it, and says where it is. */
#include "hs-export-dialog.h"

#include "hs-errors.h"
#include "hs-export.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

struct _HsExportDialog {
  GtkWindow parent_instance;

  HsPicture *picture;
  HsAskSave ask_save;
  GtkWidget *cancel, *save, *copy_command;
  GtkDropDown *format, *palette;
  GtkWidget *scale_label, *scale;
  GtkCheckButton *print_size;
  GtkSpinButton *width_mm, *font_size;
  GtkLabel *file_size;
  GtkLabel *problem;
};

enum { SIGNAL_DONE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HsExportDialog, hs_export_dialog, GTK_TYPE_WINDOW)

/* ---- asking where ---- */

typedef struct {
  GtkFileChooserNative *chooser;
  HsAskSaveDone done;
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
ask_by_chooser (GtkWindow *parent, const char *name, HsAskSaveDone done, gpointer data)
{
  Question *question = g_new0 (Question, 1);
  question->chooser = gtk_file_chooser_native_new (
      _ ("Save picture"), parent, GTK_FILE_CHOOSER_ACTION_SAVE, _ ("_Save"), _ ("_Cancel"));
  question->done = done;
  question->data = data;
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (question->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (question->chooser), name);
  g_signal_connect (question->chooser, "response", G_CALLBACK (response_cb), question);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (question->chooser));
}

void
hs_export_dialog_set_ask_save (HsExportDialog *self, HsAskSave ask_save)
{
  g_return_if_fail (HS_IS_EXPORT_DIALOG (self));
  self->ask_save = ask_save;
}

/* ---- saving ---- */

static HsExport *
make_export (HsExportDialog *self)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (self->picture);
  if (layout == NULL)
    return NULL;
  HsExportOptions options = {
      .format = (AttnDrawFormat)gtk_drop_down_get_selected (self->format),
      .as_on_screen = gtk_drop_down_get_selected (self->palette) == 1,
      .scale = gtk_spin_button_get_value (GTK_SPIN_BUTTON (self->scale)),
      .width_px = attn_draw_layout_peek_view (layout)->width_px,
      .max_height_px = attn_draw_layout_peek_view (layout)->max_height_px,
      .width_mm = gtk_check_button_get_active (self->print_size)
                      ? gtk_spin_button_get_value (self->width_mm)
                      : 0,
      .font_size_pt = gtk_spin_button_get_value (self->font_size),
  };
  return hs_export_new (hs_picture_peek_session (self->picture), &options);
}

/* The chooser and the writing may outlive the dialog. */
static bool
is_closed (HsExportDialog *self)
{
  return self->picture == NULL;
}

static void
show_problem (HsExportDialog *self, const char *text)
{
  if (is_closed (self))
    return;
  gtk_label_set_text (self->problem, text);
  gtk_widget_set_visible (GTK_WIDGET (self->problem), TRUE);
  gtk_widget_set_sensitive (self->save, TRUE);
}

static void
finish (HsExportDialog *self, const char *message)
{
  if (is_closed (self))
    return;
  g_signal_emit (self, signals[SIGNAL_DONE], 0, message);
  gtk_window_close (GTK_WINDOW (self));
}

static void
written_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  (void)source;
  g_autoptr (HsExportDialog) self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_export_write_finish (result, &error);
  if (path == NULL) {
    g_autofree char *text =
        g_strdup_printf ("%s\n%s", hs_error_peek_sentence (error), error->message);
    show_problem (self, text);
    return;
  }
  g_autofree char *shown = g_filename_display_name (path);
  g_autofree char *message = g_strdup_printf (_ ("Saved as %s"), shown);
  finish (self, message);
}

/* A name that ends in .png, .svg or .pdf says what the file is to be; any other gets the ending of
 * the format chosen, so that no file lies about its content. */
static char *
settle_format (HsExportDialog *self, const char *path)
{
  const char *dot = strrchr (path, '.');
  AttnDrawFormat format = (AttnDrawFormat)gtk_drop_down_get_selected (self->format);
  g_autofree char *ending = g_ascii_strdown (dot != NULL ? dot + 1 : "", -1);
  if (attn_draw_format_find (ending, &format)) {
    gtk_drop_down_set_selected (self->format, format);
    return g_strdup (path);
  }
  return g_strdup_printf ("%s.%s", path, attn_draw_format_peek_name (format));
}

static void
path_chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsExportDialog) self = data;
  g_autofree char *chosen = path;
  if (is_closed (self))
    return;
  gtk_widget_set_sensitive (self->save, TRUE);
  if (chosen == NULL)
    return;
  g_autofree char *settled = settle_format (self, chosen);
  if (strcmp (settled, chosen) != 0 && g_file_test (settled, G_FILE_TEST_EXISTS)) {
    /* the chooser asked about replacing another name */
    g_autofree char *shown = g_filename_display_name (settled);
    g_autofree char *text =
        g_strdup_printf (_ ("%s exists already; choose it to replace it."), shown);
    show_problem (self, text);
    return;
  }
  HsExport *export = make_export (self);
  if (export == NULL)
    return;
  gtk_widget_set_sensitive (self->save, FALSE);
  hs_export_write_async (export, settled, written_cb, g_object_ref (self));
}

static void
save_clicked_cb (HsExportDialog *self)
{
  g_autoptr (HsExport) export = make_export (self);
  if (export == NULL)
    return;
  gtk_widget_set_visible (GTK_WIDGET (self->problem), FALSE);
  gtk_widget_set_sensitive (self->save, FALSE);
  g_autofree char *name = hs_export_dup_file_name (export);
  self->ask_save (GTK_WINDOW (self), name, path_chosen_cb, g_object_ref (self));
}

static void
copy_command_clicked_cb (HsExportDialog *self)
{
  g_autoptr (HsExport) export = make_export (self);
  if (export == NULL)
    return;
  g_autofree char *name = hs_export_dup_file_name (export);
  g_autofree char *command = hs_export_dup_command (export, name);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  finish (self, _ ("The command is in the clipboard"));
}

/* Says how large the file will be, and greys out what its format has no use for. */
static void
options_changed_cb (HsExportDialog *self)
{
  if (is_closed (self))
    return;
  gboolean pixels = gtk_drop_down_get_selected (self->format) == ATTN_DRAW_PNG;
  gtk_widget_set_sensitive (self->scale, pixels);
  gtk_widget_set_sensitive (self->scale_label, pixels);
  g_autoptr (HsExport) export = make_export (self);
  gtk_widget_set_sensitive (self->save, export != NULL);
  gtk_widget_set_sensitive (self->copy_command, export != NULL);
  if (export == NULL)
    return;
  double width, height;
  hs_export_get_size (export, &width, &height);
  g_autofree char *text = pixels ? g_strdup_printf (_ ("%.0f × %.0f pixels"), width, height)
                                 : g_strdup_printf (_ ("%.1f × %.1f mm"), width, height);
  gtk_label_set_text (self->file_size, text);
}

static gboolean
escape_cb (GtkWidget *widget, GVariant *args, gpointer data)
{
  (void)args;
  (void)data;
  gtk_window_close (GTK_WINDOW (widget));
  return TRUE;
}

static void
hs_export_dialog_dispose (GObject *object)
{
  HsExportDialog *self = HS_EXPORT_DIALOG (object);
  g_clear_object (&self->picture);
  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_EXPORT_DIALOG);
  G_OBJECT_CLASS (hs_export_dialog_parent_class)->dispose (object);
}

static void
hs_export_dialog_class_init (HsExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_export_dialog_dispose;

  signals[SIGNAL_DONE] = g_signal_new ("done", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                       NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, cancel);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, save);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, copy_command);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, format);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, palette);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, scale_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, scale);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, print_size);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, width_mm);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, font_size);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, file_size);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, problem);
  gtk_widget_class_bind_template_callback (widget_class, save_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_command_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, options_changed_cb);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Escape, 0, escape_cb, NULL);
}

/* GTK 4.8 joins a button's label with its own name into "_Save… Save…"; one is enough. */
static void
name_once (GtkWidget *button)
{
  gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
hs_export_dialog_init (HsExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->ask_save = ask_by_chooser;
  name_once (self->cancel);
  name_once (self->save);
  name_once (self->copy_command);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->print_size), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Set the printed width"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->width_mm), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Printed width in millimetres"), -1);
}

GtkWidget *
hs_export_dialog_new (GtkWindow *parent, HsPicture *picture)
{
  HsExportDialog *self = g_object_new (HS_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  HsSession *session = hs_picture_peek_session (picture);
  self->picture = g_object_ref (picture);
  g_signal_connect_object (session, "notify::view", G_CALLBACK (options_changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  gtk_spin_button_set_value (self->font_size, hs_session_peek_view (session)->font_size_pt);
  options_changed_cb (self);
  return GTK_WIDGET (self);
}
