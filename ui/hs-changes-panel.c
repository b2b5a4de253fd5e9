/* SPDX-License-Identifier: MIT */
/* A row for each head: where it is, how much it changed, and a click goes there. */
#include "hs-changes-panel.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#include <math.h>

#define DECIMALS 4

struct _HsChangesPanel {
  HsPanel parent_instance;

  GtkToggleButton *more;
  GtkListBox *list;
  GtkLabel *footer;
  GPtrArray *rows; /* Row, as many as were ever shown */
};

/* The widgets of one row; made once, filled anew for each comparison. */
typedef struct {
  GtkWidget *row, *name, *bar, *number; /* owned by the list */
} Row;

G_DEFINE_FINAL_TYPE (HsChangesPanel, hs_changes_panel, HS_TYPE_PANEL)

static Row *
add_row (HsChangesPanel *self)
{
  Row *row = g_new (Row, 1);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);

  row->row = gtk_list_box_row_new ();
  row->name = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->name), 0);
  gtk_label_set_wrap (GTK_LABEL (row->name), TRUE); /* in a small window with large letters */
  row->bar = gtk_level_bar_new ();
  gtk_widget_set_hexpand (row->bar, TRUE);
  gtk_widget_set_valign (row->bar, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (row->bar, "share");
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_LOW);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_HIGH);
  gtk_level_bar_remove_offset_value (GTK_LEVEL_BAR (row->bar), GTK_LEVEL_BAR_OFFSET_FULL);
  row->number = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (row->number), 1);
  gtk_widget_add_css_class (row->number, "numeric");
  gtk_box_append (GTK_BOX (box), row->name);
  gtk_box_append (GTK_BOX (box), row->bar);
  gtk_box_append (GTK_BOX (box), row->number);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row->row), box);
  gtk_list_box_append (self->list, row->row);
  g_ptr_array_add (self->rows, row);
  return row;
}

static void
fill_row (Row *row, const AttnHeadChange *change, double largest)
{
  char number[ATTN_NUMBER_SIZE];
  g_autofree char *name =
      g_strdup_printf (_ ("Layer %zu, head %zu"), change->layer + 1, change->head + 1);
  g_autofree char *told = NULL;

  attn_number_format_fixed (number, change->change, DECIMALS);
  told = g_strdup_printf ("%s: %s", name, number);
  gtk_label_set_text (GTK_LABEL (row->name), name);
  gtk_label_set_text (GTK_LABEL (row->number), number);
  gtk_level_bar_set_value (GTK_LEVEL_BAR (row->bar), largest > 0 && isfinite (change->change)
                                                         ? CLAMP (change->change / largest, 0, 1)
                                                         : 0);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->bar), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row->row), GTK_ACCESSIBLE_PROPERTY_LABEL, told,
                                  -1);
}

/* The head on screen, B's where one of A is set against each of B. */
static bool
is_shown (HsSession *session, const HsChanges *changes, const AttnHeadChange *change)
{
  const AttnDrawView *view = hs_session_peek_view (session);

  return view->layer_b == change->layer && view->head_b == change->head &&
         (changes->ranked == ATTN_RANKED_ONE_HEAD ||
          (view->layer == change->layer && view->head == change->head));
}

static void
mark_row (Row *row, bool is_picked)
{
  gtk_widget_remove_css_class (row->bar, is_picked ? "share" : "picked");
  gtk_widget_add_css_class (row->bar, is_picked ? "picked" : "share");
  gtk_accessible_update_state (GTK_ACCESSIBLE (row->row), GTK_ACCESSIBLE_STATE_SELECTED, is_picked,
                               -1);
}

static char *
dup_shapes (const HsChanges *changes)
{
  return g_strdup_printf (_ ("A has %zu layers of %zu heads, B %zu of %zu"),
                          attn_maps_get_n_layers (changes->a), attn_maps_get_n_heads (changes->a),
                          attn_maps_get_n_layers (changes->b), attn_maps_get_n_heads (changes->b));
}

static char *
dup_footer (const HsChanges *changes)
{
  g_autofree char *shapes = NULL, *one = NULL;

  if (changes->heads == NULL)
    return g_strdup (_ ("A and B have no token in common."));
  if (changes->ranked == ATTN_RANKED_SAME_HEADS)
    return g_strdup (_ ("each head of A against the same head of B: how much of a token's weight "
                        "moved, 0 to 1, over the tokens in common"));
  one =
      g_strdup_printf (_ ("layer %zu, head %zu of A against each head of B: how much of a token's "
                          "weight is elsewhere, 0 to 1"),
                       changes->layer + 1, changes->head + 1);
  if (changes->a == changes->b)
    return g_steal_pointer (&one);
  shapes = dup_shapes (changes);
  return g_strdup_printf ("%s; %s", shapes, one);
}

