/* SPDX-License-Identifier: MIT */
/* Each action asks the widget's owner for the file of the moment. */
#include "hs-figure-actions.h"

#include <glib/gi18n.h>

#define DATA "hs-figure-actions"

/* The group is the widget's and goes with it. */
typedef struct {
  const HsFigureOwner *owner;
  GtkWidget *widget; /* borrowed */
} Acting;

void
hs_figure_owner_save (const HsFigureOwner *owner, GtkWidget *widget, const char *format, HsAsk ask)
{
  HsFigureFile file;

  if (owner->find_file (widget, &file))
    hs_figure_save (widget, &file, format, ask, owner->say);
}

void
hs_figure_owner_export (const HsFigureOwner *owner, GtkWidget *widget, HsAsk ask)
{
  hs_figure_owner_save (owner, widget, NULL, ask);
}

static void
export_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *parameter G_GNUC_UNUSED, gpointer data)
{
  const Acting *acting = data;

  hs_figure_owner_export (acting->owner, acting->widget, hs_ask_by_chooser);
}

static void
save_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *format, gpointer data)
{
  const Acting *acting = data;

  hs_figure_owner_save (acting->owner, acting->widget, g_variant_get_string (format, NULL),
                        hs_ask_by_chooser);
}

static void
copy_cb (GSimpleAction *action G_GNUC_UNUSED, GVariant *format, gpointer data)
{
  const Acting *acting = data;
  HsFigureFile file;

  if (acting->owner->find_file (acting->widget, &file))
    hs_figure_copy (acting->widget, &file, g_variant_get_string (format, NULL), acting->owner->say);
}

static void
copy_command_cb (GSimpleAction *action G_GNUC_UNUSED,
                 GVariant *parameter G_GNUC_UNUSED,
                 gpointer data)
{
  const Acting *acting = data;
  g_autofree char *command = acting->owner->dup_command (acting->widget);

  if (command == NULL)
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (acting->widget), command);
  acting->owner->say (acting->widget, _ ("The command is in the clipboard"));
}

void
hs_figure_add_actions (GtkWidget *widget, const HsFigureOwner *owner)
{
  static const GActionEntry entries[] = {
      {.name = "save", .activate = save_cb, .parameter_type = "s"},
      {.name = "copy", .activate = copy_cb, .parameter_type = "s"},
      {.name = "export", .activate = export_cb},
      {.name = "copy-command", .activate = copy_command_cb},
  };
  g_autoptr (GSimpleActionGroup) group = g_simple_action_group_new ();
  Acting *acting = g_new (Acting, 1);

  *acting = (Acting){owner, widget};
  g_action_map_add_action_entries (G_ACTION_MAP (group), entries, G_N_ELEMENTS (entries), acting);
  g_object_set_data_full (G_OBJECT (group), "acting", acting, g_free);
  hs_figure_set_actions (widget, G_ACTION_GROUP (group));
}

void
hs_figure_set_actions (GtkWidget *widget, GActionGroup *group)
{
  gtk_widget_insert_action_group (widget, "figure", group);
  g_object_set_data_full (G_OBJECT (widget), DATA, g_object_ref (group), g_object_unref);
}

static GActionGroup *
find_group (GtkWidget *widget)
{
  GActionGroup *group = g_object_get_data (G_OBJECT (widget), DATA);

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && group == NULL;
       child = gtk_widget_get_next_sibling (child))
    group = find_group (child);
  return group;
}

void
hs_figure_run (GtkWidget *page, const char *name, const char *format)
{
  GActionGroup *group = find_group (page);

  if (group != NULL && g_action_group_has_action (group, name))
    g_action_group_activate_action (group, name,
                                    format != NULL ? g_variant_new_string (format) : NULL);
}
