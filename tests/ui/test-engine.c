/* SPDX-License-Identifier: MIT */
/* The door to the core: loading, running, panels alone, stopping, errors. */
#include "hs-work.h"
#include "test-util.h"
#include "ui-test.h"

#include "attn/attn.h"

#include <unistd.h>

typedef struct {
  HsAnswer *answer;
  AttnModel *model;
  GError *error;
  bool done;
  guint n_progress;
  double fraction;
} Outcome;

static void
outcome_clear (Outcome *outcome)
{
  g_clear_pointer (&outcome->answer, hs_answer_unref);
  g_clear_pointer (&outcome->model, attn_model_unref);
  g_clear_error (&outcome->error);
  *outcome = (Outcome){0};
}

static bool
is_done (gpointer data)
{
  return ((Outcome *)data)->done;
}

static void
run_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->answer = hs_engine_run_finish (HS_ENGINE (source), result, &outcome->error);
  outcome->done = true;
}

static void
load_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  outcome->model =
      hs_engine_load_finish (HS_ENGINE (source), result, &outcome->answer, &outcome->error);
  outcome->done = true;
}

static void
progress_cb (double fraction, gpointer data)
{
  Outcome *outcome = data;

  g_assert_false (outcome->done);
  g_assert_cmpfloat (fraction, >=, outcome->fraction);
  g_assert_cmpfloat (fraction, <=, 1);
  outcome->fraction = fraction;
  outcome->n_progress++;
}

static void
run (HsEngine *engine, const HsRequest *request, Outcome *outcome)
{
  hs_engine_run_async (engine, request, NULL, progress_cb, outcome, run_cb, outcome);
  ui_test_wait (is_done, outcome);
}

/* What comes through the engine is what the core gives, bit by bit. */
static void
test_same_as_core (void)
{
  static const char text[] = "The capital of France is [MASK].";
  const AttnTokenizerInput input = {.text = text, .text_length = strlen (text)};
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = text, .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};
  GError *error = NULL;
  g_autoptr (AttnTokens) tokens =
      attn_tokenizer_encode (attn_model_peek_tokenizer (model), &input, &error);
  g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (trace);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, 2, 5, &error);
  const AttnMap *shown;

  view->layer = 2;
  view->head = 5;
  run (engine, &request, &outcome);
  g_assert_no_error (outcome.error);
  shown = attn_draw_panels_peek (outcome.answer->panels, 0);
  g_assert_cmpmem (shown->weights, shown->n_queries * shown->n_keys * sizeof (float), map->weights,
                   map->n_queries * map->n_keys * sizeof (float));
  g_assert_nonnull (outcome.answer->predictions);
  g_assert_cmpuint (outcome.answer->predictions->n, ==, 1);
  g_assert_cmpint (outcome.answer->elapsed_us, >, 0);
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

