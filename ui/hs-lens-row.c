/* SPDX-License-Identifier: MIT */
/* A check button for each lens of the table, in its order; what does not fit is greyed out. */
#include "hs-lens-row.h"

#include "hs-told.h"

#include <glib/gi18n.h>

#include <stdbool.h>

#define SECOND_LINE_CHARS 44
#define EDGE_PX 3 /* so that the ring around the focused one is seen whole */

struct _HsLensRow {
  HsPanel parent_instance;

  GtkMenuButton *button;
  GtkBox *choices;
  GtkCheckButton *checks[ATTN_N_LENSES];
  GtkLabel *lines[ATTN_N_LENSES];
  bool showing; /* the session's state; what the buttons say then is no wish */
};

G_DEFINE_FINAL_TYPE (HsLensRow, hs_lens_row, HS_TYPE_PANEL)

GtkWidget *
hs_lens_row_peek_choice (HsLensRow *self, AttnLens lens)
{
  g_return_val_if_fail (HS_IS_LENS_ROW (self), NULL);
  g_return_val_if_fail ((unsigned)lens < ATTN_N_LENSES, NULL);
  return GTK_WIDGET (self->checks[lens]);
}

/* ---- what fits ---- */

/* The table's names begin small, for use in titles. */
static char *
dup_title (AttnLens lens)
{
  g_autofree char *told = hs_told_dup (attn_lens_peek_about (lens)->title);
  GString *title = g_string_new (NULL);

  g_string_append_unichar (title, g_unichar_totitle (g_utf8_get_char (told)));
  g_string_append (title, g_utf8_next_char (told));
  return g_string_free (title, FALSE);
}

/* @maps: (nullable): that are shown of it */
static AttnLensReason
get_side_reason (HsSide *side, AttnMaps *maps, AttnLens lens)
{
  HsAttention *attention = hs_side_peek_attention (side);
  HsAnswer *answer = hs_side_peek_answer (side);
  AttnModel *model = hs_side_peek_model (side);

  if (attention != NULL)
    return attn_lens_get_reason (lens, attention->maps);
  if (maps == NULL && answer != NULL)
    maps = answer->maps;
  if (maps != NULL)
    return attn_lens_get_reason (lens, maps);
  return model != NULL ? attn_lens_get_model_reason (lens, model, 0) : ATTN_LENS_FITS;
}

char *
hs_lens_row_dup_reason (HsSession *session, AttnLens lens)
{
  g_return_val_if_fail (HS_IS_SESSION (session), NULL);

  AttnDrawPanels *panels = hs_session_peek_panels (session);
  AttnMaps *maps_b = panels != NULL ? attn_draw_panels_peek_source_b (panels) : NULL;
  AttnLensReason reason = get_side_reason (hs_session_peek_side (session), NULL, lens);
  if (reason == ATTN_LENS_FITS && hs_session_get_kind (session) == ATTN_DRAW_COMPARE)
    reason = get_side_reason (hs_session_peek_side_b (session), maps_b, lens);
  g_autofree char *english = attn_lens_dup_reason (lens, reason);
  return hs_told_dup (english);
}

/* ---- showing ---- */

static void
show_choice (HsLensRow *self, HsSession *session, AttnLens lens)
{
  g_autofree char *reason = hs_lens_row_dup_reason (session, lens);
  g_autofree char *meaning = hs_told_dup (attn_lens_peek_about (lens)->meaning);
  const char *line = reason != NULL ? reason : meaning;

  gtk_label_set_text (self->lines[lens], line);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->checks[lens]),
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, line, -1);
  gtk_widget_set_sensitive (GTK_WIDGET (self->checks[lens]), reason == NULL);
}

/* What takes the keys is inside the button. */
static void
show_name (HsLensRow *self, const char *title)
{
  GtkWidget *inside = gtk_widget_get_first_child (GTK_WIDGET (self->button));
  g_autofree char *name = g_strdup_printf (_ ("%s: %s"), _ ("Lens"), title);

  gtk_menu_button_set_label (self->button, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  /* the label's own text would be said once more */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (inside), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
}

static void
hs_lens_row_update (HsPanel *panel)
{
  HsLensRow *self = HS_LENS_ROW (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const AttnLens now = hs_session_get_lens (session);
  g_autofree char *title = dup_title (now);

  self->showing = true;
  show_name (self, title);
  for (size_t lens = 0; lens < ATTN_N_LENSES; lens++)
    show_choice (self, session, (AttnLens)lens);
  gtk_check_button_set_active (self->checks[now], TRUE);
  self->showing = false;
}

static void
toggled_cb (GtkCheckButton *check, gpointer data)
{
  HsLensRow *self = data;
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  size_t lens = 0;

  if (self->showing || session == NULL || !gtk_check_button_get_active (check))
    return;
  while (self->checks[lens] != check)
    lens++;
  hs_session_set_lens (session, (AttnLens)lens);
}

static GtkLabel *
add_line (GtkWidget *box, const char *text)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_width_chars (GTK_LABEL (label), SECOND_LINE_CHARS / 2);
  gtk_label_set_max_width_chars (GTK_LABEL (label), SECOND_LINE_CHARS);
  gtk_box_append (GTK_BOX (box), label);
  return GTK_LABEL (label);
}

static void
add_choice (HsLensRow *self, AttnLens lens)
{
  g_autofree char *title = dup_title (lens);
  GtkWidget *check = gtk_check_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);

  gtk_widget_set_margin_top (box, EDGE_PX);
  gtk_widget_set_margin_bottom (box, EDGE_PX);
  add_line (box, title);
  self->lines[lens] = add_line (box, NULL);
  gtk_widget_add_css_class (GTK_WIDGET (self->lines[lens]), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->lines[lens]), "caption");
  gtk_check_button_set_child (GTK_CHECK_BUTTON (check), box);
  gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
  self->checks[lens] = GTK_CHECK_BUTTON (check);
  if (lens > 0)
    gtk_check_button_set_group (self->checks[lens], self->checks[0]);
  g_signal_connect (check, "toggled", G_CALLBACK (toggled_cb), self);
  gtk_box_append (self->choices, check);
}

static void
hs_lens_row_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LENS_ROW);
  G_OBJECT_CLASS (hs_lens_row_parent_class)->dispose (object);
}

static void
hs_lens_row_class_init (HsLensRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lens_row_dispose;
  HS_PANEL_CLASS (klass)->update = hs_lens_row_update;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-lens-row.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLensRow, button);
  gtk_widget_class_bind_template_child (widget_class, HsLensRow, choices);
}

static void
hs_lens_row_init (HsLensRow *self)
{
  static const char *const watched[] = {"lens", "kind", "view", "n-tokens", "n-layers"};

  gtk_widget_init_template (GTK_WIDGET (self));
  for (size_t lens = 0; lens < ATTN_N_LENSES; lens++)
    add_choice (self, (AttnLens)lens);
  for (size_t i = 0; i < G_N_ELEMENTS (watched); i++)
    hs_panel_watch (HS_PANEL (self), watched[i], hs_lens_row_update);
}
