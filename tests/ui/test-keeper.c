/* SPDX-License-Identifier: MIT */
/* What a window shows is on disk soon after it changed, whole at every moment, and comes back. */
#include "hs-desk.h"
#include "hs-keeper.h"
#include "hs-state-folder.h"
#include "hs-state.h"
#include "hs-work.h"
#include "ui-test.h"

#include <glib/gstdio.h>

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *
make_folder (void)
{
  GError *error = NULL;
  char *folder = g_dir_make_tmp ("headscope-keeper-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

static void
remove_folder (const char *path)
{
  g_autoptr (GDir) folder = g_dir_open (path, 0, NULL);
  const char *name;

  while (folder != NULL && (name = g_dir_read_name (folder)) != NULL) {
    g_autofree char *file = g_build_filename (path, name, NULL);
    g_assert_cmpint (g_unlink (file), ==, 0);
  }
  g_assert_cmpint (g_rmdir (path), ==, 0);
}

/* ---- the state as bytes ---- */

static void
assert_round_trip (const char *text, const char *pair, const char *model)
{
  g_autoptr (HsSession) before = hs_session_new ();
  g_autoptr (HsSession) after = hs_session_new ();
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *name = NULL;
  HsSide *side = hs_session_peek_side (after);
  AttnArrangement arrangement = {
      .combine = ATTN_COMBINE_MAX,
      .combine_layers = true,
      .heads = {{0x25}},
      .unit = ATTN_UNIT_WORDS,
      .hide = ATTN_HIDE_CLS | ATTN_HIDE_PUNCTUATION,
      .renormalise = true,
      .keep = ATTN_KEEP_TOP,
      .threshold = 0.1,
      .n_top = 7,
  };

  hs_side_set_text (hs_session_peek_side (before), text);
  hs_side_set_pair (hs_session_peek_side (before), pair);
  hs_session_set_layer (before, 3);
  hs_session_set_head (before, 5);
  hs_session_set_kind (before, ATTN_DRAW_HEADS);
  hs_session_set_color_map (before, ATTN_DRAW_COLOR_MAP_MAGMA);
  hs_session_set_range (before, ATTN_DRAW_RANGE_FIXED);
  hs_session_set_range_max (before, 0.1);
  hs_session_set_shows_values (before, false);
  arrangement.part = pair != NULL && *pair != '\0' ? ATTN_PART_A_TO_B : ATTN_PART_ALL;
  hs_session_set_arrangement (before, &arrangement);
  bytes = hs_state_dup (before, model);
  hs_side_set_pair (side, "not this");
  g_assert_true (hs_state_apply (after, bytes, &name, &error));
  g_assert_no_error (error);
  g_assert_cmpstr (hs_side_peek_text (side), ==, text);
  g_assert_cmpstr (hs_side_peek_pair (side), ==, pair);
  g_assert_cmpstr (name, ==, model);
  g_assert_cmpuint (hs_session_get_layer (after), ==, 3);
  g_assert_cmpuint (hs_session_get_head (after), ==, 5);
  g_assert_cmpint (hs_session_get_kind (after), ==, ATTN_DRAW_HEADS);
  g_assert_cmpint (hs_session_get_color_map (after), ==, ATTN_DRAW_COLOR_MAP_MAGMA);
  g_assert_cmpint (hs_session_get_range (after), ==, ATTN_DRAW_RANGE_FIXED);
  g_assert_cmpfloat (hs_session_get_range_max (after), ==, 0.1); /* printed with all digits */
  g_assert_false (hs_session_get_shows_values (after));
  g_assert_true (attn_arrangement_equal (hs_session_peek_arrangement (after), &arrangement));
}

static void
test_round_trip (void)
{
  g_autofree char *letters = g_strnfill (300000, 'x'); /* in lines as long as a side takes them */

  for (size_t i = 16000; i < 300000; i += 16000)
    letters[i] = '\n';
  assert_round_trip ("remembered 貓", "and this", NULL);
  assert_round_trip ("", "", "demo");
  assert_round_trip (" \t\n two  lines\r\n\\n \\ ;=[texts]\n#", NULL, "/models/caf\xe9 \n x");
  assert_round_trip ("\x01\x1b\x7f \xe2\x80\xa8 \xf0\x9f\x98\xb8 \xef\xbb\xbf", "\n", "a\\b");
  assert_round_trip (letters, letters, "/");
}

/* B's model is asked for again at the next start when it could not be had in this one. */
static void
test_missed (void)
{
  UiTestDesk desk;
  g_autoptr (HsSession) after = hs_session_new ();
  g_autofree char *name = NULL;

  ui_test_desk_open (&desk, "one");
  HsSide *b = hs_session_peek_side_b (desk.session);
  hs_session_set_kind (desk.session, ATTN_DRAW_COMPARE);
  hs_side_set_name (b, "/on/a/disk/that is away");
  ui_test_drain (desk.engine);
  g_assert_nonnull (hs_side_peek_trouble (b));
  g_assert_cmpstr (hs_side_peek_name (b), ==, "");
  g_autoptr (GBytes) bytes = hs_state_dup (desk.session, "demo");
  g_assert_true (hs_state_apply (after, bytes, &name, NULL));
  g_assert_cmpstr (hs_side_peek_name (hs_session_peek_side_b (after)), ==,
                   "/on/a/disk/that is away");

  hs_side_set_name (b, ""); /* A's is what was wanted last */
  g_autoptr (GBytes) later = hs_state_dup (desk.session, "demo");
  g_clear_pointer (&name, g_free);
  g_assert_true (hs_state_apply (after, later, &name, NULL));
  g_assert_cmpstr (hs_side_peek_name (hs_session_peek_side_b (after)), ==, "");
  ui_test_desk_close (&desk);
}

static bool
apply (HsSession *session, const char *text, GError **error)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autofree char *model = NULL;

  return hs_state_apply (session, bytes, &model, error);
}

/* What makes no sense is passed over, what is no state at all changes nothing. */
static void
test_odd_states (void)
{
  static const char *const refused[] = {"", "text=x\n", "[view]\nlayer=2\n", "[texts]\ntext=\xff\n",
                                        "{\"text\": \"x\"}"};
  g_autoptr (HsSession) session = hs_session_new ();

  hs_side_set_text (hs_session_peek_side (session), "before");
  for (size_t i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_false (apply (session, refused[i], &error));
    g_assert_nonnull (error);
    g_assert_cmpstr (hs_side_peek_text (hs_session_peek_side (session)), ==, "before");
  }
  g_assert_true (
      apply (session,
             "[texts]\ntext=a\n[view]\nkind=pie\nlayer=-1\nhead=2x\nrange-max=much\n"
             "range=5\nfuture=1\ndark=true\nstate=ready\ncolor-map=viridis\narrangement={7\n",
             NULL));
  g_assert_cmpint (hs_session_get_kind (session), ==, ATTN_DRAW_HEATMAP);
  g_assert_cmpuint (hs_session_get_layer (session), ==, 0);
  g_assert_cmpuint (hs_session_get_head (session), ==, 0);
  g_assert_false (hs_session_get_dark (session));
  g_assert_cmpint (hs_session_get_range (session), ==, ATTN_DRAW_RANGE_AUTO);
  g_assert_cmpint (hs_session_get_color_map (session), ==, ATTN_DRAW_COLOR_MAP_VIRIDIS);
  g_assert_true (attn_arrangement_is_plain (hs_session_peek_arrangement (session)));
  /* a part of a pair that is not there would leave nothing to show */
  g_assert_true (apply (session,
                        "[texts]\ntext=a\n[view]\narrangement={'part': <'a-b'>, 'unit': "
                        "<'words'>}\n",
                        NULL));
  g_assert_cmpint (hs_session_peek_arrangement (session)->part, ==, ATTN_PART_ALL);
  g_assert_cmpint (hs_session_peek_arrangement (session)->unit, ==, ATTN_UNIT_WORDS);
}

/* ---- the file ---- */

typedef struct {
  char *folder, *path;
  HsEngine *engine;
  HsSession *session;
  HsUpdater *updater;
  HsKeeper *keeper;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  (void)data;
  fixture->folder = make_folder ();
  fixture->path = g_build_filename (fixture->folder, "0-0.state", NULL);
  fixture->engine = hs_engine_new ();
  fixture->session = hs_session_new ();
  fixture->updater = hs_updater_new (fixture->engine, fixture->session);
  fixture->keeper = hs_keeper_new (fixture->session, fixture->updater, fixture->path);
}

/* A write under way holds the keeper until it has called back. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  (void)data;
  hs_work_drain ();
  g_assert_finalize_object (fixture->keeper);
  g_assert_finalize_object (fixture->updater);
  g_assert_finalize_object (fixture->session);
  ui_test_close_engine (fixture->engine);
  remove_folder (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->folder);
}

/* Returns: the text in the file, NULL while there is none. */
static char *
dup_kept (Fixture *fixture)
{
  g_autoptr (HsSession) session = hs_session_new ();
  g_autofree char *data = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (fixture->path, &data, NULL, NULL))
    return NULL;
  g_assert_true (apply (session, data, &error));
  g_assert_no_error (error);
  return g_strdup (hs_side_peek_text (hs_session_peek_side (session)));
}

