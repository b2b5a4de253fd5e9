/* SPDX-License-Identifier: MIT */
/* What the view compare adds to the window: the line that says what B is, the list of changed heads
 * and the pages. */
#include "hs-attended-panel.h"
#include "hs-changes-panel.h"
#include "hs-compare-bar.h"
#include "hs-resources.h"
#include "hs-switch.h"
#include "hs-text-limit.h"
#include "hs-view-actions.h"
#include "test-util.h"
#include "ui-test.h"

#include <string.h>

#define TEXT "The cat sat on the mat."
#define TEXT_B "The dog sat on the mat."

typedef struct {
  UiTestDesk desk;
  HsSession *session;
  HsSide *b;
  GtkWidget *widget;
} Fixture;

static void
open_fixture (Fixture *fixture, GtkWidget *(*make) (HsSession *session))
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->session = fixture->desk.session;
  fixture->b = hs_session_peek_side_b (fixture->session);
  fixture->widget = g_object_ref_sink (make (fixture->session));
}

static void
close_fixture (Fixture *fixture)
{
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->widget);
  ui_test_desk_close (&fixture->desk);
}

static void
assert_says (GtkWidget *widget, const char *part, bool wanted)
{
  g_autofree char *labels = ui_test_dup_labels (widget);
  if ((strstr (labels, part) != NULL) != wanted)
    g_error ("\"%s\" %s in: %s", part, wanted ? "is not" : "is", labels);
}

/* ---- what B is ---- */

static void
test_bar_shows (void)
{
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");
  Fixture fixture;

  open_fixture (&fixture, hs_compare_bar_new);
  g_assert_false (gtk_widget_get_visible (fixture.widget));
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  g_assert_true (gtk_widget_get_visible (fixture.widget));
  GtkWidget *entry = ui_test_find_seen (fixture.widget, GTK_TYPE_ENTRY);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, TEXT);
  gtk_editable_set_text (GTK_EDITABLE (entry), TEXT_B);
  g_assert_cmpstr (hs_side_peek_text (fixture.b), ==, TEXT_B);
  assert_says (fixture.widget, "As A", true);
  g_assert_null (ui_test_find_seen (fixture.widget, GTK_TYPE_PROGRESS_BAR));

  hs_side_set_name (fixture.b, other);
  assert_says (fixture.widget, "Loading bert-mlm…", true);
  g_assert_nonnull (ui_test_find_seen (fixture.widget, GTK_TYPE_PROGRESS_BAR));
  ui_test_drain (fixture.desk.engine);
  assert_says (fixture.widget, "Loading", false);
  assert_says (fixture.widget, "bert-mlm", true);
  GtkWidget *layer = ui_test_find_seen (fixture.widget, GTK_TYPE_SPIN_BUTTON);
  double lower, upper;
  gtk_spin_button_get_range (GTK_SPIN_BUTTON (layer), &lower, &upper);
  g_assert_cmpfloat (upper, ==, 3);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (layer), 3);
  g_assert_cmpuint (hs_session_get_layer_b (fixture.session), ==, 2);
  close_fixture (&fixture);
}

