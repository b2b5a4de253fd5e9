/* SPDX-License-Identifier: MIT */
/* Files of weights in session files: the very same screen again, and the same bytes by the command
 * line, from the session and from the copied command. */
#include "formula-maps.h"
#include "hs-export.h"
#include "hs-resources.h"
#include "hs-session-actions.h"
#include "hs-session-file.h"
#include "hs-window.h"
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn/export.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The cat sat."
#define WIDTH_PX 700
#define HEIGHT_PX 500

static const char *program; /* headscope-cli */

typedef struct {
  UiTestDesk desk;
  GtkWidget *window;
  char *folder;
  char *file, *file_b, *tokens, *screen, *picture; /* paths in it */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window = hs_window_new (NULL, fixture->desk.session, fixture->desk.updater);
  g_object_ref (fixture->window);
  gtk_window_present (GTK_WINDOW (fixture->window));
  fixture->folder = g_dir_make_tmp ("headscope-attention-XXXXXX", NULL);
  fixture->file = g_build_filename (fixture->folder, "one file.npy", NULL);
  fixture->file_b = g_build_filename (fixture->folder, "other.npy", NULL);
  fixture->tokens = g_build_filename (fixture->folder, "tokens.json", NULL);
  fixture->screen = g_build_filename (fixture->folder, "a screen.headscope", NULL);
  fixture->picture = g_build_filename (fixture->folder, "picture", NULL);
  formula_maps_write (fixture->file, 4, 4);
  formula_maps_write (fixture->file_b, 4, 4);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b b\",\"貓\",\"d\"]", -1, NULL));
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  char *const paths[] = {fixture->file, fixture->file_b, fixture->tokens, fixture->screen,
                         fixture->picture};

  hs_work_drain ();
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  ui_test_desk_close (&fixture->desk);
  for (size_t i = 0; i < G_N_ELEMENTS (paths); i++) {
    g_remove (paths[i]);
    g_free (paths[i]);
  }
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_free (fixture->folder);
}

static void
settle (Fixture *fixture)
{
  for (int i = 0; i < 4; i++) { /* the file, its side, the comparison */
    hs_work_drain ();
    ui_test_drain (fixture->desk.engine);
  }
}

static void
open_a (Fixture *fixture)
{
  const HsAttentionWish wish = {.place = {.path = fixture->file, .tokens = fixture->tokens}};

  hs_updater_open_attention (fixture->desk.updater, &wish);
  settle (fixture);
  g_assert_nonnull (hs_side_peek_attention (hs_session_peek_side (fixture->desk.session)));
}

static void
open_b (Fixture *fixture)
{
  const HsAttentionWish wish = {.place = {.path = fixture->file_b}};

  hs_updater_open_attention_b (fixture->desk.updater, &wish);
  settle (fixture);
  g_assert_nonnull (hs_side_peek_attention (hs_session_peek_side_b (fixture->desk.session)));
}

static void
open_screen (Fixture *fixture)
{
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), fixture->screen);
  settle (fixture);
}

static HsExport *
new_export (Fixture *fixture)
{
  HsExportOptions options;

  hs_export_options_init (&options, NULL);
  options.format = ATTN_DRAW_SVG;
  options.scale = 1;
  options.width_px = WIDTH_PX;
  options.max_height_px = HEIGHT_PX;
  return hs_export_new (fixture->desk.session, &options);
}

static char *
dup_screen (Fixture *fixture)
{
  g_autoptr (HsExport) export = new_export (fixture);
  g_autoptr (AttnDrawSession) file = hs_export_dup_session (export, 1);

  return attn_draw_session_dup_json (file);
}

static void
save_screen (Fixture *fixture)
{
  g_autofree char *json = dup_screen (fixture);

  g_assert_true (g_file_set_contents (fixture->screen, json, -1, NULL));
}

/* Another screen, back on the text. */
static void
leave (Fixture *fixture)
{
  HsSession *session = fixture->desk.session;

  hs_updater_use_b (fixture->desk.updater, "", NULL);
  hs_updater_show_attention (fixture->desk.updater, NULL);
  settle (fixture);
  hs_session_set_pinned (session, HS_NONE, HS_NONE);
  hs_session_set_kind (session, ATTN_DRAW_HEADS);
  hs_session_set_layer (session, 0);
  hs_session_set_head (session, 0);
  settle (fixture);
  g_assert_null (hs_side_peek_attention (hs_session_peek_side (session)));
  g_assert_cmpint (hs_session_get_state (session), ==, HS_STATE_READY);
}

/* ---- the same bytes ---- */

static void
made_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **)data = g_object_ref (result);
}

