/* SPDX-License-Identifier: MIT */
/* Pages to leaf through, or text. */
#include "hs-export-preview.h"

#include <glib/gi18n.h>

struct _HsExportPreview {
  GtkWidget parent_instance;

  GtkStack *stack;
  GtkPicture *picture;
  GtkWidget *leaf, *previous, *next;
  GtkLabel *number;
  GtkTextBuffer *text;

  GPtrArray *pages; /* nullable */
  guint page, n_pages;
};

G_DEFINE_FINAL_TYPE (HsExportPreview, hs_export_preview, GTK_TYPE_WIDGET)

static void
show_page (HsExportPreview *self, guint page)
{
  g_autofree char *number = g_strdup_printf (_ ("%u of %u"), page + 1, self->n_pages);

  self->page = page;
  gtk_picture_set_paintable (self->picture, g_ptr_array_index (self->pages, page));
  gtk_label_set_text (self->number, number);
  gtk_widget_set_visible (self->leaf, self->n_pages > 1);
  gtk_widget_set_sensitive (self->previous, page > 0);
  gtk_widget_set_sensitive (self->next, page + 1 < self->pages->len);
}

void
hs_export_preview_show_pages (HsExportPreview *self, GPtrArray *pages, guint n_pages)
{
  g_return_if_fail (HS_IS_EXPORT_PREVIEW (self));
  g_return_if_fail (pages != NULL && pages->len > 0);

  g_ptr_array_ref (pages);
  g_clear_pointer (&self->pages, g_ptr_array_unref);
  self->pages = pages;
  self->n_pages = n_pages;
  show_page (self, MIN (self->page, pages->len - 1));
  gtk_stack_set_visible_child_name (self->stack, "pages");
}

void
hs_export_preview_show_text (HsExportPreview *self, const char *text)
{
  g_return_if_fail (HS_IS_EXPORT_PREVIEW (self));

  gtk_text_buffer_set_text (self->text, text, -1);
  gtk_stack_set_visible_child_name (self->stack, "text");
}

void
hs_export_preview_set_stale (HsExportPreview *self, gboolean stale)
{
  g_return_if_fail (HS_IS_EXPORT_PREVIEW (self));

  if (stale)
    gtk_widget_add_css_class (GTK_WIDGET (self->stack), "stale");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->stack), "stale");
}

GtkWidget *
hs_export_preview_peek_picture (HsExportPreview *self)
{
  g_return_val_if_fail (HS_IS_EXPORT_PREVIEW (self), NULL);
  return GTK_WIDGET (self->picture);
}

static void
previous_clicked_cb (HsExportPreview *self)
{
  if (self->page > 0)
    show_page (self, self->page - 1);
}

static void
next_clicked_cb (HsExportPreview *self)
{
  if (self->page + 1 < self->pages->len)
    show_page (self, self->page + 1);
}

static void
hs_export_preview_dispose (GObject *object)
{
  HsExportPreview *self = HS_EXPORT_PREVIEW (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_EXPORT_PREVIEW);
  g_clear_pointer (&self->pages, g_ptr_array_unref);
  G_OBJECT_CLASS (hs_export_preview_parent_class)->dispose (object);
}

static void
hs_export_preview_class_init (HsExportPreviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_export_preview_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-export-preview.ui");
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, stack);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, picture);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, leaf);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, previous);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, next);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, number);
  gtk_widget_class_bind_template_child (widget_class, HsExportPreview, text);
  gtk_widget_class_bind_template_callback (widget_class, previous_clicked_cb);
  gtk_widget_class_bind_template_callback (widget_class, next_clicked_cb);
}

static void
hs_export_preview_init (HsExportPreview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
