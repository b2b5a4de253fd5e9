/* SPDX-License-Identifier: MIT */
/* The window as a whole: typing, spin buttons, views, states, names for screen readers, sizes. */
#include "hs-application.h"
#include "hs-examples.h"
#include "hs-face.h"
#include "hs-text-panel.h"
#include "hs-window.h"
#include "ui-test.h"

#include <malloc.h>

#define TEXT "The animal didn't cross the street because it was too tired."

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer text)
{
  ui_test_desk_open (&fixture->desk, text != NULL ? text : TEXT);
  fixture->window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
  g_object_ref (fixture->window);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
}

/* ---- finding widgets ---- */

typedef bool (*Matches) (GtkWidget *widget, gconstpointer data);

static GtkWidget *
find (GtkWidget *root, Matches matches, gconstpointer data)
{
  if (matches (root, data))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child (root); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find (child, matches, data);

    if (found != NULL)
      return found;
  }
  return NULL;
}

/* The name bound in the template, which GtkBuilder gives every widget with an id. */
static bool
has_id (GtkWidget *widget, gconstpointer id)
{
  const char *own = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));

  return own != NULL && g_str_equal (own, id);
}

static GtkWidget *
get (Fixture *fixture, const char *id)
{
  GtkWidget *widget = find (fixture->window, has_id, id);

  g_assert_nonnull (widget);
  return widget;
}

static bool
is_a (GtkWidget *widget, gconstpointer type)
{
  return g_type_is_a (G_OBJECT_TYPE (widget), *(const GType *)type);
}

static GtkTextBuffer *
get_buffer (Fixture *fixture, const char *id)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (get (fixture, id)));
}

/* ---- tests ---- */

static void
test_typing (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  GtkTextBuffer *buffer = get_buffer (fixture, "text_view");
  g_autofree char *shown = NULL;
  GtkTextIter end;

  g_object_get (buffer, "text", &shown, NULL);
  g_assert_cmpstr (shown, ==, TEXT);
  gtk_text_buffer_set_text (buffer, "貓", -1);
  gtk_text_buffer_get_end_iter (buffer, &end);
  gtk_text_buffer_insert (buffer, &end, " sat", -1);
  g_assert_cmpstr (hs_side_peek_text (side), ==, "貓 sat");
  g_assert_false (gtk_widget_get_visible (get (fixture, "text_hint")));
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  gtk_text_buffer_set_text (buffer, "", -1);
  g_assert_true (gtk_widget_get_visible (get (fixture, "text_hint")));
  g_assert_cmpint (hs_session_get_state (fixture->desk.session), ==, HS_STATE_EMPTY);
}

/* The session repeats what was typed; the cursor must not jump for it. */
static void
test_cursor_stays (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkTextBuffer *buffer = get_buffer (fixture, "text_view");
  GtkTextIter iter;
  int position;

  gtk_text_buffer_get_iter_at_offset (buffer, &iter, 3);
  gtk_text_buffer_place_cursor (buffer, &iter);
  gtk_text_buffer_insert_at_cursor (buffer, "x", -1);
  g_object_get (buffer, "cursor-position", &position, NULL);
  g_assert_cmpint (position, ==, 4);
}

static void
test_spins (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  GtkSpinButton *layer = GTK_SPIN_BUTTON (get (fixture, "layer_spin"));
  GtkSpinButton *head = GTK_SPIN_BUTTON (get (fixture, "head_spin"));

  g_assert_cmpfloat (gtk_spin_button_get_value (layer), ==, 1);
  gtk_spin_button_spin (layer, GTK_SPIN_STEP_BACKWARD, 1); /* wraps around */
  g_assert_cmpuint (hs_session_get_layer (session), ==, hs_session_get_n_layers (session) - 1);
  gtk_spin_button_spin (layer, GTK_SPIN_STEP_FORWARD, 1);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  gtk_spin_button_set_value (head, 99); /* clamped to the model */
  g_assert_cmpuint (hs_session_get_head (session), ==, hs_session_get_n_heads (session) - 1);
  hs_session_set_head (session, 2);
  g_assert_cmpfloat (gtk_spin_button_get_value (head), ==, 3);
  g_assert_true (hs_session_is_current (session));
}

