/* SPDX-License-Identifier: MIT */
/* Rows that come and go with what is chosen. */
#include "hs-export-form.h"

#include <glib/gi18n.h>

#define PX_PER_INCH 96.0

enum { WHAT_NUMBERS = 2 }; /* after the two of HsExportWhat */
enum { SIZED_AS_SCREEN, SIZED_BY_PRINT };

/* In the order of the list. */
static const AttnExportFormat number_formats[] = {ATTN_EXPORT_CSV, ATTN_EXPORT_JSON,
                                                  ATTN_EXPORT_NPZ};

/* Of a comparison, in the order of the list. */
static const HsNumbersExtent compared_extents[] = {
    HS_NUMBERS_MAP, HS_NUMBERS_B, HS_NUMBERS_DIFFERENCE, HS_NUMBERS_LAYER, HS_NUMBERS_ALL};

struct _HsExportForm {
  GtkGrid parent_instance;

  GtkDropDown *what, *format, *numbers_format, *extent, *page, *orientation, *sized_by, *palette;
  GtkSpinButton *scale, *width_mm, *dpi, *font_size;
  GtkWidget *format_label, *numbers_format_label, *extent_label, *page_label, *orientation_label,
      *sized_by_label, *palette_label, *scale_label, *width_mm_label, *dpi_label, *font_size_label;
  GListModel *extents, *compared_extents; /* what can be chosen; the former referenced */
  bool compared;                          /* there is a B */
  const char *font_family; /* (nullable): not to be chosen here, so kept as it came */
};

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (HsExportForm, hs_export_form, GTK_TYPE_GRID)

static void
show_row (gpointer label, gpointer widget, bool shown)
{
  gtk_widget_set_visible (GTK_WIDGET (label), shown);
  gtk_widget_set_visible (GTK_WIDGET (widget), shown);
}

static void
show_rows (HsExportForm *self)
{
  const bool numbers = gtk_drop_down_get_selected (self->what) == WHAT_NUMBERS;
  const guint format = gtk_drop_down_get_selected (self->format);
  const bool pdf = !numbers && format == ATTN_DRAW_PDF, png = !numbers && format == ATTN_DRAW_PNG;
  const bool sheet = pdf && gtk_drop_down_get_selected (self->page) != ATTN_DRAW_PAGE_PICTURE;
  const bool printed = gtk_drop_down_get_selected (self->sized_by) == SIZED_BY_PRINT;

  show_row (self->format_label, self->format, !numbers);
  show_row (self->numbers_format_label, self->numbers_format, numbers);
  show_row (self->extent_label, self->extent, numbers);
  show_row (self->page_label, self->page, pdf);
  show_row (self->orientation_label, self->orientation, sheet);
  show_row (self->sized_by_label, self->sized_by, !numbers && !sheet);
  show_row (self->scale_label, self->scale, png && !printed);
  show_row (self->width_mm_label, self->width_mm, !numbers && !sheet && printed);
  show_row (self->dpi_label, self->dpi, png && printed);
  show_row (self->palette_label, self->palette, !numbers);
  show_row (self->font_size_label, self->font_size, !numbers);
}

