/* SPDX-License-Identifier: MIT */
/* One piece of work at a time: making the file or a sample of it, then saving it. */
#include "hs-export-dialog.h"

#include "hs-accessible.h"
#include "hs-dialog-keys.h"
#include "hs-errors.h"
#include "hs-export-facts.h"
#include "hs-export-form.h"
#include "hs-export-preview.h"
#include "hs-fold.h"
#include "hs-numbers.h"
#include "hs-picture-content.h"
#include "hs-save.h"
#include "hs-told.h"

#include "attn/error.h"
#include "attn/quote.h"

#include <glib/gi18n.h>

#include <string.h>

#define REFRESH_AFTER_MS 120 /* of the last change: a spin button may be held */
#define SHOW_WORK_AFTER_MS 300
#define PREVIEW_PX 1400

struct _HsExportDialog {
  GtkWindow parent_instance;

  HsPicture *picture;
  HsAsk ask;
  HsExportForm *form;
  HsExportPreview *preview;
  GtkWidget *cancel, *save, *copy_command, *working, *stop;
  GtkProgressBar *progress;
  GtkLabel *copied, *facts, *problem;

  GCancellable *work; /* identity of what is under way; NULL for nothing */
  GBytes *bytes;      /* nullable: the picture's file, once it is made */
  char *path;         /* nullable: where it is to be saved as soon as it is made */
  guint refresh_source, working_source;
};

enum { SIGNAL_DONE, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HsExportDialog, hs_export_dialog, GTK_TYPE_WINDOW)

void
hs_export_dialog_set_ask (HsExportDialog *self, HsAsk ask)
{
  g_return_if_fail (HS_IS_EXPORT_DIALOG (self));
  self->ask = ask;
}

void
hs_export_dialog_get_options (HsExportDialog *self, HsExportOptions *options)
{
  const AttnDrawLayout *layout;

  g_return_if_fail (HS_IS_EXPORT_DIALOG (self));
  layout = hs_picture_peek_layout (self->picture);
  hs_export_options_init (options, layout);
  hs_export_form_get_options (self->form, options);
}

static HsExport *
make_export (HsExportDialog *self)
{
  HsExportOptions options;

  if (hs_picture_peek_layout (self->picture) == NULL)
    return NULL;
  hs_export_dialog_get_options (self, &options);
  return hs_export_new (hs_picture_peek_session (self->picture), &options);
}

/* Returns: (nullable): what is to be written when numbers are chosen. */
static HsNumbers *
make_numbers (HsExportDialog *self)
{
  AttnExportFormat format;
  HsNumbersExtent extent;

  if (!hs_export_form_get_numbers (self->form, &format, &extent))
    return NULL;
  return hs_numbers_new (hs_picture_peek_session (self->picture), format, extent);
}

/* ---- work ---- */

static gboolean
show_working_cb (gpointer data)
{
  HsExportDialog *self = data;

  self->working_source = 0;
  gtk_widget_set_visible (self->working, TRUE);
  return G_SOURCE_REMOVE;
}

static void
end_work (HsExportDialog *self)
{
  g_clear_object (&self->work);
  g_clear_handle_id (&self->working_source, g_source_remove);
  gtk_widget_set_visible (self->working, FALSE);
  hs_export_preview_set_stale (self->preview, FALSE);
  gtk_widget_set_sensitive (self->save, TRUE);
}

static void
stop_work (HsExportDialog *self)
{
  if (self->work == NULL)
    return;
  g_cancellable_cancel (self->work);
  end_work (self);
}

/* Returns: (transfer none): the identity of new work. */
static GCancellable *
begin_work (HsExportDialog *self)
{
  stop_work (self);
  self->work = g_cancellable_new ();
  gtk_progress_bar_set_fraction (self->progress, 0);
  self->working_source = g_timeout_add (SHOW_WORK_AFTER_MS, show_working_cb, self);
  return self->work;
}

static void
progress_cb (double fraction, gpointer data)
{
  HsExportDialog *self = data;

  gtk_progress_bar_set_fraction (self->progress, fraction);
}

static void
show_problem (HsExportDialog *self, const char *text)
{
  gtk_label_set_text (self->problem, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->problem), text != NULL);
}

static void
show_error (HsExportDialog *self, const GError *error)
{
  g_autofree char *told = hs_told_dup (error->message);
  g_autofree char *text = g_strdup_printf ("%s\n%s", hs_error_peek_sentence (error), told);

  show_problem (self, text);
}

/* The newest work counts; what was stopped is dropped. */
typedef struct {
  HsExportDialog *self; /* referenced */
  GCancellable *identity;
} Call;

static Call *
call_new (HsExportDialog *self, GCancellable *identity)
{
  Call *call = g_new (Call, 1);

  *call = (Call){g_object_ref (self), g_object_ref (identity)};
  return call;
}

