/* SPDX-License-Identifier: MIT */
/* A column view of heads: sorted by its headings, filtered from outside, one row selected. */
#include "hs-atlas-table.h"

#include "hs-atlas-row.h"
#include "hs-nested-scroll.h"

#include <glib/gi18n.h>

#include <math.h>

#define HEIGHT 300     /* px that are seen of it */
#define NUMBER_CHARS 6 /* "12.345" */

struct _HsAtlasTable {
  GtkWidget parent_instance;

  GtkWidget *scrolled;
  GtkColumnView *view;       /* the scrolled window's */
  GListStore *heads;         /* of HsAtlasRow */
  GtkFilter *filter;         /* the filter model's */
  GtkSingleSelection *shown; /* the view's */
  AttnDrawAtlasFilter wanted;
  size_t n_layers, n_heads;
  guint layer, head;
};

G_DEFINE_FINAL_TYPE (HsAtlasTable, hs_atlas_table, GTK_TYPE_WIDGET)

enum { SIGNAL_CHOSEN, N_SIGNALS };

static guint signals[N_SIGNALS];

/* ---- rows ---- */

static gboolean
is_wanted (gpointer item, gpointer data)
{
  HsAtlasTable *self = data;
  HsAtlasRow *row = item;

  return (self->wanted.pattern == 0 ||
          hs_atlas_row_get_pattern (row) + 1 == self->wanted.pattern) &&
         (self->wanted.layer == 0 || self->wanted.layer > self->n_layers ||
          hs_atlas_row_get_layer (row) + 1 == self->wanted.layer);
}

/* What has no number stands last among the others, whichever comes first. */
static int
compare (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint column = GPOINTER_TO_UINT (data);
  const double first = hs_atlas_row_get_value ((HsAtlasRow *)(guintptr)a, column);
  const double second = hs_atlas_row_get_value ((HsAtlasRow *)(guintptr)b, column);

  if (isnan (first) || isnan (second))
    return (isnan (first) != 0) - (isnan (second) != 0);
  return (first > second) - (first < second);
}

/* The chosen head's row is selected; where it is filtered out, none is. */
static void
select_head (HsAtlasTable *self)
{
  const guint n = g_list_model_get_n_items (G_LIST_MODEL (self->shown));

  for (guint i = 0; i < n; i++) {
    g_autoptr (HsAtlasRow) row = g_list_model_get_item (G_LIST_MODEL (self->shown), i);
    if (hs_atlas_row_get_layer (row) == self->layer && hs_atlas_row_get_head (row) == self->head) {
      gtk_single_selection_set_selected (self->shown, i);
      return;
    }
  }
  gtk_single_selection_set_selected (self->shown, GTK_INVALID_LIST_POSITION);
}

/* Other heads than before. */
static void
make_rows (HsAtlasTable *self, const AttnDrawAtlas *drawn)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);

  self->n_layers = drawn->atlas->n_layers;
  self->n_heads = drawn->atlas->n_heads;
  for (size_t layer = 0; layer < self->n_layers; layer++)
    for (size_t head = 0; head < self->n_heads; head++)
      g_ptr_array_add (rows, hs_atlas_row_new (drawn, layer, head));
  g_list_store_splice (self->heads, 0, g_list_model_get_n_items (G_LIST_MODEL (self->heads)),
                       rows->pdata, rows->len);
}

/* The same heads: their rows stay, which is much quicker than making hundreds of cells anew. */
static void
renew_rows (HsAtlasTable *self, const AttnDrawAtlas *drawn)
{
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (self->heads)); i++) {
    g_autoptr (HsAtlasRow) row = g_list_model_get_item (G_LIST_MODEL (self->heads), i);
    hs_atlas_row_take (row, drawn);
  }
  gtk_sorter_changed (gtk_column_view_get_sorter (self->view), GTK_SORTER_CHANGE_DIFFERENT);
  if (self->wanted.pattern != 0)
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
}

