/* SPDX-License-Identifier: MIT */
/* A content provider over an export. */
#include "hs-picture-content.h"

#include "hs-drag-folder.h"
#include "hs-save.h"

#include <string.h>

#define ICON_PX 160
#define MIME_FILES "text/uri-list"

struct _HsPictureContent {
  GdkContentProvider parent_instance;

  HsExport *export;
  gboolean as_file;
};

#define HS_TYPE_PICTURE_CONTENT (hs_picture_content_get_type ())
G_DECLARE_FINAL_TYPE (HsPictureContent, hs_picture_content, HS, PICTURE_CONTENT, GdkContentProvider)
G_DEFINE_FINAL_TYPE (HsPictureContent, hs_picture_content, GDK_TYPE_CONTENT_PROVIDER)

/* ---- writing what is asked for ---- */

static void
written_cb (GObject *stream, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;

  if (g_output_stream_write_all_finish (G_OUTPUT_STREAM (stream), result, NULL, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

/* @bytes: kept until they are written. */
static void
write_to_stream (GTask *task, GBytes *bytes)
{
  GOutputStream *stream = g_task_get_task_data (task);
  gsize size = 0;
  const void *data = g_bytes_get_data (bytes, &size);

  g_object_set_data_full (G_OBJECT (task), "hs-bytes", g_bytes_ref (bytes),
                          (GDestroyNotify)g_bytes_unref);
  g_output_stream_write_all_async (stream, data, size, g_task_get_priority (task),
                                   g_task_get_cancellable (task), written_cb, g_object_ref (task));
}

static void
saved_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autofree char *path = hs_save_finish (result, &error);
  g_autofree char *uri = path != NULL ? g_filename_to_uri (path, NULL, &error) : NULL;

  if (uri == NULL) {
    g_task_return_error (task, error);
    return;
  }
  g_autofree char *line = g_strconcat (uri, "\r\n", NULL);
  g_autoptr (GBytes) bytes = g_bytes_new (line, strlen (line));
  write_to_stream (task, bytes);
}

static void
made_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  HsPictureContent *self = g_task_get_source_object (task);
  GError *error = NULL;
  g_autoptr (HsExportFile) file = hs_export_make_finish (result, &error);
  const bool as_file = g_object_get_data (G_OBJECT (task), "hs-as-file") != NULL;
  g_autofree char *name = hs_export_dup_file_name (self->export);
  g_autofree char *path = file != NULL && as_file ? hs_drag_folder_dup_path (name, &error) : NULL;

  if (file == NULL || (as_file && path == NULL))
    g_task_return_error (task, error);
  else if (as_file)
    hs_save_bytes_async (file->bytes, path, saved_cb, g_object_ref (task));
  else
    write_to_stream (task, file->bytes);
}

static void
hs_picture_content_write_async (GdkContentProvider *provider,
                                const char *mime_type,
                                GOutputStream *stream,
                                int io_priority,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  HsPictureContent *self = HS_PICTURE_CONTENT (provider);
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  g_autoptr (HsExport) export = NULL;

  g_task_set_priority (task, io_priority);
  g_task_set_task_data (task, g_object_ref (stream), g_object_unref);
  if (g_strcmp0 (mime_type, MIME_FILES) == 0) {
    g_object_set_data (G_OBJECT (task), "hs-as-file", self);
    export = hs_export_ref (self->export);
  } else {
    export = hs_export_dup_as (
        self->export, g_strcmp0 (mime_type, "image/png") == 0 ? ATTN_DRAW_PNG : ATTN_DRAW_SVG);
  }
  hs_export_make_async (export, NULL, cancellable, made_cb, g_object_ref (task));
}

static gboolean
hs_picture_content_write_finish (GdkContentProvider *provider G_GNUC_UNUSED,
                                 GAsyncResult *result,
                                 GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static GdkContentFormats *
hs_picture_content_ref_formats (GdkContentProvider *provider)
{
  HsPictureContent *self = HS_PICTURE_CONTENT (provider);
  GdkContentFormatsBuilder *builder = gdk_content_formats_builder_new ();

  if (self->as_file)
    gdk_content_formats_builder_add_mime_type (builder, MIME_FILES);
  gdk_content_formats_builder_add_mime_type (builder, "image/png");
  gdk_content_formats_builder_add_mime_type (builder, "image/svg+xml");
  return gdk_content_formats_builder_free_to_formats (builder);
}

static void
hs_picture_content_finalize (GObject *object)
{
  hs_export_unref (HS_PICTURE_CONTENT (object)->export);
  G_OBJECT_CLASS (hs_picture_content_parent_class)->finalize (object);
}

static void
hs_picture_content_class_init (HsPictureContentClass *klass)
{
  GdkContentProviderClass *provider_class = GDK_CONTENT_PROVIDER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = hs_picture_content_finalize;
  provider_class->ref_formats = hs_picture_content_ref_formats;
  provider_class->write_mime_type_async = hs_picture_content_write_async;
  provider_class->write_mime_type_finish = hs_picture_content_write_finish;
}

static void
hs_picture_content_init (HsPictureContent *self G_GNUC_UNUSED)
{
}

GdkContentProvider *
hs_picture_content_new (HsExport *export, gboolean as_file)
{
  HsPictureContent *self = g_object_new (HS_TYPE_PICTURE_CONTENT, NULL);

  self->export = hs_export_ref (export);
  self->as_file = as_file;
  return GDK_CONTENT_PROVIDER (self);
}

/* ---- dragging ---- */

typedef struct {
  GtkWidget *icon; /* unowned: lives as long as the widget that is dragged */
  HsDragged dragged;
  gpointer data;
} Drag;

static GdkContentProvider *
prepare_cb (GtkDragSource *source G_GNUC_UNUSED,
            double x G_GNUC_UNUSED,
            double y G_GNUC_UNUSED,
            Drag *drag)
{
  g_autoptr (HsExport) export = drag->dragged (drag->data);

  return export != NULL ? hs_picture_content_new (export, TRUE) : NULL;
}

GdkPaintable *
hs_picture_content_dup_icon (GtkWidget *widget)
{
  g_autoptr (GdkPaintable) whole = gtk_widget_paintable_new (widget);
  const double width = gdk_paintable_get_intrinsic_width (whole);
  const double height = gdk_paintable_get_intrinsic_height (whole);
  const double scale = MIN (ICON_PX / MAX (MAX (width, height), 1), 1);
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GskRenderNode) node = NULL;

  gdk_paintable_snapshot (whole, snapshot, width * scale, height * scale);
  node = gtk_snapshot_free_to_node (snapshot);
  if (node == NULL)
    return NULL; /* of which GTK makes no paintable */
  snapshot = gtk_snapshot_new ();
  gtk_snapshot_append_node (snapshot, node);
  return gtk_snapshot_free_to_paintable (
      snapshot, &GRAPHENE_SIZE_INIT ((float)(width * scale), (float)(height * scale)));
}

static void
begin_cb (GtkDragSource *source, GdkDrag *gdk_drag G_GNUC_UNUSED, Drag *drag)
{
  g_autoptr (GdkPaintable) icon = hs_picture_content_dup_icon (drag->icon);

  if (icon != NULL)
    gtk_drag_source_set_icon (source, icon, 0, 0);
}

static void
free_drag (gpointer drag, GClosure *closure G_GNUC_UNUSED)
{
  g_free (drag);
}

void
hs_picture_content_drag_from (GtkWidget *widget, GtkWidget *icon, HsDragged dragged, gpointer data)
{
  GtkDragSource *source = gtk_drag_source_new ();
  Drag *drag = g_new (Drag, 1);

  *drag = (Drag){icon, dragged, data};
  gtk_drag_source_set_actions (source, GDK_ACTION_COPY);
  /* before a button that would take the press for a click */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (source), GTK_PHASE_CAPTURE);
  g_signal_connect_data (source, "prepare", G_CALLBACK (prepare_cb), drag, free_drag, 0);
  g_signal_connect (source, "drag-begin", G_CALLBACK (begin_cb), drag);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (source));
}
