/* SPDX-License-Identifier: MIT */
/* What is shown decides what is wanted; a runner brings it, the newest wins. */
#include "hs-heads-feeder.h"

#include "hs-runner.h"

struct _HsHeadsFeeder {
  GObject parent_instance;

  HsSession *session;
  HsRunner *runner;
  AttnMaps *source;   /* of what was asked for last; nullable */
  AttnDrawView *view; /* likewise */
};

G_DEFINE_FINAL_TYPE (HsHeadsFeeder, hs_heads_feeder, G_TYPE_OBJECT)

/* Nobody wants them, or there is nothing to choose from. */
static void
forget (HsHeadsFeeder *self)
{
  hs_runner_stop (self->runner);
  g_clear_pointer (&self->source, attn_maps_unref);
  g_clear_pointer (&self->view, attn_draw_view_free);
  hs_session_set_heads (self->session, NULL);
}

static bool
is_wanted (HsHeadsFeeder *self)
{
  const AttnDrawView *view = hs_session_peek_view (self->session);

  return hs_session_get_wants_heads (self->session) &&
         hs_session_peek_panels (self->session) != NULL && view->kind == ATTN_DRAW_HEATMAP &&
         !attn_draw_view_is_joint (view) && hs_session_get_n_heads (self->session) > 1;
}

/* Whether the same numbers come of both. */
static bool
is_same (const AttnDrawView *a, const AttnDrawView *b)
{
  return a->layer == b->layer && a->range == b->range && a->range_max == b->range_max &&
         (a->scale == ATTN_DRAW_SCALE_RANK) == (b->scale == ATTN_DRAW_SCALE_RANK) &&
         a->words == b->words && a->lens == b->lens &&
         attn_arrangement_equal (&a->arrangement, &b->arrangement);
}

static void
shown_changed_cb (HsHeadsFeeder *self)
{
  AttnDrawPanels *panels = hs_session_peek_panels (self->session);
  const AttnDrawView *shown = hs_session_peek_view (self->session);
  AttnMaps *source;

  if (!is_wanted (self)) {
    forget (self);
    return;
  }
  source = attn_draw_panels_peek_source (panels);
  if (source == self->source && is_same (self->view, shown))
    return;
  /* those of an older text stay for the frames until then: nothing blinks while one types */
  attn_maps_ref (source);
  g_clear_pointer (&self->source, attn_maps_unref);
  g_clear_pointer (&self->view, attn_draw_view_free);
  self->source = source;
  self->view = attn_draw_view_copy (shown);
  self->view->kind = ATTN_DRAW_HEADS;
  hs_runner_start (self->runner, &(HsRequest){.maps = source, .view = self->view});
}

static void
answered_cb (HsHeadsFeeder *self, HsAnswer *answer)
{
  hs_session_set_heads (self->session, answer->panels); /* NULL where the arrangement leaves none */
}

static void
failed_cb (HsHeadsFeeder *self)
{
  hs_session_set_heads (self->session, NULL); /* the picture tells what is wrong, if it is */
}

HsHeadsFeeder *
hs_heads_feeder_new (HsEngine *engine, HsSession *session)
{
  static const char *const signals[] = {"notify::view", "notify::panels", "notify::wants-heads",
                                        "notify::n-heads"};
  HsHeadsFeeder *self = g_object_new (HS_TYPE_HEADS_FEEDER, NULL);

  self->session = g_object_ref (session);
  self->runner = hs_runner_new (engine);
  g_signal_connect_object (self->runner, "answered", G_CALLBACK (answered_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->runner, "failed", G_CALLBACK (failed_cb), self, G_CONNECT_SWAPPED);
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (session, signals[i], G_CALLBACK (shown_changed_cb), self,
                             G_CONNECT_SWAPPED);
  return self;
}

static void
hs_heads_feeder_dispose (GObject *object)
{
  HsHeadsFeeder *self = HS_HEADS_FEEDER (object);

  if (self->runner != NULL)
    hs_runner_stop (self->runner);
  g_clear_object (&self->runner);
  g_clear_pointer (&self->source, attn_maps_unref);
  g_clear_pointer (&self->view, attn_draw_view_free);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_heads_feeder_parent_class)->dispose (object);
}

static void
hs_heads_feeder_class_init (HsHeadsFeederClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_heads_feeder_dispose;
}

static void
hs_heads_feeder_init (HsHeadsFeeder *self G_GNUC_UNUSED)
{
}