static void
test_bar_trouble (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_compare_bar_new);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  hs_side_set_name (fixture.b, "/nowhere/at all");
  ui_test_drain (fixture.desk.engine);
  assert_says (fixture.widget, "/nowhere/at all", true);
  assert_says (fixture.widget, "As A", true);
  g_assert_cmpstr (hs_side_peek_missed (fixture.b), ==, "/nowhere/at all");

  GtkWidget *retry = ui_test_find_button (fixture.widget, "Try again");
  g_assert_nonnull (retry);
  g_signal_emit_by_name (retry, "clicked");
  assert_says (fixture.widget, "/nowhere/at all", false);
  assert_says (fixture.widget, "Loading", true);
  ui_test_drain (fixture.desk.engine);
  assert_says (fixture.widget, "/nowhere/at all", true);
  hs_side_set_name (fixture.b, "demo");
  assert_says (fixture.widget, "/nowhere/at all", false);
  g_assert_null (hs_side_peek_missed (fixture.b));
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* A field for B's second text where either side has one. */
static void
test_bar_pair (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_compare_bar_new);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  GtkWidget *first = ui_test_find_seen (fixture.widget, GTK_TYPE_ENTRY);
  GtkWidget *pair = gtk_widget_get_next_sibling (first);
  g_assert_true (GTK_IS_ENTRY (pair));
  g_assert_false (gtk_widget_get_visible (pair));
  hs_side_set_pair (hs_session_peek_side (fixture.session), "It slept.");
  g_assert_true (gtk_widget_get_visible (pair));
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (pair)), ==, "It slept.");
  gtk_editable_set_text (GTK_EDITABLE (pair), "It ran.");
  g_assert_cmpstr (hs_side_peek_pair (fixture.b), ==, "It ran.");
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* What is too long does not come into B's field either, and that is said. */
static void
test_bar_cut (void)
{
  Fixture fixture;
  GString *text = g_string_new ("a");

  for (int i = 0; i < 15000; i++)
    g_string_append (text, "\xcc\x81");
  open_fixture (&fixture, hs_compare_bar_new);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  GtkEditable *entry = GTK_EDITABLE (ui_test_find_seen (fixture.widget, GTK_TYPE_ENTRY));
  assert_says (fixture.widget, "left out", false);
  gtk_editable_delete_text (entry, 0, -1);
  int position = 0;
  gtk_editable_insert_text (entry, text->str, -1, &position);
  g_assert_cmpuint (strlen (gtk_editable_get_text (entry)), ==, 1 + 2 * HS_MAX_MARKS);
  g_assert_cmpstr (hs_side_peek_text (fixture.b), ==, gtk_editable_get_text (entry));
  assert_says (fixture.widget, "left out", true);
  g_assert_cmpint (position, ==, 1 + HS_MAX_MARKS);
  position = 50;
  gtk_editable_insert_text (entry, "\xcc\x81", -1, &position);
  g_assert_cmpuint (strlen (gtk_editable_get_text (entry)), ==, 1 + 2 * HS_MAX_MARKS);
  gtk_editable_set_text (entry, "short");
  assert_says (fixture.widget, "left out", false);
  g_string_free (text, TRUE);
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* All but the text goes behind a button, and comes back. */
static void
test_bar_tight (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_compare_bar_new);
  HsCompareBar *bar = HS_COMPARE_BAR (fixture.widget);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  hs_session_set_layer_b (fixture.session, 2);
  GtkWidget *spin = ui_test_find_seen (fixture.widget, GTK_TYPE_SPIN_BUTTON);
  assert_says (fixture.widget, "Layer 3, head 1", false);
  g_assert_null (gtk_widget_get_ancestor (spin, GTK_TYPE_POPOVER));

  hs_compare_bar_set_tight (bar, true);
  assert_says (fixture.widget, "Layer 3, head 1", true);
  g_assert_nonnull (gtk_widget_get_ancestor (spin, GTK_TYPE_POPOVER));
  g_assert_true (gtk_widget_is_ancestor (spin, fixture.widget));
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (spin), 2);
  g_assert_cmpuint (hs_session_get_layer_b (fixture.session), ==, 1);
  assert_says (fixture.widget, "Layer 2, head 1", true);

  hs_compare_bar_set_tight (bar, false);
  assert_says (fixture.widget, "Layer 2, head 1", false);
  g_assert_null (gtk_widget_get_ancestor (spin, GTK_TYPE_POPOVER));
  g_assert_true (ui_test_find_seen (fixture.widget, GTK_TYPE_SPIN_BUTTON) == spin);
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* ---- changed heads ---- */

static bool
is_listed (gpointer session)
{
  return hs_session_peek_changes (session) != NULL &&
         hs_session_get_state (session) == HS_STATE_READY;
}

static guint
count_rows (GtkListBox *list)
{
  guint n = 0;
  GtkListBoxRow *row;
  for (int i = 0; (row = gtk_list_box_get_row_at_index (list, i)) != NULL; i++)
    n += gtk_widget_get_visible (GTK_WIDGET (row));
  return n;
}

