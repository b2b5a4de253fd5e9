/* SPDX-License-Identifier: MIT */
/* Files of weights in a window: opened with the tokens beside them or typed ones, refused in words
 * with everything as it was, kept for the next start. */
#include "formula-maps.h"
#include "hs-desk.h"
#include "hs-export.h"
#include "hs-format.h"
#include "hs-open-attention.h"
#include "hs-open.h"
#include "hs-resources.h"
#include "hs-state.h"
#include "hs-tokens-dialog.h"
#include "hs-window.h"
#include "hs-work.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "The cat sat."

typedef struct {
  UiTestDesk desk;
  HsWindow *window;
  char *folder, *path, *tokens;
  HsAttention *opened; /* nullable: of the newest signal */
  GError *failed;      /* nullable */
} Fixture;

static void
opened_cb (Fixture *fixture, HsAttention *attention)
{
  g_clear_pointer (&fixture->opened, hs_attention_unref);
  fixture->opened = hs_attention_ref (attention);
}

static void
failed_cb (Fixture *fixture, GError *error)
{
  g_clear_error (&fixture->failed);
  fixture->failed = g_error_copy (error);
}

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_desk_open (&fixture->desk, TEXT);
  fixture->window = HS_WINDOW (hs_window_new (NULL, fixture->desk.session, fixture->desk.updater));
  g_object_ref (fixture->window);
  g_signal_connect_swapped (fixture->desk.updater, "attention-opened", G_CALLBACK (opened_cb),
                            fixture);
  g_signal_connect_swapped (fixture->desk.updater, "attention-failed", G_CALLBACK (failed_cb),
                            fixture);
  fixture->folder = g_dir_make_tmp ("headscope-attention-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
  fixture->path = g_build_filename (fixture->folder, "weights.npy", NULL);
  fixture->tokens = g_build_filename (fixture->folder, "weights.json", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (fixture->desk.engine);
  g_assert_finalize_object (fixture->window);
  hs_work_drain ();
  g_clear_pointer (&fixture->opened, hs_attention_unref);
  g_clear_error (&fixture->failed);
  ui_test_desk_close (&fixture->desk);
  g_unlink (fixture->path);
  g_unlink (fixture->tokens);
  g_rmdir (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->tokens);
  g_free (fixture->folder);
}

static HsSide *
side (Fixture *fixture)
{
  return hs_session_peek_side (fixture->desk.session);
}

/* As a drop does. */
static void
open_path (Fixture *fixture)
{
  g_autoptr (GFile) file = g_file_new_for_path (fixture->path);

  hs_open_file (GTK_APPLICATION_WINDOW (fixture->window), file);
  hs_work_drain ();
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
}

static GtkWindow *
find_dialog (GType type)
{
  g_autoptr (GList) all = gtk_window_list_toplevels ();

  for (GList *each = all; each != NULL; each = each->next)
    if (G_TYPE_CHECK_INSTANCE_TYPE (each->data, type))
      return each->data;
  return NULL;
}

static const char *
peek_label (Fixture *fixture, AttnSide of, size_t index)
{
  return attn_maps_peek_label (hs_side_peek_attention (side (fixture))->maps, of, index);
}

static void
test_tokens_beside (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  formula_maps_write (fixture->path, 2, 3);
  g_assert_true (g_file_set_contents (
      fixture->tokens, "{\"queries\":[\"q0\",\"q1\"],\"keys\":[\"k0\",\"k1\",\"k2\"]}", -1, NULL));
  open_path (fixture);
  g_assert_nonnull (fixture->opened);
  g_assert_true (hs_side_peek_attention (side (fixture)) == fixture->opened);
  g_assert_true (fixture->opened->found_tokens);
  g_assert_cmpstr (fixture->opened->place.tokens, ==, fixture->tokens);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_QUERY, 1), ==, "q1");
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 2), ==, "k2");
  g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
  g_assert_cmpint (hs_session_get_state (fixture->desk.session), ==, HS_STATE_READY);
  g_assert_true (
      gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.leave-attention", NULL));
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  g_assert_null (hs_side_peek_attention (side (fixture)));
  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, TEXT);
}