static void
assert_mnemonic (Fixture *fixture, const char *text, const char *id)
{
  GtkWidget *widget = get (fixture, id);
  GList *labels = gtk_widget_list_mnemonic_labels (widget);

  g_assert_cmpuint (g_list_length (labels), ==, 1);
  g_assert_cmpstr (gtk_label_get_label (labels->data), ==, text);
  g_list_free (labels);
}

static void
test_mnemonics (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  assert_mnemonic (fixture, "_Layer", "layer_spin");
  assert_mnemonic (fixture, "_Head", "head_spin");
}

static void
test_views (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  GtkToggleButton *heatmap = GTK_TOGGLE_BUTTON (get (fixture, "heatmap_button"));
  GtkToggleButton *heads = GTK_TOGGLE_BUTTON (get (fixture, "heads_button"));

  g_assert_true (gtk_toggle_button_get_active (heatmap));
  g_signal_emit_by_name (heads, "clicked");
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_HEADS);
  g_assert_true (gtk_toggle_button_get_active (heads));
  g_assert_false (gtk_toggle_button_get_active (heatmap));
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  g_assert_true (gtk_toggle_button_get_active (heatmap));
}

static void
test_actions (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  g_assert_true (gtk_widget_activate_action (fixture->window, "view.previous-head", NULL));
  g_assert_cmpuint (hs_session_get_head (session), ==, hs_session_get_n_heads (session) - 1);
  g_assert_true (gtk_widget_activate_action (fixture->window, "view.next-head", NULL));
  g_assert_cmpuint (hs_session_get_head (session), ==, 0);
  g_assert_true (gtk_widget_activate_action (fixture->window, "view.next-layer", NULL));
  g_assert_cmpuint (hs_session_get_layer (session), ==, 1);
  g_assert_true (gtk_widget_activate_action (fixture->window, "view.color-map", "s", "magma"));
  g_assert_cmpint (hs_session_get_color_map (session), ==, ATTN_DRAW_COLOR_MAP_MAGMA);
  g_assert_true (gtk_widget_activate_action (fixture->window, "view.range", "s", "model"));
  g_assert_cmpint (hs_session_peek_view (session)->range, ==, ATTN_DRAW_RANGE_MODEL);
  hs_session_set_pinned (session, 1, HS_NONE);
  g_assert_true (gtk_widget_activate_action (fixture->window, "view.unpin", NULL));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
}

static void
test_examples (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  g_autoptr (GPtrArray) examples = hs_examples_load ();
  bool mask = false, pair = false, chinese = false;

  g_assert_cmpuint (examples->len, >=, 6);
  for (guint i = 0; i < examples->len; i++) {
    const HsExample *example = g_ptr_array_index (examples, i);

    g_assert_true (
        gtk_widget_activate_action (get (fixture, "examples_button"), "text.example", "u", i));
    g_assert_cmpstr (hs_side_peek_text (side), ==, example->text);
    g_assert_cmpstr (hs_side_peek_pair (side), ==, example->pair);
    g_assert_true (gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (
                       get (fixture, "pair_button"))) == (example->pair != NULL));
    ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
    mask |= strstr (example->text, "[MASK]") != NULL;
    pair |= example->pair != NULL;
    chinese |= g_unichar_iswide (g_utf8_get_char (example->text));
  }
  g_assert_true (mask && pair && chinese);
}

