/* SPDX-License-Identifier: MIT */
/* The window's actions that take the picture and its numbers out of it, or what a page of the lab
 * shows. */
#include "hs-export-actions.h"

#include "hs-errors.h"
#include "hs-export-dialog.h"
#include "hs-figure-actions.h"
#include "hs-lab-pages.h"
#include "hs-lab.h"
#include "hs-numbers.h"
#include "hs-picture-content.h"
#include "hs-work.h"

#include <glib/gi18n.h>

#define DATA "hs-export-actions"

/* Lives as long as the window, which owns all five. */
typedef struct {
  GtkApplicationWindow *window;
  HsPicture *picture;
  GtkWidget *button;
  GtkWidget *lab;
  HsStatusLine *status_line;
  HsExportOptions options; /* the dialog's, as it was left */
} Actions;

void
hs_export_actions_get_options (GtkApplicationWindow *window, HsExportOptions *options)
{
  Actions *actions = g_object_get_data (G_OBJECT (window), DATA);
  const AttnDrawLayout *layout = hs_picture_peek_layout (actions->picture);

  *options = actions->options;
  if (layout != NULL)
    hs_export_options_set_layout (options, layout);
}

void
hs_export_actions_set_options (GtkApplicationWindow *window, const HsExportOptions *options)
{
  Actions *actions = g_object_get_data (G_OBJECT (window), DATA);

  actions->options = *options;
}

/* What is copied and dragged: the screen's picture for paper, whatever the dialog is set to. */
static HsExport *
export_of_screen (gpointer data)
{
  Actions *actions = data;
  const AttnDrawLayout *layout = hs_picture_peek_layout (actions->picture);
  HsExportOptions options;

  if (layout == NULL || hs_session_get_in_lab (hs_picture_peek_session (actions->picture)))
    return NULL;
  hs_export_options_init (&options, layout);
  return hs_export_new (hs_picture_peek_session (actions->picture), &options);
}

static void
done_cb (HsExportDialog *dialog, const char *message, Actions *actions)
{
  hs_export_dialog_get_options (dialog, &actions->options);
  hs_status_line_say (actions->status_line, message);
}

/* In the lab what is on screen is the page's. Returns: whether that is so. */
static bool
run_in_lab (Actions *actions, const char *name, const char *format)
{
  GtkWidget *page = hs_lab_peek_page (HS_LAB (actions->lab));

  if (!hs_session_get_in_lab (hs_picture_peek_session (actions->picture)))
    return false;
  if (page != NULL)
    hs_figure_run (page, name, format);
  return true;
}

static void
export_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  Actions *actions = data;
  HsExportOptions options;
  GtkWidget *dialog;

  if (run_in_lab (actions, "export", NULL) || hs_picture_peek_layout (actions->picture) == NULL)
    return;
  hs_export_actions_get_options (actions->window, &options);
  dialog = hs_export_dialog_new (GTK_WINDOW (actions->window), actions->picture, &options);
  g_signal_connect (dialog, "done", G_CALLBACK (done_cb), actions);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
copy_image_cb (GSimpleAction *action G_GNUC_UNUSED,
               GVariant *parameter G_GNUC_UNUSED,
               gpointer data)
{
  Actions *actions = data;
  g_autoptr (GdkContentProvider) content = NULL;

  if (run_in_lab (actions, "copy", "png"))
    return;
  g_autoptr (HsExport) export = export_of_screen (actions);
  if (export == NULL)
    return;
  content = hs_picture_content_new (export, FALSE);
  gdk_clipboard_set_content (gtk_widget_get_clipboard (GTK_WIDGET (actions->window)), content);
  hs_status_line_say (actions->status_line, _ ("The picture is in the clipboard"));
}

static void
copy_command_cb (GSimpleAction *action G_GNUC_UNUSED,
                 GVariant *parameter G_GNUC_UNUSED,
                 gpointer data)
{
  Actions *actions = data;
  g_autofree char *name = NULL, *command = NULL;

  if (run_in_lab (actions, "copy-command", NULL))
    return;
  g_autoptr (HsExport) export = export_of_screen (actions);
  if (export == NULL)
    return;
  name = hs_export_dup_file_name (export);
  command = hs_export_dup_command (export, name);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (actions->window)), command);
  hs_status_line_say (actions->status_line, _ ("The command is in the clipboard"));
}

/* ---- the shown maps' numbers ---- */

typedef struct {
  GtkApplicationWindow *window; /* referenced */
  const char *done;             /* what is said when they are in the clipboard */
} Copying;

/* Of a comparison all maps are copied. */
static Copying *
copying_new (const Actions *actions)
{
  const AttnDrawPanels *panels =
      hs_session_peek_panels (hs_picture_peek_session (actions->picture));
  Copying *copying = g_new (Copying, 1);

  copying->window = g_object_ref (actions->window);
  copying->done = attn_draw_panels_peek_source_b (panels) == NULL
                      ? _ ("The numbers are in the clipboard")
                  : attn_draw_panels_is_difference (panels, attn_draw_panels_get_n (panels) - 1)
                      ? _ ("The numbers of A, B and A − B are in the clipboard")
                      : _ ("The numbers of A and B are in the clipboard");
  return copying;
}

