/* SPDX-License-Identifier: MIT */
/* Weights that no model made: shown at once, in every view and comparison, while model and text
 * wait untouched; what needs a text is put aside and comes back with it. */
#include "formula-maps.h"
#include "hs-arrange-actions.h"
#include "hs-arrange-popover.h"
#include "hs-attention-panel.h"
#include "hs-export.h"
#include "hs-facts-panel.h"
#include "hs-guesses-panel.h"
#include "hs-help-panel.h"
#include "hs-resources.h"
#include "hs-warning-strip.h"
#include "ui-test.h"

#include "attn/arrays.h"
#include "attn/export.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The cat sat."

static HsAttention *
new_attention (size_t n_queries, size_t n_keys)
{
  static char path[] = "/nowhere/weights.npy", tokens[] = "/nowhere/weights.json";
  g_autoptr (AttnMaps) maps = formula_maps_new (n_queries, n_keys);
  const HsAttentionPlace place = {.path = path, .tokens = tokens};

  return hs_attention_new (maps, &place);
}

static void
show (UiTestDesk *desk, HsAttention *attention)
{
  hs_updater_show_attention (desk->updater, attention);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (desk->engine);
}

static void
assert_source (UiTestDesk *desk, AttnMaps *maps)
{
  AttnDrawPanels *panels = hs_session_peek_panels (desk->session);

  g_assert_nonnull (panels);
  g_assert_true (attn_draw_panels_peek_source (panels) == maps);
}

static void
test_views (void)
{
  static const AttnDrawKind kinds[] = {ATTN_DRAW_HEATMAP, ATTN_DRAW_HEADS, ATTN_DRAW_LAYERS,
                                       ATTN_DRAW_LINES,   ATTN_DRAW_TEXT,  ATTN_DRAW_COMPARE};
  g_autoptr (HsAttention) attention = new_attention (5, 7);
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  show (&desk, attention);
  g_assert_cmpuint (hs_session_get_n_layers (desk.session), ==, FORMULA_LAYERS);
  g_assert_cmpuint (hs_session_get_n_heads (desk.session), ==, FORMULA_HEADS);
  g_assert_cmpuint (hs_session_get_n_tokens (desk.session), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    hs_session_set_kind (desk.session, kinds[i]);
    ui_test_wait_state (desk.session, HS_STATE_READY);
    ui_test_drain (desk.engine);
    assert_source (&desk, attention->maps);
    g_assert_nonnull (
        strstr (hs_session_peek_view (desk.session)->strings.subtitle, "weights.npy"));
  }
  ui_test_desk_close (&desk);
}

/* Model and text are what they were. */
static void
test_back (void)
{
  g_autoptr (HsAttention) attention = new_attention (5, 5);
  UiTestDesk desk;
  HsSide *side;
  AttnModel *model;

  ui_test_desk_open (&desk, TEXT);
  side = hs_session_peek_side (desk.session);
  model = hs_side_peek_model (side);
  show (&desk, attention);
  g_assert_true (hs_side_peek_model (side) == model);
  g_assert_cmpstr (hs_side_peek_text (side), ==, TEXT);
  show (&desk, NULL);
  g_assert_null (hs_side_peek_attention (side));
  g_assert_nonnull (hs_answer_peek_tokens (hs_side_peek_answer (side)));
  g_assert_cmpuint (hs_session_get_n_heads (desk.session), ==, 8);
  ui_test_desk_close (&desk);
}

/* Without a model there is one as soon as one goes back to the text, and not before. */
static void
test_without_model (void)
{
  g_autoptr (HsAttention) attention = new_attention (4, 4);
  UiTestDesk desk = {.engine = hs_engine_new (), .session = hs_session_new ()};
  HsSide *side = hs_session_peek_side (desk.session);

  desk.updater = hs_updater_new (desk.engine, desk.session);
  hs_side_set_text (side, TEXT);
  hs_updater_load (desk.updater, "demo");
  show (&desk, attention);
  g_assert_null (hs_side_peek_model (side));
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, "demo");
  assert_source (&desk, attention->maps);
  show (&desk, NULL);
  g_assert_nonnull (hs_side_peek_model (side));
  g_assert_nonnull (hs_answer_peek_tokens (hs_side_peek_answer (side)));
  ui_test_desk_close (&desk);
}