static void
changed_cb (HsExportForm *self)
{
  show_rows (self);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

void
hs_export_form_set_compared (HsExportForm *self, bool compared)
{
  g_return_if_fail (HS_IS_EXPORT_FORM (self));

  if (compared == self->compared)
    return;
  self->compared = compared;
  g_signal_handlers_block_by_func (self->extent, changed_cb, self); /* nobody has chosen */
  gtk_drop_down_set_model (self->extent, compared ? self->compared_extents : self->extents);
  gtk_drop_down_set_selected (self->extent, 0);
  g_signal_handlers_unblock_by_func (self->extent, changed_cb, self);
}

void
hs_export_form_get_options (HsExportForm *self, HsExportOptions *options)
{
  g_return_if_fail (HS_IS_EXPORT_FORM (self));

  const bool printed = gtk_drop_down_get_selected (self->sized_by) == SIZED_BY_PRINT;
  options->what = gtk_drop_down_get_selected (self->what) == HS_EXPORT_SHEET ? HS_EXPORT_SHEET
                                                                             : HS_EXPORT_SHOWN;
  options->format = (AttnDrawFormat)gtk_drop_down_get_selected (self->format);
  options->as_on_screen = gtk_drop_down_get_selected (self->palette) == 1;
  options->scale = printed ? gtk_spin_button_get_value (self->dpi) / PX_PER_INCH
                           : gtk_spin_button_get_value (self->scale);
  options->width_mm = printed ? gtk_spin_button_get_value (self->width_mm) : 0;
  options->font_size_pt = gtk_spin_button_get_value (self->font_size);
  options->font_family = self->font_family;
  options->page = (AttnDrawPage){ATTN_DRAW_PAGE_PICTURE, false};
  if (options->format != ATTN_DRAW_PDF)
    return;
  options->page.size = (AttnDrawPageSize)gtk_drop_down_get_selected (self->page);
  if (options->page.size == ATTN_DRAW_PAGE_PICTURE)
    return;
  options->page.landscape = gtk_drop_down_get_selected (self->orientation) == 1;
  options->width_mm = 0;
}

void
hs_export_form_set_options (HsExportForm *self, const HsExportOptions *options)
{
  g_return_if_fail (HS_IS_EXPORT_FORM (self));

  const bool printed = options->width_mm > 0;
  gtk_drop_down_set_selected (self->what, options->what);
  gtk_drop_down_set_selected (self->format, options->format);
  gtk_drop_down_set_selected (self->palette, options->as_on_screen ? 1 : 0);
  gtk_drop_down_set_selected (self->page, options->page.size);
  gtk_drop_down_set_selected (self->orientation, options->page.landscape ? 1 : 0);
  gtk_drop_down_set_selected (self->sized_by, printed ? SIZED_BY_PRINT : SIZED_AS_SCREEN);
  if (printed)
    gtk_spin_button_set_value (self->width_mm, options->width_mm);
  if (printed && options->format == ATTN_DRAW_PNG)
    gtk_spin_button_set_value (self->dpi, options->scale * PX_PER_INCH);
  else if (options->format == ATTN_DRAW_PNG)
    gtk_spin_button_set_value (self->scale, options->scale);
  if (options->font_size_pt > 0)
    gtk_spin_button_set_value (self->font_size, options->font_size_pt);
  self->font_family = options->font_family;
  show_rows (self);
}

bool
hs_export_form_get_numbers (HsExportForm *self, AttnExportFormat *format, HsNumbersExtent *extent)
{
  g_return_val_if_fail (HS_IS_EXPORT_FORM (self), false);

  if (gtk_drop_down_get_selected (self->what) != WHAT_NUMBERS)
    return false;
  *format = number_formats[gtk_drop_down_get_selected (self->numbers_format)];
  const guint chosen = gtk_drop_down_get_selected (self->extent);
  *extent = self->compared ? compared_extents[chosen] : (HsNumbersExtent)chosen;
  return true;
}

const char *
hs_export_form_peek_extension (HsExportForm *self)
{
  AttnExportFormat format;
  HsNumbersExtent extent;

  if (hs_export_form_get_numbers (self, &format, &extent))
    return attn_export_format_peek_name (format);
  return attn_draw_format_peek_name ((AttnDrawFormat)gtk_drop_down_get_selected (self->format));
}

bool
hs_export_form_choose (HsExportForm *self, const char *extension)
{
  AttnDrawFormat format;

  g_return_val_if_fail (HS_IS_EXPORT_FORM (self), false);

  if (gtk_drop_down_get_selected (self->what) != WHAT_NUMBERS) {
    if (!attn_draw_format_find (extension, &format))
      return false;
    gtk_drop_down_set_selected (self->format, format);
    return true;
  }
  for (guint i = 0; i < G_N_ELEMENTS (number_formats); i++)
    if (g_ascii_strcasecmp (extension, attn_export_format_peek_name (number_formats[i])) == 0) {
      gtk_drop_down_set_selected (self->numbers_format, i);
      return true;
    }
  return false;
}

static void
hs_export_form_dispose (GObject *object)
{
  g_clear_object (&HS_EXPORT_FORM (object)->extents);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_EXPORT_FORM);
  G_OBJECT_CLASS (hs_export_form_parent_class)->dispose (object);
}

static void
hs_export_form_class_init (HsExportFormClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_export_form_dispose;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-export-form.ui");
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, what);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, format);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, numbers_format);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, extent);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, compared_extents);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, page);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, orientation);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, sized_by);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, palette);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, scale);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, width_mm);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, dpi);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, font_size);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, format_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, numbers_format_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, extent_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, page_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, orientation_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, sized_by_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, palette_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, scale_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, width_mm_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, dpi_label);
  gtk_widget_class_bind_template_child (widget_class, HsExportForm, font_size_label);
  gtk_widget_class_bind_template_callback (widget_class, changed_cb);
}

static void
hs_export_form_init (HsExportForm *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->extents = g_object_ref (gtk_drop_down_get_model (self->extent));
  show_rows (self);
}
