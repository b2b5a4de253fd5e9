/* SPDX-License-Identifier: MIT */
/* The panels beside the picture: what they say for known numbers. */
#include "formula-maps.h"
#include "hs-attended-panel.h"
#include "hs-bar-list.h"
#include "hs-face.h"
#include "hs-format.h"
#include "hs-head-bar.h"
#include "hs-help-panel.h"
#include "hs-resources.h"
#include "hs-status-line.h"
#include "hs-text-panel.h"
#include "ui-test.h"

#include "attn/metrics.h"
#include "attn/number.h"

#include <gtk/gtk.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define N_TOKENS 6

static void
assert_labels (GtkWidget *widget, const char *wanted)
{
  g_autofree char *labels = ui_test_dup_labels (widget);
  g_assert_cmpstr (labels, ==, wanted);
}

static GtkWidget *
own (GtkWidget *widget)
{
  return g_object_ref_sink (widget);
}

static HsSession *
new_session (AttnDrawKind kind)
{
  g_autoptr (GError) error = NULL;
  HsSession *session = hs_session_new ();
  g_autoptr (AttnMaps) maps = formula_maps_new (N_TOKENS, N_TOKENS);
  hs_session_set_kind (session, kind);
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (session, panels, hs_session_peek_asked (session));
  return session;
}

/* ---- tests ---- */

static void
test_bar_list (void)
{
  static const HsBarEntry entries[] = {
      {"cat", 0.5f}, {"猫", 0.25f}, {"##s", 0.125f}, {"the", 0.0625f}};
  GtkWidget *list = own (hs_bar_list_new ());
  g_object_set (list, "title", "Heads up", "footer", "mean", NULL);
  hs_bar_list_set_entries (HS_BAR_LIST (list), entries, 4);
  assert_labels (list, "Heads up|More|cat|0.5000|猫|0.2500|##s|0.1250|mean");
  hs_bar_list_set_entries (HS_BAR_LIST (list), entries, 2);
  assert_labels (list, "Heads up|cat|0.5000|猫|0.2500|mean");
  hs_bar_list_set_entries (HS_BAR_LIST (list), &(HsBarEntry){"x", NAN}, 1);
  assert_labels (list, "Heads up|x|nan|mean");
  hs_bar_list_set_entries (HS_BAR_LIST (list), NULL, 0);
  assert_labels (list, "Heads up|mean");
  g_assert_finalize_object (list);
}

/* The panel's first number is the largest column mean, by plain sums. */
static void
test_attended (void)
{
  HsSession *session = new_session (ATTN_DRAW_HEATMAP);
  GtkWidget *panel = own (hs_attended_panel_new (session));
  double best = 0;
  for (size_t key = 0; key < N_TOKENS; key++) {
    double sum = 0;
    for (size_t query = 0; query < N_TOKENS; query++)
      sum += (double)formula_weight (0, 0, query, key, N_TOKENS);
    best = MAX (best, sum / N_TOKENS);
  }
  char number[ATTN_NUMBER_SIZE];
  g_autofree char *labels = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (labels, attn_number_format_fixed (number, best, 4)));
  g_assert_nonnull (strstr (labels, "mean over the 6 query tokens"));
  g_assert_null (strstr (labels, "From"));

  hs_session_set_pinned (session, 1, HS_NONE);
  g_autofree char *followed = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (followed, "From “the”"));
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