static GBytes *
make_bytes (HsExport *export)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsExportFile) file = NULL;

  hs_export_make_async (export, NULL, NULL, made_cb, &result);
  while (result == NULL)
    g_main_context_iteration (NULL, TRUE);
  file = hs_export_make_finish (result, &error);
  g_assert_no_error (error);
  return g_bytes_ref (file->bytes);
}

static void
assert_makes (Fixture *fixture, const char *const *command, GBytes *wanted)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *err = NULL, *made = NULL;
  gsize n_made = 0, n_wanted = 0;
  const char *bytes = g_bytes_get_data (wanted, &n_wanted);

  g_autoptr (GSubprocess) process =
      g_subprocess_newv (command, G_SUBPROCESS_FLAGS_STDERR_PIPE, &error);
  g_assert_no_error (error);
  g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &err, &error);
  g_assert_no_error (error);
  if (!g_subprocess_get_successful (process))
    g_error ("%s", err);
  made = test_read_file (fixture->picture, &n_made);
  g_assert_cmpmem (made, n_made, bytes, n_wanted);
  g_assert_cmpint (g_remove (fixture->picture), ==, 0);
}

/* What is shown, by the window, the copied command and the session that was saved. */
static void
assert_same_bytes (Fixture *fixture)
{
  g_autoptr (HsExport) export = new_export (fixture);
  g_autoptr (GBytes) wanted = make_bytes (export);
  g_autofree char *line = hs_export_dup_command (export, fixture->picture);
  g_auto (GStrv) words = NULL;
  const char *const by_session[] = {program,    "render", "--session", fixture->screen,
                                    "--format", "svg",    "-o",        fixture->picture,
                                    NULL};

  g_assert_true (g_shell_parse_argv (line, NULL, &words, NULL));
  g_free (words[0]);
  words[0] = g_strdup (program);
  assert_makes (fixture, (const char *const *)words, wanted);
  assert_makes (fixture, by_session, wanted);
}

/* ---- tests ---- */

static void
test_round_trip (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  open_a (fixture);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer (session, 1);
  hs_session_set_head (session, 1);
  hs_session_set_pinned (session, 2, HS_NONE);
  settle (fixture);
  g_autofree char *before = dup_screen (fixture);
  g_assert_nonnull (strstr (before, "one file.npy"));
  g_assert_nonnull (strstr (before, "tokens.json"));
  save_screen (fixture);
  assert_same_bytes (fixture);
  leave (fixture);
  open_screen (fixture);
  g_autofree char *after = dup_screen (fixture);
  g_assert_cmpstr (before, ==, after);
  assert_same_bytes (fixture);
  for (AttnDrawKind kind = 0; kind <= ATTN_DRAW_TEXT; kind++) {
    if (kind == ATTN_DRAW_COMPARE)
      continue; /* has a test of its own */
    hs_session_set_kind (session, kind);
    settle (fixture);
    save_screen (fixture);
    assert_same_bytes (fixture);
  }
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  settle (fixture);
  save_screen (fixture);
  g_assert_cmpstr (hs_side_peek_text (hs_session_peek_side (session)), ==, TEXT);
  open_screen (fixture); /* while the very same one is shown */
  g_autofree char *again = dup_screen (fixture);
  g_assert_cmpstr (before, ==, again);
}

/* Words and what is hidden, by the tokens' names. */
static void
test_arranged (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  const AttnArrangement how = {.unit = ATTN_UNIT_WORDS,
                               .hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP | ATTN_HIDE_PUNCTUATION,
                               .renormalise = true};

  g_assert_true (
      g_file_set_contents (fixture->tokens, "[\"[CLS]\",\"un\",\"##aff\",\",\"]", -1, NULL));
  open_a (fixture);
  hs_session_set_arrangement (session, &how);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  settle (fixture);
  AttnMaps *maps = attn_draw_panels_peek_maps (hs_session_peek_panels (session));
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_QUERY), ==, 1);
  g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_KEY, 0), ==, "unaff");
  g_assert_cmpstr (hs_session_peek_view (session)->strings.title, ==,
                   "Layer 1, head 1 · attention weights · between words · without [CLS] and "
                   "punctuation · rows renormalised");
  g_autofree char *before = dup_screen (fixture);
  save_screen (fixture);
  assert_same_bytes (fixture);
  hs_session_set_arrangement (session, &(AttnArrangement){0});
  leave (fixture);
  open_screen (fixture);
  g_autofree char *after = dup_screen (fixture);
  g_assert_cmpstr (before, ==, after);
  assert_same_bytes (fixture);
}