static void
test_second_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (get (fixture, "pair_button"));
  GtkWidget *view = get (fixture, "pair_view");
  g_autofree char *kept = NULL;

  g_assert_false (gtk_widget_get_visible (gtk_widget_get_parent (gtk_widget_get_parent (view))));
  gtk_toggle_button_set_active (button, TRUE);
  g_assert_cmpstr (hs_side_peek_pair (side), ==, "");
  g_assert_true (gtk_widget_get_visible (gtk_widget_get_parent (gtk_widget_get_parent (view))));
  gtk_text_buffer_set_text (get_buffer (fixture, "pair_view"), "second", -1);
  g_assert_cmpstr (hs_side_peek_pair (side), ==, "second");
  gtk_toggle_button_set_active (button, FALSE);
  g_assert_null (hs_side_peek_pair (side));
  gtk_toggle_button_set_active (button, TRUE); /* what was typed is still there */
  g_assert_cmpstr (hs_side_peek_pair (side), ==, "second");
}

/* An example takes the place of what was typed, and undo brings that back. */
static void
test_example_undo (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  GtkTextBuffer *buffer = get_buffer (fixture, "text_view");

  gtk_text_buffer_set_text (buffer, "", -1);
  gtk_text_buffer_insert_at_cursor (buffer, "my own words", -1);
  g_assert_true (gtk_widget_activate_action (get (fixture, "text_view"), "text.example", "u", 1));
  g_assert_cmpstr (hs_side_peek_text (side), !=, "my own words");
  gtk_text_buffer_undo (buffer);
  g_assert_cmpstr (hs_side_peek_text (side), ==, "my own words");
}

static guint32
find_paired_example (void)
{
  g_autoptr (GPtrArray) examples = hs_examples_load ();
  guint32 found = 0;

  while (((const HsExample *)examples->pdata[found])->pair == NULL)
    g_assert_cmpuint (++found, <, examples->len);
  return found;
}

/* One step back for both of its texts, and one forth. */
static void
test_example_undo_both (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);
  GtkTextBuffer *buffer = get_buffer (fixture, "text_view");
  GtkToggleButton *button = GTK_TOGGLE_BUTTON (get (fixture, "pair_button"));

  for (int had_pair = 0; had_pair < 2; had_pair++) {
    const char *own = had_pair ? "my own second" : NULL;
    hs_side_set_texts (side, "my own words", own);
    gtk_widget_activate_action (get (fixture, "text_view"), "text.example", "u",
                                find_paired_example ());
    g_autofree char *text = g_strdup (hs_side_peek_text (side));
    g_autofree char *pair = g_strdup (hs_side_peek_pair (side));
    g_assert_nonnull (pair);
    gtk_text_buffer_undo (buffer);
    g_assert_cmpstr (hs_side_peek_text (side), ==, "my own words");
    g_assert_cmpstr (hs_side_peek_pair (side), ==, own);
    g_assert_cmpint (gtk_toggle_button_get_active (button), ==, had_pair);
    gtk_text_buffer_redo (buffer);
    g_assert_cmpstr (hs_side_peek_text (side), ==, text);
    g_assert_cmpstr (hs_side_peek_pair (side), ==, pair);
    g_assert_true (gtk_toggle_button_get_active (button));
  }
  gtk_text_buffer_insert_at_cursor (get_buffer (fixture, "pair_view"), "x", -1);
  gtk_text_buffer_undo (buffer); /* what was typed since is not thrown away */
  g_assert_cmpstr (hs_side_peek_text (side), ==, "my own words");
  g_assert_nonnull (strchr (hs_side_peek_pair (side), 'x'));
}

static void
assert_face (Fixture *fixture, const char *name)
{
  g_assert_cmpstr (gtk_stack_get_visible_child_name (GTK_STACK (get (fixture, "stack"))), ==, name);
}

static void
test_faces (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsSide *side = hs_session_peek_side (session);

  assert_face (fixture, "ready");
  hs_side_set_text (side, "more");
  g_assert_cmpint (hs_session_get_state (session), ==, HS_STATE_BUSY);
  assert_face (fixture, "ready"); /* the last picture stays until the new one is there */
  ui_test_wait_state (session, HS_STATE_READY);
  hs_side_set_text (side, "");
  assert_face (fixture, "empty");
  hs_side_set_text (side, "again");
  assert_face (fixture, "busy"); /* nothing to keep showing */
  gtk_widget_activate_action (fixture->window, "win.stop", NULL);
  assert_face (fixture, "failed");
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (get (fixture, "message"))), ==, "Stopped.");
  g_assert_false (gtk_widget_get_visible (get (fixture, "detail")));
  gtk_widget_activate_action (fixture->window, "win.retry", NULL);
  ui_test_wait_state (session, HS_STATE_READY);
  assert_face (fixture, "ready");
}

