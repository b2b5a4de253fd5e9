/* SPDX-License-Identifier: MIT */
/* A search bar over the session's "find": typing looks, Return steps on, Escape is the end. */
#include "hs-find-bar.h"

#include <glib/gi18n.h>

struct _HsFindBar {
  HsPanel parent_instance;

  GtkSearchBar *search_bar;
  GtkSearchEntry *entry;
  GtkLabel *count;
};

G_DEFINE_FINAL_TYPE (HsFindBar, hs_find_bar, HS_TYPE_PANEL)

static HsSession *
peek_session (HsFindBar *self)
{
  return hs_panel_peek_session (HS_PANEL (self));
}

void
hs_find_bar_open (HsFindBar *self)
{
  g_return_if_fail (HS_IS_FIND_BAR (self));

  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (GTK_EDITABLE (self->entry), 0, -1);
}

static void
changed_cb (HsFindBar *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (peek_session (self) != NULL && gtk_search_bar_get_search_mode (self->search_bar))
    hs_session_set_find (peek_session (self), *text != '\0' ? text : NULL);
}

/* What was typed stays in the entry for the next time, but marks nothing any more. The keys go to
 * the picture, where the match is; what has the focus must not just vanish. */
static void
close_bar (HsFindBar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  hs_session_set_find (peek_session (self), NULL);
  if (!gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-picture", NULL) && root != NULL)
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
mode_changed_cb (HsFindBar *self)
{
  if (peek_session (self) == NULL)
    return;
  if (gtk_search_bar_get_search_mode (self->search_bar))
    changed_cb (self);
  else
    close_bar (self);
}

/* Typing is looked up a moment later; a step must not be among the matches of before. */
static void
step (HsFindBar *self, int by)
{
  const char *before = hs_session_peek_find (peek_session (self));
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->entry));

  if (g_strcmp0 (before != NULL ? before : "", text) == 0)
    hs_session_step_found (peek_session (self), by);
  else
    changed_cb (self);
}

static void
next_cb (HsFindBar *self)
{
  step (self, 1);
}

static void
previous_cb (HsFindBar *self)
{
  step (self, -1);
}

static gboolean
shift_return_cb (GtkWidget *widget, GVariant *args G_GNUC_UNUSED, gpointer data G_GNUC_UNUSED)
{
  previous_cb (HS_FIND_BAR (widget));
  return TRUE;
}

static char *
dup_count (HsSession *session)
{
  guint n = hs_session_peek_matches (session)->len;
  guint found = hs_session_get_found (session);

  if (hs_session_peek_find (session) == NULL)
    return g_strdup ("");
  if (n == 0)
    return g_strdup (_ ("Not found"));
  if (found == HS_NONE)
    return g_strdup_printf (ngettext ("%u match", "%u matches", n), n);
  return g_strdup_printf (_ ("%u of %u"), found + 1, n);
}

static void
hs_find_bar_update (HsPanel *panel)
{
  HsFindBar *self = HS_FIND_BAR (panel);
  HsSession *session = hs_panel_peek_session (panel);
  g_autofree char *count = dup_count (session);
  bool is_missing =
      hs_session_peek_find (session) != NULL && hs_session_peek_matches (session)->len == 0;

  gtk_label_set_text (self->count, count);
  if (is_missing)
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static void
hs_find_bar_dispose (GObject *object)
{
  g_object_set (object, "session", NULL, NULL); /* before its entry is emptied */
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_FIND_BAR);
  G_OBJECT_CLASS (hs_find_bar_parent_class)->dispose (object);
}

static void
hs_find_bar_class_init (HsFindBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_find_bar_dispose;
  HS_PANEL_CLASS (klass)->update = hs_find_bar_update;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, HsFindBar, search_bar);
  gtk_widget_class_bind_template_child (widget_class, HsFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, HsFindBar, count);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Return, GDK_SHIFT_MASK, shift_return_cb,
                                NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Enter, GDK_SHIFT_MASK, shift_return_cb,
                                NULL);
  gtk_widget_class_set_css_name (widget_class, "findbar");
}

static void
hs_find_bar_init (HsFindBar *self)
{
  static const char *const watched[] = {"find", "n-found", "found"};

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->entry));
  g_signal_connect_swapped (self->search_bar, "notify::search-mode-enabled",
                            G_CALLBACK (mode_changed_cb), self);
  g_signal_connect_swapped (self->entry, "search-changed", G_CALLBACK (changed_cb), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (next_cb), self);
  g_signal_connect_swapped (self->entry, "next-match", G_CALLBACK (next_cb), self);
  g_signal_connect_swapped (self->entry, "previous-match", G_CALLBACK (previous_cb), self);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_find_bar_update);
}
