/* SPDX-License-Identifier: MIT */
/* The window's actions that take the picture out of it. */
#include "hs-export-actions.h"

#include "hs-errors.h"
#include "hs-export-dialog.h"
#include "hs-export.h"

#include <glib/gi18n.h>

#define COPY_SCALE 2 /* sharp enough for a slide */

/* Lives as long as the window, which owns all three. */
typedef struct {
  GtkApplicationWindow *window;
  HsPicture *picture;
  HsStatusLine *status_line;
} Actions;

static HsExport *
export_of_screen (Actions *actions)
{
  const AttnDrawLayout *layout = hs_picture_peek_layout (actions->picture);
  if (layout == NULL)
    return NULL;
  HsExportOptions options = {
      .format = ATTN_DRAW_PNG,
      .scale = COPY_SCALE,
      .width_px = attn_draw_layout_peek_view (layout)->width_px,
      .max_height_px = attn_draw_layout_peek_view (layout)->max_height_px,
  };
  return hs_export_new (hs_picture_peek_session (actions->picture), &options);
}

static void
done_cb (HsExportDialog *dialog, const char *message, Actions *actions)
{
  (void)dialog;
  hs_status_line_say (actions->status_line, message);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void)action;
  (void)parameter;
  Actions *actions = data;
  if (hs_picture_peek_layout (actions->picture) == NULL)
    return;
  GtkWidget *dialog = hs_export_dialog_new (GTK_WINDOW (actions->window), actions->picture);
  g_signal_connect (dialog, "done", G_CALLBACK (done_cb), actions);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
copy_image_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void)action;
  (void)parameter;
  Actions *actions = data;
  g_autoptr (HsExport) export = export_of_screen (actions);
  if (export == NULL)
    return;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = hs_export_dup_bytes (export, &error);
  if (bytes == NULL) {
    hs_status_line_say (actions->status_line, hs_error_peek_sentence (error));
    return;
  }
  g_autoptr (GdkContentProvider) content = gdk_content_provider_new_for_bytes ("image/png", bytes);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (actions->window)), content);
  hs_status_line_say (actions->status_line, _ ("The picture is in the clipboard"));
}

static void
copy_command_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  (void)action;
  (void)parameter;
  Actions *actions = data;
  g_autoptr (HsExport) export = export_of_screen (actions);
  if (export == NULL)
    return;
  g_autofree char *name = hs_export_dup_file_name (export);
  g_autofree char *command = hs_export_dup_command (export, name);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (actions->window)), command);
  hs_status_line_say (actions->status_line, _ ("The command is in the clipboard"));
}

static const GActionEntry entries[] = {
    {"export", export_cb},
    {"copy-image", copy_image_cb},
    {"copy-command", copy_command_cb},
};

static gboolean
has_panels (GBinding *binding, const GValue *from, GValue *to, gpointer data)
{
  (void)binding;
  (void)data;
  g_value_set_boolean (to, g_value_get_boxed (from) != NULL);
  return TRUE;
}

void
hs_export_actions_add (GtkApplicationWindow *window, HsPicture *picture, HsStatusLine *status_line)
{
  Actions *actions = g_new (Actions, 1);
  *actions = (Actions){window, picture, status_line};
  g_object_set_data_full (G_OBJECT (window), "hs-export-actions", actions, g_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), actions);
  for (size_t i = 0; i < G_N_ELEMENTS (entries); i++)
    g_object_bind_property_full (
        hs_picture_peek_session (picture), "panels",
        g_action_map_lookup_action (G_ACTION_MAP (window), entries[i].name), "enabled",
        G_BINDING_SYNC_CREATE, has_panels, NULL, NULL, NULL);
}
