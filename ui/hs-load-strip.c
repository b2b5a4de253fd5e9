/* SPDX-License-Identifier: MIT */
/* A name, a bar and a button, shown when a load takes long enough to be noticed. */
#include "hs-load-strip.h"

#include <glib/gi18n.h>

#define LONG_LOAD_MS 300

struct _HsLoadStrip {
  HsPanel parent_instance;

  guint timeout; /* until the load has taken long */
  GtkLabel *label;
  GtkProgressBar *progress;
};

G_DEFINE_FINAL_TYPE (HsLoadStrip, hs_load_strip, HS_TYPE_PANEL)

static void
long_cb (gpointer data)
{
  HsLoadStrip *self = data;

  self->timeout = 0;
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
hide (HsLoadStrip *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  g_clear_handle_id (&self->timeout, g_source_remove);
  /* the keyboard must not be left on what is about to vanish */
  if (root != NULL && gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL)
    gtk_widget_child_focus (GTK_WIDGET (root), GTK_DIR_TAB_FORWARD);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
coming_changed_cb (HsLoadStrip *self, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  const char *coming = hs_side_peek_coming (side);
  g_autofree char *text = NULL;

  if (coming == NULL) {
    hide (self);
    return;
  }
  text = g_strdup_printf (_ ("Loading %s…"), coming);
  gtk_label_set_text (self->label, text);
  gtk_progress_bar_set_fraction (self->progress, hs_side_get_progress (side));
  if (self->timeout == 0 && !gtk_widget_get_visible (GTK_WIDGET (self)))
    self->timeout = g_timeout_add_once (LONG_LOAD_MS, long_cb, self);
}

/* The session is given once. */
static void
hs_load_strip_update (HsPanel *panel)
{
  HsSide *side = hs_session_peek_side (hs_panel_peek_session (panel));

  if (g_signal_handler_find (side, G_SIGNAL_MATCH_FUNC | G_SIGNAL_MATCH_DATA, 0, 0, NULL,
                             (gpointer)coming_changed_cb, panel) == 0) {
    g_signal_connect_object (side, "notify::coming", G_CALLBACK (coming_changed_cb), panel,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (side, "notify::progress", G_CALLBACK (coming_changed_cb), panel,
                             G_CONNECT_SWAPPED);
  }
  coming_changed_cb (HS_LOAD_STRIP (panel), NULL, side);
}

static void
hs_load_strip_dispose (GObject *object)
{
  g_clear_handle_id (&HS_LOAD_STRIP (object)->timeout, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LOAD_STRIP);
  G_OBJECT_CLASS (hs_load_strip_parent_class)->dispose (object);
}

static void
hs_load_strip_class_init (HsLoadStripClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_load_strip_dispose;
  HS_PANEL_CLASS (klass)->update = hs_load_strip_update;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-load-strip.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLoadStrip, label);
  gtk_widget_class_bind_template_child (widget_class, HsLoadStrip, progress);
}

static void
hs_load_strip_init (HsLoadStrip *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hs_load_strip_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LOAD_STRIP, "session", session, NULL);
}
