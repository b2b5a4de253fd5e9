/* SPDX-License-Identifier: MIT */
/* The shared state: quiet setters, clamping, publishing in one step, nothing left behind. */
#include "ui-test.h"

/* ---- maps without a model: every weight is layer + head / 10, labels as given ---- */

static bool
compute (void *source G_GNUC_UNUSED,
         size_t layer,
         size_t head,
         float *weights,
         GError **error G_GNUC_UNUSED)
{
  for (size_t i = 0; i < 9; i++)
    weights[i] = (float)layer + (float)head / 10;
  return true;
}

static const char *
peek_label (void *source, AttnSide side G_GNUC_UNUSED, size_t index)
{
  return ((const char *const *)source)[index];
}

static void
get_visible (void *source G_GNUC_UNUSED,
             size_t layer G_GNUC_UNUSED,
             size_t query G_GNUC_UNUSED,
             size_t *first,
             size_t *end)
{
  *first = 0;
  *end = 3;
}

static void
free_labels (void *source)
{
  g_strfreev (source);
}

static HsAnswer *
make_answer (const char *labels, const AttnDrawView *view)
{
  static const AttnMapsClass klass = {
      .n_layers = 2,
      .n_heads = 3,
      .n_queries = 3,
      .n_keys = 3,
      .compute = compute,
      .peek_label = peek_label,
      .get_visible = get_visible,
      .free = free_labels,
  };
  HsAnswer *answer = hs_answer_new ();
  GError *error = NULL;

  answer->maps = attn_maps_new (&klass, g_strsplit (labels, " ", 3));
  answer->view = attn_draw_view_copy (view);
  answer->panels = attn_draw_panels_new (view, answer->maps, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return answer;
}

/* ---- tests ---- */

/* Each writable property: setting what is there says nothing, a change says so once. */
static void
test_quiet (void)
{
  static const struct {
    const char *name;
    int other;
  } ints[] = {
      {"kind", ATTN_DRAW_HEADS},
      {"layer", 1},
      {"head", 2},
      {"range", ATTN_DRAW_RANGE_MODEL},
      {"color-map", ATTN_DRAW_COLOR_MAP_MAGMA},
      {"dark", TRUE},
  };
  HsSession *session = hs_session_new ();

  for (size_t i = 0; i < G_N_ELEMENTS (ints); i++) {
    guint count = 0;
    int value;

    g_test_message ("%s", ints[i].name);
    g_object_get (session, ints[i].name, &value, NULL);
    g_assert_cmpint (value, !=, ints[i].other);
    ui_test_count (session, ints[i].name, &count);
    g_object_set (session, ints[i].name, value, NULL);
    g_assert_cmpuint (count, ==, 0);
    g_object_set (session, ints[i].name, ints[i].other, NULL);
    g_object_set (session, ints[i].name, ints[i].other, NULL);
    g_assert_cmpuint (count, ==, 1);
    g_object_get (session, ints[i].name, &value, NULL);
    g_assert_cmpint (value, ==, ints[i].other);
    g_signal_handlers_disconnect_matched (session, G_SIGNAL_MATCH_DATA, 0, 0, NULL, NULL, &count);
  }
  g_assert_finalize_object (session);
}

static void
test_quiet_side (void)
{
  HsSide *side = hs_side_new ();
  guint text = 0, pair = 0;

  ui_test_count (side, "text", &text);
  ui_test_count (side, "pair", &pair);
  hs_side_set_text (side, "");
  hs_side_set_text (side, NULL);
  hs_side_set_pair (side, NULL);
  g_assert_cmpuint (text + pair, ==, 0);
  hs_side_set_text (side, "one");
  hs_side_set_text (side, "one");
  g_assert_cmpuint (text, ==, 1);
  hs_side_set_pair (side, "");
  hs_side_set_pair (side, "");
  g_assert_cmpuint (pair, ==, 1); /* an empty second text is not the same as none */
  g_assert_cmpstr (hs_side_peek_pair (side), ==, "");
  hs_side_set_pair (side, NULL);
  g_assert_cmpuint (pair, ==, 2);
  g_assert_finalize_object (side);
}

static void
test_quiet_pointing (void)
{
  HsSession *session = hs_session_new ();
  guint hovered = 0, query = 0, pinned = 0, view = 0;

  ui_test_count (session, "hovered", &hovered);
  ui_test_count (session, "hovered-query", &query);
  ui_test_count (session, "pinned-query", &pinned);
  ui_test_count (session, "view", &view);
  hs_session_set_hovered (session, NULL);
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  g_assert_cmpuint (hovered + query + pinned + view, ==, 0);
  hs_session_set_hovered (session, &(HsCell){0, 1, 2, 0});
  hs_session_set_hovered (session, &(HsCell){0, 1, 2, 0});
  hs_session_set_hovered (session, &(HsCell){0, 1, 3, 0});
  g_assert_cmpuint (hovered, ==, 2);
  g_assert_cmpuint (query, ==, 1);
  g_assert_cmpuint (view, ==, 0); /* hovering never makes a new layout */
  hs_session_set_pinned (session, 4, HS_NONE);
  hs_session_set_pinned (session, 4, HS_NONE);
  g_assert_cmpuint (pinned, ==, 1);
  g_assert_cmpuint (view, ==, 1);
  g_assert_true (hs_session_peek_view (session)->has_pin);
  g_assert_cmpuint (hs_session_peek_view (session)->pin_query, ==, 4);
  g_assert_true (hs_session_peek_view (session)->pin_key == G_MAXSIZE);
  g_assert_finalize_object (session);
}

static void
test_clamp (void)
{
  const AttnConfig *config;
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  HsSession *session = hs_session_new ();
  guint layers = 0;

  config = attn_model_peek_config (model);
  hs_session_set_layer (session, 99); /* remembered from a larger model; nothing to clamp to yet */
  hs_session_set_head (session, 0);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 99);
  ui_test_count (session, "layer", &layers);
  hs_side_set_model (hs_session_peek_side (session), model);
  g_assert_cmpuint (hs_session_get_n_layers (session), ==, config->n_layers);
  g_assert_cmpuint (hs_session_get_n_heads (session), ==, config->n_heads);
  g_assert_cmpuint (hs_session_get_layer (session), ==, config->n_layers - 1);
  g_assert_cmpuint (layers, ==, 1);
  hs_session_set_head (session, G_MAXUINT);
  g_assert_cmpuint (hs_session_get_head (session), ==, config->n_heads - 1);
  g_assert_finalize_object (session);
}