/* A causal model needs no mask, and its picture has keys that cannot be seen. */
static void
test_next_token (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_data_path ("golden/models/gpt2");
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = "The cat sat", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};

  g_assert_no_error (error);
  run (engine, &request, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpuint (outcome.answer->predictions->n, ==, 1);
  g_assert_true (outcome.answer->predictions->items[0].next);
  for (size_t query = 0; query < attn_maps_get_n (outcome.answer->maps, ATTN_SIDE_QUERY); query++) {
    size_t first, end;

    attn_maps_get_visible (outcome.answer->maps, 0, query, &first, &end);
    g_assert_cmpuint (end, ==, query + 1);
  }
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

static void
test_no_mask (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = "No mask", .pair = "at all", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};

  run (engine, &request, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpuint (outcome.answer->predictions->n, ==, 0);
  g_assert_cmpstr (attn_tokens_peek_text (hs_answer_peek_tokens (outcome.answer), 1, NULL), ==,
                   "at all");
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

/* A view remembered from a larger model is brought back into this one. */
static void
test_panels_alone_and_clamped (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  HsRequest request = {.model = model, .text = "one two", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome first = {0}, second = {0};

  view->layer = 99;
  view->head = 99;
  run (engine, &request, &first);
  g_assert_no_error (first.error);
  g_assert_cmpuint (first.answer->view->layer, ==, attn_model_peek_config (model)->n_layers - 1);
  g_assert_cmpuint (first.answer->view->head, ==, attn_model_peek_config (model)->n_heads - 1);

  view->kind = ATTN_DRAW_HEADS;
  view->layer = 0;
  request = (HsRequest){.maps = first.answer->maps, .view = view};
  run (engine, &request, &second);
  g_assert_no_error (second.error);
  g_assert_true (second.answer->maps == first.answer->maps);
  g_assert_cmpuint (attn_draw_panels_get_n (second.answer->panels), ==,
                    attn_model_peek_config (model)->n_heads);
  outcome_clear (&first);
  outcome_clear (&second);
  ui_test_close_engine (engine);
}

static void
test_too_long (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GString) text = g_string_new ("");
  HsRequest request = {.model = model, .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};
  const size_t limit = MIN (attn_model_get_max_tokens (model), HS_MAX_TOKENS);

  for (int i = 0; i < 600; i++)
    g_string_append (text, "the ");
  request.text = text->str;
  run (engine, &request, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_cmpuint (attn_tokens_get_n (hs_answer_peek_tokens (outcome.answer)), ==, limit);
  g_assert_cmpuint (attn_tokens_get_n_truncated (hs_answer_peek_tokens (outcome.answer)), ==,
                    600 + 2 - limit);
  g_assert_cmpuint (outcome.n_progress, >, 0);
  g_assert_cmpuint (outcome.answer->max_tokens, ==, HS_MAX_TOKENS);
  outcome_clear (&outcome);

  /* another limit, and the model's own above it */
  g_assert_true (hs_engine_set_max_tokens (engine, 16));
  g_assert_false (hs_engine_set_max_tokens (engine, 16));
  run (engine, &request, &outcome);
  g_assert_cmpuint (attn_tokens_get_n (hs_answer_peek_tokens (outcome.answer)), ==, 16);
  g_assert_cmpuint (outcome.answer->max_tokens, ==, 16);
  outcome_clear (&outcome);
  g_assert_true (hs_engine_set_max_tokens (engine, 100000));
  run (engine, &request, &outcome);
  g_assert_cmpuint (outcome.answer->max_tokens, ==, HS_MOST_TOKENS);
  g_assert_cmpuint (attn_tokens_get_n (hs_answer_peek_tokens (outcome.answer)), ==,
                    attn_model_get_max_tokens (model));
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

/* Another number of threads changes no number; while something runs it waits. */
static void
test_threads (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = "A cat on the mat.", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome before = {0}, after = {0};
  const AttnMap *one, *other;

  run (engine, &request, &before);
  hs_engine_set_n_threads (engine, 3);
  g_assert_cmpuint (attn_pool_get_n_threads (hs_engine_peek_pool (engine)), ==, 3);
  hs_engine_run_async (engine, &request, NULL, progress_cb, &after, run_cb, &after);
  hs_engine_set_n_threads (engine, 1);
  g_assert_cmpuint (attn_pool_get_n_threads (hs_engine_peek_pool (engine)), ==, 3);
  ui_test_wait (is_done, &after);
  g_assert_cmpuint (attn_pool_get_n_threads (hs_engine_peek_pool (engine)), ==, 1);
  hs_engine_set_n_threads (engine, 0);
  g_assert_cmpuint (attn_pool_get_n_threads (hs_engine_peek_pool (engine)), ==,
                    attn_pool_count_cores ());
  one = attn_draw_panels_peek (before.answer->panels, 0);
  other = attn_draw_panels_peek (after.answer->panels, 0);
  g_assert_cmpmem (one->weights, one->n_queries * one->n_keys * sizeof (float), other->weights,
                   other->n_queries * other->n_keys * sizeof (float));
  outcome_clear (&before);
  outcome_clear (&after);
  ui_test_close_engine (engine);
}

static void
test_errors (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = "bad \xff byte", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};

  run (engine, &request, &outcome);
  g_assert_error (outcome.error, ATTN_ERROR, ATTN_ERROR_INVALID_TEXT);
  g_assert_null (outcome.answer);
  outcome_clear (&outcome);

  hs_engine_load_async (engine, "/nowhere/at/all", NULL, NULL, NULL, NULL, load_cb, &outcome);
  ui_test_wait (is_done, &outcome);
  g_assert_error (outcome.error, ATTN_ERROR, ATTN_ERROR_IO);
  g_assert_nonnull (strstr (outcome.error->message, "/nowhere/at/all"));
  g_assert_null (outcome.model);
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

static void
test_load_and_run (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  HsRequest request = {.text = "at once", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};

  hs_engine_load_async (engine, NULL, &request, NULL, progress_cb, &outcome, load_cb, &outcome);
  ui_test_wait (is_done, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_nonnull (outcome.model);
  g_assert_nonnull (outcome.answer);
  outcome_clear (&outcome);

  request.text = "bad \xff byte"; /* the model is loaded all the same */
  hs_engine_load_async (engine, "demo", &request, NULL, NULL, NULL, load_cb, &outcome);
  ui_test_wait (is_done, &outcome);
  g_assert_no_error (outcome.error);
  g_assert_nonnull (outcome.model);
  g_assert_null (outcome.answer);
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

static void
test_cancelled (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  const HsRequest request = {.model = model, .text = "never mind", .view = view};
  HsEngine *engine = hs_engine_new ();
  Outcome outcome = {0};

  hs_engine_run_async (engine, &request, cancellable, progress_cb, &outcome, run_cb, &outcome);
  g_cancellable_cancel (cancellable);
  ui_test_wait (is_done, &outcome);
  g_assert_null (outcome.answer);
  g_assert_nonnull (outcome.error);
  outcome_clear (&outcome);
  ui_test_close_engine (engine);
}

static gpointer
nothing_in_thread (gpointer job G_GNUC_UNUSED, HsReport *report G_GNUC_UNUSED, GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "nothing");
  return NULL;
}

static void
unset (gpointer job)
{
  *(bool *)job = false;
}

static void
nothing_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  Outcome *outcome = data;

  g_assert_null (hs_work_finish (result, &outcome->error));
  outcome->done = true;
}

/* What a job refers to is let go of before the callback: afterwards a thread holds nothing. */
static void
test_job_ends_before (void)
{
  static const HsWorkClass klass = {nothing_in_thread, unset, g_free};
  Outcome outcome = {0};
  bool is_there = true;

  hs_work_start (&klass, &is_there, NULL, NULL, NULL, nothing_cb, &outcome);
  while (!outcome.done) {
    g_main_context_iteration (NULL, TRUE);
    g_assert_true (!outcome.done || !is_there);
  }
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_FAILED);
  outcome_clear (&outcome);
}

/* Reads from a pipe that gives nothing, as from a network that is gone. */
static gpointer
hang_in_thread (gpointer pipe, HsReport *report G_GNUC_UNUSED, GError **error)
{
  char byte;

  g_assert_cmpint (read (GPOINTER_TO_INT (pipe), &byte, 1), ==, 1);
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED, "nothing");
  return NULL;
}

static gboolean
write_cb (gpointer pipe)
{
  g_assert_cmpint (write (GPOINTER_TO_INT (pipe), "x", 1), ==, 1);
  return G_SOURCE_REMOVE;
}

/* A read that does not come back does not keep the program; what is written does. */
static void
test_end_of_hanging (void)
{
  static const HsWorkClass reads = {hang_in_thread, NULL, g_free};
  static const HsWorkClass writes = {hang_in_thread, NULL, g_free, .writes = true};
  const HsWorkClass *const classes[] = {&reads, &writes};

  for (size_t i = 0; i < G_N_ELEMENTS (classes); i++) {
    Outcome outcome = {0};
    int ends[2];

    g_assert_cmpint (pipe (ends), ==, 0);
    hs_work_start (classes[i], GINT_TO_POINTER (ends[0]), NULL, NULL, NULL, nothing_cb, &outcome);
    g_timeout_add (200, write_cb, GINT_TO_POINTER (ends[1]));
    g_assert_true (hs_work_drain_for (20) == classes[i]->writes);
    g_assert_true (outcome.done == classes[i]->writes);
    g_assert_true (hs_work_drain_for (10000)); /* and is over as soon as it is */
    g_assert_true (outcome.done);
    outcome_clear (&outcome);
    close (ends[0]);
    close (ends[1]);
  }
}

static void
let_go_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsAnswer) answer = hs_engine_run_finish (HS_ENGINE (source), result, NULL);

  g_assert_nonnull (answer);
  g_object_unref (source); /* the caller's own: the task's is the last one */
  (*(guint *)data)++;
}