static void
test_comparison (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  open_a (fixture);
  open_b (fixture);
  hs_session_set_kind (session, ATTN_DRAW_COMPARE);
  hs_session_set_layer_b (session, 1);
  settle (fixture);
  g_autofree char *before = dup_screen (fixture);
  g_assert_nonnull (strstr (before, "other.npy"));
  save_screen (fixture);
  assert_same_bytes (fixture);
  leave (fixture);
  open_screen (fixture);
  g_autofree char *after = dup_screen (fixture);
  g_assert_cmpstr (before, ==, after);
  assert_same_bytes (fixture);
}

/* Another view shows nothing of B, but the session has it. */
static void
test_kept_b (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  HsSide *b = hs_session_peek_side_b (session);

  open_a (fixture);
  open_b (fixture);
  save_screen (fixture);
  leave (fixture);
  open_screen (fixture);
  g_assert_nonnull (hs_side_peek_attention (b));
  g_assert_cmpstr (hs_side_peek_attention (b)->place.path, ==, fixture->file_b);
  g_assert_cmpstr (attn_maps_peek_label (hs_side_peek_attention (b)->maps, ATTN_SIDE_KEY, 1), ==,
                   "b b");
  assert_same_bytes (fixture);
}

/* A session of a text opens over a file, which is not shown any more. */
static void
test_back_to_text (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  g_autofree char *before = dup_screen (fixture);
  save_screen (fixture);
  open_a (fixture);
  open_b (fixture);
  open_screen (fixture);
  g_assert_null (hs_side_peek_attention (hs_session_peek_side (session)));
  g_assert_null (hs_side_peek_attention (hs_session_peek_side_b (session)));
  g_autofree char *after = dup_screen (fixture);
  g_assert_cmpstr (before, ==, after);
}

static GtkDialog *
find_alert (void)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *each = all; each != NULL; each = each->next)
    if (GTK_IS_MESSAGE_DIALOG (each->data))
      return each->data;
  return NULL;
}

/* The lab has no steps of a file, and offers none to be clicked. */
static void
test_lab_hint (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  hs_session_set_lab_page (session, ATTN_DRAW_LAB_PIPELINE);
  hs_session_set_in_lab (session, TRUE);
  settle (fixture);
  g_autofree char *of_text = ui_test_dup_labels (fixture->window);
  g_assert_nonnull (strstr (of_text, "Click a number for its arithmetic"));
  open_a (fixture);
  g_autofree char *of_file = ui_test_dup_labels (fixture->window);
  g_assert_null (strstr (of_file, "Click a number for its arithmetic"));
}

/* Said which file, and the screen stays. */
static void
test_gone (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *detail = NULL;

  open_a (fixture);
  save_screen (fixture);
  leave (fixture);
  g_autofree char *before = dup_screen (fixture);
  g_assert_cmpint (g_remove (fixture->file), ==, 0);
  open_screen (fixture);
  g_assert_nonnull (find_alert ());
  g_object_get (find_alert (), "secondary-text", &detail, NULL);
  g_assert_nonnull (strstr (detail, fixture->file));
  gtk_dialog_response (find_alert (), GTK_RESPONSE_CLOSE);
  g_autofree char *after = dup_screen (fixture);
  g_assert_cmpstr (before, ==, after);
}

static const char *answer; /* (nullable): what the person chooses */

static void
answer_at_once (GtkWindow *parent G_GNUC_UNUSED,
                const HsQuestion *question G_GNUC_UNUSED,
                HsPathFunc done,
                gpointer data)
{
  done (g_strdup (answer), data);
}

/* @chooses: whether it has been asked where the file is. */
static void
close_over (Fixture *fixture, bool chooses)
{
  open_a (fixture);
  save_screen (fixture);
  leave (fixture);
  g_assert_cmpint (g_remove (fixture->file), ==, 0);
  open_screen (fixture);
  g_assert_nonnull (find_alert ());
  if (chooses)
    gtk_dialog_response (find_alert (), GTK_RESPONSE_ACCEPT);
  ui_test_drain (fixture->desk.engine);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, 2);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_cmpuint (g_list_model_get_n_items (gtk_window_get_toplevels ()), ==, 0);
}

/* An alert goes with its window, and so does the chooser: a file chosen there would go nowhere. */
static void
test_closed_over (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  close_over (fixture, false);
}

static void
test_closed_choosing (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  bool leaks = false;

#ifdef __SANITIZE_ADDRESS__
  leaks = true;
#endif
  if (leaks)
    g_test_skip ("the file chooser's libcloudproviders leaks, and short stacks do not name it");
  else
    close_over (fixture, true);
}