static bool
has_failed (gpointer count)
{
  return *(guint *)count > 0;
}

static void
count_cb (guint *count)
{
  ++*count;
}

/* A model that is not there leaves the file on screen. */
static void
test_model_fails (void)
{
  g_autoptr (HsAttention) attention = new_attention (4, 4);
  UiTestDesk desk;
  guint n_failed = 0;

  ui_test_desk_open (&desk, TEXT);
  show (&desk, attention);
  g_signal_connect_swapped (desk.updater, "load-failed", G_CALLBACK (count_cb), &n_failed);
  hs_updater_load (desk.updater, "/nowhere/at/all");
  ui_test_wait (has_failed, &n_failed);
  ui_test_wait_state (desk.session, HS_STATE_READY);
  ui_test_drain (desk.engine);
  assert_source (&desk, attention->maps);
  g_assert_cmpstr (hs_updater_peek_name (desk.updater), ==, "demo");
  ui_test_desk_close (&desk);
}

/* Read from a file, whose tokens are nothing but what they are called: "0" … */
static HsAttention *
load_attention (void)
{
  const AttnExportChoice choice = {.all_layers = true, .all_heads = true};
  g_autoptr (AttnMaps) formula = formula_maps_new (6, 6);
  g_autoptr (GError) error = NULL;
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("weights-XXXXXX.npy", &path, &error);
  const HsAttentionPlace place = {.path = path};

  g_assert_no_error (error);
  g_close (file, NULL);
  attn_export_to_file (formula, &choice, ATTN_EXPORT_NPY, path, &error);
  g_assert_no_error (error);
  g_autoptr (AttnArrays) arrays = attn_arrays_load (path, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_arrays (arrays, NULL, &error);
  g_assert_no_error (error);
  g_remove (path);
  return hs_attention_new (maps, &place);
}

/* Characters and parts need a text; words and what is left out names alone. */
static void
test_arrangement (void)
{
  g_autoptr (HsAttention) attention = load_attention ();
  const AttnArrangement wanted = {.unit = ATTN_UNIT_CHARACTERS,
                                  .part = ATTN_PART_A_TO_A,
                                  .hide = ATTN_HIDE_SEP,
                                  .combine = ATTN_COMBINE_MEAN};
  const AttnArrangement *now;
  UiTestDesk desk;
  GActionGroup *actions;

  ui_test_desk_open (&desk, TEXT);
  actions = hs_arrange_actions_new (desk.session);
  hs_session_set_arrangement (desk.session, &wanted);
  g_assert_true (g_action_group_get_action_enabled (actions, "text-unit"));
  show (&desk, attention);
  g_assert_true (g_action_group_get_action_enabled (actions, "unit"));
  g_assert_false (g_action_group_get_action_enabled (actions, "text-unit"));
  g_assert_false (g_action_group_get_action_enabled (actions, "part"));
  g_assert_true (g_action_group_get_action_enabled (actions, "hide-sep"));
  g_assert_true (g_action_group_get_action_enabled (actions, "combine"));
  assert_source (&desk, attention->maps);
  now = hs_session_peek_arrangement (desk.session);
  g_assert_cmpint (now->combine, ==, ATTN_COMBINE_MEAN);
  g_assert_cmpint (now->unit, ==, ATTN_UNIT_TOKENS);
  g_assert_cmpint (now->part, ==, ATTN_PART_ALL);
  g_assert_cmpuint (now->hide, ==, ATTN_HIDE_SEP);
  g_action_group_change_action_state (actions, "unit", g_variant_new_string ("characters"));
  g_assert_cmpint (now->unit, ==, ATTN_UNIT_TOKENS);
  show (&desk, NULL);
  g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (desk.session), &wanted));
  g_assert_true (g_action_group_get_action_enabled (actions, "text-unit"));
  show (&desk, attention);
  g_action_group_change_action_state (actions, "unit", g_variant_new_string ("words"));
  show (&desk, NULL); /* what was chosen meanwhile was for the file */
  g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (desk.session), &wanted));
  g_clear_object (&actions);
  ui_test_desk_close (&desk);
}

