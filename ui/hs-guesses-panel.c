/* SPDX-License-Identifier: MIT */
/* What the model would put at each [MASK], one list a mask, or after the text; or why not. In a
 * comparison what A's would and what B's would. */
#include "hs-guesses-panel.h"

#include "hs-bar-list.h"

#include <glib/gi18n.h>

#include <stdbool.h>

#define MOST_MASKS 20 /* lists of a side; a text of masks alone would make hundreds */

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

/* One side's guesses. */
typedef struct {
  const AttnPredictions *predictions; /* nullable */
  const char *name;                   /* nullable: "A" or "B", where there are two sides */
} Side;

static size_t
count_lists (const Side *side)
{
  return side->predictions != NULL ? MIN (side->predictions->n, MOST_MASKS) : 0;
}

static char *
dup_title (const Side *side, size_t index)
{
  const size_t n = side->predictions->n;
  g_autofree char *title =
      side->predictions->items[index].next ? g_strdup (_ ("Next-token guesses"))
      : n == 1                             ? g_strdup (_ ("Guesses for [MASK]"))
               : g_strdup_printf (_ ("Guesses for [MASK] %zu of %zu"), index + 1, n);

  if (side->name == NULL)
    return g_steal_pointer (&title);
  return g_strdup_printf ("%s · %s", side->name, title);
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

/* In a comparison the second side is B, unless it is what A is but for its head: then the guesses
 * are the same, and are A's and B's. */
static void
find_sides (HsSession *session, Side sides[2])
{
  HsAnswer *a = hs_side_peek_answer (hs_session_peek_side (session));
  HsAnswer *b = hs_side_peek_answer (hs_session_peek_side_b (session));
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  AttnMaps *source_b = panels != NULL ? attn_draw_panels_peek_source_b (panels) : NULL;

  sides[0] = sides[1] = (Side){NULL, NULL};
  if (a == NULL || panels == NULL)
    return;
  sides[0].predictions = a->predictions;
  if (source_b == NULL || source_b == a->maps)
    return;
  sides[0].name = "A";
  sides[1].name = "B";
  if (b != NULL && b->maps == source_b)
    sides[1].predictions = b->predictions;
}

/* A's and B's lists of a mask follow one another. */
static void
hs_guesses_panel_update (HsPanel *panel)
{
  HsGuessesPanel *self = HS_GUESSES_PANEL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  Side sides[2];
  size_t n = 0;

  find_sides (session, sides);
  for (size_t i = 0; i < MAX (count_lists (&sides[0]), count_lists (&sides[1])); i++)
    for (size_t of = 0; of < G_N_ELEMENTS (sides); of++) {
      if (i >= count_lists (&sides[of]))
        continue;
      g_autofree char *title = dup_title (&sides[of], i);
      fill_list (ensure_list (self, n++), &sides[of].predictions->items[i], title);
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