static void
type (Fixture *fixture, const char *text)
{
  hs_side_set_text (hs_session_peek_side (fixture->session), text);
}

static bool
is_kept (gpointer data)
{
  Fixture *fixture = data;
  g_autofree char *kept = dup_kept (fixture);

  return g_strcmp0 (kept, hs_side_peek_text (hs_session_peek_side (fixture->session))) == 0;
}

/* However fast one types, it does not wait for a pause. */
static void
test_soon (Fixture *fixture, gconstpointer data)
{
  const gint64 start = g_get_monotonic_time ();
  gint64 first = 0;
  char text[16];

  (void)data;
  for (unsigned i = 0; g_get_monotonic_time () - start < 1500 * 1000; i++) {
    g_autofree char *kept = NULL;

    g_snprintf (text, sizeof text, "key %u", i);
    type (fixture, text);
    g_usleep (20000);
    g_main_context_iteration (NULL, FALSE);
    kept = dup_kept (fixture);
    if (kept != NULL && first == 0)
      first = g_get_monotonic_time () - start;
  }
  g_test_message ("on disk after %" G_GINT64_FORMAT " ms", first / 1000);
  g_assert_cmpint (first, >, 0);
  g_assert_cmpint (first, <, 1000 * 1000);
  ui_test_wait (is_kept, fixture);
}