/* Returns: (nullable) (transfer full): the dialog, if this was its newest work, which has ended. */
static HsExportDialog *
call_end (Call *call)
{
  HsExportDialog *self = call->self;
  const bool newest = self->work == call->identity;

  g_object_unref (call->identity);
  g_free (call);
  if (newest) {
    end_work (self);
    return self;
  }
  g_object_unref (self);
  return NULL;
}

/* ---- saving ---- */

static void
saved (HsExportDialog *self, const char *path, const GError *error)
{
  if (path == NULL) {
    show_error (self, error);
    return;
  }
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  g_autofree char *message = g_strdup_printf (_ ("Saved as %s"), shown);

  g_signal_emit (self, signals[SIGNAL_DONE], 0, message);
  gtk_window_close (GTK_WINDOW (self));
}

static void
picture_saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_save_finish (result, &error);
  g_autoptr (HsExportDialog) self = call_end (data);

  if (self != NULL)
    saved (self, path, error);
}

static void
numbers_saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = hs_numbers_save_finish (result, &error);
  g_autoptr (HsExportDialog) self = call_end (data);

  if (self != NULL)
    saved (self, path, error);
}

/* Numbers are written now, a picture as soon as it is made. */
static void
save_if_ready (HsExportDialog *self)
{
  g_autoptr (HsNumbers) numbers = make_numbers (self);
  g_autofree char *path = NULL;
  GCancellable *work;

  if (self->path == NULL || (numbers == NULL && self->bytes == NULL))
    return;
  path = g_steal_pointer (&self->path);
  work = begin_work (self);
  gtk_widget_set_sensitive (self->save, FALSE);
  if (numbers != NULL)
    hs_numbers_save_async (numbers, path, work, progress_cb, self, numbers_saved_cb,
                           call_new (self, work));
  else
    hs_save_bytes_async (self->bytes, path, picture_saved_cb, call_new (self, work));
}

/* A name that ends in .png, .svg or .pdf says what the file is to be; any other gets the ending of
 * the format chosen, so that no file lies about its content. */
static char *
settle_format (HsExportDialog *self, const char *path)
{
  const char *dot = strrchr (path, '.');

  if (dot != NULL && hs_export_form_choose (self->form, dot + 1))
    return hs_ask_dup_single_ending (path);
  return g_strdup_printf ("%s.%s", path, hs_export_form_peek_extension (self->form));
}

static gboolean refresh_cb (gpointer data);

static void
path_chosen_cb (char *path, gpointer data)
{
  g_autoptr (HsExportDialog) self = data;
  g_autofree char *chosen = path;
  g_autofree char *settled = NULL;

  if (chosen == NULL || self->picture == NULL) /* the chooser may outlive the dialog */
    return;
  settled = settle_format (self, chosen);
  if (strcmp (settled, chosen) != 0 && g_file_test (settled, G_FILE_TEST_EXISTS)) {
    /* the chooser asked about replacing another name */
    g_autofree char *shown = attn_file_dup_shown (settled, strlen (settled));
    g_autofree char *text =
        g_strdup_printf (_ ("%s exists already; choose it to replace it."), shown);
    show_problem (self, text);
    return;
  }
  self->path = g_steal_pointer (&settled);
  save_if_ready (self);
  if (self->path != NULL && self->work == NULL && self->refresh_source == 0)
    refresh_cb (self); /* what would be saved was stopped */
}

static void
save_clicked_cb (HsExportDialog *self)
{
  g_autoptr (HsNumbers) numbers = make_numbers (self);
  g_autoptr (HsExport) export = make_export (self);
  g_autofree char *name = NULL;

  if (export == NULL)
    return;
  show_problem (self, NULL);
  name = numbers != NULL ? hs_numbers_dup_file_name (numbers) : hs_export_dup_file_name (export);
  const HsQuestion question = {
      .action = GTK_FILE_CHOOSER_ACTION_SAVE,
      .title = numbers != NULL ? _ ("Save numbers") : _ ("Save picture"),
      .accept = _ ("_Save"),
      .name = name,
  };
  self->ask (GTK_WINDOW (self), &question, path_chosen_cb, g_object_ref (self));
}

/* ---- what the file will be ---- */

static void
made_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HsExportFile) file = hs_export_make_finish (result, &error);
  g_autoptr (HsExportDialog) self = call_end (data);
  g_autofree char *facts = NULL;
  HsExportOptions options;

  if (self == NULL)
    return;
  if (file == NULL) {
    show_error (self, error);
    return;
  }
  hs_export_dialog_get_options (self, &options);
  self->bytes = g_bytes_ref (file->bytes);
  hs_export_preview_show_pages (self->preview, file->preview, file->n_pages);
  facts = hs_export_facts_dup_of_picture (file, options.format);
  gtk_label_set_text (self->facts, facts);
  save_if_ready (self);
}

static void
sampled_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (HsNumbersSample) sample = hs_numbers_sample_finish (result, &error);
  g_autoptr (HsExportDialog) self = call_end (data);
  g_autofree char *facts = NULL;

  if (self == NULL)
    return;
  if (sample == NULL) {
    show_error (self, error);
    return;
  }
  hs_export_preview_show_text (self->preview, sample->text);
  facts = hs_export_facts_dup_of_numbers (sample);
  gtk_label_set_text (self->facts, facts);
}