static void
test_list (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_changes_panel_new);
  g_assert_false (gtk_widget_get_visible (fixture.widget));
  hs_side_set_text (fixture.b, TEXT_B);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  ui_test_drain (fixture.desk.engine);
  ui_test_wait (is_listed, fixture.session);
  g_assert_true (gtk_widget_get_visible (fixture.widget));
  HsChanges *changes = hs_session_peek_changes (fixture.session);
  g_assert_cmpint (changes->ranked, ==, ATTN_RANKED_SAME_HEADS);
  GtkListBox *list = GTK_LIST_BOX (ui_test_find_seen (fixture.widget, GTK_TYPE_LIST_BOX));
  g_assert_cmpuint (count_rows (list), ==, HS_CHANGES_PANEL_SHORT);

  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 3));
  g_assert_cmpuint (hs_session_get_layer (fixture.session), ==, changes->heads[3].layer);
  g_assert_cmpuint (hs_session_get_head (fixture.session), ==, changes->heads[3].head);
  g_assert_cmpuint (hs_session_get_layer_b (fixture.session), ==, changes->heads[3].layer);
  g_assert_cmpuint (hs_session_get_head_b (fixture.session), ==, changes->heads[3].head);
  ui_test_drain (fixture.desk.engine);
  g_assert_true (hs_session_peek_changes (fixture.session) == changes); /* the same numbers */

  GtkWidget *more = ui_test_find_seen (fixture.widget, GTK_TYPE_TOGGLE_BUTTON);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  g_assert_cmpuint (count_rows (list), ==, changes->n);
  hs_session_set_kind (fixture.session, ATTN_DRAW_HEATMAP);
  g_assert_false (gtk_widget_get_visible (fixture.widget));
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* Of one text only B's head follows: A's is what the others are set against. */
static void
test_list_of_one (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_changes_panel_new);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  ui_test_wait (is_listed, fixture.session);
  assert_says (fixture.widget, "layer 1, head 1 of A against each head of B", true);
  GtkListBox *list = GTK_LIST_BOX (ui_test_find_seen (fixture.widget, GTK_TYPE_LIST_BOX));
  HsChanges *changes = hs_session_peek_changes (fixture.session);
  g_signal_emit_by_name (list, "row-activated", gtk_list_box_get_row_at_index (list, 0));
  g_assert_cmpuint (hs_session_get_layer (fixture.session), ==, 0);
  g_assert_cmpuint (hs_session_get_head (fixture.session), ==, 0);
  g_assert_cmpuint (hs_session_get_layer_b (fixture.session), ==, changes->heads[0].layer);
  g_assert_cmpuint (hs_session_get_head_b (fixture.session), ==, changes->heads[0].head);
  ui_test_drain (fixture.desk.engine);
  close_fixture (&fixture);
}

/* ---- in a window of their own ---- */

static bool
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

/* Nothing holds them when their window is gone, shown and focused as they were. */
static void
test_teardown (void)
{
  GtkWidget *(*const make[]) (HsSession *) = {hs_compare_bar_new, hs_changes_panel_new};

  for (size_t round = 0; round < 3 * G_N_ELEMENTS (make); round++) {
    UiTestDesk desk;
    ui_test_desk_open (&desk, TEXT);
    GtkWidget *window = g_object_ref (gtk_window_new ());
    GtkWidget *widget = g_object_ref_sink (make[round % G_N_ELEMENTS (make)](desk.session));
    gtk_window_set_child (GTK_WINDOW (window), widget);
    gtk_window_present (GTK_WINDOW (window));
    hs_side_set_text (hs_session_peek_side_b (desk.session), TEXT_B);
    hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
    ui_test_wait (is_listed, desk.session);
    ui_test_wait (is_mapped, widget);
    gtk_widget_grab_focus (ui_test_find_seen (widget, GTK_TYPE_TOGGLE_BUTTON));
    gtk_test_widget_wait_for_draw (window);
    gtk_window_destroy (GTK_WINDOW (window));
    g_assert_finalize_object (window);
    ui_test_drain (desk.engine);
    g_assert_finalize_object (widget);
    ui_test_desk_close (&desk);
  }
}

