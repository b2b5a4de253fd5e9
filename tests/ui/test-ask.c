/* SPDX-License-Identifier: MIT */
/* The file chooser: shown when it has something to place, and let go with its window. */
#include "hs-ask.h"
#include "ui-test.h"

#include <string.h>

#define N_TASKS 40     /* more than GIO's pool has threads, with those it adds while it waits */
#define WAIT_US 300000 /* a slow disk; a chooser is drawn within a tenth of it */
#define N_FRAMES 10

/* Asked by the address sanitizer: what the libraries of a file chooser keep for good is known by
 * their names, and only whole stacks have these. */
const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "fast_unwind_on_malloc=0";
}

typedef struct {
  GtkWidget *window;
  GMutex lock; /* held while GIO's threads stand still */
  int n_left;  /* atomic: tasks that are not done */
  guint n_answers;
  char *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->window = gtk_window_new ();
  g_mutex_init (&fixture->lock);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  if (fixture->window != NULL)
    gtk_window_destroy (GTK_WINDOW (fixture->window));
  ui_test_drain (NULL);
  g_mutex_clear (&fixture->lock);
  g_free (fixture->path);
}

static void
stand_still (GTask *task,
             gpointer source G_GNUC_UNUSED,
             gpointer data,
             GCancellable *cancellable G_GNUC_UNUSED)
{
  Fixture *fixture = data;

  g_mutex_lock (&fixture->lock);
  g_mutex_unlock (&fixture->lock);
  g_atomic_int_add (&fixture->n_left, -1);
  g_task_return_boolean (task, TRUE);
}

/* Nothing is read from the disk any more until go_on(). */
static void
stop_disk (Fixture *fixture)
{
  g_mutex_lock (&fixture->lock);
  g_atomic_int_set (&fixture->n_left, N_TASKS);
  for (int i = 0; i < N_TASKS; i++) {
    g_autoptr (GTask) task = g_task_new (NULL, NULL, NULL, NULL);

    g_task_set_task_data (task, fixture, NULL);
    g_task_run_in_thread (task, stand_still);
  }
}

static bool
are_done (gpointer data)
{
  Fixture *fixture = data;

  return g_atomic_int_get (&fixture->n_left) == 0;
}

static void
go_on (Fixture *fixture)
{
  g_mutex_unlock (&fixture->lock);
  ui_test_wait (are_done, fixture);
}

static void
answered_cb (char *path, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_answers++;
  g_free (fixture->path);
  fixture->path = path;
}

/* Returns: (transfer none) (nullable) */
static GtkWidget *
peek_chooser (void)
{
  GListModel *all = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (all); i++) {
    g_autoptr (GtkWidget) each = g_list_model_get_item (all, i);

    if (GTK_IS_FILE_CHOOSER (each) && gtk_widget_get_mapped (each))
      return each;
  }
  return NULL;
}

static bool
is_chooser_seen (gpointer data G_GNUC_UNUSED)
{
  return peek_chooser () != NULL;
}

static gboolean
count_cb (GtkWidget *widget G_GNUC_UNUSED, GdkFrameClock *clock G_GNUC_UNUSED, gpointer data)
{
  guint *n = data;

  *n += 1;
  return G_SOURCE_CONTINUE;
}

static void
wait_frames (GtkWidget *widget)
{
  guint n = 0;
  const guint id = gtk_widget_add_tick_callback (widget, count_cb, &n, NULL);

  while (n <= N_FRAMES)
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_remove_tick_callback (widget, id);
}

static void
wait_us (gint64 us)
{
  const gint64 end = g_get_monotonic_time () + us;

  while (g_get_monotonic_time () < end) {
    g_main_context_iteration (NULL, FALSE);
    g_usleep (1000);
  }
}

static void
ask (Fixture *fixture)
{
  const HsQuestion question = {.action = GTK_FILE_CHOOSER_ACTION_SAVE,
                               .title = "Save",
                               .accept = "_Save",
                               .name = "name.png",
                               .pattern = "*.png",
                               .pattern_name = "Pictures"};

  hs_ask_by_chooser (GTK_WINDOW (fixture->window), &question, answered_cb, fixture);
}

/* GTK warns, which ends the test, when the chooser is drawn before a folder has a name. */
static void
test_slow_disk (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  stop_disk (fixture);
  ask (fixture);
  wait_us (WAIT_US);
  g_assert_false (is_chooser_seen (NULL));
  go_on (fixture);
  ui_test_wait (is_chooser_seen, NULL);
  stop_disk (fixture); /* the folder it starts in comes late, too */
  wait_frames (peek_chooser ());
  go_on (fixture);
  wait_frames (peek_chooser ());
  g_assert_cmpuint (fixture->n_answers, ==, 0);
  gtk_dialog_response (GTK_DIALOG (peek_chooser ()), GTK_RESPONSE_CANCEL);
  g_assert_cmpuint (fixture->n_answers, ==, 1);
  g_assert_null (fixture->path);
}

/* A window that closes before its chooser has come: nothing comes, and the answer is none. */
static void
test_closed (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  stop_disk (fixture);
  ask (fixture);
  gtk_window_destroy (GTK_WINDOW (g_steal_pointer (&fixture->window)));
  g_assert_cmpuint (fixture->n_answers, ==, 1);
  g_assert_null (fixture->path);
  go_on (fixture);
  wait_us (WAIT_US);
  g_assert_false (is_chooser_seen (NULL));
  g_assert_cmpuint (fixture->n_answers, ==, 1);
}

static void
test_single_ending (void)
{
  static const char *const cases[][2] = {{"/a/b.png.png", "/a/b.png"},
                                         {"/a/b.png", "/a/b.png"},
                                         {"/a.x.x/b", "/a.x.x/b"},
                                         {".png.png", ".png.png"},
                                         {"b.svg.png", "b.svg.png"}};

  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = hs_ask_dup_single_ending (cases[i][0]);

    g_assert_cmpstr (path, ==, cases[i][1]);
  }
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add ("/ask/slow-disk", Fixture, NULL, set_up, test_slow_disk, tear_down);
  g_test_add ("/ask/closed", Fixture, NULL, set_up, test_closed, tear_down);
  g_test_add_func ("/ask/single-ending", test_single_ending);
  return g_test_run ();
}