static GtkTextView *
find_view (GtkWidget *widget)
{
  if (GTK_IS_TEXT_VIEW (widget))
    return GTK_TEXT_VIEW (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkTextView *found = find_view (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
type_names (GtkWindow *dialog, const char *names)
{
  GtkTextView *view = find_view (GTK_WIDGET (dialog));

  gtk_text_buffer_set_text (gtk_text_view_get_buffer (view), names, -1);
}

/* Numbers are shown at once; who types names is told how many are missing. */
static void
test_typed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  formula_maps_write (fixture->path, 3, 3);
  open_path (fixture);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 2), ==, "2");
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  g_assert_nonnull (dialog);
  GtkWidget *use = ui_test_find_button (GTK_WIDGET (dialog), "_Use these");
  type_names (dialog, "a\nb b\n");
  g_autofree char *told = ui_test_dup_labels (GTK_WIDGET (dialog));
  g_assert_nonnull (strstr (told, "2 of 3"));
  g_assert_false (gtk_widget_get_sensitive (use));
  type_names (dialog, "a\nb b\nc\n");
  g_assert_true (gtk_widget_get_sensitive (use));
  g_signal_emit_by_name (use, "clicked");
  hs_work_drain ();
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_QUERY, 1), ==, "b b");
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, "b b");
  g_assert_nonnull (strstr (fixture->opened->place.tokens, "/tokens/typed-"));
  g_unlink (fixture->opened->place.tokens);
}

/* Names that scripts give to the tokens; of two the one that is called like the file. */
static void
test_names_beside (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const names[] = {"tokens.json", "weights.tokens.json", "weights.json"};
  char *written[G_N_ELEMENTS (names)];

  formula_maps_write (fixture->path, 2, 2);
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *list = g_strdup_printf ("[\"a\",\"%s\"]", names[i]);

    written[i] = g_build_filename (fixture->folder, names[i], NULL);
    g_assert_true (g_file_set_contents (written[i], list, -1, NULL));
    open_path (fixture);
    g_assert_cmpstr (fixture->opened->place.tokens, ==, written[i]);
    g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, names[i]);
    g_assert_true (fixture->opened->found_tokens);
    g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
  }
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++) {
    g_unlink (written[i]);
    g_free (written[i]);
  }
}

/* What stands beside the file and does not fit is left out, and the dialog says so. */
static void
test_unfit (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  formula_maps_write (fixture->path, 3, 3);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_path (fixture);
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  g_assert_nonnull (dialog);
  g_autofree char *told = ui_test_dup_labels (GTK_WIDGET (dialog));
  g_assert_nonnull (strstr (told, "weights.json was left out: it has 2 names"));
  g_signal_emit_by_name (ui_test_find_button (GTK_WIDGET (dialog), "Use _numbers"), "clicked");
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 2), ==, "2");
}

static void
click (GtkWindow *dialog, const char *label)
{
  g_signal_emit_by_name (ui_test_find_button (GTK_WIDGET (dialog), label), "clicked");
}

static void
wait (Fixture *fixture)
{
  hs_work_drain ();
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
}

/* Names are taken as they come: a JSON list, a row of a table, words on one line, lines of another
 * system, too many empty lines; and what is counted is what would be taken. */