static gboolean
refresh_cb (gpointer data)
{
  HsExportDialog *self = data;
  g_autoptr (HsNumbers) numbers = make_numbers (self);
  g_autoptr (HsExport) export = make_export (self);
  GCancellable *work;

  self->refresh_source = 0;
  gtk_widget_set_sensitive (self->save, export != NULL);
  gtk_widget_set_sensitive (self->copy_command, export != NULL);
  if (export == NULL)
    return G_SOURCE_REMOVE;
  work = begin_work (self);
  hs_export_preview_set_stale (self->preview, TRUE);
  if (numbers != NULL) {
    hs_numbers_sample_async (numbers, work, sampled_cb, call_new (self, work));
  } else {
    const HsExportWish wish = {PREVIEW_PX, progress_cb, self};
    hs_export_make_async (export, &wish, work, made_cb, call_new (self, work));
  }
  return G_SOURCE_REMOVE;
}

static void
update_compared (HsExportDialog *self)
{
  AttnDrawPanels *panels = hs_session_peek_panels (hs_picture_peek_session (self->picture));

  hs_export_form_set_compared (self->form,
                               panels != NULL && attn_draw_panels_peek_source_b (panels) != NULL);
}

/* Something else is to be made: what was made is of no use any more. */
static void
changed_cb (HsExportDialog *self)
{
  update_compared (self);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  show_problem (self, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->copied), FALSE); /* it is of other settings */
  stop_work (self);
  g_clear_handle_id (&self->refresh_source, g_source_remove);
  self->refresh_source = g_timeout_add (REFRESH_AFTER_MS, refresh_cb, self);
}

static void
stop_clicked_cb (HsExportDialog *self)
{
  const GError stopped = {ATTN_ERROR, ATTN_ERROR_CANCELLED, NULL};

  g_clear_pointer (&self->path, g_free);
  stop_work (self);
  show_problem (self, hs_error_peek_sentence (&stopped));
}

static void
copy_command_clicked_cb (HsExportDialog *self)
{
  g_autoptr (HsNumbers) numbers = make_numbers (self);
  g_autoptr (HsExport) export = make_export (self);
  g_autofree char *name = NULL, *command = NULL;

  if (export == NULL)
    return;
  name = numbers != NULL ? hs_numbers_dup_file_name (numbers) : hs_export_dup_file_name (export);
  command = numbers != NULL ? hs_numbers_dup_command (numbers, name)
                            : hs_export_dup_command (export, name);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), command);
  gtk_label_set_text (self->copied, _ ("The command is in the clipboard"));
  gtk_widget_set_visible (GTK_WIDGET (self->copied), TRUE);
}

/* ---- object ---- */

static void
hs_export_dialog_dispose (GObject *object)
{
  HsExportDialog *self = HS_EXPORT_DIALOG (object);

  /* a number half typed is taken when its field goes, after everything else has gone */
  if (self->form != NULL)
    g_signal_handlers_disconnect_by_func (self->form, changed_cb, self);
  g_clear_handle_id (&self->refresh_source, g_source_remove);
  g_clear_handle_id (&self->working_source, g_source_remove);
  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
  g_clear_pointer (&self->bytes, g_bytes_unref);
  g_clear_pointer (&self->path, g_free);
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
  g_type_ensure (HS_TYPE_EXPORT_FORM);
  g_type_ensure (HS_TYPE_EXPORT_PREVIEW);
  g_type_ensure (HS_TYPE_FOLD);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-export-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, form);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, preview);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, cancel);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, save);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, copy_command);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, copied);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, working);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, stop);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, progress);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, facts);
  gtk_widget_class_bind_template_child (widget_class, HsExportDialog, problem);
  gtk_widget_class_bind_template_callback (widget_class, save_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, copy_command_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, stop_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
  hs_dialog_keys_add (widget_class);
}

static void
hs_export_dialog_init (HsExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->ask = hs_ask_by_chooser;
  hs_accessible_name_all (GTK_WIDGET (self));
}

static HsExport *
export_of_preview (gpointer data)
{
  return make_export (data);
}

GtkWidget *
hs_export_dialog_new (GtkWindow *parent, HsPicture *picture, const HsExportOptions *options)
{
  HsExportDialog *self = g_object_new (HS_TYPE_EXPORT_DIALOG, "transient-for", parent, NULL);
  HsSession *session = hs_picture_peek_session (picture);
  GtkWidget *shown = hs_export_preview_peek_picture (self->preview);

  self->picture = g_object_ref (picture);
  hs_export_form_set_options (self->form, options);
  update_compared (self);
  hs_picture_content_drag_from (shown, shown, export_of_preview, self);
  g_signal_connect_object (session, "notify::view", G_CALLBACK (changed_cb), self,
                           G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  refresh_cb (self);
  return GTK_WIDGET (self);
}
