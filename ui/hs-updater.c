/* SPDX-License-Identifier: MIT */
/* From a changed question to a published answer. */
#include "hs-errors.h"
#include "hs-failure.h"
#include "hs-panel-cost.h"
#include "hs-text-limit.h"
#include "hs-updater-private.h"

G_DEFINE_FINAL_TYPE (HsUpdater, hs_updater, G_TYPE_OBJECT)

void
hs_updater_fail (HsUpdater *self, const GError *error)
{
  hs_failure_show (self->session, error);
  hs_side_set_answer (hs_session_peek_side (self->session), NULL);
}

void
hs_updater_stop_runs (HsUpdater *self)
{
  hs_runner_stop (self->text_runner);
  hs_runner_stop (self->panel_runner);
  hs_comparer_leave (self->comparer);
}

void
hs_updater_drop_load (HsUpdater *self)
{
  if (self->load != NULL)
    g_cancellable_cancel (self->load);
  g_clear_object (&self->load);
  hs_side_set_coming (hs_session_peek_side (self->session), NULL, 0);
}

HsRequest
hs_updater_request_for_text (HsUpdater *self)
{
  HsSide *side = hs_session_peek_side (self->session);
  const char *pair = hs_side_peek_pair (side);

  return (HsRequest){
      .model = hs_side_peek_model (side),
      .text = hs_side_peek_text (side),
      .pair =
          pair != NULL && !hs_text_is_blank (pair) ? pair : NULL, /* an open field may be empty */
      .view = hs_session_peek_asked (self->session),
  };
}

/* A file's weights need no model and no text. */
static HsRequest
request_for_side (HsUpdater *self)
{
  HsAttention *attention = hs_side_peek_attention (hs_session_peek_side (self->session));

  if (attention == NULL)
    return hs_updater_request_for_text (self);
  return (HsRequest){
      .maps = attention->maps,
      .attention = attention,
      .view = hs_session_peek_asked (self->session),
  };
}

/* Nothing to run on: no picture, no answer. */
static void
show_empty (HsUpdater *self)
{
  hs_runner_stop (self->text_runner);
  hs_runner_stop (self->panel_runner);
  hs_session_show (self->session, NULL, NULL);
  hs_side_set_answer (hs_session_peek_side (self->session), NULL);
  hs_session_set_pinned (self->session, HS_NONE, HS_NONE);
  hs_session_set_hovered (self->session, NULL);
  hs_session_set_state (self->session, HS_STATE_EMPTY, NULL, NULL);
}

void
hs_updater_ask (HsUpdater *self)
{
  const HsRequest request = request_for_side (self);

  if (request.model == NULL && request.maps == NULL)
    return; /* the load under way asks again when it is done */
  if (request.maps == NULL && hs_text_is_blank (request.text)) {
    show_empty (self);
    return;
  }
  hs_session_set_state (self->session, HS_STATE_BUSY, NULL, NULL);
  hs_runner_start (self->text_runner, &request);
}

/* Heads that are not combined are only drawn or not. */
static bool
same_arrangement (const AttnArrangement *a, const AttnArrangement *b)
{
  AttnArrangement other = *b;

  if (a->combine == ATTN_COMBINE_NONE)
    other.heads = a->heads;
  return attn_arrangement_equal (a, &other);
}

/* A grid holds every head, of all layers or of one: picking another one needs no new numbers. */
static bool
panels_fit (HsSession *session, AttnMaps *maps)
{
  const AttnDrawView *asked = hs_session_peek_asked (session);
  const AttnDrawView *view = hs_session_peek_view (session);
  AttnDrawPanels *panels = hs_session_peek_panels (session);

  return panels != NULL && attn_draw_panels_peek_source (panels) == maps &&
         same_arrangement (&asked->arrangement, &view->arrangement) &&
         asked->words == view->words && asked->lens == view->lens && asked->kind == view->kind &&
         asked->range == view->range && asked->range_max == view->range_max &&
         (asked->scale != ATTN_DRAW_SCALE_RANK || attn_draw_panels_has_ranks (panels)) &&
         (asked->kind == ATTN_DRAW_LAYERS || asked->layer == view->layer) &&
         (asked->kind == ATTN_DRAW_LAYERS || attn_draw_kind_has_layer (asked->kind) ||
          asked->head == view->head);
}