/* The file has moved, and the person says where to: all else is as it was. */
static void
test_moved (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  g_autofree char *elsewhere = g_build_filename (fixture->folder, "elsewhere.npy", NULL);

  open_a (fixture);
  hs_session_set_kind (session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer (session, 2);
  hs_session_set_pinned (session, 3, HS_NONE);
  save_screen (fixture);
  leave (fixture);
  g_assert_cmpint (g_rename (fixture->file, elsewhere), ==, 0);
  open_screen (fixture);
  g_assert_nonnull (find_alert ());
  answer = elsewhere;
  hs_session_actions_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  gtk_dialog_response (find_alert (), GTK_RESPONSE_ACCEPT);
  settle (fixture);
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (session));
  g_assert_nonnull (attention);
  g_assert_cmpstr (attention->place.path, ==, elsewhere);
  g_assert_cmpstr (attn_maps_peek_label (attention->maps, ATTN_SIDE_KEY, 1), ==, "b b");
  g_assert_cmpuint (hs_session_get_layer (session), ==, 2);
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, 3);
  g_assert_cmpint (g_remove (elsewhere), ==, 0);
}

/* Moved into another folder together with its files, a session finds them there. */
static void
test_moved_together (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *folder = g_strconcat (fixture->folder, "-moved", NULL);
  g_autofree char *screen = g_build_filename (folder, "a screen.headscope", NULL);
  g_autofree char *file = g_build_filename (folder, "one file.npy", NULL);
  g_autofree char *tokens = g_build_filename (folder, "tokens.json", NULL);

  open_a (fixture);
  save_screen (fixture);
  leave (fixture);
  g_assert_cmpint (g_rename (fixture->folder, folder), ==, 0);
  hs_session_actions_open (GTK_APPLICATION_WINDOW (fixture->window), screen);
  settle (fixture);
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (fixture->desk.session));
  g_assert_nonnull (attention);
  g_assert_cmpstr (attention->place.path, ==, file);
  g_assert_cmpstr (attention->place.tokens, ==, tokens);
  g_autofree char *said = ui_test_dup_labels (fixture->window);
  g_assert_nonnull (strstr (said, "the file of this name beside the session was taken"));
  g_assert_cmpint (g_rename (folder, fixture->folder), ==, 0);
}

/* Without its tokens a session is numbered, and says why. */
static void
test_tokens_gone (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  open_a (fixture);
  save_screen (fixture);
  leave (fixture);
  g_assert_cmpint (g_remove (fixture->tokens), ==, 0);
  open_screen (fixture);
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (fixture->desk.session));
  g_assert_nonnull (attention);
  g_assert_true (hs_attention_is_numbered (attention));
  g_autofree char *said = ui_test_dup_labels (fixture->window);
  g_assert_nonnull (strstr (said, "tokens.json was left out"));
  g_assert_nonnull (attention->warnings[0]); /* which stays where the status line's words go */
  g_assert_nonnull (strstr (attention->warnings[0], "tokens.json was left out"));
  g_assert_null (attention->warnings[1]);
}

/* "Open session…" takes a file of weights for what it is. */
static void
test_open_either (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  answer = fixture->file;
  hs_session_actions_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  gtk_widget_activate_action (fixture->window, "win.open-session", NULL);
  settle (fixture);
  g_assert_null (find_alert ());
  g_assert_nonnull (hs_side_peek_attention (hs_session_peek_side (fixture->desk.session)));
}

static bool
says_changed (gpointer window)
{
  g_autofree char *said = ui_test_dup_labels (window);

  return strstr (said, "The attention file has changed since the session was saved") != NULL;
}

/* Shown as it is now, and said; what it has not any more is not asked for. */
static void
test_changed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  open_a (fixture);
  hs_session_set_pinned (session, 3, HS_NONE);
  save_screen (fixture);
  leave (fixture);
  formula_maps_write (fixture->file, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_screen (fixture);
  g_assert_nonnull (hs_side_peek_attention (hs_session_peek_side (session)));
  g_assert_cmpuint (hs_session_get_pinned_query (session), ==, HS_NONE);
  ui_test_wait (says_changed, fixture->window); /* the file is read for that, which takes a while */
}

/* Fewer layers than the session names: the last, and it is said. */
static void
test_fewer_layers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const AttnExportChoice first = {.all_heads = true};
  g_autoptr (AttnMaps) maps = formula_maps_new (4, 4);
  g_autoptr (GError) error = NULL;

  open_a (fixture);
  hs_session_set_kind (fixture->desk.session, ATTN_DRAW_HEATMAP);
  hs_session_set_layer (fixture->desk.session, 2);
  save_screen (fixture);
  leave (fixture);
  attn_export_to_file (maps, &first, ATTN_EXPORT_NPY, fixture->file, &error);
  g_assert_no_error (error);
  open_screen (fixture);
  g_assert_cmpuint (hs_session_get_layer (fixture->desk.session), ==, 0);
  g_autofree char *said = ui_test_dup_labels (fixture->window);
  g_assert_nonnull (strstr (said, "layer: found 3, but the last is 1 now"));
}