static void
test_publish (void)
{
  HsSession *session = hs_session_new ();
  HsAnswer *answer = make_answer ("a b c", hs_session_peek_asked (session));
  guint panels = 0, view = 0, answers = 0, state = 0;

  ui_test_count (session, "panels", &panels);
  ui_test_count (session, "view", &view);
  ui_test_count (session, "state", &state);
  ui_test_count (hs_session_peek_side (session), "answer", &answers);
  hs_session_set_hovered (session, &(HsCell){0, 2, 2, 0});
  hs_session_publish (session, answer);
  g_assert_cmpuint (panels, ==, 1);
  g_assert_cmpuint (view, ==, 1);
  g_assert_cmpuint (state, ==, 1);
  g_assert_cmpuint (answers, ==, 1);
  g_assert_cmpuint (hs_session_peek_hovered (session)->query, ==, HS_NONE);
  g_assert_true (hs_session_is_current (session));
  g_assert_nonnull (hs_session_peek_view (session)->strings.title);
  g_assert_cmpuint (hs_session_get_n_tokens (session), ==, 0); /* these maps come from no text */
  g_assert_nonnull (hs_session_peek_map (session));
  hs_session_set_layer (session, 1);
  g_assert_false (hs_session_is_current (session));
  g_assert_cmpuint (hs_session_peek_view (session)->layer, ==, 0); /* shown stays with its panels */
  hs_answer_unref (answer);
  g_assert_finalize_object (session);
}

/* The pin follows a token that is still where it was, and no other. */
static void
test_pin_over_answers (void)
{
  HsSession *session = hs_session_new ();
  const char *const texts[] = {"a b c", "a b x", "a y x"};
  const guint expected[] = {HS_NONE, 1, HS_NONE};

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    HsAnswer *answer = make_answer (texts[i], hs_session_peek_asked (session));

    hs_session_publish (session, answer);
    g_assert_cmpuint (hs_session_get_pinned_query (session), ==, expected[i]);
    hs_session_set_pinned (session, 1, HS_NONE);
    hs_answer_unref (answer);
  }
  g_assert_finalize_object (session);
}

static void
test_look_needs_no_numbers (void)
{
  HsSession *session = hs_session_new ();
  HsAnswer *answer = make_answer ("a b c", hs_session_peek_asked (session));
  guint panels = 0, view = 0;

  hs_session_publish (session, answer);
  ui_test_count (session, "panels", &panels);
  ui_test_count (session, "view", &view);
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_GREY);
  hs_session_set_dark (session, true);
  g_assert_cmpuint (panels, ==, 0);
  g_assert_cmpuint (view, ==, 2);
  g_assert_cmpint (hs_session_peek_view (session)->color_map, ==, ATTN_DRAW_COLOR_MAP_GREY);
  g_assert_cmpint (hs_session_peek_view (session)->palette, ==, ATTN_DRAW_PALETTE_SCREEN_DARK);
  g_assert_true (hs_session_is_current (session));
  hs_session_show (session, NULL, NULL);
  g_assert_null (hs_session_peek_map (session));
  g_assert_cmpuint (panels, ==, 1);
  hs_session_show (session, NULL, NULL);
  g_assert_cmpuint (panels, ==, 1);
  hs_answer_unref (answer);
  g_assert_finalize_object (session);
}

/* The nicks are what the command line and the settings call these things. */
static void
test_nicks (void)
{
  g_autoptr (GEnumClass) colors = g_type_class_ref (HS_TYPE_COLOR_MAP);
  g_autoptr (GEnumClass) kinds = g_type_class_ref (HS_TYPE_KIND);

  g_assert_cmpuint (colors->n_values, ==, ATTN_DRAW_N_COLOR_MAPS);
  for (guint i = 0; i < colors->n_values; i++)
    g_assert_cmpstr (colors->values[i].value_nick, ==,
                     attn_draw_color_map_peek_name ((AttnDrawColorMap)colors->values[i].value));
  for (guint i = 0; i < kinds->n_values; i++)
    g_assert_cmpstr (kinds->values[i].value_nick, ==,
                     attn_draw_kind_peek_name ((AttnDrawKind)kinds->values[i].value));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/quiet", test_quiet);
  g_test_add_func ("/session/quiet-side", test_quiet_side);
  g_test_add_func ("/session/quiet-pointing", test_quiet_pointing);
  g_test_add_func ("/session/clamp", test_clamp);
  g_test_add_func ("/session/publish", test_publish);
  g_test_add_func ("/session/pin-over-answers", test_pin_over_answers);
  g_test_add_func ("/session/look-needs-no-numbers", test_look_needs_no_numbers);
  g_test_add_func ("/session/nicks", test_nicks);
  return g_test_run ();
}