/* Only what belongs to the state is written, and nothing that is there already. */
static void
test_quiet (Fixture *fixture, gconstpointer data)
{
  struct stat before, after;

  (void)data;
  type (fixture, "a");
  hs_keeper_flush (fixture->keeper);
  g_assert_cmpint (stat (fixture->path, &before), ==, 0);
  hs_session_set_dark (fixture->session, true);
  type (fixture, "b");
  type (fixture, "a");
  hs_keeper_flush (fixture->keeper);
  g_assert_cmpint (stat (fixture->path, &after), ==, 0);
  g_assert_cmpuint (before.st_ino, ==, after.st_ino); /* a write makes a new file */
  g_assert_cmpuint (after.st_mode & 0777, ==, 0600);  /* others need not read it */
}

static void
test_flush_wins (Fixture *fixture, gconstpointer data)
{
  g_autofree char *long_text = g_strnfill (4 << 20, 'x');

  (void)data;
  type (fixture, long_text);
  while (!g_file_test (fixture->folder, G_FILE_TEST_IS_DIR) ||
         g_main_context_iteration (NULL, FALSE))
    ;
  g_usleep (HS_KEEPER_DELAY_MS * 1000);
  g_main_context_iteration (NULL, FALSE); /* the long one is on its way */
  type (fixture, "short");
  hs_keeper_flush (fixture->keeper);
  ui_test_drain (NULL);
  g_usleep (50000);
  g_assert_true (is_kept (fixture));
}

