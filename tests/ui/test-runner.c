/* SPDX-License-Identifier: MIT */
/* Newest wins: three runs, one answer; a stop, none; a failure, one signal. */
#include "hs-runner.h"
#include "ui-test.h"

typedef struct {
  guint answered, failed, running;
  char *text;
} Heard;

static void
answered_cb (HsRunner *runner G_GNUC_UNUSED, HsAnswer *answer, Heard *heard)
{
  heard->answered++;
  g_free (heard->text);
  heard->text = g_strdup (attn_tokens_peek_text (hs_answer_peek_tokens (answer), 0, NULL));
}

static void
failed_cb (HsRunner *runner G_GNUC_UNUSED, const GError *error, Heard *heard)
{
  heard->failed++;
  g_free (heard->text);
  heard->text = g_strdup (error->message);
}

typedef struct {
  HsEngine *engine;
  AttnModel *model;
  AttnDrawView *view;
  HsRunner *runner;
  Heard heard;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  fixture->engine = hs_engine_new ();
  fixture->model = ui_test_load_demo ();
  fixture->view = attn_draw_view_new ();
  fixture->runner = hs_runner_new (fixture->engine);
  g_signal_connect (fixture->runner, "answered", G_CALLBACK (answered_cb), &fixture->heard);
  g_signal_connect (fixture->runner, "failed", G_CALLBACK (failed_cb), &fixture->heard);
  ui_test_count (fixture->runner, "running", &fixture->heard.running);
}

static void
tear_down (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  ui_test_drain (fixture->engine);
  g_assert_finalize_object (fixture->runner);
  ui_test_close_engine (fixture->engine);
  attn_draw_view_free (fixture->view);
  attn_model_unref (fixture->model);
  g_free (fixture->heard.text);
}

static void
start (Fixture *fixture, const char *text)
{
  const HsRequest request = {.model = fixture->model, .text = text, .view = fixture->view};

  hs_runner_start (fixture->runner, &request);
}

static void
test_newest (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  start (fixture, "first");
  start (fixture, "second");
  start (fixture, "third");
  g_assert_true (hs_runner_get_running (fixture->runner));
  ui_test_drain (fixture->engine);
  g_assert_cmpuint (fixture->heard.answered, ==, 1);
  g_assert_cmpuint (fixture->heard.failed, ==, 0);
  g_assert_cmpstr (fixture->heard.text, ==, "third");
  g_assert_false (hs_runner_get_running (fixture->runner));
  g_assert_cmpuint (fixture->heard.running, ==, 2);
}

/* A good result that lies ready when a newer run starts is dropped all the same. */
static void
test_late_good_result (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  start (fixture, "old");
  g_usleep (200000); /* the old run is through, its callback waits in the main loop */
  start (fixture, "new");
  ui_test_drain (fixture->engine);
  g_assert_cmpuint (fixture->heard.answered, ==, 1);
  g_assert_cmpstr (fixture->heard.text, ==, "new");
}

static void
test_stop (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  start (fixture, "first");
  start (fixture, "second");
  hs_runner_stop (fixture->runner);
  hs_runner_stop (fixture->runner);
  g_assert_false (hs_runner_get_running (fixture->runner));
  ui_test_drain (fixture->engine);
  g_assert_cmpuint (fixture->heard.answered, ==, 0);
  g_assert_cmpuint (fixture->heard.failed, ==, 0);
}

static void
test_failure (Fixture *fixture, gconstpointer data G_GNUC_UNUSED)
{
  start (fixture, "bad \xff byte");
  ui_test_drain (fixture->engine);
  g_assert_cmpuint (fixture->heard.answered, ==, 0);
  g_assert_cmpuint (fixture->heard.failed, ==, 1);
  start (fixture, "good again");
  ui_test_drain (fixture->engine);
  g_assert_cmpuint (fixture->heard.answered, ==, 1);
  g_assert_cmpuint (fixture->heard.failed, ==, 1);
}

/* A runner may be let go of while it runs: the task keeps it until then, and says nothing. */
static void
test_let_go (void)
{
  HsEngine *engine = hs_engine_new ();
  AttnModel *model = ui_test_load_demo ();
  AttnDrawView *view = attn_draw_view_new ();
  HsRunner *runner = hs_runner_new (engine);
  gpointer weak = runner;
  const HsRequest request = {.model = model, .text = "gone", .view = view};

  g_object_add_weak_pointer (G_OBJECT (runner), &weak);
  hs_runner_start (runner, &request);
  attn_draw_view_free (view);
  attn_model_unref (model);
  hs_runner_stop (runner);
  g_object_unref (runner);
  ui_test_drain (engine);
  g_assert_null (weak);
  ui_test_close_engine (engine);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/runner/newest", Fixture, NULL, set_up, test_newest, tear_down);
  g_test_add ("/runner/late-good-result", Fixture, NULL, set_up, test_late_good_result, tear_down);
  g_test_add ("/runner/stop", Fixture, NULL, set_up, test_stop, tear_down);
  g_test_add ("/runner/failure", Fixture, NULL, set_up, test_failure, tear_down);
  g_test_add_func ("/runner/let-go", test_let_go);
  return g_test_run ();
}