/* Twelve tokens of which "[CLS]" stands twice: only these carry their positions. */
static void
test_attended_twins (void)
{
  g_autoptr (GError) error = NULL;
  HsSession *session = hs_session_new ();
  g_autoptr (AttnMaps) maps = formula_maps_new (12, 12);
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (hs_session_peek_asked (session), maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  hs_session_show (session, panels, hs_session_peek_asked (session));
  hs_session_set_pinned (session, 5, HS_NONE); /* whose strongest key is the first */
  GtkWidget *panel = own (hs_attended_panel_new (session));
  g_autofree char *labels = ui_test_dup_labels (panel);
  g_auto (GStrv) texts = g_strsplit (labels, "|", -1);
  bool seen = false;
  for (size_t i = 0; texts[i] != NULL; i++) {
    const char *text = texts[i];
    g_assert_cmpstr (text, !=, "[CLS]");
    seen |= strcmp (text, "[CLS] · 0") == 0 || strcmp (text, "[CLS] · 11") == 0;
    g_assert_null (strstr (text, "cat ·"));
  }
  g_assert_true (seen);
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

static void
test_status_line (void)
{
  HsSession *session = new_session (ATTN_DRAW_HEATMAP);
  GtkWidget *line = own (hs_status_line_new (session));
  char number[ATTN_NUMBER_SIZE];
  float weight = formula_weight (0, 0, 1, 4, N_TOKENS);
  g_autofree char *wanted = g_strdup_printf ("query “the” → key “猫”: %s",
                                             attn_number_format_fixed (number, (double)weight, 4));

  hs_session_set_hovered (session, &(HsCell){0, 1, 4, 0});
  assert_labels (line, wanted);
  hs_session_set_hovered (session, &HS_CELL_NONE);
  hs_session_set_pinned (session, 1, 4);
  g_autofree char *pinned = g_strconcat ("pinned · ", wanted, NULL);
  assert_labels (line, pinned);
  hs_session_set_hovered (session, &(HsCell){0, 1, HS_NONE, 0});
  assert_labels (line, "query “the”: the row shows where it looks");
  hs_status_line_say (HS_STATUS_LINE (line), "Saved as x.png");
  assert_labels (line, "Saved as x.png");
  hs_session_set_hovered (session, &(HsCell){0, 1, 4, 0}); /* the pointer does not hide it … */
  assert_labels (line, "Saved as x.png");
  gint64 end = g_get_monotonic_time () + 20 * G_USEC_PER_SEC;
  g_autofree char *labels = ui_test_dup_labels (line);
  while (strstr (labels, "Saved") != NULL && g_get_monotonic_time () < end) { /* … time does */
    g_main_context_iteration (NULL, TRUE);
    g_free (labels);
    labels = ui_test_dup_labels (line);
  }
  assert_labels (line, wanted);
  g_assert_finalize_object (line);
  g_assert_finalize_object (session);
}

/* In the grid the value belongs to the head under the pointer, not to the chosen one. */
static void
test_status_line_of_grid (void)
{
  HsSession *session = new_session (ATTN_DRAW_HEADS);
  GtkWidget *line = own (hs_status_line_new (session));
  char number[ATTN_NUMBER_SIZE];
  float weight = formula_weight (0, 2, 1, 4, N_TOKENS);
  g_autofree char *wanted = g_strdup_printf ("head 3 · query “the” → key “猫”: %s",
                                             attn_number_format_fixed (number, (double)weight, 4));
  hs_session_set_hovered (session, &(HsCell){2, 1, 4, 0});
  assert_labels (line, wanted);
  hs_session_set_hovered (session, &(HsCell){2, HS_NONE, HS_NONE, 0});
  assert_labels (line, "head 3");
  g_assert_finalize_object (line);
  g_assert_finalize_object (session);
}

/* A cell that points beyond the map, from a longer text before, says nothing. */
static void
test_cell_beyond (void)
{
  HsSession *session = new_session (ATTN_DRAW_HEATMAP);
  const AttnMap *map = hs_session_peek_map (session);
  g_assert_null (hs_format_cell (map, &(HsCell){0, 60, 70, 0}));
  g_assert_null (hs_format_cell (NULL, &(HsCell){0, 1, 1, 0}));
  g_assert_null (hs_format_cell (map, &HS_CELL_NONE));
  g_assert_finalize_object (session);
}

static void
test_help_follows_colours (void)
{
  HsSession *session = new_session (ATTN_DRAW_HEATMAP);
  GtkWidget *panel = own (hs_help_panel_new (session));
  g_autofree char *darker = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (darker, "the darker, the more"));
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_MAGMA);
  g_autofree char *brighter = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (brighter, "the brighter, the more"));
  g_assert_finalize_object (panel);
  g_assert_finalize_object (session);
}

