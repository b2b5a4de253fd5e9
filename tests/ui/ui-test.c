/* SPDX-License-Identifier: MIT */
/* What the window's tests share. */
#include "ui-test.h"

#include "attn-hub/store.h"

#include <sched.h>

#define LIMIT_US (40 * G_USEC_PER_SEC) /* what a sanitized run on a busy machine may take */

AttnModel *
ui_test_load_demo (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = attn_hub_find_model ("demo", &error);
  AttnModel *model;

  g_assert_no_error (error);
  model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return model;
}

static gboolean
wake_cb (gpointer data G_GNUC_UNUSED)
{
  return G_SOURCE_CONTINUE;
}

void
ui_test_wait (bool (*condition) (gpointer data), gpointer data)
{
  const gint64 end = g_get_monotonic_time () + LIMIT_US;
  const guint waker = g_timeout_add (50, wake_cb, NULL);

  while (!condition (data)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_main_context_iteration (NULL, TRUE);
  }
  g_source_remove (waker);
}

typedef struct {
  HsSession *session;
  HsState state;
} Wanted;

static bool
has_state (gpointer data)
{
  const Wanted *wanted = data;
  const HsState state = hs_session_get_state (wanted->session);

  if (state == HS_STATE_FAILED && wanted->state == HS_STATE_READY)
    g_error ("%s", hs_session_peek_detail (wanted->session));
  return state == wanted->state &&
         hs_side_peek_coming (hs_session_peek_side (wanted->session)) == NULL;
}

void
ui_test_wait_state (HsSession *session, HsState state)
{
  Wanted wanted = {session, state};

  ui_test_wait (has_state, &wanted);
}

void
ui_test_drain (HsEngine *engine)
{
  if (engine != NULL)
    hs_engine_drain (engine);
  while (g_main_context_iteration (NULL, FALSE))
    ;
}

static bool
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

void
ui_test_close_engine (HsEngine *engine)
{
  gpointer weak = engine;

  ui_test_drain (engine);
  g_object_add_weak_pointer (G_OBJECT (engine), &weak);
  g_object_unref (engine);
  ui_test_wait (is_gone, &weak);
}

typedef struct {
  GThread *thread;
  guint *n_alive;
} End;

static void
ended_cb (gpointer data, GObject *object G_GNUC_UNUSED)
{
  g_autofree End *end = data;

  g_assert_true (g_thread_self () == end->thread);
  (*end->n_alive)--;
}

void
ui_test_watch_end (gpointer object, guint *n_alive)
{
  End *end = g_new (End, 1);

  *end = (End){g_thread_self (), n_alive};
  (*n_alive)++;
  g_object_weak_ref (object, ended_cb, end);
}

static bool
is_zero (gpointer count)
{
  return *(guint *)count == 0;
}

void
ui_test_wait_zero (guint *n_alive)
{
  ui_test_wait (is_zero, n_alive);
}

void
ui_test_share_core (bool on)
{
  static cpu_set_t allowed;
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  cpu_set_t one, *set = &allowed;
  const char *name;

  g_assert_nonnull (threads);
  if (on) {
    g_assert_cmpint (sched_getaffinity (0, sizeof allowed, &allowed), ==, 0);
    CPU_ZERO (&one);
    CPU_SET ((unsigned)sched_getcpu (), &one);
    set = &one;
  }
  while ((name = g_dir_read_name (threads)) != NULL)
    sched_setaffinity ((pid_t)g_ascii_strtoll (name, NULL, 10), sizeof *set, set);
}

static void
count_cb (GObject *object G_GNUC_UNUSED, GParamSpec *pspec G_GNUC_UNUSED, guint *count)
{
  (*count)++;
}

void
ui_test_count (gpointer object, const char *property, guint *count)
{
  g_autofree char *signal =
      property != NULL ? g_strconcat ("notify::", property, NULL) : g_strdup ("notify");

  g_signal_connect (object, signal, G_CALLBACK (count_cb), count);
}

typedef bool (*Matches) (GtkWidget *widget, gconstpointer data);

/* A page of a stack that is not on top is visible, but not as a child. */
static bool
is_seen (GtkWidget *child)
{
  return gtk_widget_get_visible (child) && gtk_widget_get_child_visible (child);
}

static GtkWidget *
find (GtkWidget *widget, bool seen, Matches matches, gconstpointer data)
{
  if (matches (widget, data))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child)) {
    GtkWidget *found = !seen || is_seen (child) ? find (child, seen, matches, data) : NULL;
    if (found != NULL)
      return found;
  }
  return NULL;
}

static bool
has_type (GtkWidget *widget, gconstpointer type)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(const GType *)type);
}

GtkWidget *
ui_test_find (GtkWidget *widget, GType type)
{
  return find (widget, false, has_type, &type);
}

GtkWidget *
ui_test_find_seen (GtkWidget *widget, GType type)
{
  return find (widget, true, has_type, &type);
}

static bool
is_button (GtkWidget *widget, gconstpointer label)
{
  return GTK_IS_BUTTON (widget) &&
         g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

GtkWidget *
ui_test_find_button (GtkWidget *widget, const char *label)
{
  return find (widget, false, is_button, label);
}

GtkWidget *
ui_test_find_seen_button (GtkWidget *widget, const char *label)
{
  return find (widget, true, is_button, label);
}

void
ui_test_desk_open (UiTestDesk *desk, const char *text)
{
  ui_test_desk_open_model (desk, "demo", text);
}

void
ui_test_desk_open_model (UiTestDesk *desk, const char *model, const char *text)
{
  desk->engine = hs_engine_new ();
  desk->session = hs_session_new ();
  hs_side_set_text (hs_session_peek_side (desk->session), text);
  desk->updater = hs_updater_new (desk->engine, desk->session);
  hs_updater_load (desk->updater, model);
  ui_test_wait_state (desk->session, *text != '\0' ? HS_STATE_READY : HS_STATE_EMPTY);
}

void
ui_test_desk_close (UiTestDesk *desk)
{
  hs_engine_drain (desk->engine);
  g_assert_finalize_object (desk->updater);
  g_assert_finalize_object (desk->session);
  ui_test_close_engine (desk->engine);
}

static void
collect_labels (GtkWidget *widget, GPtrArray *texts)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget))
    return; /* the latter of a stack's other pages */
  if (GTK_IS_LABEL (widget) && *gtk_label_get_text (GTK_LABEL (widget)) != '\0')
    g_ptr_array_add (texts, g_strdup (gtk_label_get_text (GTK_LABEL (widget))));
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    collect_labels (child, texts);
}

char *
ui_test_dup_labels (GtkWidget *widget)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  collect_labels (widget, texts);
  g_ptr_array_add (texts, NULL);
  return g_strjoinv ("|", (char **)texts->pdata);
}