/* ---- pages ---- */

static void
test_pages (void)
{
  HsSession *session = hs_session_new ();
  GtkWidget *window = g_object_ref (gtk_window_new ());
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *explore = hs_switch_new_toggle ("Explore", "One text", "view.page", "explore");
  GtkWidget *compare = hs_switch_new_toggle ("Compare", "Two texts", "view.page", "compare");
  GtkWidget *lab = hs_switch_new_toggle ("Lab", "Heads", "view.page", "lab");
  GActionGroup *actions = hs_view_actions_new (session);
  int minimum, natural;

  gtk_widget_insert_action_group (window, "view", actions);
  gtk_box_append (GTK_BOX (row), explore);
  gtk_box_append (GTK_BOX (row), compare);
  gtk_box_append (GTK_BOX (row), lab);
  GtkWidget *pages = hs_switch_new (row);
  GtkWidget *menu = gtk_widget_get_next_sibling (row);
  gtk_window_set_child (GTK_WINDOW (window), pages);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (explore)));
  hs_session_set_kind (session, ATTN_DRAW_LINES);
  g_signal_emit_by_name (compare, "clicked");
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_COMPARE);
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (explore)));
  g_signal_emit_by_name (explore, "clicked");
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_LINES); /* where one came from */
  g_signal_emit_by_name (lab, "clicked");
  g_assert_true (hs_session_get_in_lab (session));
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_LINES);
  g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (lab)));
  g_assert_false (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (explore)));
  gtk_widget_activate_action (pages, "view.kind", "s", "lines"); /* the same view leaves it */
  g_assert_false (hs_session_get_in_lab (session));

  gtk_widget_measure (pages, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  g_assert_cmpint (minimum, <, natural / 2);
  gtk_widget_size_allocate (pages, &(GtkAllocation){0, 0, natural, 40}, -1);
  g_assert_true (gtk_widget_get_child_visible (row));
  g_assert_false (gtk_widget_get_child_visible (menu));
  gtk_widget_size_allocate (pages, &(GtkAllocation){0, 0, natural - 1, 40}, -1);
  g_assert_false (gtk_widget_get_child_visible (row)); /* the same choice in a menu */
  g_assert_true (gtk_widget_get_child_visible (menu));
  gtk_widget_insert_action_group (window, "view", NULL);
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (window);
  g_assert_finalize_object (actions);
  g_assert_finalize_object (session);
}

/* The lists beside the maps say that they are of A. */
static void
test_whose (void)
{
  Fixture fixture;

  open_fixture (&fixture, hs_attended_panel_new);
  hs_session_set_pinned (fixture.session, 2, HS_NONE);
  assert_says (fixture.widget, "What this head attends to", true);
  assert_says (fixture.widget, "A · From", false);
  hs_session_set_kind (fixture.session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (fixture.session, HS_STATE_READY);
  hs_session_set_pinned (fixture.session, 2, HS_NONE);
  assert_says (fixture.widget, "What A attends to", true);
  assert_says (fixture.widget, "A · From “cat”", true);
  close_fixture (&fixture);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/compare-widgets/bar", test_bar_shows);
  g_test_add_func ("/compare-widgets/bar/trouble", test_bar_trouble);
  g_test_add_func ("/compare-widgets/bar/pair", test_bar_pair);
  g_test_add_func ("/compare-widgets/bar/tight", test_bar_tight);
  g_test_add_func ("/compare-widgets/bar/cut", test_bar_cut);
  g_test_add_func ("/compare-widgets/list", test_list);
  g_test_add_func ("/compare-widgets/list/of-one", test_list_of_one);
  g_test_add_func ("/compare-widgets/teardown", test_teardown);
  g_test_add_func ("/compare-widgets/whose", test_whose);
  g_test_add_func ("/compare-widgets/pages", test_pages);
  return g_test_run ();
}