void
hs_atlas_table_set_drawn (HsAtlasTable *self, const AttnDrawAtlas *drawn)
{
  g_return_if_fail (HS_IS_ATLAS_TABLE (self));

  if (self->n_layers == drawn->atlas->n_layers && self->n_heads == drawn->atlas->n_heads)
    renew_rows (self, drawn);
  else
    make_rows (self, drawn);
  select_head (self);
}

void
hs_atlas_table_set_filter (HsAtlasTable *self, const AttnDrawAtlasFilter *filter)
{
  g_return_if_fail (HS_IS_ATLAS_TABLE (self));

  if (self->wanted.pattern == filter->pattern && self->wanted.layer == filter->layer)
    return;
  self->wanted = *filter;
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  select_head (self);
}

void
hs_atlas_table_set_head (HsAtlasTable *self, guint layer, guint head)
{
  g_return_if_fail (HS_IS_ATLAS_TABLE (self));

  if (self->layer == layer && self->head == head)
    return;
  self->layer = layer;
  self->head = head;
  select_head (self);
}

guint
hs_atlas_table_get_n (HsAtlasTable *self)
{
  g_return_val_if_fail (HS_IS_ATLAS_TABLE (self), 0);
  return g_list_model_get_n_items (G_LIST_MODEL (self->shown));
}

void
hs_atlas_table_sort (HsAtlasTable *self, guint column, GtkSortType type)
{
  g_return_if_fail (HS_IS_ATLAS_TABLE (self));
  g_autoptr (GtkColumnViewColumn) sorted =
      g_list_model_get_item (gtk_column_view_get_columns (self->view), column);

  gtk_column_view_sort_by_column (self->view, sorted, type);
}

const char *
hs_atlas_table_peek_text (HsAtlasTable *self, guint row, guint column)
{
  g_return_val_if_fail (HS_IS_ATLAS_TABLE (self), NULL);
  g_autoptr (HsAtlasRow) item = g_list_model_get_item (G_LIST_MODEL (self->shown), row);

  return item != NULL ? hs_atlas_row_peek_text (item, column) : NULL; /* the store has it, too */
}

/* ---- cells ---- */

/* Hundreds of labels are slow to measure: numbers are all of one width. */
static bool
is_number (guint column)
{
  return column >= HS_ATLAS_COLUMN_FIELDS && column < HS_ATLAS_COLUMN_NEAREST;
}

static void
setup_cb (GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item, gpointer data)
{
  GtkWidget *cell =
      is_number (GPOINTER_TO_UINT (data))
          ? g_object_new (GTK_TYPE_INSCRIPTION, "xalign", 1.0, "min-chars", NUMBER_CHARS, NULL)
          : g_object_new (GTK_TYPE_LABEL, "xalign", 0.0, NULL);

  gtk_widget_add_css_class (cell, "numeric");
  gtk_list_item_set_child (item, cell);
}

static void
show_text (GtkListItem *item, HsAtlasRow *row, guint column)
{
  GtkWidget *cell = gtk_list_item_get_child (item);
  const char *text = hs_atlas_row_peek_text (row, column);

  if (is_number (column))
    gtk_inscription_set_text (GTK_INSCRIPTION (cell), text);
  else
    gtk_label_set_text (GTK_LABEL (cell), text);
}

static void
changed_cb (HsAtlasRow *row, GtkListItem *item)
{
  show_text (item, row, GPOINTER_TO_UINT (g_object_get_data (G_OBJECT (item), "column")));
}

static void
bind_cb (GtkSignalListItemFactory *factory G_GNUC_UNUSED, GtkListItem *item, gpointer column)
{
  HsAtlasRow *row = gtk_list_item_get_item (item);

  g_object_set_data (G_OBJECT (item), "column", column);
  g_signal_connect_object (row, "changed", G_CALLBACK (changed_cb), item, 0);
  show_text (item, row, GPOINTER_TO_UINT (column));
}

