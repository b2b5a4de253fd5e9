/* SPDX-License-Identifier: MIT */
/* Session files in the window: the very same screen again, and the screen kept where that fails. */
#include "hs-ask.h"
#include "hs-export.h"
#include "hs-resources.h"
#include "hs-session-actions.h"
#include "hs-session-file.h"
#include "hs-window.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The cat sat on the mat."
#define OTHER "A dog barked at the moon."
#define HEAD "{\"format\":\"headscope-session\",\"version\":1"

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
  g_object_ref (fixture->window);
  gtk_window_present (GTK_WINDOW (fixture->window));
  fixture->folder = g_dir_make_tmp ("headscope-session-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a screen.headscope", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  hs_work_drain ();
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
  g_remove (fixture->path);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->path);
  g_free (fixture->folder);
}

static char *answer; /* what the stand-in for the chooser says */

static void
answer_at_once (GtkWindow *parent G_GNUC_UNUSED,
                const HsQuestion *question,
                HsPathFunc done,
                gpointer data)
{
  g_assert_nonnull (question->title);
  done (g_strdup (answer), data);
}

static bool
is_written (gpointer path)
{
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

static void
save (Fixture *fixture)
{
  answer = fixture->path;
  hs_session_actions_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "save-session", NULL);
  ui_test_wait (is_written, fixture->path);
  hs_work_drain ();
}

static AttnDrawSession *
load (const char *path)
{
  GError *error = NULL;
  AttnDrawSession *file = attn_draw_session_load (path, &error);
  g_assert_no_error (error);
  return file;
}

/* Another screen in every property that a session has. */
static void
change_everything (HsSession *session)
{
  AttnArrangement plain = {0};

  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_crop (session, NULL);
  hs_session_set_arrangement (session, &plain);
  hs_session_set_lens (session, ATTN_LENS_RAW);
  hs_session_set_kind (session, ATTN_DRAW_HEADS);
  hs_session_set_layer (session, 0);
  hs_session_set_head (session, 0);
  hs_session_set_range (session, ATTN_DRAW_RANGE_AUTO);
  hs_session_set_range_max (session, 1);
  hs_session_set_scale (session, ATTN_DRAW_SCALE_LINEAR);
  hs_session_set_shows_values (session, true);
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_YLGNBU);
  hs_side_set_pair (hs_session_peek_side (session), NULL);
  hs_side_set_text (hs_session_peek_side (session), OTHER);
  ui_test_wait_state (session, HS_STATE_READY);
}

static void
choose_screen (HsSession *session)
{
  AttnArrangement arrangement = {.hide = ATTN_HIDE_CLS, .renormalise = true};

  hs_side_set_pair (hs_session_peek_side (session), "It was warm.");
  ui_test_wait_state (session, HS_STATE_READY);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer (session, 2);
  hs_session_set_head (session, 5);
  hs_session_set_range (session, ATTN_DRAW_RANGE_FIXED);
  hs_session_set_range_max (session, 0.3);
  hs_session_set_arrangement (session, &arrangement);
  hs_session_set_scale (session, ATTN_DRAW_SCALE_RANK);
  hs_session_set_lens (session, ATTN_LENS_NORM);
  hs_session_set_shows_values (session, false);
  hs_session_set_color_map (session, ATTN_DRAW_COLOR_MAP_CIVIDIS);
  ui_test_wait_state (session, HS_STATE_READY);
  hs_session_set_crop (session, &(AttnDrawCrop){1, 6, 2, 5});
  hs_session_set_pinned (session, 3, HS_NONE);
}

static char *
dup_screen (HsSession *session)
{
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  options.width_px = 700;
  options.max_height_px = 500;
  g_autoptr (HsExport) export = hs_export_new (session, &options);
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (export, 1);
  return attn_draw_session_dup_json (file);
}

static bool
has_pin (gpointer session)
{
  return hs_session_get_pinned_query (session) == 3 &&
         hs_session_get_state (session) == HS_STATE_READY;
}

static void
test_round_trip (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  choose_screen (session);
  g_autofree char *before = dup_screen (session);
  save (fixture);
  g_autoptr (AttnDrawSession) file = load (fixture->path);
  g_assert_cmpstr (file->a.model, ==, "demo");
  g_assert_cmpstr (file->a.pair, ==, "It was warm.");
  g_assert_nonnull (file->a.weights_sha256);
  g_assert_cmpuint (file->format, ==, ATTN_DRAW_PNG);
  g_assert_cmpuint (file->view->palette, ==, ATTN_DRAW_PALETTE_PAPER);

  change_everything (session);
  g_autofree char *other = dup_screen (session);
  g_assert_cmpstr (before, !=, other);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (has_pin, session);
  g_autofree char *after = dup_screen (session);
  g_assert_cmpstr (before, ==, after);

  /* once more where the text is the same one: nothing is run anew */
  HsAnswer *answered = hs_side_peek_answer (hs_session_peek_side (session));
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_layer (session, 1);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (has_pin, session);
  g_autofree char *again = dup_screen (session);
  g_assert_cmpstr (before, ==, again);
  g_assert_true (hs_side_peek_answer (hs_session_peek_side (session)) == answered);
}