static void
test_forget (Fixture *fixture, gconstpointer data)
{
  (void)data;
  type (fixture, "a");
  hs_keeper_flush (fixture->keeper);
  g_assert_true (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
  type (fixture, "b");
  hs_keeper_forget (fixture->keeper);
  type (fixture, "c");
  hs_keeper_flush (fixture->keeper);
  g_assert_false (g_file_test (fixture->path, G_FILE_TEST_EXISTS));
}

#define N_KEEPERS 60

/* Let go of while they write, they end on the main thread, and so do the sessions they hold. */
static void
test_ends_on_main_thread (Fixture *fixture, gconstpointer data)
{
  HsKeeper *keepers[N_KEEPERS];
  guint n_alive = 0;

  (void)data;
  ui_test_share_core (true);
  for (guint i = 0; i < N_KEEPERS; i++) {
    g_autofree char *path = g_strdup_printf ("%s/1-%u.state", fixture->folder, i);
    g_autoptr (HsSession) session = hs_session_new ();
    g_autoptr (HsUpdater) updater = hs_updater_new (fixture->engine, session);

    keepers[i] = hs_keeper_new (session, updater, path);
    ui_test_watch_end (keepers[i], &n_alive);
    ui_test_watch_end (updater, &n_alive);
    ui_test_watch_end (session, &n_alive);
    hs_side_set_text (hs_session_peek_side (session), "text");
  }
  g_usleep (HS_KEEPER_DELAY_MS * 1000);
  g_main_context_iteration (NULL, FALSE); /* the writes are on their way */
  for (guint i = 0; i < N_KEEPERS; i++)
    g_object_unref (keepers[i]);
  ui_test_wait_zero (&n_alive);
  ui_test_share_core (false);
}

static bool
has_trouble (gpointer keeper)
{
  return hs_keeper_peek_trouble (keeper) != NULL;
}

/* A folder that cannot be written is told, and what was kept before stays. */
static void
test_trouble (Fixture *fixture, gconstpointer data)
{
  guint n_told = 0;
  g_autofree char *away = g_strconcat (fixture->folder, "-away", NULL);

  (void)data;
  ui_test_count (fixture->keeper, "trouble", &n_told);
  type (fixture, "good");
  hs_keeper_flush (fixture->keeper);
  g_assert_cmpint (g_rename (fixture->folder, away), ==, 0);
  type (fixture, "lost");
  ui_test_wait (has_trouble, fixture->keeper);
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_cmpint (g_rename (away, fixture->folder), ==, 0);
  {
    g_autofree char *kept = dup_kept (fixture);
    g_assert_cmpstr (kept, ==, "good");
  }
  type (fixture, "better");
  hs_keeper_flush (fixture->keeper);
  g_assert_null (hs_keeper_peek_trouble (fixture->keeper));
  g_assert_true (is_kept (fixture));
}

/* ---- whose file it is ---- */

static void
put (const char *path)
{
  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
}

static void
test_folder (void)
{
  g_autofree char *parent = make_folder ();
  g_autofree char *path = g_build_filename (parent, "below", NULL);
  HsStateFolder *first = hs_state_folder_open (path, NULL);
  HsStateFolder *second = hs_state_folder_open (path, NULL);
  g_autoptr (GPtrArray) none = hs_state_folder_list (first);
  g_autoptr (GPtrArray) files = NULL, again = NULL;
  g_autofree char *a = hs_state_folder_dup_new (first);
  g_autofree char *b = hs_state_folder_dup_new (first);
  g_autofree char *c = hs_state_folder_dup_new (second);

  g_assert_cmpuint (none->len, ==, 0);
  g_assert_cmpstr (a, !=, b);
  g_assert_cmpstr (a, !=, c);
  g_assert_cmpstr (b, !=, c);
  put (a);
  put (b);
  put (c);
  hs_state_folder_free (second);

  /* the second run is gone: its file is the third run's, the first one's are not */
  second = hs_state_folder_open (path, NULL);
  files = hs_state_folder_list (second);
  g_assert_cmpuint (files->len, ==, 1);
  g_assert_cmpstr (files->pdata[0], ==, c);
  hs_state_folder_free (second);
  hs_state_folder_free (first);

  /* both are gone: one run has all three, its own first */
  first = hs_state_folder_open (path, NULL);
  g_clear_pointer (&files, g_ptr_array_unref);
  files = hs_state_folder_list (first);
  again = hs_state_folder_list (first);
  g_assert_cmpuint (files->len, ==, 3);
  g_assert_cmpuint (again->len, ==, 0);
  g_assert_cmpstr (files->pdata[0], ==, a);
  g_assert_cmpstr (files->pdata[1], ==, b);
  g_assert_false (g_file_test (c, G_FILE_TEST_EXISTS));
  for (guint i = 0; i < files->len; i++)
    g_assert_true (g_file_test (files->pdata[i], G_FILE_TEST_EXISTS));
  hs_state_folder_free (first);
  remove_folder (path);
  remove_folder (parent);
}

static void
test_no_folder (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (hs_state_folder_open ("/proc/headscope", &error));
  g_assert_nonnull (error);
}

/* In the place of a state file: what would be waited for, or fill the memory. */
static void
test_no_state_file (void)
{
  g_autofree char *folder = g_dir_make_tmp ("headscope-keeper-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "0-0.state", NULL);
  HsEngine *engine = hs_engine_new ();

  for (int i = 0; i < 3; i++) {
    HsDesk *desk = hs_desk_new (engine);

    if (i == 0)
      g_assert_cmpint (mkfifo (path, 0600), ==, 0);
    else if (i == 1)
      g_assert_cmpint (symlink ("/dev/zero", path), ==, 0);
    else
      g_assert_true (g_file_set_contents (path, "", 0, NULL) && truncate (path, 3LL << 30) == 0);
    g_test_expect_message (G_LOG_DOMAIN, G_LOG_LEVEL_MESSAGE,
                           "*the window's state cannot be read*");
    g_assert_false (hs_desk_keep (desk, path, true));
    g_test_assert_expected_messages ();
    hs_desk_free (desk);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  ui_test_close_engine (engine);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/keeper/round-trip", test_round_trip);
  g_test_add_func ("/keeper/missed", test_missed);
  g_test_add_func ("/keeper/odd-states", test_odd_states);
  g_test_add ("/keeper/soon", Fixture, NULL, set_up, test_soon, tear_down);
  g_test_add ("/keeper/quiet", Fixture, NULL, set_up, test_quiet, tear_down);
  g_test_add ("/keeper/flush-wins", Fixture, NULL, set_up, test_flush_wins, tear_down);
  g_test_add ("/keeper/ends-on-main-thread", Fixture, NULL, set_up, test_ends_on_main_thread,
              tear_down);
  g_test_add ("/keeper/forget", Fixture, NULL, set_up, test_forget, tear_down);
  g_test_add ("/keeper/trouble", Fixture, NULL, set_up, test_trouble, tear_down);
  g_test_add_func ("/keeper/folder", test_folder);
  g_test_add_func ("/keeper/no-folder", test_no_folder);
  g_test_add_func ("/keeper/no-state-file", test_no_state_file);
  return g_test_run ();
}