static void
test_pasted (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  static const char *const fitting[] = {
      "[\"a\", \"b b\", \"c\"]", "a\tb b\tc\n", " a b c ",  "a\r\nb b\r\nc\r\n", "a\nb\n\n",
      "a\nb\nc\n\n\n",           "a b\nb\nc",   "[CLS] b c"};
  static const struct {
    const char *names, *count;
  } others[] = {{"[\"a\"]", "1 of 3"},    {"a b", "2 of 3"},    {"a b\tc", "2 of 3"},
                {"a b c d", "4 of 3"},    {"", "0 of 3"},       {"\n", "0 of 3"},
                {"a\nb\nc\nd", "4 of 3"}, {"[\"a\"", "1 of 3"}, {"[\"a\", \"b b\"]", "2 of 3"}};

  formula_maps_write (fixture->path, 3, 3);
  open_path (fixture);
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  GtkWidget *use = ui_test_find_button (GTK_WIDGET (dialog), "_Use these");
  for (size_t i = 0; i < G_N_ELEMENTS (fitting); i++) {
    type_names (dialog, fitting[i]);
    if (!gtk_widget_get_sensitive (use))
      g_error ("\"%s\" is not taken", fitting[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (others); i++) {
    type_names (dialog, others[i].names);
    g_autofree char *told = ui_test_dup_labels (GTK_WIDGET (dialog));
    if (gtk_widget_get_sensitive (use) || strstr (told, others[i].count) == NULL)
      g_error ("\"%s\" is not told to be %s", others[i].names, others[i].count);
  }
  type_names (dialog, fitting[0]);
  click (dialog, "_Use these");
  wait (fixture);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, "b b");
  g_unlink (fixture->opened->place.tokens);
}

/* What panels and hints call a token is short and of one line, whatever the file calls it. */
static void
test_towers (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autoptr (GString) tokens = g_string_new ("[\"a\",\"e");

  for (int i = 0; i < 5000; i++)
    g_string_append (tokens, "\u0301");
  g_string_append (tokens, "\"]");
  formula_maps_write (fixture->path, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, tokens->str, -1, NULL));
  open_path (fixture);
  g_autofree char *shown = hs_format_token (fixture->opened->maps, ATTN_SIDE_KEY, 1);
  g_assert_cmpstr (shown, ==, "e\u0301\u0301\u0301\u0301");
}

/* Megabytes do not come into the field, which says so until something that fits is put there. */
static void
test_pasted_too_much (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *line = g_strnfill (3000000, 'x');

  formula_maps_write (fixture->path, 3, 3);
  open_path (fixture);
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  type_names (dialog, line);
  g_autofree char *told = ui_test_dup_labels (GTK_WIDGET (dialog));
  g_assert_nonnull (strstr (told, "more than the field takes"));
  type_names (dialog, "a b c");
  g_autofree char *then = ui_test_dup_labels (GTK_WIDGET (dialog));
  g_assert_null (strstr (then, "more than the field takes"));
  g_assert_true (
      gtk_widget_get_sensitive (ui_test_find_button (GTK_WIDGET (dialog), "_Use these")));
}

static const char *answer;

static void
answer_at_once (GtkWindow *parent G_GNUC_UNUSED,
                const HsQuestion *question G_GNUC_UNUSED,
                HsPathFunc done,
                gpointer data)
{
  done (g_strdup (answer), data);
}

/* A file of tokens that does not fit is refused in the dialog, which stays; it goes with what it
 * asks about. */
static void
test_wrong_tokens (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  formula_maps_write (fixture->path, 3, 3);
  hs_open_attention_set_ask (GTK_APPLICATION_WINDOW (fixture->window), answer_at_once);
  open_path (fixture);
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  answer = fixture->tokens;
  click (dialog, "Choose _file…");
  wait (fixture);
  g_assert_true (find_dialog (HS_TYPE_TOKENS_DIALOG) == dialog);
  g_assert_null (find_dialog (GTK_TYPE_MESSAGE_DIALOG));
  g_autofree char *told = ui_test_dup_labels (GTK_WIDGET (dialog));
  g_assert_nonnull (strstr (told, "found 2 tokens, wanted 3 tokens"));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.leave-attention", NULL);
  wait (fixture);
  g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
}

static GtkDropDown *
find_drop_down (GtkWidget *widget)
{
  if (GTK_IS_DROP_DOWN (widget))
    return GTK_DROP_DOWN (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkDropDown *found = find_drop_down (child);
    if (found != NULL)
      return found;
  }
  return NULL;
}