/* Each view is explained by itself. */
static void
test_help_follows_view (void)
{
  static const struct {
    AttnDrawKind kind;
    const char *marks, *places;
  } views[] = {
      {ATTN_DRAW_HEATMAP, "Each cell is one attention weight", "The weights of a row sum to 1"},
      {ATTN_DRAW_HEADS, "Each small map", "for each head of the layer"},
      {ATTN_DRAW_LAYERS, "Each small map", "A row for each layer"},
      {ATTN_DRAW_LINES, "Each line is one", "stand on the left"},
      {ATTN_DRAW_TEXT, "The stronger the shade", "the mean over all queries"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (views); i++) {
    HsSession *session = new_session (views[i].kind);
    GtkWidget *panel = own (hs_help_panel_new (session));
    g_autofree char *said = ui_test_dup_labels (panel);
    g_assert_nonnull (strstr (said, views[i].marks));
    g_assert_nonnull (strstr (said, views[i].places));
    for (size_t other = 0; other < G_N_ELEMENTS (views); other++)
      if (other > 0 && other != i) /* rows are those of heads, too */
        g_assert_null (strstr (said, views[other].places));
    g_assert_finalize_object (panel);
    g_assert_finalize_object (session);
  }
}

/* Numbers of tokens are explained where there are any. */
static void
test_help_numbers (void)
{
  UiTestDesk desk;
  ui_test_desk_open (&desk, "the cat saw the dog");
  GtkWidget *panel = own (hs_help_panel_new (desk.session));
  g_autofree char *said = ui_test_dup_labels (panel);
  g_assert_nonnull (strstr (said, "The number in “the · 4” is its position, from 0"));
  hs_side_set_text (hs_session_peek_side (desk.session), "the cat saw a dog");
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  g_autofree char *plain = ui_test_dup_labels (panel);
  g_assert_null (strstr (plain, "is its position"));
  g_assert_finalize_object (panel);
  ui_test_desk_close (&desk);
}

static GtkExpander *
find_folded (GtkWidget *widget)
{
  GtkExpander *found = NULL;
  if (GTK_IS_EXPANDER (widget) && !gtk_expander_get_expanded (GTK_EXPANDER (widget)))
    return GTK_EXPANDER (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_folded (child);
  return found;
}

/* The keys go past what is folded away. */
static void
test_help_folded (void)
{
  static const GtkDirectionType directions[] = {GTK_DIR_UP, GTK_DIR_DOWN, GTK_DIR_LEFT,
                                                GTK_DIR_RIGHT};
  HsSession *session = new_session (ATTN_DRAW_HEATMAP);
  GtkWidget *window = gtk_window_new (), *panel = hs_help_panel_new (session);
  gtk_window_set_child (GTK_WINDOW (window), panel);
  gtk_window_present (GTK_WINDOW (window));
  GtkExpander *folded = find_folded (panel);
  g_assert_nonnull (folded);
  for (size_t i = 0; i < G_N_ELEMENTS (directions); i++) {
    gtk_widget_grab_focus (GTK_WIDGET (folded));
    gtk_widget_child_focus (window, directions[i]);
  }
  gtk_expander_set_expanded (folded, TRUE);
  g_assert_true (gtk_widget_is_visible (gtk_expander_get_child (folded)));
  gtk_window_destroy (GTK_WINDOW (window));
  g_assert_finalize_object (session);
}

static GtkWidget *
find_toggle (GtkWidget *widget)
{
  GtkWidget *found = GTK_IS_TOGGLE_BUTTON (widget) ? widget : NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_toggle (child);
  return found;
}

static GtkWidget *
find_bar (GtkWidget *widget)
{
  if (GTK_IS_LEVEL_BAR (widget))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_bar (child);
  return found;
}

/* What is not a number has no bar, and takes nobody else's. */
static void
test_bars_beside_nan (void)
{
  static const HsBarEntry entries[] = {{"a", 0.5f}, {"b", INFINITY}, {"c", NAN}};
  GtkWidget *list = own (hs_bar_list_new ());
  hs_bar_list_set_entries (HS_BAR_LIST (list), entries, G_N_ELEMENTS (entries));
  /* exactly: the value is divided by itself */
  g_assert_cmpfloat (gtk_level_bar_get_value (GTK_LEVEL_BAR (find_bar (list))), ==, 1);
  g_assert_finalize_object (list);
}

/* The title has as much room with the one label as with the other. */
static void
test_more_keeps_its_width (void)
{
  static const HsBarEntry entries[] = {{"a", 4}, {"b", 3}, {"c", 2}, {"d", 1}};
  GtkWidget *list = own (hs_bar_list_new ());
  hs_bar_list_set_entries (HS_BAR_LIST (list), entries, G_N_ELEMENTS (entries));
  GtkWidget *more = find_toggle (list);
  int before, after;
  assert_labels (list, "More|a|4.0000|b|3.0000|c|2.0000");
  gtk_widget_measure (more, GTK_ORIENTATION_HORIZONTAL, -1, &before, NULL, NULL, NULL);
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  assert_labels (list, "Fewer|a|4.0000|b|3.0000|c|2.0000|d|1.0000");
  gtk_widget_measure (more, GTK_ORIENTATION_HORIZONTAL, -1, &after, NULL, NULL, NULL);
  g_assert_cmpint (before, ==, after);
  g_assert_finalize_object (list);
}

static void
test_count (void)
{
  static const struct {
    size_t count;
    const char *text;
  } cases[] = {{0, "0"}, {999, "999"}, {1000, "1,000"}, {5413440, "5,413,440"}};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *text = hs_format_count (cases[i].count);
    g_assert_cmpstr (text, ==, cases[i].text);
  }
}

static void
collect (GtkWidget *widget, GPtrArray *all)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    g_ptr_array_add (all, g_object_ref (child));
    collect (child, all);
  }
}

