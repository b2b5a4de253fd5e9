/* SPDX-License-Identifier: MIT */
/* Fills a row's template from a model. */
#include "hs-model-row.h"

#include "attn/quote.h"

#include <string.h>

struct _HsModelRow {
  GtkListBoxRow parent_instance;

  HsModelItem *item;
  GtkLabel *name;
  GtkLabel *facts;
  GtkLabel *reason;
  GtkLabel *use;
};

G_DEFINE_FINAL_TYPE (HsModelRow, hs_model_row, GTK_TYPE_LIST_BOX_ROW)

HsModelItem *
hs_model_row_peek_item (HsModelRow *self)
{
  g_return_val_if_fail (HS_IS_MODEL_ROW (self), NULL);
  return self->item;
}

static void
set_text (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL && *text != '\0');
}

/* What a screen reader says of the whole row. */
static void
update_name (HsModelRow *self)
{
  GtkLabel *labels[] = {self->name, self->facts, self->reason, self->use};
  g_autoptr (GStrvBuilder) parts = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autofree char *all = NULL;

  for (size_t i = 0; i < G_N_ELEMENTS (labels); i++) {
    const char *text = gtk_label_get_text (labels[i]);
    if (*text != '\0')
      g_strv_builder_add (parts, text);
  }
  words = g_strv_builder_end (parts);
  all = g_strjoinv (", ", words);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, all, -1);
}

void
hs_model_row_set_use (HsModelRow *self, const char *use)
{
  g_return_if_fail (HS_IS_MODEL_ROW (self));
  g_autofree char *reason = hs_model_item_dup_reason (self->item);
  set_text (self->use, use);
  /* what is on its way is not missing */
  set_text (self->reason,
            use == NULL || hs_model_item_peek_entry (self->item)->state != ATTN_HUB_PARTIAL ? reason
                                                                                            : NULL);
  update_name (self);
}

static void
hs_model_row_dispose (GObject *object)
{
  g_clear_object (&HS_MODEL_ROW (object)->item);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_MODEL_ROW);
  G_OBJECT_CLASS (hs_model_row_parent_class)->dispose (object);
}

static void
hs_model_row_class_init (HsModelRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_model_row_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/headscope/Headscope/ui/hs-model-row.ui");
  gtk_widget_class_bind_template_child (widget_class, HsModelRow, name);
  gtk_widget_class_bind_template_child (widget_class, HsModelRow, facts);
  gtk_widget_class_bind_template_child (widget_class, HsModelRow, reason);
  gtk_widget_class_bind_template_child (widget_class, HsModelRow, use);
}

static void
hs_model_row_init (HsModelRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

GtkWidget *
hs_model_row_new (HsModelItem *item)
{
  HsModelRow *self = g_object_new (HS_TYPE_MODEL_ROW, NULL);
  const AttnHubEntry *entry = hs_model_item_peek_entry (item);
  g_autofree char *facts = hs_model_item_dup_facts (item);
  g_autofree char *folder = NULL;

  self->item = g_object_ref (item);
  set_text (self->name, hs_model_item_peek_name (item));
  set_text (self->facts, facts);
  if (!hs_model_item_is_usable (item)) {
    gtk_widget_add_css_class (GTK_WIDGET (self->name), "dim-label");
    gtk_widget_add_css_class (GTK_WIDGET (self->facts), "dim-label");
  }
  folder = attn_file_dup_shown (entry->folder, strlen (entry->folder));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), folder);
  hs_model_row_set_use (self, NULL);
  return GTK_WIDGET (self);
}