/* Check buttons are none of the others. */
static GtkWidget *
find_control (GtkWidget *widget, const char *label)
{
  g_autofree char *own = NULL;

  if (GTK_IS_TOGGLE_BUTTON (widget) || GTK_IS_CHECK_BUTTON (widget))
    g_object_get (widget, "label", &own, NULL);
  if (g_strcmp0 (own, label) == 0)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = find_control (child, label);

    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
press_unit (UiTestDesk *desk, GtkWidget *popover, const char *label, AttnUnit wanted)
{
  g_signal_emit_by_name (find_control (popover, label), "clicked");
  ui_test_drain (desk->engine);
  g_assert_cmpint (hs_session_peek_arrangement (desk->session)->unit, ==, wanted);
}

/* What needs a text is grey while there is none. */
static void
test_popover (void)
{
  static const struct {
    const char *label;
    bool of_names;
  } cases[] = {{"Tokens", true}, {"Characters", false}, {"Words", true},      {"1 → 1", false},
               {"[CLS]", true},  {"[SEP]", true},       {"Punctuation", true}};
  g_autoptr (HsAttention) attention = load_attention ();
  GtkWidget *window = gtk_window_new (), *button = gtk_menu_button_new (), *popover;
  UiTestDesk desk;
  GActionGroup *actions;

  ui_test_desk_open (&desk, TEXT);
  hs_side_set_pair (hs_session_peek_side (desk.session), "It slept.");
  actions = hs_arrange_actions_new (desk.session);
  popover = hs_arrange_popover_new (desk.session);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_widget_insert_action_group (window, "arrange", actions);
  gtk_window_set_child (GTK_WINDOW (window), button);
  gtk_window_present (GTK_WINDOW (window));
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  for (int shows_file = 1; shows_file >= 0; shows_file--) {
    show (&desk, shows_file ? attention : NULL);
    for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
      g_assert_true (gtk_widget_is_sensitive (find_control (popover, cases[i].label)) ==
                     (!shows_file || cases[i].of_names));
    press_unit (&desk, popover, "Words", ATTN_UNIT_WORDS);
    g_assert_cmpint (hs_session_get_state (desk.session), ==, HS_STATE_READY);
  }
  press_unit (&desk, popover, "Characters", ATTN_UNIT_CHARACTERS);
  press_unit (&desk, popover, "Characters", ATTN_UNIT_CHARACTERS); /* stays pressed */
  press_unit (&desk, popover, "Tokens", ATTN_UNIT_TOKENS);
  g_assert_false (
      gtk_toggle_button_get_active (GTK_TOGGLE_BUTTON (find_control (popover, "Characters"))));
  gtk_popover_popdown (GTK_POPOVER (popover));
  gtk_window_destroy (GTK_WINDOW (window));
  g_object_unref (actions);
  ui_test_desk_close (&desk);
}

static int
measure_height (GtkWidget *widget, int width)
{
  int least, most;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, width, &least, &most, NULL, NULL);
  return MAX (least, most);
}

/* Where the window is small, warnings and the file's facts leave the room to the picture. */
static void
test_small (void)
{
  g_autoptr (HsAttention) attention = new_attention (5, 7);
  g_autofree char *told = NULL;
  UiTestDesk desk;
  int roomy, roomy_card;

  g_strfreev (attention->warnings);
  attention->warnings = g_new0 (char *, 2);
  attention->warnings[0] = g_strnfill (300, 'w');
  ui_test_desk_open (&desk, TEXT);
  GtkWidget *strip = g_object_ref_sink (hs_warning_strip_new (desk.session));
  GtkWidget *card = g_object_ref_sink (hs_attention_panel_new (desk.session));
  show (&desk, attention);
  roomy = measure_height (strip, 400);
  roomy_card = measure_height (card, 440);
  hs_warning_strip_set_compact (HS_WARNING_STRIP (strip), true);
  hs_attention_panel_set_tight (HS_ATTENTION_PANEL (card), true);
  g_assert_cmpint (measure_height (strip, 400), <, roomy);
  g_assert_cmpint (measure_height (card, 440), <, roomy_card * 3 / 4);
  GtkWidget *more = gtk_widget_get_prev_sibling (gtk_widget_get_last_child (strip));
  g_assert_true (gtk_widget_get_visible (more));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  g_assert_cmpint (measure_height (strip, 400), >=, roomy);
  told = ui_test_dup_labels (strip);
  g_assert_nonnull (strstr (told, attention->warnings[0]));
  hs_warning_strip_set_compact (HS_WARNING_STRIP (strip), false);
  g_assert_false (gtk_widget_get_visible (more));
  g_object_unref (strip);
  g_object_unref (card);
  ui_test_desk_close (&desk);
}