static void
write_two_arrays (Fixture *fixture)
{
  static const char header[] =
      "{\"decoder\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
      "\"encoder\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[16,28]}}";
  const guint64 n_header = GUINT64_TO_LE (sizeof header - 1);
  const float weights[] = {1, 0, 0.5f, 0.5f, 0.25f, 0.25f, 0.5f};
  g_autoptr (GString) bytes = g_string_new (NULL);

  g_free (fixture->path);
  fixture->path = g_build_filename (fixture->folder, "two.safetensors", NULL);
  g_string_append_len (bytes, (const char *)&n_header, sizeof n_header);
  g_string_append (bytes, header);
  g_string_append_len (bytes, (const char *)weights, sizeof weights);
  g_assert_true (g_file_set_contents (fixture->path, bytes->str, (gssize)bytes->len, NULL));
}

/* Of several arrays the first is shown, and the dialog asks which is meant. */
static void
test_several_arrays (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  write_two_arrays (fixture);
  open_path (fixture);
  g_assert_cmpstr (fixture->opened->place.array, ==, "decoder");
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  GtkDropDown *arrays = find_drop_down (GTK_WIDGET (dialog));
  g_assert_true (gtk_widget_get_mapped (GTK_WIDGET (arrays)));
  g_assert_cmpuint (g_list_model_get_n_items (gtk_drop_down_get_model (arrays)), ==, 2);
  gtk_drop_down_set_selected (arrays, 1);
  wait (fixture);
  g_assert_cmpstr (fixture->opened->place.array, ==, "encoder");
  g_assert_cmpuint (attn_maps_get_n (fixture->opened->maps, ATTN_SIDE_KEY), ==, 3);
  dialog = find_dialog (HS_TYPE_TOKENS_DIALOG); /* of this one */
  g_assert_cmpuint (gtk_drop_down_get_selected (find_drop_down (GTK_WIDGET (dialog))), ==, 1);
  click (dialog, "Use _numbers");
  wait (fixture);
  g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
  g_assert_cmpstr (fixture->opened->place.array, ==, "encoder");
}

/* Likewise for B, whose dialog gives B what was chosen and leaves A alone. */
static void
test_several_arrays_b (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *b = hs_session_peek_side_b (fixture->desk.session);

  write_two_arrays (fixture);
  const HsAttentionWish wish = {.place = {.path = fixture->path}, .looks = true};
  hs_updater_open_attention_b (fixture->desk.updater, &wish);
  wait (fixture);
  g_assert_cmpstr (hs_side_peek_attention (b)->place.array, ==, "decoder");
  GtkWindow *dialog = find_dialog (HS_TYPE_TOKENS_DIALOG);
  g_assert_nonnull (dialog);
  gtk_drop_down_set_selected (find_drop_down (GTK_WIDGET (dialog)), 1);
  wait (fixture);
  g_assert_cmpstr (hs_side_peek_attention (b)->place.array, ==, "encoder");
  g_assert_null (hs_side_peek_attention (side (fixture)));
  g_assert_null (find_dialog (HS_TYPE_TOKENS_DIALOG));
}

/* A list of tokens that is dropped belongs to the file that is shown; a text that does not fit is a
 * text. */
static void
test_dropped_tokens (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_autofree char *lines = g_build_filename (fixture->folder, "lines.txt", NULL);
  g_autofree char *weights = g_strdup (fixture->path);

  formula_maps_write (fixture->path, 2, 2);
  open_path (fixture);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  g_free (fixture->path);
  fixture->path = g_strdup (fixture->tokens);
  open_path (fixture);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, "b");
  g_assert_true (g_file_set_contents (lines, "x\ny\n", -1, NULL));
  g_free (fixture->path);
  fixture->path = g_strdup (lines);
  open_path (fixture);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, "y");
  g_assert_true (g_file_set_contents (lines, "A text.\n", -1, NULL));
  open_path (fixture);
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  g_assert_null (hs_side_peek_attention (side (fixture)));
  g_assert_cmpstr (hs_side_peek_text (side (fixture)), ==, "A text.");
  g_unlink (lines);
  g_unlink (weights);
}