/* Typed tokens stand in the session and in the command, which others can use. */
static void
test_typed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const HsAttentionWish wish = {.place = {.path = fixture->file},
                                .token_list = (char *)(guintptr) "x y z w"};
  HsSide *side = hs_session_peek_side (fixture->desk.session);

  hs_updater_open_attention (fixture->desk.updater, &wish);
  settle (fixture);
  g_autofree char *kept = g_strdup (hs_side_peek_attention (side)->place.tokens);
  g_autofree char *json = dup_screen (fixture);
  g_assert_nonnull (strstr (json, "\"token_list\": \"x y z w\""));
  g_assert_null (strstr (json, "typed-"));
  save_screen (fixture);
  assert_same_bytes (fixture);
  leave (fixture);
  g_assert_cmpint (g_remove (kept), ==, 0);
  open_screen (fixture);
  g_assert_cmpstr (attn_maps_peek_label (hs_side_peek_attention (side)->maps, ATTN_SIDE_KEY, 3), ==,
                   "w");
  g_unlink (kept);
}

/* Likewise those with blanks in them. */
static void
test_typed_blanks (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  const HsAttentionWish wish = {.place = {.path = fixture->file},
                                .token_list =
                                    (char *)(guintptr) "[\"New York\", \"is\", \"\", \"big\"]"};
  HsSide *side = hs_session_peek_side (fixture->desk.session);

  hs_updater_open_attention (fixture->desk.updater, &wish);
  settle (fixture);
  g_autofree char *kept = g_strdup (hs_side_peek_attention (side)->place.tokens);
  g_autofree char *json = dup_screen (fixture);
  g_assert_nonnull (strstr (json, "\"token_list\": \"[\\\"New York\\\", "));
  g_assert_null (strstr (json, "typed-"));
  save_screen (fixture);
  assert_same_bytes (fixture);
  leave (fixture);
  g_assert_cmpint (g_remove (kept), ==, 0);
  open_screen (fixture);
  g_assert_cmpstr (attn_maps_peek_label (hs_side_peek_attention (side)->maps, ATTN_SIDE_KEY, 0), ==,
                   "New York");
  g_unlink (kept);
}

/* Tokens that stand in the session itself. */
static void
test_list (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *side = hs_session_peek_side (fixture->desk.session);

  g_assert_true (g_file_set_contents (
      fixture->screen,
      "{\"format\":\"headscope-session\",\"version\":1,\"a\":{\"attention\":\"one file.npy\","
      "\"token_list\":\"x y z w\"}}",
      -1, NULL));
  open_screen (fixture);
  HsAttention *attention = hs_side_peek_attention (side);
  g_assert_nonnull (attention);
  g_assert_cmpstr (attn_maps_peek_label (attention->maps, ATTN_SIDE_QUERY, 3), ==, "w");
  g_assert_nonnull (strstr (attention->place.tokens, "/tokens/typed-"));
  g_unlink (attention->place.tokens);
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*run) (Fixture *, gconstpointer);
  } tests[] = {
      {"/attention-session/round-trip", test_round_trip},
      {"/attention-session/arranged", test_arranged},
      {"/attention-session/comparison", test_comparison},
      {"/attention-session/kept-b", test_kept_b},
      {"/attention-session/back-to-text", test_back_to_text},
      {"/attention-session/gone", test_gone},
      {"/attention-session/lab-hint", test_lab_hint},
      {"/attention-session/closed-over", test_closed_over},
      {"/attention-session/closed-choosing", test_closed_choosing},
      {"/attention-session/moved", test_moved},
      {"/attention-session/moved-together", test_moved_together},
      {"/attention-session/tokens-gone", test_tokens_gone},
      {"/attention-session/open-either", test_open_either},
      {"/attention-session/changed", test_changed},
      {"/attention-session/fewer-layers", test_fewer_layers},
      {"/attention-session/list", test_list},
      {"/attention-session/typed", test_typed},
      {"/attention-session/typed-blanks", test_typed_blanks},
  };

  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  g_assert_cmpint (argc, ==, 2);
  program = argv[1];
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].name, Fixture, NULL, set_up, tests[i].run, tear_down);
  return g_test_run ();
}