/* Whether another lens of what is shown was asked for, and nothing else that a run would tell. */
static bool
changes_lens (HsUpdater *self, AttnMaps *maps)
{
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);

  return panels != NULL && attn_draw_panels_peek_source (panels) == maps &&
         hs_session_get_lens (self->session) != hs_session_peek_view (self->session)->lens;
}

/* What is shown stays, through the lens it is seen through. */
static void
keep_lens (HsUpdater *self)
{
  hs_session_set_state (self->session, HS_STATE_READY, NULL, NULL);
  hs_session_set_lens (self->session, hs_session_peek_view (self->session)->lens);
}

bool
hs_updater_stop_lens (HsUpdater *self)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (self->session));

  if (answer == NULL || hs_runner_get_running (self->text_runner) ||
      !changes_lens (self, answer->maps))
    return false;
  hs_updater_stop_runs (self);
  keep_lens (self);
  return true;
}

static void
refuse (HsUpdater *self, AttnMaps *maps, const GError *error)
{
  HsSide *side = hs_session_peek_side (self->session);
  HsAnswer *answer = hs_side_peek_answer (side);

  if (hs_runner_get_running (self->text_runner) ||
      (answer != NULL && answer->attention != hs_side_peek_attention (side)))
    return; /* it may fit what is on its way */
  if (!changes_lens (self, maps)) {
    hs_failure_show_refusal (self->session, error);
    return;
  }
  keep_lens (self);
  g_signal_emit_by_name (self, "lens-failed", error);
}

static void
compute_at_once (HsUpdater *self, AttnMaps *maps)
{
  const AttnDrawView *asked = hs_session_peek_asked (self->session);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (asked, maps, hs_engine_peek_pool (self->engine), NULL, NULL, &error);

  if (panels == NULL && hs_error_is_of_view (error, asked)) {
    refuse (self, maps, error);
    return;
  }
  if (panels == NULL) {
    hs_updater_fail (self, error);
    return;
  }
  hs_session_show (self->session, panels, asked);
  if (hs_session_get_state (self->session) == HS_STATE_FAILED) /* what was refused before */
    hs_session_set_state (self->session, HS_STATE_READY, NULL, NULL);
}

/* Ends a wait for panels that nobody needs any more. */
static void
stop_panels (HsUpdater *self)
{
  if (!hs_runner_get_running (self->panel_runner))
    return;
  hs_runner_stop (self->panel_runner);
  if (!hs_runner_get_running (self->text_runner))
    hs_session_set_state (self->session, HS_STATE_READY, NULL, NULL);
}

static void
view_changed_cb (HsUpdater *self)
{
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (self->session));
  const AttnDrawView *asked = hs_session_peek_asked (self->session);

  if (answer == NULL)
    return;
  if (asked->kind == ATTN_DRAW_COMPARE) {
    stop_panels (self);
    hs_comparer_update (self->comparer);
    return;
  }
  hs_comparer_leave (self->comparer);
  if (panels_fit (self->session, answer->maps)) {
    stop_panels (self);
    if (!hs_session_is_current (self->session))
      hs_session_show (self->session, hs_session_peek_panels (self->session), asked);
  } else if (hs_panel_cost_is_small (asked, answer->maps)) {
    stop_panels (self);
    compute_at_once (self, answer->maps);
  } else {
    const HsRequest request = {.maps = answer->maps, .view = asked};

    hs_session_set_state (self->session, HS_STATE_BUSY, NULL, NULL);
    hs_runner_start (self->panel_runner, &request);
  }
}

void
hs_updater_take_answer (HsUpdater *self, HsAnswer *answer)
{
  hs_runner_stop (self->panel_runner);
  hs_session_publish (self->session, answer);
  view_changed_cb (self); /* another head may have been asked for meanwhile */
}

/* The other views show nothing of B. */
static void
view_b_changed_cb (HsUpdater *self)
{
  if (hs_session_get_kind (self->session) == ATTN_DRAW_COMPARE)
    view_changed_cb (self);
}