/* The panels tell of the file. */
static void
test_panels (void)
{
  g_autoptr (HsAttention) attention = new_attention (5, 7);
  UiTestDesk desk;

  g_strfreev (attention->warnings);
  attention->warnings = g_strsplit ("Rows do not sum to 1.|One is NaN.", "|", 0);
  ui_test_desk_open (&desk, TEXT);
  GtkWidget *card = g_object_ref_sink (hs_attention_panel_new (desk.session));
  GtkWidget *facts = g_object_ref_sink (hs_facts_panel_new (desk.session));
  GtkWidget *guesses = g_object_ref_sink (hs_guesses_panel_new (desk.session));
  GtkWidget *strip = g_object_ref_sink (hs_warning_strip_new (desk.session));
  GtkWidget *help = g_object_ref_sink (hs_help_panel_new (desk.session));
  GtkLabel *begins = GTK_LABEL (gtk_widget_get_template_child (help, HS_TYPE_HELP_PANEL, "begins"));
  g_assert_true (g_str_has_prefix (gtk_label_get_text (begins), "Type a text; the picture"));
  g_assert_false (gtk_widget_get_visible (card));
  show (&desk, attention);
  g_assert_nonnull (strstr (gtk_label_get_text (begins), "“Back to the text” closes it."));
  g_autofree char *told = ui_test_dup_labels (card);
  g_assert_cmpstr (told, ==,
                   "weights.npy|3 layers × 4 heads · 5 queries × 7 keys · tokens from weights.json|"
                   "Attention weights of another program, from /nowhere. What needs a model is "
                   "greyed out.|Tokens…|Back to the text");
  g_autofree char *lines = ui_test_dup_labels (facts);
  g_assert_nonnull (strstr (lines, "Attention file|name|weights.npy|layers|3|"));
  g_assert_nonnull (strstr (lines, "One is NaN."));
  g_autofree char *reason = ui_test_dup_labels (guesses);
  g_assert_nonnull (strstr (reason, "Guesses need a model, and a file of weights has none"));
  g_autofree char *warning = ui_test_dup_labels (strip);
  g_assert_cmpstr (warning, ==, "Rows do not sum to 1.|and 1 more");
  GtkWidget *more = gtk_widget_get_prev_sibling (gtk_widget_get_last_child (strip));
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), TRUE);
  g_autofree char *warnings = ui_test_dup_labels (strip);
  g_assert_cmpstr (warnings, ==, "Rows do not sum to 1.\nOne is NaN.|Show fewer");
  gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (more), FALSE);
  g_autofree char *fewer = ui_test_dup_labels (strip);
  g_assert_cmpstr (fewer, ==, "Rows do not sum to 1.|and 1 more");
  g_autoptr (HsAttention) other = new_attention (5, 7);
  g_strfreev (other->warnings);
  other->warnings = g_strsplit ("B is odd.", "|", 0);
  hs_side_set_attention (hs_session_peek_side_b (desk.session), other);
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  g_autofree char *both = ui_test_dup_labels (strip);
  g_assert_cmpstr (both, ==, "Rows do not sum to 1.|and 2 more");
  hs_side_set_attention (hs_session_peek_side_b (desk.session), NULL);
  hs_session_set_kind (desk.session, ATTN_DRAW_HEATMAP);
  show (&desk, NULL);
  g_assert_false (gtk_widget_get_visible (card));
  g_assert_false (gtk_widget_get_visible (strip));
  g_assert_false (gtk_widget_get_visible (guesses));
  g_object_unref (help);
  g_object_unref (strip);
  g_object_unref (guesses);
  g_object_unref (facts);
  g_object_unref (card);
  ui_test_desk_close (&desk);
}