/* Files keep the session's letters on a desktop that has others. */
static void
test_letters (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsExportOptions options;

  hs_session_set_font (session, "Serif", 12);
  g_assert_cmpstr (hs_session_peek_view (session)->font_family, ==, "Serif");
  save (fixture);
  g_autoptr (AttnDrawSession) file = load (fixture->path);
  g_assert_cmpstr (file->view->font_family, ==, "Serif");
  hs_session_set_font (session, "Monospace", 10);
  hs_export_options_init (&options, NULL);
  g_autoptr (HsExport) as_shown = hs_export_new (session, &options);
  hs_session_file_get_options (file, &options);
  g_autoptr (HsExport) as_saved = hs_export_new (session, &options);
  const AttnDrawView *shown = hs_export_peek_picture (as_shown)->view;
  const AttnDrawView *saved = hs_export_peek_picture (as_saved)->view;
  g_assert_cmpstr (shown->font_family, ==, "Monospace");
  g_assert_cmpstr (saved->font_family, ==, "Serif");
  g_assert_cmpfloat (saved->font_size_pt, ==, 12);
}

static bool
is_settled (gpointer data)
{
  HsSession *session = data;

  return hs_session_get_state (session) == HS_STATE_READY && hs_session_is_current (session) &&
         hs_session_get_kind (session) == ATTN_DRAW_COMPARE;
}

static bool
is_as_a (gpointer data)
{
  return *hs_side_peek_name (hs_session_peek_side_b (data)) == '\0';
}

/* Both texts and both heads of a comparison. */
static void
test_comparison (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsSide *side_b = hs_session_peek_side_b (session);

  hs_side_set_text (side_b, OTHER);
  hs_session_set_kind (session, ATTN_DRAW_COMPARE);
  hs_session_set_layer_b (session, 2);
  hs_session_set_head_b (session, 3);
  ui_test_wait (is_settled, session);
  g_autofree char *before = dup_screen (session);
  save (fixture);
  g_autoptr (AttnDrawSession) file = load (fixture->path);
  g_assert_cmpstr (file->b.text, ==, OTHER);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer_b (session, 0);
  hs_side_set_text (side_b, TEXT);
  ui_test_wait_state (session, HS_STATE_READY);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (is_settled, session);
  ui_test_drain (fixture->desk.engine);
  ui_test_wait (is_settled, session);
  g_autofree char *after = dup_screen (session);
  g_assert_cmpstr (before, ==, after);
}

static void
write_session (Fixture *fixture, const char *rest)
{
  g_autofree char *content = g_strconcat (HEAD, rest, NULL);
  g_assert_true (g_file_set_contents (fixture->path, content, -1, NULL));
}

static bool
is_said (gpointer data)
{
  Fixture *fixture = data;
  g_autofree char *labels = ui_test_dup_labels (fixture->window);

  return hs_session_get_pinned_key (fixture->desk.session) == 1 &&
         strstr (labels, "pin: query: found 99, but there are rows 0 to ") != NULL;
}

/* What is pinned is dropped where it is no longer there, each for itself and in words. */
static void
test_fewer_tokens (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  for (int again = 0; again < 2; again++) { /* also where the picture is there already */
    write_session (fixture, ",\"view\":{\"pin\":{\"query\":99,\"key\":1}},"
                            "\"a\":{\"text\":\"It ran.\"}}");
    hs_session_set_pinned (fixture->desk.session, HS_NONE, HS_NONE);
    hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
    ui_test_wait (is_said, fixture);
    g_assert_cmpuint (hs_session_get_pinned_query (fixture->desk.session), ==, HS_NONE);
  }
}

static bool
has_other_b (gpointer data)
{
  HsSide *b = hs_session_peek_side_b (data);

  return g_str_equal (hs_side_peek_text (b), OTHER) && hs_session_get_kind (data) == 0;
}

static bool
compares_models (gpointer data)
{
  HsSession *session = data;

  return is_settled (session) && hs_side_peek_model (hs_session_peek_side_b (session)) != NULL;
}

/* Another view shows nothing of B, but the file has it: text, model and head; and a file that has
 * none opens with a B that is as A. */