static void
panels_answered_cb (HsUpdater *self, HsAnswer *answer)
{
  HsAnswer *current = hs_side_peek_answer (hs_session_peek_side (self->session));

  if (current == NULL || current->maps != answer->maps)
    return;
  if (answer->panels == NULL) {
    refuse (self, answer->maps, answer->refusal);
    return;
  }
  hs_session_show (self->session, answer->panels, answer->view);
  if (!hs_runner_get_running (self->text_runner))
    hs_session_set_state (self->session, HS_STATE_READY, NULL, NULL);
}

static void
failed_cb (HsUpdater *self, const GError *error)
{
  hs_runner_stop (self->panel_runner);
  hs_updater_fail (self, error);
}

static void
progress_cb (HsUpdater *self, double fraction)
{
  hs_session_set_progress (self->session, fraction);
}

HsEngine *
hs_updater_peek_engine (HsUpdater *self)
{
  g_return_val_if_fail (HS_IS_UPDATER (self), NULL);
  return self->engine;
}

static void
connect_runner (HsUpdater *self, HsRunner *runner, GCallback answered)
{
  g_signal_connect_object (runner, "answered", answered, self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runner, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (runner, "progress", G_CALLBACK (progress_cb), self, G_CONNECT_SWAPPED);
}

static void
compare_lens_failed_cb (HsUpdater *self, const GError *error)
{
  g_signal_emit_by_name (self, "lens-failed", error);
}

HsUpdater *
hs_updater_new (HsEngine *engine, HsSession *session)
{
  static const char *const questions[] = {"notify::text", "notify::pair", "notify::model",
                                          "notify::attention"};
  static const char *const views[] = {"notify::kind",  "notify::layer",     "notify::head",
                                      "notify::range", "notify::range-max", "notify::arrangement",
                                      "notify::words", "notify::scale",     "notify::lens"};
  HsUpdater *self = g_object_new (HS_TYPE_UPDATER, NULL);
  HsSide *side = hs_session_peek_side (session);

  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  self->text_runner = hs_runner_new (engine);
  self->panel_runner = hs_runner_new (engine);
  self->heads_feeder = hs_heads_feeder_new (engine, session);
  self->comparer = hs_comparer_new (engine, session);
  self->ranker = hs_ranker_new (engine, session);
  g_signal_connect_object (self->comparer, "lens-failed", G_CALLBACK (compare_lens_failed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::layer-b", G_CALLBACK (view_b_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::head-b", G_CALLBACK (view_b_changed_cb), self,
                           G_CONNECT_SWAPPED);
  connect_runner (self, self->text_runner, G_CALLBACK (hs_updater_take_answer));
  connect_runner (self, self->panel_runner, G_CALLBACK (panels_answered_cb));
  for (size_t i = 0; i < G_N_ELEMENTS (questions); i++)
    g_signal_connect_object (side, questions[i], G_CALLBACK (hs_updater_ask), self,
                             G_CONNECT_SWAPPED);
  for (size_t i = 0; i < G_N_ELEMENTS (views); i++)
    g_signal_connect_object (session, views[i], G_CALLBACK (view_changed_cb), self,
                             G_CONNECT_SWAPPED);
  return self;
}

static void
hs_updater_dispose (GObject *object)
{
  HsUpdater *self = HS_UPDATER (object);

  hs_updater_drop_load (self);
  if (self->text_runner != NULL)
    hs_runner_stop (self->text_runner);
  if (self->panel_runner != NULL)
    hs_runner_stop (self->panel_runner);
  g_clear_object (&self->text_runner);
  g_clear_object (&self->panel_runner);
  g_clear_object (&self->heads_feeder);
  if (self->ranker != NULL)
    g_object_run_dispose (G_OBJECT (self->ranker));
  g_clear_object (&self->ranker);
  if (self->comparer != NULL)
    g_object_run_dispose (G_OBJECT (self->comparer));
  g_clear_object (&self->comparer);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->working, g_free);
  G_OBJECT_CLASS (hs_updater_parent_class)->dispose (object);
}

static void
hs_updater_class_init (HsUpdaterClass *klass)
{
  const GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_updater_dispose;
  g_signal_new ("load-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_ERROR);
  g_signal_new ("lens-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_ERROR);
  g_signal_new ("attention-opened", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                HS_TYPE_ATTENTION);
  g_signal_new ("attention-failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                G_TYPE_ERROR);
}

static void
hs_updater_init (HsUpdater *self G_GNUC_UNUSED)
{
}