static void
unbind_cb (GtkSignalListItemFactory *factory G_GNUC_UNUSED,
           GtkListItem *item,
           gpointer column G_GNUC_UNUSED)
{
  g_signal_handlers_disconnect_by_func (gtk_list_item_get_item (item), changed_cb, item);
}

static void
add_column (HsAtlasTable *self, guint column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkSorter) sorter =
      GTK_SORTER (gtk_custom_sorter_new (compare, GUINT_TO_POINTER (column), NULL));

  g_signal_connect (factory, "setup", G_CALLBACK (setup_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cb), GUINT_TO_POINTER (column));
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cb), GUINT_TO_POINTER (column));
  g_autoptr (GtkColumnViewColumn) added =
      gtk_column_view_column_new (hs_atlas_row_peek_heading (column), factory);
  gtk_column_view_column_set_sorter (added, sorter);
  gtk_column_view_append_column (self->view, added);
}

/* ---- object ---- */

static void
selected_cb (HsAtlasTable *self)
{
  HsAtlasRow *row = gtk_single_selection_get_selected_item (self->shown);

  if (row == NULL ||
      (hs_atlas_row_get_layer (row) == self->layer && hs_atlas_row_get_head (row) == self->head))
    return;
  self->layer = hs_atlas_row_get_layer (row);
  self->head = hs_atlas_row_get_head (row);
  g_signal_emit (self, signals[SIGNAL_CHOSEN], 0, self->layer, self->head);
}

static void
hs_atlas_table_dispose (GObject *object)
{
  HsAtlasTable *self = HS_ATLAS_TABLE (object);

  if (self->shown != NULL)
    g_signal_handlers_disconnect_by_func (self->shown, selected_cb, self);
  g_clear_object (&self->shown);
  g_clear_object (&self->heads);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->scrolled, gtk_widget_unparent);
  G_OBJECT_CLASS (hs_atlas_table_parent_class)->dispose (object);
}

static void
hs_atlas_table_class_init (HsAtlasTableClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_atlas_table_dispose;
  signals[SIGNAL_CHOSEN] = g_signal_new ("chosen", HS_TYPE_ATLAS_TABLE, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 2, G_TYPE_UINT, G_TYPE_UINT);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

/* Heads → those that are looked for → sorted by the headings → with one selected. */
static void
make_models (HsAtlasTable *self)
{
  self->heads = g_list_store_new (HS_TYPE_ATLAS_ROW);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_wanted, self, NULL));
  GListModel *filtered = G_LIST_MODEL (gtk_filter_list_model_new (
      G_LIST_MODEL (g_object_ref (self->heads)), g_object_ref (self->filter)));
  GtkSorter *sorter = gtk_column_view_get_sorter (self->view);
  GListModel *sorted = G_LIST_MODEL (gtk_sort_list_model_new (filtered, g_object_ref (sorter)));
  self->shown = gtk_single_selection_new (sorted);
  gtk_single_selection_set_autoselect (self->shown, FALSE);
  gtk_single_selection_set_can_unselect (self->shown, TRUE);
  gtk_column_view_set_model (self->view, GTK_SELECTION_MODEL (self->shown));
  g_signal_connect_swapped (self->shown, "notify::selected-item", G_CALLBACK (selected_cb), self);
}

static void
hs_atlas_table_init (HsAtlasTable *self)
{
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_column_view_set_show_row_separators (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("All heads, in columns that can be sorted"), -1);
  for (guint column = 0; column < HS_ATLAS_N_COLUMNS; column++)
    add_column (self, column);
  make_models (self);
  self->scrolled = gtk_scrolled_window_new ();
  g_object_set (self->scrolled, "child", self->view, "min-content-height", HEIGHT,
                "max-content-height", HEIGHT, NULL);
  hs_nested_scroll_join (self->scrolled);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}
