/* SPDX-License-Identifier: MIT */
/* One walk over the widgets, with a case for each kind. */
#include "hs-accessible.h"

#include <glib/gi18n.h>

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

/* Returns: (transfer full): the text without its mnemonic's underscore. */
static char *
dup_plain (const char *text)
{
  GString *plain = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    if (*p != '_' || p[1] == '_')
      g_string_append_c (plain, *p == '_' ? *p++ : *p);
  return g_string_free (plain, FALSE);
}

/* ---- a label outside, the value inside ---- */

/* Returns: (nullable): the first that takes the keys in @widget. */
static GtkWidget *
find_focusable (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = gtk_widget_get_focusable (child) ? child : find_focusable (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

/* Returns: (nullable). */
static const char *
peek_value (GtkWidget *widget)
{
  if (GTK_IS_MENU_BUTTON (widget))
    return gtk_menu_button_get_label (GTK_MENU_BUTTON (widget));
  gpointer item = gtk_drop_down_get_selected_item (GTK_DROP_DOWN (widget));
  return GTK_IS_STRING_OBJECT (item) ? gtk_string_object_get_string (item) : NULL;
}

static void
value_changed_cb (GtkWidget *widget)
{
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (widget);
  GtkWidget *inside = find_focusable (widget);
  const char *value = peek_value (widget);

  if (labels == NULL || inside == NULL || value == NULL)
    return;
  g_autofree char *name =
      g_strdup_printf (_ ("%s: %s"), gtk_label_get_text (GTK_LABEL (labels->data)), value);
  set_name (inside, name);
  /* the value's own label would be said once more */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static void
follow_value (GtkWidget *widget, const char *signal)
{
  g_signal_connect (widget, signal, G_CALLBACK (value_changed_cb), NULL);
  value_changed_cb (widget);
}

/* ---- buttons ---- */

static void
name_icon (GtkWidget *button, const char *icon)
{
  static const struct {
    const char *icon, *name;
  } names[] = {
      {"window-close-symbolic", N_ ("Close")},
      {"edit-find-symbolic", N_ ("Search")},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_equal (icon, names[i].icon) && gtk_widget_get_tooltip_text (button) == NULL)
      set_name (button, _ (names[i].name));
}

/* A button with a label is named by that already. */
static void
name_button (GtkButton *button)
{
  if (gtk_button_get_icon_name (button) != NULL)
    name_icon (GTK_WIDGET (button), gtk_button_get_icon_name (button));
  else if (gtk_button_get_label (button) != NULL && gtk_button_get_use_underline (button))
    gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

void
hs_accessible_set_label (GtkButton *button, const char *label)
{
  g_return_if_fail (GTK_IS_BUTTON (button) && label != NULL);

  if (g_strcmp0 (gtk_button_get_label (button), label) != 0)
    gtk_button_set_label (button, label);
  name_button (button);
}

static void
name_search (GtkWidget *entry)
{
  g_autofree char *placeholder = NULL;

  g_object_get (entry, "placeholder-text", &placeholder, NULL);
  set_name (entry, placeholder != NULL ? placeholder : _ ("Search"));
}

static void
name_plain (GtkWidget *widget, const char *label)
{
  g_autofree char *plain = label != NULL ? dup_plain (label) : NULL;

  if (plain != NULL)
    set_name (widget, plain);
}

void
hs_accessible_name_all (GtkWidget *widget)
{
  if (GTK_IS_DROP_DOWN (widget))
    follow_value (widget, "notify::selected-item");
  else if (GTK_IS_MENU_BUTTON (widget))
    follow_value (widget, "notify::label");
  else if (GTK_IS_BUTTON (widget))
    name_button (GTK_BUTTON (widget));
  else if (GTK_IS_SEARCH_ENTRY (widget))
    name_search (widget);
  else if (GTK_IS_EXPANDER (widget))
    name_plain (widget, gtk_expander_get_label (GTK_EXPANDER (widget)));
  else if (GTK_IS_CHECK_BUTTON (widget) &&
           gtk_check_button_get_use_underline (GTK_CHECK_BUTTON (widget)))
    name_plain (widget, gtk_check_button_get_label (GTK_CHECK_BUTTON (widget)));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    hs_accessible_name_all (child);
}