/* As the list of recent ones has it: with its tokens, or numbered where they are gone. */
static void
test_again (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  formula_maps_write (fixture->path, 2, 2);
  for (int gone = 0; gone < 2; gone++) {
    if (gone == 0)
      g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
    else
      g_unlink (fixture->tokens);
    gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.load-attention", "(sss)",
                                fixture->path, "", fixture->tokens);
    wait (fixture);
    g_assert_null (fixture->failed);
    g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, gone == 0 ? "b" : "1");
    g_assert_cmpint (find_dialog (HS_TYPE_TOKENS_DIALOG) != NULL, ==, gone);
  }
}

/* The lab asks for a model: a file that somebody asks for is shown where it can be seen, however it
 * is asked for; one that cannot be opened, and new tokens, leave the lab as it is. */
static void
test_leaves_lab (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;
  g_autoptr (AttnLabels) labels = attn_labels_new_typed ("a b", NULL, NULL);

  hs_session_set_in_lab (session, TRUE);
  g_assert_true (g_file_set_contents (fixture->path, "no array", -1, NULL));
  open_path (fixture);
  g_assert_nonnull (fixture->failed);
  g_assert_true (hs_session_get_in_lab (session));
  formula_maps_write (fixture->path, 2, 2);
  open_path (fixture);
  g_assert_false (hs_session_get_in_lab (session));
  hs_session_set_in_lab (session, TRUE);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  g_assert_true (
      hs_open_attention_tokens (GTK_APPLICATION_WINDOW (fixture->window), fixture->tokens, labels));
  wait (fixture);
  g_assert_cmpstr (peek_label (fixture, ATTN_SIDE_KEY, 1), ==, "b");
  g_assert_true (hs_session_get_in_lab (session));
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "win.load-attention", "(sss)",
                              fixture->path, "", fixture->tokens);
  wait (fixture);
  g_assert_false (hs_session_get_in_lab (session));
}

/* Compare begins with two heads of the file, not with one twice; B stays where somebody put it. */
static void
test_compare_begins (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSession *session = fixture->desk.session;

  formula_maps_write (fixture->path, 2, 2);
  open_path (fixture);
  hs_session_set_head (session, 3);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "view.page", "s", "compare");
  wait (fixture);
  g_assert_cmpuint (hs_session_get_head (session), ==, 3);
  g_assert_cmpuint (hs_session_get_head_b (session), ==, 0);
  hs_session_set_head_b (session, 2);
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "view.page", "s", "explore");
  gtk_widget_activate_action (GTK_WIDGET (fixture->window), "view.page", "s", "compare");
  wait (fixture);
  g_assert_cmpuint (hs_session_get_head_b (session), ==, 2);
}

static void
close_alert (void)
{
  GtkWindow *alert = find_dialog (GTK_TYPE_MESSAGE_DIALOG);

  g_assert_nonnull (alert);
  gtk_dialog_response (GTK_DIALOG (alert), GTK_RESPONSE_CLOSE);
}

/* Everything is as it was. */
static void
test_damaged (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsAnswer *before = hs_side_peek_answer (side (fixture));

  g_assert_true (g_file_set_contents (fixture->path, "no array at all", -1, NULL));
  open_path (fixture);
  g_assert_null (fixture->opened);
  g_assert_nonnull (fixture->failed);
  g_assert_nonnull (strstr (fixture->failed->message, fixture->path));
  g_assert_true (hs_side_peek_answer (side (fixture)) == before);
  g_assert_null (hs_side_peek_wanted (side (fixture))->path);
  g_assert_cmpint (hs_session_get_state (fixture->desk.session), ==, HS_STATE_READY);
  close_alert ();
}