static float
find_largest (AttnDrawPanels *panels)
{
  const AttnMap *map = attn_draw_panels_peek (panels, 2);
  float largest = 0;

  g_assert_nonnull (map);
  for (size_t i = 0; i < map->n_queries * map->n_keys; i++)
    largest = MAX (largest, ABS (map->weights[i]));
  return largest;
}

static void
update_comparison (UiTestDesk *desk)
{
  hs_session_set_kind (desk->session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (desk->engine);
}

/* B is A's file until it is another one, or a model. */
static void
test_compare (void)
{
  g_autoptr (HsAttention) attention = new_attention (6, 6), other = new_attention (8, 8);
  UiTestDesk desk;
  HsSide *b;

  ui_test_desk_open (&desk, TEXT);
  b = hs_session_peek_side_b (desk.session);
  show (&desk, attention);
  update_comparison (&desk);
  g_assert_true (find_largest (hs_session_peek_panels (desk.session)) <= 0);
  hs_session_set_head_b (desk.session, 2);
  update_comparison (&desk);
  g_assert_true (find_largest (hs_session_peek_panels (desk.session)) > 0);
  hs_side_set_attention (b, other);
  update_comparison (&desk);
  g_assert_true (attn_draw_panels_peek_source_b (hs_session_peek_panels (desk.session)) ==
                 other->maps);
  hs_side_set_attention (b, NULL);
  hs_side_set_name (b, "demo");
  update_comparison (&desk);
  g_assert_nonnull (attn_maps_peek_trace (
      attn_draw_panels_peek_source_b (hs_session_peek_panels (desk.session))));
  assert_source (&desk, attention->maps);
  ui_test_desk_close (&desk);
}

/* A text against a file. */
static void
test_compare_with_file (void)
{
  g_autoptr (HsAttention) attention = new_attention (6, 6);
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  hs_side_set_attention (hs_session_peek_side_b (desk.session), attention);
  g_assert_cmpuint (hs_session_get_n_heads_b (desk.session), ==, FORMULA_HEADS);
  g_assert_cmpuint (hs_session_get_n_heads (desk.session), ==, 8);
  update_comparison (&desk);
  g_assert_true (attn_draw_panels_peek_source_b (hs_session_peek_panels (desk.session)) ==
                 attention->maps);
  ui_test_desk_close (&desk);
}

/* Also what is still on screen while the text is on its way. */
static void
test_export (void)
{
  g_autoptr (HsAttention) attention = new_attention (5, 7);
  HsExportOptions options;
  UiTestDesk desk;

  ui_test_desk_open (&desk, TEXT);
  show (&desk, attention);
  hs_export_options_init (&options, NULL);
  for (int still = 0; still < 2; still++) {
    if (still)
      hs_updater_show_attention (desk.updater, NULL);
    HsExport *export = hs_export_new (desk.session, &options);
    g_assert_nonnull (export);
    g_autofree char *name = hs_export_dup_file_name (export);
    g_assert_cmpstr (name, ==, "weights-layer-1-head-1.png");
    hs_export_unref (export);
  }
  ui_test_drain (desk.engine);
  ui_test_desk_close (&desk);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_test_add_func ("/attention/views", test_views);
  g_test_add_func ("/attention/back", test_back);
  g_test_add_func ("/attention/without-model", test_without_model);
  g_test_add_func ("/attention/model-fails", test_model_fails);
  g_test_add_func ("/attention/arrangement", test_arrangement);
  g_test_add_func ("/attention/popover", test_popover);
  g_test_add_func ("/attention/panels", test_panels);
  g_test_add_func ("/attention/small", test_small);
  g_test_add_func ("/attention/compare", test_compare);
  g_test_add_func ("/attention/compare-with-file", test_compare_with_file);
  g_test_add_func ("/attention/export", test_export);
  return g_test_run ();
}