static size_t
count_rows (HsChangesPanel *self, const HsChanges *changes)
{
  const bool all = gtk_toggle_button_get_active (self->more);

  if (changes == NULL || changes->heads == NULL)
    return 0;
  return MIN (changes->n, (size_t)(all ? HS_CHANGES_PANEL_MOST : HS_CHANGES_PANEL_SHORT));
}

static void
show_rows (HsChangesPanel *self)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const HsChanges *changes = hs_session_peek_changes (session);
  const size_t n = count_rows (self, changes);

  for (size_t i = 0; i < MAX (n, self->rows->len); i++) {
    Row *row = i < self->rows->len ? g_ptr_array_index (self->rows, i) : add_row (self);

    if (i < n)
      fill_row (row, &changes->heads[i], changes->heads[0].change);
    if (i < n)
      mark_row (row, is_shown (session, changes, &changes->heads[i]));
    gtk_widget_set_visible (row->row, i < n);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->list), n > 0);
}

static void
mark_rows (HsPanel *panel)
{
  HsChangesPanel *self = HS_CHANGES_PANEL (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const HsChanges *changes = hs_session_peek_changes (session);
  const size_t n = count_rows (self, changes);

  for (size_t i = 0; i < MIN (n, self->rows->len); i++)
    mark_row (g_ptr_array_index (self->rows, i), is_shown (session, changes, &changes->heads[i]));
}

static void
more_toggled_cb (HsChangesPanel *self)
{
  const bool all = gtk_toggle_button_get_active (self->more);

  gtk_button_set_label (GTK_BUTTON (self->more), all ? _ ("Fewer") : _ ("More"));
  if (hs_panel_peek_session (HS_PANEL (self)) != NULL)
    show_rows (self);
}

static void
row_activated_cb (HsChangesPanel *self, GtkListBoxRow *row)
{
  HsSession *session = hs_panel_peek_session (HS_PANEL (self));
  const HsChanges *changes = hs_session_peek_changes (session);
  const size_t index = (size_t)gtk_list_box_row_get_index (row);
  guint layer, head;

  if (index >= count_rows (self, changes))
    return;
  layer = (guint)changes->heads[index].layer;
  head = (guint)changes->heads[index].head;
  g_object_freeze_notify (G_OBJECT (session));
  if (changes->ranked == ATTN_RANKED_SAME_HEADS) {
    hs_session_set_layer (session, layer);
    hs_session_set_head (session, head);
  }
  hs_session_set_layer_b (session, layer);
  hs_session_set_head_b (session, head);
  g_object_thaw_notify (G_OBJECT (session));
}

static void
hs_changes_panel_update (HsPanel *panel)
{
  HsChangesPanel *self = HS_CHANGES_PANEL (panel);
  const HsChanges *changes = hs_session_peek_changes (hs_panel_peek_session (panel));
  g_autofree char *footer = changes != NULL ? dup_footer (changes) : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), changes != NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->more),
                          changes != NULL && changes->n > HS_CHANGES_PANEL_SHORT);
  gtk_label_set_text (self->footer, footer != NULL ? footer : "");
  show_rows (self);
}

static void
hs_changes_panel_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_CHANGES_PANEL);
  G_OBJECT_CLASS (hs_changes_panel_parent_class)->dispose (object);
}

static void
hs_changes_panel_finalize (GObject *object)
{
  g_ptr_array_unref (HS_CHANGES_PANEL (object)->rows);
  G_OBJECT_CLASS (hs_changes_panel_parent_class)->finalize (object);
}

static void
hs_changes_panel_class_init (HsChangesPanelClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_changes_panel_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_changes_panel_finalize;
  HS_PANEL_CLASS (klass)->update = hs_changes_panel_update;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-changes-panel.ui");
  gtk_widget_class_bind_template_child (widget_class, HsChangesPanel, more);
  gtk_widget_class_bind_template_child (widget_class, HsChangesPanel, list);
  gtk_widget_class_bind_template_child (widget_class, HsChangesPanel, footer);
}

static void
hs_changes_panel_init (HsChangesPanel *self)
{
  HsPanel *panel = HS_PANEL (self);

  self->rows = g_ptr_array_new_with_free_func (g_free);
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_swapped (self->more, "toggled", G_CALLBACK (more_toggled_cb), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (row_activated_cb), self);
  hs_panel_watch (panel, "changes", hs_changes_panel_update);
  hs_panel_watch (panel, "view", mark_rows);
}

GtkWidget *
hs_changes_panel_new (HsSession *session)
{
  return g_object_new (HS_TYPE_CHANGES_PANEL, "session", session, NULL);
}