/* Opened again with the same tokens; what is not there any more costs nothing but itself. */
static void
test_kept (Fixture *fixture, gconstpointer data)
{
  const bool is_missing = GPOINTER_TO_INT (data);
  UiTestDesk again = {.engine = hs_engine_new ()};
  g_autoptr (GBytes) state = NULL;

  formula_maps_write (fixture->path, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_path (fixture);
  state = hs_state_dup (fixture->desk.session, "demo");
  if (is_missing)
    g_unlink (fixture->path);

  HsDesk *desk = hs_desk_new (again.engine);
  g_assert_true (hs_state_apply (desk->session, state, &desk->model, NULL));
  g_assert_cmpstr (hs_side_peek_wanted (hs_session_peek_side (desk->session))->path, ==,
                   fixture->path);
  hs_desk_start (desk, NULL);
  hs_work_drain ();
  ui_test_wait_state (desk->session, HS_STATE_READY);
  ui_test_drain (again.engine);
  HsSide *restored = hs_session_peek_side (desk->session);
  g_assert_cmpstr (hs_side_peek_text (restored), ==, TEXT);
  g_assert_cmpint (hs_side_peek_attention (restored) != NULL, ==, !is_missing);
  g_assert_cmpint (hs_side_peek_model (restored) != NULL, ==, is_missing);
  g_assert_cmpstr (hs_updater_peek_name (desk->updater), ==, "demo");
  if (!is_missing)
    g_assert_cmpstr (
        attn_maps_peek_label (hs_side_peek_attention (restored)->maps, ATTN_SIDE_KEY, 1), ==, "b");
  hs_desk_free (desk);
  ui_test_drain (again.engine);
  ui_test_close_engine (again.engine);
}

static bool
can_export (Fixture *fixture, AttnDrawLabPage page)
{
  hs_session_set_lab_page (fixture->desk.session, page);
  hs_session_set_in_lab (fixture->desk.session, TRUE);
  return g_action_group_get_action_enabled (G_ACTION_GROUP (fixture->window), "export");
}

/* Pages of the lab about a model's head have nothing of a file to give out. */
static void
test_lab (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  g_assert_true (can_export (fixture, ATTN_DRAW_LAB_PIPELINE));
  hs_session_set_in_lab (fixture->desk.session, FALSE);
  formula_maps_write (fixture->path, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_path (fixture);
  g_assert_false (can_export (fixture, ATTN_DRAW_LAB_PIPELINE));
  g_assert_false (can_export (fixture, ATTN_DRAW_LAB_HEADS));
  g_assert_false (can_export (fixture, ATTN_DRAW_LAB_CODE));
  g_assert_true (can_export (fixture, ATTN_DRAW_LAB_HEAD_COUNT)); /* which needs no text */
  hs_session_set_in_lab (fixture->desk.session, FALSE);
  hs_work_drain ();
}

/* A file for B has A's tokens where it has none; a model that is chosen takes its place. */
static void
test_side_b (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsSide *b = hs_session_peek_side_b (fixture->desk.session);
  HsAttentionWish wish = {.place = {.path = fixture->path}};

  formula_maps_write (fixture->path, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_path (fixture);
  hs_updater_open_attention_b (fixture->desk.updater, &wish);
  g_assert_cmpstr (hs_side_peek_coming (b), ==, "weights.npy");
  hs_work_drain ();
  g_assert_null (hs_side_peek_coming (b));
  g_assert_nonnull (hs_side_peek_attention (b));
  g_assert_cmpstr (attn_maps_peek_label (hs_side_peek_attention (b)->maps, ATTN_SIDE_KEY, 1), ==,
                   "b");
  hs_session_set_kind (fixture->desk.session, ATTN_DRAW_COMPARE);
  ui_test_wait_state (fixture->desk.session, HS_STATE_READY);
  ui_test_drain (fixture->desk.engine);
  AttnDrawPanels *panels = hs_session_peek_panels (fixture->desk.session);
  g_assert_true (attn_draw_panels_has_no_difference (panels));
  g_assert_true (attn_draw_panels_peek_source_b (panels) == hs_side_peek_attention (b)->maps);
  g_autoptr (HsAttention) first = hs_attention_ref (hs_side_peek_attention (b));
  hs_updater_open_attention_b (fixture->desk.updater, &wish); /* while it is compared */
  hs_work_drain ();
  ui_test_drain (fixture->desk.engine);
  g_assert_nonnull (hs_side_peek_attention (b));
  g_assert_true (hs_side_peek_attention (b) != first);
  g_action_group_activate_action (G_ACTION_GROUP (fixture->window), "model-b",
                                  g_variant_new_string (""));
  g_assert_null (hs_side_peek_attention (b));
  g_assert_null (hs_side_peek_wanted (b)->path);
  ui_test_drain (fixture->desk.engine);
}

/* A command names the file and its tokens, and both are all it needs. */
static void
test_command (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  HsExportOptions options;

  formula_maps_write (fixture->path, 2, 2);
  g_assert_true (g_file_set_contents (fixture->tokens, "[\"a\",\"b\"]", -1, NULL));
  open_path (fixture);
  hs_export_options_init (&options, NULL);
  HsExport *export = hs_export_new (fixture->desk.session, &options);
  g_autofree char *command = hs_export_dup_command (export, "out.png");
  g_test_message ("%s", command);
  g_assert_nonnull (strstr (command, "--attention"));
  g_assert_nonnull (strstr (command, fixture->path));
  g_assert_nonnull (strstr (command, "--tokens"));
  g_assert_nonnull (strstr (command, fixture->tokens));
  g_assert_null (strstr (command, "--model"));
  g_assert_null (strstr (command, "--text"));
  HsReport *report = hs_report_new (NULL, NULL, NULL);
  AttnExportAbout about = {0};
  g_assert_true (hs_export_get_about (export, false, &about, report, NULL));
  g_assert_cmpstr (attn_arrays_peek_name (about.arrays), ==, "weights.npy");
  while (g_main_context_iteration (NULL, FALSE))
    ;
  hs_report_unref (report);
  hs_export_unref (export);
  g_assert_cmpstr (hs_session_peek_view (fixture->desk.session)->strings.subtitle, ==,
                   "weights.npy · a b");
}

static void
test_takes (void)
{
  g_assert_true (hs_attention_takes ("/a/b.npy"));
  g_assert_true (hs_attention_takes ("/a/b.npz"));
  g_assert_true (hs_attention_takes ("/a/b.safetensors"));
  g_assert_true (hs_attention_takes ("/a/b.pt")); /* and says what it is */
  g_assert_false (hs_attention_takes ("/a/b.txt"));
  g_autofree char *weights = g_test_build_filename (G_TEST_DIST, "..", "resources", "demo-model",
                                                    "model.safetensors", NULL);
  g_assert_true (g_file_test (weights, G_FILE_TEST_IS_REGULAR));
  g_assert_false (hs_attention_takes (weights)); /* a config stands beside it */
}

#define ADD(name, data, func) \
  g_test_add ("/attention-file/" name, Fixture, data, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  hs_register_resource ();
  ADD ("tokens-beside", NULL, test_tokens_beside);
  ADD ("names-beside", NULL, test_names_beside);
  ADD ("typed", NULL, test_typed);
  ADD ("unfit", NULL, test_unfit);
  ADD ("pasted", NULL, test_pasted);
  ADD ("wrong-tokens", NULL, test_wrong_tokens);
  ADD ("towers", NULL, test_towers);
  ADD ("pasted-too-much", NULL, test_pasted_too_much);
  ADD ("several-arrays", NULL, test_several_arrays);
  ADD ("several-arrays-b", NULL, test_several_arrays_b);
  ADD ("again", NULL, test_again);
  ADD ("leaves-lab", NULL, test_leaves_lab);
  ADD ("dropped-tokens", NULL, test_dropped_tokens);
  ADD ("compare-begins", NULL, test_compare_begins);
  ADD ("damaged", NULL, test_damaged);
  ADD ("kept", GINT_TO_POINTER (false), test_kept);
  ADD ("kept-missing", GINT_TO_POINTER (true), test_kept);
  ADD ("command", NULL, test_command);
  ADD ("lab", NULL, test_lab);
  ADD ("side-b", NULL, test_side_b);
  g_test_add_func ("/attention-file/takes", test_takes);
  return g_test_run ();
}