static void
test_kept_b (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsSide *side_b = hs_session_peek_side_b (session);
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");

  hs_session_set_kind (session, ATTN_DRAW_COMPARE);
  hs_side_set_text (side_b, OTHER);
  hs_side_set_name (side_b, other);
  ui_test_drain (fixture->desk.engine);
  ui_test_wait (compares_models, session);
  hs_session_set_head_b (session, 3);
  ui_test_wait (is_settled, session);
  g_autofree char *compared = dup_screen (session);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (session, HS_STATE_READY);
  save (fixture);
  g_autoptr (AttnDrawSession) file = load (fixture->path);
  g_assert_cmpstr (file->b.text, ==, OTHER);
  g_assert_cmpstr (file->b.model, ==, other);
  g_assert_nonnull (file->b.weights_sha256);

  hs_side_set_name (side_b, "");
  hs_side_set_text (side_b, TEXT);
  hs_session_set_head_b (session, 0);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (has_other_b, session);
  g_assert_null (hs_side_peek_model (side_b)); /* not before it is needed */
  hs_session_set_kind (session, ATTN_DRAW_COMPARE);
  ui_test_drain (fixture->desk.engine);
  ui_test_wait (compares_models, session);
  ui_test_drain (fixture->desk.engine);
  ui_test_wait (is_settled, session);
  g_autofree char *again = dup_screen (session);
  g_assert_cmpstr (compared, ==, again);

  write_session (fixture, ",\"a\":{\"text\":\"" TEXT "\"}}");
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (is_as_a, session);
  g_assert_cmpstr (hs_side_peek_text (side_b), ==, TEXT);
}

static GtkWidget *
find_alert (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    if (GTK_IS_MESSAGE_DIALOG (window) && gtk_widget_get_visible (window))
      return window;
  }
  return NULL;
}

static bool
has_alert (gpointer data G_GNUC_UNUSED)
{
  return find_alert () != NULL;
}

/* The ending that the person typed stands before the one that was there. */
static void
test_doubled_ending (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[][2] = {
      {"my.headscope.headscope", "my.headscope"},
      {"a/b.png.png", "a/b.png"},
      {"a.png", "a.png"},
      {"a.pdf.png", "a.pdf.png"},
      {".png.png", ".png.png"},
      {"a..", "a.."},
      {"a.png.png/b", "a.png.png/b"},
  };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *once = hs_ask_dup_single_ending (names[i][0]);
    g_assert_cmpstr (once, ==, names[i][1]);
  }
  g_autofree char *doubled = g_strconcat (fixture->path, ATTN_DRAW_SESSION_SUFFIX, NULL);
  answer = doubled;
  hs_session_actions_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "save-session", NULL);
  ui_test_wait (is_written, fixture->path);
  hs_work_drain ();
  g_assert_false (g_file_test (doubled, G_FILE_TEST_EXISTS));
  /* one that nobody asked about is not replaced, and that is said */
  g_autofree char *stem =
      g_strndup (fixture->path, strlen (fixture->path) - strlen (ATTN_DRAW_SESSION_SUFFIX));
  char *const unasked[] = {doubled, stem};
  for (size_t i = 0; i < G_N_ELEMENTS (unasked); i++) {
    answer = unasked[i];
    g_assert_true (g_file_set_contents (fixture->path, "mine", -1, NULL));
    g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "save-session", NULL);
    ui_test_wait (has_alert, NULL);
    gtk_dialog_response (GTK_DIALOG (find_alert ()), GTK_RESPONSE_CLOSE);
    hs_work_drain ();
    g_autofree char *content = NULL;
    g_assert_true (g_file_get_contents (fixture->path, &content, NULL, NULL));
    g_assert_cmpstr (content, ==, "mine");
    g_assert_false (g_file_test (unasked[i], G_FILE_TEST_EXISTS));
  }
}

/* Two models, and a pin on a token that only B has: another window opens it as it was. */
static void
test_two_models (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsSide *side_b = hs_session_peek_side_b (session);
  g_autofree char *other = test_data_path ("golden/models/bert-mlm");

  hs_session_set_kind (session, ATTN_DRAW_COMPARE);
  hs_side_set_name (side_b, other);
  hs_side_set_text (side_b, "The cat sat on the new mat.");
  ui_test_drain (fixture->desk.engine);
  hs_session_set_layer_b (session, 2);
  hs_session_set_head_b (session, 3);
  ui_test_wait (is_settled, session);
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  guint last = (guint)attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY) - 1;
  hs_session_set_pinned (session, last, HS_NONE);
  g_autofree char *before = dup_screen (session);
  save (fixture);
  g_autoptr (AttnDrawSession) file = load (fixture->path);
  g_assert_cmpstr (file->b.model, ==, other);
  g_assert_cmpstr (file->b.model_name, ==, "bert-mlm");
  g_assert_cmpstr (file->a.weights_sha256, !=, file->b.weights_sha256);

  hs_side_set_name (side_b, "");
  g_assert_null (hs_side_peek_model (side_b));
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  ui_test_wait_state (session, HS_STATE_READY);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_drain (fixture->desk.engine);
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  ui_test_wait (is_settled, session);
  g_assert_cmpstr (hs_side_peek_name (side_b), ==, other);
  g_assert_cmpstr (attn_model_peek_name (hs_side_peek_model (side_b)), ==, "bert-mlm");
  g_autofree char *after = dup_screen (session);
  g_assert_cmpstr (before, ==, after);
}

