/* SPDX-License-Identifier: MIT */
/* From two texts to a shown comparison; the newest of each wins. */
#include "hs-comparer.h"

#include "hs-compared-side.h"
#include "hs-failure.h"
#include "hs-panel-cost.h"
#include "hs-runner.h"
#include "hs-side-loader.h"
#include "hs-text-limit.h"
#include "hs-work.h"

#include "attn/error.h"

#include <glib/gi18n.h>

struct _HsComparer {
  GObject parent_instance;

  HsEngine *engine;
  HsSession *session;
  HsRunner *runner;     /* of text B */
  HsSideLoader *loader; /* of model B */
  GCancellable *work;   /* identity of the panels under way; NULL for none */
  size_t max_tokens;    /* A's limit when text B was run last */
  bool follows;         /* texts B are what texts A are */
  bool told;            /* the session's state is about B */
};

G_DEFINE_FINAL_TYPE (HsComparer, hs_comparer, G_TYPE_OBJECT)

enum { LENS_FAILED, N_SIGNALS };

static guint signals[N_SIGNALS];

static bool
is_asked (HsComparer *self)
{
  return hs_session_get_kind (self->session) == ATTN_DRAW_COMPARE;
}

static void
stop_work (HsComparer *self)
{
  if (self->work != NULL)
    g_cancellable_cancel (self->work);
  g_clear_object (&self->work);
}

static void
tell (HsComparer *self, HsState state, const char *message, const char *detail)
{
  self->told = state != HS_STATE_READY;
  hs_session_set_state (self->session, state, message, detail);
}

/* The lens gives way: to the one that is shown where that fits, else to the weights themselves. */
static bool
leave_lens (HsComparer *self, const AttnDrawView *wanted, const GError *error)
{
  const AttnDrawView *view = hs_session_peek_view (self->session);
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);
  const bool is_compared = panels != NULL && attn_draw_panels_peek_source_b (panels) != NULL;

  if (wanted->lens == ATTN_LENS_RAW || wanted->lens != hs_session_get_lens (self->session) ||
      !g_error_matches (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED))
    return false;
  g_signal_emit (self, signals[LENS_FAILED], 0, error);
  hs_session_set_lens (self->session,
                       is_compared && view->lens != wanted->lens ? view->lens : ATTN_LENS_RAW);
  return true;
}

/* What was made of both sides cannot be drawn. */
static void
refuse (HsComparer *self, const AttnDrawView *wanted, const GError *error)
{
  if (leave_lens (self, wanted, error))
    return;
  self->told = true;
  hs_failure_show_refusal (self->session, error);
}

/* ---- panels ---- */

static bool
same_size (AttnDrawPanels *before, AttnDrawPanels *now)
{
  return attn_draw_panels_get_n_joint (before, ATTN_SIDE_QUERY) ==
             attn_draw_panels_get_n_joint (now, ATTN_SIDE_QUERY) &&
         attn_draw_panels_get_n_joint (before, ATTN_SIDE_KEY) ==
             attn_draw_panels_get_n_joint (now, ATTN_SIDE_KEY);
}

/* Pins are of A's tokens, and of B's that A has not: another A has others. */
static void
show (HsComparer *self, AttnDrawPanels *panels, const AttnDrawView *asked)
{
  AttnDrawPanels *before = hs_session_peek_panels (self->session);
  bool same_text = before != NULL &&
                   attn_draw_panels_peek_source (before) == attn_draw_panels_peek_source (panels);

  if (before != NULL && !same_size (before, panels))
    hs_session_set_crop (self->session, NULL);
  if (!same_text) {
    hs_session_set_hovered (self->session, NULL);
    hs_session_set_pinned (self->session, HS_NONE, HS_NONE);
  }
  hs_session_show (self->session, panels, asked);
  tell (self, HS_STATE_READY, NULL, NULL);
}

static bool
panels_fit (HsComparer *self, const AttnDrawView *wanted, AttnMaps *a, AttnMaps *b)
{
  const AttnDrawView *view = hs_session_peek_view (self->session);
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);

  return panels != NULL && view->kind == ATTN_DRAW_COMPARE &&
         attn_draw_panels_peek_source (panels) == a &&
         attn_draw_panels_peek_source_b (panels) == b && wanted->layer == view->layer &&
         wanted->head == view->head && wanted->layer_b == view->layer_b &&
         wanted->head_b == view->head_b && wanted->range == view->range &&
         wanted->range_max == view->range_max && wanted->words == view->words &&
         wanted->lens == view->lens &&
         attn_arrangement_equal (&wanted->arrangement, &view->arrangement);
}

typedef struct {
  AttnDrawView *view;
  AttnMaps *a, *b;
  AttnPool *pool; /* borrowed */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  attn_draw_view_free (job->view);
  attn_maps_unref (job->a);
  attn_maps_unref (job->b);
  g_free (job);
}

static gpointer
make_panels (gpointer data, HsReport *report, GError **error)
{
  Job *job = data;
  return attn_draw_panels_new_compare (job->view, job->a, job->b, job->pool, hs_report_tell, report,
                                       error);
}