static bool
is_long_busy (gpointer face)
{
  gboolean long_busy;

  g_object_get (face, "long-busy", &long_busy, NULL);
  return long_busy;
}

static void
test_long_busy (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  GtkWidget *face = get (fixture, "face");
  gint64 start = g_get_monotonic_time ();

  hs_session_set_state (session, HS_STATE_BUSY, NULL, NULL);
  g_assert_false (is_long_busy (face));
  ui_test_wait (is_long_busy, face);
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 250 * 1000); /* nothing blinks before */
  g_assert_true (gtk_widget_has_css_class (get (fixture, "picture_slot"), "stale"));
  hs_session_set_state (session, HS_STATE_READY, NULL, NULL);
  g_assert_false (is_long_busy (face));
  g_assert_false (gtk_widget_has_css_class (get (fixture, "picture_slot"), "stale"));
}

static void
test_truncated (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  GtkWidget *notice = get (fixture, "truncated");
  g_autoptr (GString) text = g_string_new ("");

  g_assert_false (gtk_widget_get_visible (notice));
  for (int i = 0; i < 600; i++)
    g_string_append (text, "the ");
  hs_side_set_text (hs_session_peek_side (fixture->desk.session), text->str);
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_true (gtk_widget_get_visible (notice));
  g_assert_nonnull (strstr (gtk_label_get_label (GTK_LABEL (notice)), "of 602 tokens"));
}

static void
test_accessible_names (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    const char *id, *name;
  } named[] = {
      {"text_view", "Text"},         {"pair_view", "Second text"}, {"examples_button", "Examples"},
      {"heatmap_button", "Heatmap"}, {"heads_button", "Heads"},    {"options_button", "View"},
      {"menu_button", "Main menu"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (named); i++)
    gtk_test_accessible_assert_property (GTK_ACCESSIBLE (get (fixture, named[i].id)),
                                         GTK_ACCESSIBLE_PROPERTY_LABEL, named[i].name);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (get (fixture, "truncated")),
                                   GTK_ACCESSIBLE_ROLE_STATUS);
  gtk_test_accessible_assert_role (GTK_ACCESSIBLE (get (fixture, "message")),
                                   GTK_ACCESSIBLE_ROLE_ALERT);
}

/* Everything stands within the window's width; downwards the window scrolls. */
static void
assert_within (GtkWidget *widget, GtkWidget *window, float width)
{
  graphene_rect_t rect;

  if (!gtk_widget_get_mapped (widget))
    return;
  g_assert_true (gtk_widget_compute_bounds (widget, window, &rect));
  if (widget == window) /* its own bounds hold its shadow; a theme may give bars a margin of -1 */
    g_assert_cmpfloat (rect.size.width, >=, width);
  else if (rect.origin.x < -1.5f || rect.origin.x + rect.size.width > width + 1.5f)
    g_error ("%s reaches from %g to %g of %g px", G_OBJECT_TYPE_NAME (widget),
             (double)rect.origin.x, (double)(rect.origin.x + rect.size.width), (double)width);
  if (g_type_is_a (G_OBJECT_TYPE (widget), HS_TYPE_PICTURE))
    return;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    assert_within (child, window, width);
}

static bool
is_painted (gpointer window)
{
  return gtk_widget_get_mapped (window) && gtk_widget_get_width (window) > 0;
}