/* Every refusal names what is wrong, and nothing of the screen has changed. */
static void
test_refused (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const bad[][2] = {
      {",\"view\":{\"layer\":\"one\"}}", "view: layer: found the string"},
      {",\"view\":{\"kind\":\"compare\"},\"b\":{\"model\":\"/else\",\"text\":\"x\"}}", "/else"},
      {",\"a\":{\"model\":\"/nowhere/at all\"}}", "/nowhere/at all"},
      {"", "not valid JSON"},
  };
  g_autofree char *before = dup_screen (fixture->desk.session);

  for (size_t i = 0; i < G_N_ELEMENTS (bad); i++) {
    write_session (fixture, bad[i][0]);
    hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
    ui_test_wait (has_alert, NULL);
    GtkWidget *alert = find_alert ();
    g_autofree char *detail = NULL;
    g_object_get (alert, "secondary-text", &detail, NULL);
    if (strstr (detail, bad[i][1]) == NULL)
      g_error ("\"%s\" is not in: %s", bad[i][1], detail);
    gtk_dialog_response (GTK_DIALOG (alert), GTK_RESPONSE_CLOSE);
    ui_test_drain (fixture->desk.engine);
    g_assert_null (find_alert ());
    g_autofree char *after = dup_screen (fixture->desk.session);
    g_assert_cmpstr (before, ==, after);
  }
}

/* A folder that is no model: said once it was tried, and the screen stays. */
static void
test_bad_model (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *before = dup_screen (fixture->desk.session);
  g_autofree char *rest =
      g_strdup_printf (",\"a\":{\"model\":\"%s\",\"text\":\"hi\"}}", fixture->folder);

  write_session (fixture, rest);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (has_alert, NULL);
  gtk_dialog_response (GTK_DIALOG (find_alert ()), GTK_RESPONSE_CLOSE);
  ui_test_drain (fixture->desk.engine);
  g_autofree char *after = dup_screen (fixture->desk.session);
  g_assert_cmpstr (before, ==, after);
}

static bool
shows_other (gpointer session)
{
  return g_str_equal (hs_side_peek_text (hs_session_peek_side (session)), OTHER) &&
         hs_session_get_state (session) == HS_STATE_READY;
}

/* The model has moved, and the person says where to. */
static void
test_moved (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  AttnModel *model = hs_side_peek_model (hs_session_peek_side (fixture->desk.session));
  g_autofree char *folder = g_strdup (attn_model_peek_folder (model));

  write_session (fixture, ",\"a\":{\"model\":\"/nowhere\",\"text\":\"" OTHER "\"},"
                          "\"view\":{\"layer\":4}}");
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (has_alert, NULL);
  answer = folder;
  hs_session_actions_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  gtk_dialog_response (GTK_DIALOG (find_alert ()), GTK_RESPONSE_ACCEPT);
  ui_test_wait (shows_other, fixture->desk.session);
  g_assert_cmpuint (hs_session_get_layer (fixture->desk.session), ==, 3);
}

/* Rows and columns that the text has not are not asked for. */
static void
test_beyond (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  write_session (fixture,
                 ",\"a\":{\"text\":\"" OTHER "\"},\"view\":{\"layer\":900,\"head\":900,"
                 "\"pin\":{\"query\":500},\"crop\":{\"first_query\":99,\"n_queries\":5}}}");
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->path);
  ui_test_wait (shows_other, session);
  ui_test_drain (fixture->desk.engine);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 3);
  g_assert_cmpuint (hs_session_get_head (session), ==, 7);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
  g_assert_cmpuint (hs_session_peek_crop (session)->n_queries, ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (Fixture *, gconstpointer);
  } tests[] = {
      {"/session-file/round-trip", test_round_trip},
      {"/session-file/letters", test_letters},
      {"/session-file/refused", test_refused},
      {"/session-file/comparison", test_comparison},
      {"/session-file/bad-model", test_bad_model},
      {"/session-file/two-models", test_two_models},
      {"/session-file/moved", test_moved},
      {"/session-file/beyond", test_beyond},
      {"/session-file/fewer-tokens", test_fewer_tokens},
      {"/session-file/kept-b", test_kept_b},
      {"/session-file/doubled-ending", test_doubled_ending},
  };

  g_setenv ("GTK_A11Y", "test", TRUE);
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