static void
unref_panels (gpointer panels)
{
  attn_draw_panels_unref (panels);
}

/* What a callback needs to know whether it is still wanted. */
typedef struct {
  HsComparer *self; /* referenced */
  HsEngine *engine; /* referenced: whose pool is borrowed */
  GCancellable *identity;
  AttnDrawView *view;
} Wait;

static void
wait_free (Wait *wait)
{
  g_object_unref (wait->self);
  g_object_unref (wait->engine);
  g_object_unref (wait->identity);
  attn_draw_view_free (wait->view);
  g_free (wait);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Wait, wait_free)

static void
panels_made_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Wait) wait = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels = hs_work_finish (result, &error);
  HsComparer *self = wait->self;

  hs_engine_return_pool (wait->engine);
  if (wait->identity != self->work)
    return;
  g_clear_object (&self->work);
  if (panels != NULL)
    show (self, panels, wait->view);
  else
    refuse (self, wait->view, error);
}

static void
made_progress_cb (double fraction, gpointer data)
{
  const Wait *wait = data;

  if (wait->identity == wait->self->work)
    hs_session_set_progress (wait->self->session, fraction);
}

static void
start_panels (HsComparer *self, const AttnDrawView *wanted, AttnMaps *a, AttnMaps *b)
{
  static const HsWorkClass klass = {make_panels, job_free, unref_panels};
  Job *job = g_new (Job, 1);
  Wait *wait = g_new (Wait, 1);

  stop_work (self);
  self->work = g_cancellable_new ();
  *job = (Job){attn_draw_view_copy (wanted), attn_maps_ref (a), attn_maps_ref (b),
               hs_engine_borrow_pool (self->engine)};
  *wait = (Wait){g_object_ref (self), g_object_ref (self->engine), g_object_ref (self->work),
                 attn_draw_view_copy (wanted)};
  tell (self, HS_STATE_BUSY, NULL, NULL);
  hs_work_start (&klass, job, self->work, made_progress_cb, wait, panels_made_cb, wait);
}

static void
show_comparison (HsComparer *self, AttnMaps *a, AttnMaps *b)
{
  g_autoptr (AttnDrawView) wanted = hs_compared_side_dup_view (self->session, b);
  g_autoptr (GError) error = NULL;

  if (panels_fit (self, wanted, a, b)) {
    stop_work (self);
    tell (self, HS_STATE_READY, NULL, NULL);
    return;
  }
  if (!hs_panel_cost_is_small_compare (wanted, a, b)) {
    start_panels (self, wanted, a, b);
    return;
  }
  stop_work (self);
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new_compare (
      wanted, a, b, hs_engine_peek_pool (self->engine), NULL, NULL, &error);
  if (panels != NULL)
    show (self, panels, wanted);
  else
    refuse (self, wanted, error);
}

/* ---- text B ---- */

static void
run_b (HsComparer *self, HsAnswer *a)
{
  HsSide *side = hs_session_peek_side_b (self->session);
  const HsRequest request = {
      .model = hs_compared_side_peek_model (self->session, a),
      .text = hs_side_peek_text (side),
      .pair = hs_compared_side_peek_pair (side),
      .view = hs_session_peek_asked (self->session),
  };

  stop_work (self);
  self->max_tokens = a->max_tokens;
  tell (self, HS_STATE_BUSY, NULL, NULL);
  hs_runner_start (self->runner, &request);
}

static void
show_empty (HsComparer *self)
{
  hs_runner_stop (self->runner);
  stop_work (self);
  hs_session_show (self->session, NULL, NULL);
  hs_session_set_pinned (self->session, HS_NONE, HS_NONE);
  tell (self, HS_STATE_EMPTY, _ ("Type a text B, and every head shows what differs from A."), NULL);
}

/* B's text does not wait for A's unless it is the same. */
static bool
is_newest (HsComparer *self, HsAnswer *a)
{
  HsSide *side = hs_session_peek_side (self->session);

  if (a->attention != NULL || hs_side_peek_attention (side) != NULL)
    return a->attention == hs_side_peek_attention (side);
  return !self->follows || hs_compared_side_is_of_texts (a, side);
}

void
hs_comparer_update (HsComparer *self)
{
  HsAnswer *a;
  AttnMaps *b;

  g_return_if_fail (HS_IS_COMPARER (self));

  a = hs_side_peek_answer (hs_session_peek_side (self->session));
  if (a == NULL || !is_asked (self))
    return;
  hs_side_loader_need (self->loader);
  if (!is_newest (self, a))
    return; /* A is being run anew */
  b = hs_compared_side_peek_file_maps (self->session, a);
  if (b == NULL && hs_text_is_blank (hs_side_peek_text (hs_session_peek_side_b (self->session)))) {
    show_empty (self);
    return;
  }
  if (b == NULL)
    b = hs_compared_side_peek_maps (self->session, a, self->max_tokens);
  if (b == NULL) {
    run_b (self, a);
    return;
  }
  hs_runner_stop (self->runner);
  show_comparison (self, a->maps, b);
}