static gpointer
make_table (gpointer numbers, HsReport *report G_GNUC_UNUSED, GError **error)
{
  return hs_numbers_dup_table (numbers, error);
}

static void
unref_numbers (gpointer numbers)
{
  hs_numbers_unref (numbers);
}

static void
table_made_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autofree Copying *copying = data;
  g_autoptr (GtkApplicationWindow) window = copying->window;
  Actions *actions = g_object_get_data (G_OBJECT (window), DATA);
  g_autoptr (GError) error = NULL;
  g_autofree char *table = hs_work_finish (result, &error);

  if (gtk_widget_in_destruction (GTK_WIDGET (window)) || !gtk_widget_get_root (GTK_WIDGET (window)))
    return;
  if (table == NULL) {
    hs_status_line_say (actions->status_line, hs_error_peek_sentence (error));
    return;
  }
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (window)), table);
  hs_status_line_say (actions->status_line, copying->done);
}

static void
copy_numbers_cb (GSimpleAction *action G_GNUC_UNUSED,
                 GVariant *parameter G_GNUC_UNUSED,
                 gpointer data)
{
  static const HsWorkClass klass = {make_table, unref_numbers, g_free};
  Actions *actions = data;

  if (run_in_lab (actions, "copy", "csv"))
    return;
  HsNumbers *numbers =
      hs_numbers_new (hs_picture_peek_session (actions->picture), ATTN_EXPORT_CSV, HS_NUMBERS_MAP);

  if (numbers != NULL)
    hs_work_start (&klass, numbers, NULL, NULL, NULL, table_made_cb, copying_new (actions));
}

static const GActionEntry entries[] = {
    {"export", export_cb},
    {"copy-image", copy_image_cb},
    {"copy-numbers", copy_numbers_cb},
    {"copy-command", copy_command_cb},
};

/* Of the lab's pages those with a figure give it out as the picture, code is text, and what
 * others found is no file. */
static bool
has (HsSession *session, const char *name)
{
  if (!hs_session_get_in_lab (session))
    return hs_session_peek_panels (session) != NULL;
  const HsLabPageInfo *page = hs_lab_pages_find (hs_session_get_lab_page (session));

  if (page->needs_model && hs_side_peek_attention (hs_session_peek_side (session)) != NULL)
    return false; /* which has no steps, and no heads' outputs, to show */
  switch (page->page) {
  case ATTN_DRAW_LAB_RESEARCH:
    return false;
  case ATTN_DRAW_LAB_CODE:
    return g_str_equal (name, "export") || g_str_equal (name, "copy-command");
  case ATTN_DRAW_LAB_PIPELINE:
  case ATTN_DRAW_LAB_HEADS:
  case ATTN_DRAW_LAB_HEAD_COUNT:
  case ATTN_DRAW_LAB_TRAIN:
  case ATTN_DRAW_LAB_ABLATION:
  case ATTN_DRAW_LAB_ATLAS:
  default:
    return true;
  }
}

static void
update_enabled (Actions *actions)
{
  HsSession *session = hs_picture_peek_session (actions->picture);

  for (size_t i = 0; i < G_N_ELEMENTS (entries); i++) {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (actions->window), entries[i].name);

    if (action != NULL)
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), has (session, entries[i].name));
  }
}

static void
session_changed_cb (HsSession *session G_GNUC_UNUSED,
                    GParamSpec *pspec G_GNUC_UNUSED,
                    GtkApplicationWindow *window)
{
  update_enabled (g_object_get_data (G_OBJECT (window), DATA));
}

void
hs_export_actions_add (GtkApplicationWindow *window,
                       HsPicture *picture,
                       GtkWidget *button,
                       GtkWidget *lab,
                       HsStatusLine *status_line)
{
  static const char *const properties[] = {"panels", "in-lab", "lab-page"};
  Actions *actions = g_new0 (Actions, 1);

  *actions = (Actions){.window = window,
                       .picture = picture,
                       .button = button,
                       .lab = lab,
                       .status_line = status_line};
  hs_export_options_init (&actions->options, NULL);
  g_object_set_data_full (G_OBJECT (window), DATA, actions, g_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), entries, G_N_ELEMENTS (entries), actions);
  for (size_t i = 0; i < G_N_ELEMENTS (properties); i++) {
    g_autofree char *signal = g_strconcat ("notify::", properties[i], NULL);
    g_signal_connect_object (hs_picture_peek_session (picture), signal,
                             G_CALLBACK (session_changed_cb), window, 0);
  }
  update_enabled (actions);
  hs_picture_content_drag_from (button, GTK_WIDGET (picture), export_of_screen, actions);
}