static void
test_sizes (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const struct {
    int width, height;
  } sizes[] = {{360, 300}, {600, 800}, {720, 500}, {1200, 900}};

  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GtkWidget *window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
    int width, height;

    gtk_window_set_default_size (GTK_WINDOW (window), sizes[i].width, sizes[i].height);
    gtk_window_present (GTK_WINDOW (window));
    ui_test_wait (is_painted, window);
    gtk_test_widget_wait_for_draw (window);
    width = gtk_widget_get_width (window);
    height = gtk_widget_get_height (window);
    g_test_message ("asked for %d × %d, got %d × %d", sizes[i].width, sizes[i].height, width,
                    height);
    g_assert_cmpint (width, <=, sizes[i].width);
    g_assert_cmpint (height, <=, sizes[i].height);
    assert_within (window, window, (float)width);
    gtk_window_destroy (GTK_WINDOW (window));
  }
}

static size_t
get_used_bytes (void)
{
  const struct mallinfo2 info = mallinfo2 ();

  return info.uordblks + info.hblkhd;
}

static void
change_and_draw (Fixture *fixture, guint n)
{
  HsSession *session = fixture->desk.session;

  for (guint i = 0; i < n; i++) {
    hs_session_set_head (session, i % hs_session_get_n_heads (session));
    hs_session_set_kind (session, i % 8 == 0 ? ATTN_DRAW_HEADS : ATTN_DRAW_HEATMAP);
    if (i % 8 == 4) {
      g_autofree char *text = g_strdup_printf ("%s %u [MASK]", TEXT, i);

      hs_side_set_text (hs_session_peek_side (session), text);
      ui_test_wait_state (session, HS_STATE_READY);
    }
    gtk_test_widget_wait_for_draw (fixture->window);
  }
  hs_side_set_text (hs_session_peek_side (session), TEXT);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (session, HS_STATE_READY);
  gtk_test_widget_wait_for_draw (fixture->window);
  ui_test_drain (fixture->desk.engine);
}

/* Every picture drawn is let go again. One frame's textures of this window are 1 MB, one text's
 * trace is 0.6 MB; 512 KiB are for GTK's and Pango's caches, which fill during the first changes.
 */
static void
test_memory (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  size_t before, after;

  gtk_window_present (GTK_WINDOW (fixture->window));
  ui_test_wait (is_painted, fixture->window);
  change_and_draw (fixture, 48);
  before = get_used_bytes ();
  change_and_draw (fixture, 160);
  after = get_used_bytes ();
  g_test_message ("%zu bytes before, %zu after", before, after);
  g_assert_cmpuint (after, <, before + 512 * 1024);
}

/* The first glance: a window with a picture in it, from the resources alone. */
static void
test_has_its_parts (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const GType types[] = {HS_TYPE_TEXT_PANEL, HS_TYPE_FACE, HS_TYPE_PICTURE};

  for (size_t i = 0; i < G_N_ELEMENTS (types); i++)
    g_assert_nonnull (find (fixture->window, is_a, &types[i]));
  g_assert_nonnull (hs_face_peek_picture (HS_FACE (get (fixture, "face"))));
  g_assert_true (hs_window_peek_session (HS_WINDOW (fixture->window)) == fixture->desk.session);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *path;
    void (*test) (Fixture *, gconstpointer);
  } tests[] = {
      {"/window/has-its-parts", test_has_its_parts},
      {"/window/typing", test_typing},
      {"/window/cursor-stays", test_cursor_stays},
      {"/window/spins", test_spins},
      {"/window/mnemonics", test_mnemonics},
      {"/window/views", test_views},
      {"/window/actions", test_actions},
      {"/window/examples", test_examples},
      {"/window/example-undo", test_example_undo},
      {"/window/example-undo-both", test_example_undo_both},
      {"/window/second-text", test_second_text},
      {"/window/faces", test_faces},
      {"/window/long-busy", test_long_busy},
      {"/window/truncated", test_truncated},
      {"/window/accessible-names", test_accessible_names},
      {"/window/sizes", test_sizes},
      {"/window/memory", test_memory},
  };

  gtk_test_init (&argc, &argv);
  hs_application_prepare ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
  return g_test_run ();
}
