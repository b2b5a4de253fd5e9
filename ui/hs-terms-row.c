/* SPDX-License-Identifier: MIT */
/* One label with links, so that there is one stop of the Tab key; one popover for all of them. */
#include "hs-terms-row.h"

#include <glib/gi18n.h>

#include <string.h>

#define WIDTH_CHARS 42 /* of an explanation's lines */

struct _HsTermsRow {
  GtkWidget parent_instance;

  GtkLabel *links;
  guint terms;
  GtkWidget *popover;    /* nullable until something is explained */
  GtkLabel *explanation; /* in it */
};

G_DEFINE_FINAL_TYPE (HsTermsRow, hs_terms_row, GTK_TYPE_WIDGET)

GtkWidget *
hs_terms_row_new (void)
{
  return g_object_new (HS_TYPE_TERMS_ROW, NULL);
}

/* Where in the label a term stands. */
static GdkRectangle
find_link (HsTermsRow *self, HsTerm term)
{
  const char *text = gtk_label_get_text (self->links);
  const char *at = text;
  PangoRectangle rect;
  int x, y;

  for (HsTerm before = 0; before <= term; before++)
    if ((self->terms & HS_TERM_BIT (before)) != 0) {
      const char *found = strstr (at, hs_term_peek_name (before));
      if (found == NULL)
        break;
      at = before < term ? found + strlen (hs_term_peek_name (before)) : found;
    }
  pango_layout_index_to_pos (gtk_label_get_layout (self->links), (int)(at - text), &rect);
  gtk_label_get_layout_offsets (self->links, &x, &y);
  return (GdkRectangle){x + PANGO_PIXELS (rect.x), y + PANGO_PIXELS (rect.y),
                        MAX (PANGO_PIXELS (rect.width), 1), PANGO_PIXELS (rect.height)};
}

static void
ensure_popover (HsTermsRow *self)
{
  if (self->popover != NULL)
    return;
  self->explanation = GTK_LABEL (g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "xalign", 0.0,
                                               "max-width-chars", WIDTH_CHARS, NULL));
  self->popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (self->popover), GTK_WIDGET (self->explanation));
  gtk_widget_set_parent (self->popover, GTK_WIDGET (self));
}

void
hs_terms_row_explain (HsTermsRow *self, HsTerm term)
{
  g_return_if_fail (HS_IS_TERMS_ROW (self) && term < HS_N_TERMS);
  const GdkRectangle rect = find_link (self, term);
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b>\n%s", hs_term_peek_name (term),
                                                     hs_term_peek_sentence (term));

  ensure_popover (self);
  gtk_label_set_markup (self->explanation, markup);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->popover), &rect);
  gtk_popover_popup (GTK_POPOVER (self->popover));
}

const char *
hs_terms_row_peek_explained (HsTermsRow *self)
{
  g_return_val_if_fail (HS_IS_TERMS_ROW (self), NULL);
  return self->popover != NULL ? gtk_label_get_text (self->explanation) : NULL;
}

static gboolean
activate_link_cb (HsTermsRow *self, const char *uri)
{
  guint64 term;

  if (g_ascii_string_to_unsigned (uri, 10, 0, HS_N_TERMS - 1, &term, NULL))
    hs_terms_row_explain (self, (HsTerm)term);
  return TRUE;
}

void
hs_terms_row_set_terms (HsTermsRow *self, guint terms)
{
  g_return_if_fail (HS_IS_TERMS_ROW (self));
  GString *markup = g_string_new (NULL);

  gtk_widget_set_visible (GTK_WIDGET (self), terms != 0);
  if (self->terms == terms) {
    g_string_free (markup, TRUE);
    return;
  }
  self->terms = terms;
  if (self->popover != NULL)
    gtk_popover_popdown (GTK_POPOVER (self->popover));
  for (HsTerm term = 0; term < HS_N_TERMS; term++) {
    if ((terms & HS_TERM_BIT (term)) == 0)
      continue;
    g_autofree char *link =
        g_markup_printf_escaped ("<a href=\"%d\" title=\"%s\">%s</a>", (int)term,
                                 hs_term_peek_sentence (term), hs_term_peek_name (term));
    g_string_append_printf (markup, "%s%s", markup->len > 0 ? "  " : "", link);
  }
  g_autofree char *links = g_strdup (markup->str);
  /* Translators: before a row of terms that are explained where one points at them. */
  g_string_printf (markup, "%s  %s", _ ("Terms:"), links);
  gtk_label_set_markup (self->links, markup->str);
  g_string_free (markup, TRUE);
}

static void
hs_terms_row_dispose (GObject *object)
{
  HsTermsRow *self = HS_TERMS_ROW (object);

  g_clear_pointer (&self->popover, gtk_widget_unparent);
  if (self->links != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->links));
  self->links = NULL;
  G_OBJECT_CLASS (hs_terms_row_parent_class)->dispose (object);
}

/* A popover is placed by what it belongs to. */
static void
hs_terms_row_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  HsTermsRow *self = HS_TERMS_ROW (widget);

  gtk_widget_size_allocate (GTK_WIDGET (self->links), &(GtkAllocation){0, 0, width, height},
                            baseline);
  if (self->popover != NULL)
    gtk_popover_present (GTK_POPOVER (self->popover));
}

static void
hs_terms_row_measure (GtkWidget *widget,
                      GtkOrientation orientation,
                      int for_size,
                      int *minimum,
                      int *natural,
                      int *minimum_baseline,
                      int *natural_baseline)
{
  gtk_widget_measure (GTK_WIDGET (HS_TERMS_ROW (widget)->links), orientation, for_size, minimum,
                      natural, minimum_baseline, natural_baseline);
}

static GtkSizeRequestMode
hs_terms_row_get_request_mode (GtkWidget *widget G_GNUC_UNUSED)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
hs_terms_row_class_init (HsTermsRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_terms_row_dispose;
  widget_class->measure = hs_terms_row_measure;
  widget_class->size_allocate = hs_terms_row_size_allocate;
  widget_class->get_request_mode = hs_terms_row_get_request_mode;
  gtk_widget_class_set_css_name (widget_class, "terms");
}

static void
hs_terms_row_init (HsTermsRow *self)
{
  self->links = GTK_LABEL (g_object_new (GTK_TYPE_LABEL, "wrap", TRUE, "xalign", 0.0, NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->links), "terms");
  gtk_widget_set_parent (GTK_WIDGET (self->links), GTK_WIDGET (self));
  g_signal_connect_swapped (self->links, "activate-link", G_CALLBACK (activate_link_cb), self);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
