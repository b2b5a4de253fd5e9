/* SPDX-License-Identifier: MIT */
/* What the model would put at each [MASK], one list a mask, or after the text; or why not. */
#include "hs-guesses-panel.h"

#include "hs-bar-list.h"

#include <glib/gi18n.h>

#include <stdbool.h>

#define MOST_MASKS 20 /* lists; a text of masks alone would make hundreds */

struct _HsGuessesPanel {
  HsPanel parent_instance;

  GtkWidget *reason; /* why there can be none */
  GPtrArray *lists;  /* HsBarList, owned by the widget tree */
};

G_DEFINE_FINAL_TYPE (HsGuessesPanel, hs_guesses_panel, HS_TYPE_PANEL)

static HsBarList *
ensure_list (HsGuessesPanel *self, size_t index)
{
  while (self->lists->len <= index) {
    GtkWidget *list = hs_bar_list_new ();
    gtk_widget_add_css_class (list, "panel");
    gtk_widget_set_parent (list, GTK_WIDGET (self));
    g_ptr_array_add (self->lists, list);
  }
  return g_ptr_array_index (self->lists, index);
}

static char *
dup_title (const AttnPredictions *predictions, size_t index)
{
  const size_t n = predictions->n;

  if (predictions->items[index].next)
    return g_strdup (_ ("Next-token guesses"));
  if (n == 1)
    return g_strdup (_ ("Guesses for [MASK]"));
  return g_strdup_printf (_ ("Guesses for [MASK] %zu of %zu"), index + 1, n);
}

static void
fill_list (HsBarList *list, const AttnPrediction *prediction, const char *title)
{
  g_autofree HsBarEntry *entries = g_new (HsBarEntry, prediction->n_guesses);
  for (size_t i = 0; i < prediction->n_guesses; i++)
    entries[i] = (HsBarEntry){prediction->guesses[i].text, prediction->guesses[i].p};
  hs_bar_list_set_entries (list, entries, prediction->n_guesses);
  g_object_set (list, "title", title, "footer", _ ("probability"), NULL);
}

static void
hs_guesses_panel_update (HsPanel *panel)
{
  HsGuessesPanel *self = HS_GUESSES_PANEL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  bool shows = answer != NULL && hs_session_peek_panels (session) != NULL;
  const AttnPredictions *predictions = shows ? answer->predictions : NULL;
  size_t n = predictions != NULL ? MIN (predictions->n, MOST_MASKS) : 0;
  for (size_t i = 0; i < n; i++) {
    g_autofree char *title = dup_title (predictions, i);
    fill_list (ensure_list (self, i), &predictions->items[i], title);
  }
  for (size_t i = 0; i < self->lists->len; i++)
    gtk_widget_set_visible (g_ptr_array_index (self->lists, i), i < n);
  gtk_widget_set_visible (self->reason, answer != NULL && answer->attention != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self), n > 0 || gtk_widget_get_visible (self->reason));
}

static void
hs_guesses_panel_dispose (GObject *object)
{
  HsGuessesPanel *self = HS_GUESSES_PANEL (object);
  g_clear_pointer (&self->reason, gtk_widget_unparent);
  for (size_t i = 0; i < self->lists->len; i++)
    gtk_widget_unparent (g_ptr_array_index (self->lists, i));
  g_ptr_array_set_size (self->lists, 0);
  G_OBJECT_CLASS (hs_guesses_panel_parent_class)->dispose (object);
}

static void
hs_guesses_panel_finalize (GObject *object)
{
  g_ptr_array_unref (HS_GUESSES_PANEL (object)->lists);
  G_OBJECT_CLASS (hs_guesses_panel_parent_class)->finalize (object);
}

static void
hs_guesses_panel_class_init (HsGuessesPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = hs_guesses_panel_dispose;
  object_class->finalize = hs_guesses_panel_finalize;
  HS_PANEL_CLASS (klass)->update = hs_guesses_panel_update;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

/* Greyed, as everything that needs a model. */
static void
add_reason (HsGuessesPanel *self)
{
  self->reason = gtk_label_new (_ ("Guesses need a model, and a file of weights has none."));
  gtk_label_set_wrap (GTK_LABEL (self->reason), TRUE);
  gtk_label_set_xalign (GTK_LABEL (self->reason), 0);
  gtk_widget_add_css_class (self->reason, "panel");
  gtk_widget_add_css_class (self->reason, "dim-label");
  gtk_widget_set_visible (self->reason, FALSE);
  gtk_widget_set_parent (self->reason, GTK_WIDGET (self));
}

static void
hs_guesses_panel_init (HsGuessesPanel *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));
  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), 12);
  self->lists = g_ptr_array_new ();
  add_reason (self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  /* a view always follows a new answer, within the same step */
  hs_panel_watch (HS_PANEL (self), "view", hs_guesses_panel_update);
}

GtkWidget *
hs_guesses_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_GUESSES_PANEL, "session", session, NULL);
}