/* An event that is being handled may keep some of a panel's children longer than the panel. Their
 * bindings must not reach for it any more: every n-th child is kept, starting with each of the n.
 */
static void
test_outlived_by_children (void)
{
  const GType types[] = {HS_TYPE_FACE, HS_TYPE_HEAD_BAR, HS_TYPE_TEXT_PANEL, HS_TYPE_BAR_LIST};

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    for (guint n = 1; n <= 7; n++)
      for (guint first = 0; first < n; first++) {
        g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func (g_object_unref);
        GtkWidget *panel = own (g_object_new (types[i], NULL));

        collect (panel, all);
        g_assert_cmpuint (all->len, >, 0);
        for (guint at = all->len; at-- > 0;)
          if (at % n != first)
            g_ptr_array_remove_index (all, at);
        g_assert_finalize_object (panel);
      }
}

int
main (int argc, char **argv)
{
  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/panels/bar-list", test_bar_list);
  g_test_add_func ("/panels/bars-beside-nan", test_bars_beside_nan);
  g_test_add_func ("/panels/attended", test_attended);
  g_test_add_func ("/panels/attended-twins", test_attended_twins);
  g_test_add_func ("/panels/status-line", test_status_line);
  g_test_add_func ("/panels/status-line-of-grid", test_status_line_of_grid);
  g_test_add_func ("/panels/cell-beyond", test_cell_beyond);
  g_test_add_func ("/panels/help-follows-colours", test_help_follows_colours);
  g_test_add_func ("/panels/help-numbers", test_help_numbers);
  g_test_add_func ("/panels/help-folded", test_help_folded);
  g_test_add_func ("/panels/help-follows-view", test_help_follows_view);
  g_test_add_func ("/panels/more-keeps-its-width", test_more_keeps_its_width);
  g_test_add_func ("/panels/count", test_count);
  g_test_add_func ("/panels/outlived-by-children", test_outlived_by_children);
  return g_test_run ();
}