void
hs_comparer_leave (HsComparer *self)
{
  g_return_if_fail (HS_IS_COMPARER (self));

  hs_side_loader_leave (self->loader);
  hs_runner_stop (self->runner);
  stop_work (self);
  if (self->told)
    tell (self, HS_STATE_READY, NULL, NULL);
}

static void
answered_cb (HsComparer *self, HsAnswer *answer)
{
  hs_side_set_answer (hs_session_peek_side_b (self->session), answer);
  hs_comparer_update (self);
}

/* A's answer stays, for the other views. */
static void
failed_cb (HsComparer *self, const GError *error)
{
  if (!is_asked (self))
    return;
  self->told = true;
  hs_failure_show (self->session, error);
}

static void
progress_cb (HsComparer *self, double fraction)
{
  hs_session_set_progress (self->session, fraction);
}

static void
texts_changed_cb (HsComparer *self)
{
  HsSide *a = hs_session_peek_side (self->session), *b = hs_session_peek_side_b (self->session);

  if (!self->follows)
    return;
  g_object_freeze_notify (G_OBJECT (b));
  hs_side_set_text (b, hs_side_peek_text (a));
  hs_side_set_pair (b, hs_side_peek_pair (a));
  g_object_thaw_notify (G_OBJECT (b));
}

static void
texts_b_changed_cb (HsComparer *self)
{
  HsSide *a = hs_session_peek_side (self->session), *b = hs_session_peek_side_b (self->session);

  self->follows = g_str_equal (hs_side_peek_text (a), hs_side_peek_text (b)) &&
                  g_strcmp0 (hs_compared_side_peek_pair (a), hs_compared_side_peek_pair (b)) == 0;
  hs_comparer_update (self);
}

void
hs_comparer_use (HsComparer *self, const char *name, AttnModel *model)
{
  g_return_if_fail (HS_IS_COMPARER (self));
  hs_side_loader_use (self->loader, name, model);
}

/* B's tokens are A's where it comes without any. */
void
hs_comparer_open_attention (HsComparer *self, const HsAttentionWish *wish)
{
  HsAttention *a;
  HsAttentionWish own = *wish;

  g_return_if_fail (HS_IS_COMPARER (self));

  a = hs_side_peek_attention (hs_session_peek_side (self->session));
  if (a != NULL && !hs_attention_is_numbered (a))
    own.others = attn_maps_peek_labels (a->maps);
  hs_side_loader_open_attention (self->loader, &own);
}

void
hs_comparer_show_attention (HsComparer *self, HsAttention *attention)
{
  g_return_if_fail (HS_IS_COMPARER (self));
  hs_side_loader_show_attention (self->loader, attention);
}

void
hs_comparer_stop_load (HsComparer *self)
{
  g_return_if_fail (HS_IS_COMPARER (self));
  hs_side_loader_stop (self->loader);
}

static void
watch_sides (HsComparer *self)
{
  static const char *const texts[] = {"notify::text", "notify::pair"};
  static const char *const sources[] = {"notify::name", "notify::model", "notify::attention"};
  HsSide *a = hs_session_peek_side (self->session), *b = hs_session_peek_side_b (self->session);

  for (size_t i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_signal_connect_object (a, texts[i], G_CALLBACK (texts_changed_cb), self, G_CONNECT_SWAPPED);
    g_signal_connect_object (b, texts[i], G_CALLBACK (texts_b_changed_cb), self, G_CONNECT_SWAPPED);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (sources); i++)
    g_signal_connect_object (b, sources[i], G_CALLBACK (hs_comparer_update), self,
                             G_CONNECT_SWAPPED);
}

HsComparer *
hs_comparer_new (HsEngine *engine, HsSession *session)
{
  HsComparer *self = g_object_new (HS_TYPE_COMPARER, NULL);

  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  self->runner = hs_runner_new (engine);
  self->loader = hs_side_loader_new (engine, session);
  self->follows = *hs_side_peek_text (hs_session_peek_side_b (session)) == '\0';
  texts_changed_cb (self);
  g_signal_connect_object (self->runner, "answered", G_CALLBACK (answered_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "progress", G_CALLBACK (progress_cb), self,
                           G_CONNECT_SWAPPED);
  watch_sides (self);
  return self;
}

static void
hs_comparer_dispose (GObject *object)
{
  HsComparer *self = HS_COMPARER (object);

  stop_work (self);
  if (self->runner != NULL)
    hs_runner_stop (self->runner);
  g_clear_object (&self->runner);
  if (self->loader != NULL)
    g_object_run_dispose (G_OBJECT (self->loader));
  g_clear_object (&self->loader);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  G_OBJECT_CLASS (hs_comparer_parent_class)->dispose (object);
}

static void
hs_comparer_class_init (HsComparerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_comparer_dispose;
  signals[LENS_FAILED] = g_signal_new ("lens-failed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST,
                                       0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
hs_comparer_init (HsComparer *self G_GNUC_UNUSED)
{
}
