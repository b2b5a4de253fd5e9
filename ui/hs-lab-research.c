/* SPDX-License-Identifier: MIT */
/* A card for each paper, with the button that looks for what it found. */
#include "hs-lab-research.h"

#include "hs-lab-finding.h"
#include "hs-lab-papers.h"
#include "hs-wrap-layout.h"

#include <glib/gi18n.h>

#define CARD_CHARS 58 /* wide enough that two stand beside each other in a usual window */
#define CARD_SPACING 6

struct _HsLabResearch {
  HsPanel parent_instance;

  GtkBox *heads, *debate;
};

G_DEFINE_FINAL_TYPE (HsLabResearch, hs_lab_research, HS_TYPE_PANEL)

GtkWidget *
hs_lab_research_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_RESEARCH, "session", session, NULL);
}

static GtkWidget *
add_text (GtkWidget *card, const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), CARD_CHARS);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  gtk_box_append (GTK_BOX (card), label);
  return label;
}

static void
add_link (GtkWidget *card, const HsLabPaper *paper)
{
  GtkWidget *link = gtk_link_button_new_with_label (paper->link, paper->link_name);
  g_autofree char *name = g_strdup_printf ("%s: %s", paper->link_name, paper->title);

  GtkWidget *label = gtk_button_get_child (GTK_BUTTON (link));
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_halign (link, GTK_ALIGN_START);
  gtk_widget_add_css_class (link, "in-text");
  gtk_accessible_update_property (GTK_ACCESSIBLE (link), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_box_append (GTK_BOX (card), link);
}

static void
add_finding (HsLabResearch *self, GtkWidget *card, AttnFinding finding)
{
  GtkWidget *panel = hs_lab_finding_new (NULL, finding);

  g_object_bind_property (self, "session", panel, "session", G_BINDING_SYNC_CREATE);
  gtk_box_append (GTK_BOX (card), panel);
}

static void
add_card (HsLabResearch *self, GtkBox *row, const HsLabPaper *paper)
{
  GtkWidget *card = gtk_box_new (GTK_ORIENTATION_VERTICAL, CARD_SPACING);
  g_autofree char *who = g_strdup_printf ("%s · %s", paper->authors, paper->venue);
  g_autofree char *limits = g_strdup_printf (_ ("Limits: %s"), _ (paper->limits));

  gtk_widget_add_css_class (card, "panel");
  gtk_widget_set_hexpand (card, TRUE);
  add_text (card, paper->title, "heading");
  add_text (card, who, "dim-label");
  add_text (card, _ (paper->measured), NULL);
  add_text (card, limits, "dim-label");
  add_link (card, paper);
  if (paper->finding < ATTN_N_FINDINGS)
    add_finding (self, card, paper->finding);
  gtk_box_append (row, card);
}

/* The papers are the same whatever is opened. */
static void
hs_lab_research_update (HsPanel *panel G_GNUC_UNUSED)
{
}

static void
hs_lab_research_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_LAB_RESEARCH);
  G_OBJECT_CLASS (hs_lab_research_parent_class)->dispose (object);
}

static void
hs_lab_research_class_init (HsLabResearchClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_lab_research_dispose;
  HS_PANEL_CLASS (klass)->update = hs_lab_research_update;

  g_type_ensure (HS_TYPE_WRAP_LAYOUT);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-lab-research.ui");
  gtk_widget_class_bind_template_child (widget_class, HsLabResearch, heads);
  gtk_widget_class_bind_template_child (widget_class, HsLabResearch, debate);
}

static void
hs_lab_research_init (HsLabResearch *self)
{
  size_t n;
  const HsLabPaper *papers = hs_lab_papers_peek_heads (&n);

  gtk_widget_init_template (GTK_WIDGET (self));
  for (size_t i = 0; i < n; i++)
    add_card (self, self->heads, &papers[i]);
  papers = hs_lab_papers_peek_debate (&n);
  for (size_t i = 0; i < n; i++)
    add_card (self, self->debate, &papers[i]);
}