/* Who lets go of an engine while it works, or in the callback, does not leave it to a thread that
 * still holds the task: what ends there would be taken down beside the main thread. */
static void
test_ends_on_main_thread (void)
{
  g_autoptr (AttnModel) model = ui_test_load_demo ();
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  const HsRequest request = {.model = model, .text = "A cat.", .view = view};
  guint n_alive = 0, n_done = 0;

  ui_test_share_core (true);
  for (guint i = 1; i <= 300; i++) {
    HsEngine *engine = hs_engine_new ();

    ui_test_watch_end (engine, &n_alive);
    hs_engine_run_async (engine, &request, NULL, NULL, NULL, let_go_cb, &n_done);
    ui_test_wait_zero (&n_alive);
    g_assert_cmpuint (n_done, ==, i);
  }
  ui_test_share_core (false);
}

/* A pool that is borrowed is not replaced. */
static void
test_borrowed_pool (void)
{
  HsEngine *engine = hs_engine_new ();
  AttnPool *pool;

  hs_engine_set_n_threads (engine, 2);
  pool = hs_engine_borrow_pool (engine);
  hs_engine_set_n_threads (engine, 3);
  g_assert_true (hs_engine_peek_pool (engine) == pool);
  hs_engine_return_pool (engine);
  g_assert_cmpuint (attn_pool_get_n_threads (hs_engine_peek_pool (engine)), ==, 3);
  ui_test_close_engine (engine);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/same-as-core", test_same_as_core);
  g_test_add_func ("/engine/no-mask", test_no_mask);
  g_test_add_func ("/engine/next-token", test_next_token);
  g_test_add_func ("/engine/panels-alone-and-clamped", test_panels_alone_and_clamped);
  g_test_add_func ("/engine/too-long", test_too_long);
  g_test_add_func ("/engine/threads", test_threads);
  g_test_add_func ("/engine/borrowed-pool", test_borrowed_pool);
  g_test_add_func ("/engine/job-ends-before", test_job_ends_before);
  g_test_add_func ("/engine/end-of-hanging", test_end_of_hanging);
  g_test_add_func ("/engine/ends-on-main-thread", test_ends_on_main_thread);
  g_test_add_func ("/engine/errors", test_errors);
  g_test_add_func ("/engine/load-and-run", test_load_and_run);
  g_test_add_func ("/engine/cancelled", test_cancelled);
  return g_test_run ();
}
