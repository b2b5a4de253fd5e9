/* SPDX-License-Identifier: MIT */
/* What side A shows is loaded: a model, or a file of weights; the newest wins, and a failure leaves
 * what was there. */
#include "hs-model-name.h"
#include "hs-text-limit.h"
#include "hs-updater-private.h"

#include "attn/error.h"

#include <glib/gi18n.h>

/* Whether there is something to go on with when a model is not to be had. */
static bool
has_something (HsUpdater *self)
{
  HsSide *side = hs_session_peek_side (self->session);

  return hs_side_peek_model (side) != NULL || hs_side_peek_attention (side) != NULL;
}

typedef struct {
  HsUpdater *self; /* referenced */
  GCancellable *identity;
  char *text, *pair; /* what the first run is for */
} Load;

static void
load_free (Load *load)
{
  g_object_unref (load->self);
  g_object_unref (load->identity);
  g_free (load->text);
  g_free (load->pair);
  g_free (load);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Load, load_free)

/* Beside what is there, which goes on meanwhile, it is the side that tells. */
static void
load_progress_cb (double fraction, gpointer data)
{
  Load *load = data;
  HsUpdater *self = load->self;
  HsSide *side = hs_session_peek_side (self->session);

  if (load->identity != self->load)
    return;
  if (has_something (self))
    hs_side_set_coming (side, hs_side_peek_coming (side), CLAMP (fraction, 0, 1));
  else
    hs_session_set_progress (self->session, fraction);
}

/* The model that was there stays in use, and its name is the one to be kept. */
static void
keep_model (HsUpdater *self)
{
  HsSide *side = hs_session_peek_side (self->session);
  HsAttention *attention = hs_side_peek_attention (side);

  g_free (self->name);
  self->name = g_strdup (self->working);
  hs_side_set_wanted (side, attention != NULL ? &attention->place : NULL);
}

/* Beside what is there the side tells what is coming, by the name of its path. */
static void
tell_begin (HsUpdater *self, const char *path, const char *message)
{
  if (has_something (self)) {
    g_autofree char *shown = hs_model_name_dup (path);

    hs_side_set_coming (hs_session_peek_side (self->session), shown, 0);
  } else {
    hs_session_set_state (self->session, HS_STATE_BUSY, message, NULL);
  }
}

static void
show_loaded (HsUpdater *self, const Load *load, AttnModel *model, HsAnswer *first)
{
  HsSide *side = hs_session_peek_side (self->session);
  HsRequest now;

  g_free (self->working);
  self->working = g_strdup (self->name);
  hs_updater_stop_runs (self);
  g_signal_handlers_block_by_func (side, hs_updater_ask, self);
  hs_side_set_wanted (side, NULL);
  hs_side_set_attention (side, NULL);
  hs_side_set_model (side, model);
  g_signal_handlers_unblock_by_func (side, hs_updater_ask, self);
  now = hs_updater_request_for_text (self);
  if (first != NULL && g_str_equal (load->text, now.text) && g_strcmp0 (load->pair, now.pair) == 0)
    hs_updater_take_answer (self, first);
  else
    hs_updater_ask (self);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Load) load = data;
  g_autoptr (HsAnswer) first = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = hs_engine_load_finish (HS_ENGINE (source), result, &first, &error);
  HsUpdater *self = load->self;

  if (load->identity != self->load)
    return; /* another model was asked for, or the load was stopped */
  hs_updater_drop_load (self);
  if (model != NULL) {
    show_loaded (self, load, model, first);
  } else if (has_something (self)) {
    keep_model (self);
    g_signal_emit_by_name (self, "load-failed", error);
  } else {
    hs_updater_fail (self, error);
  }
}

/* Nothing loads any more, and the next model is called @name. */
static void
begin_model (HsUpdater *self, const char *name)
{
  g_autofree char *owned = g_strdup (name); /* may be our own name */

  g_free (self->name);
  self->name = g_steal_pointer (&owned);
  hs_updater_drop_load (self);
}

void
hs_updater_set_name (HsUpdater *self, const char *name)
{
  g_return_if_fail (HS_IS_UPDATER (self));

  begin_model (self, name);
}

void
hs_updater_use (HsUpdater *self, const char *name, AttnModel *model)
{
  HsSide *side;

  g_return_if_fail (HS_IS_UPDATER (self));

  side = hs_session_peek_side (self->session);
  begin_model (self, name);
  hs_updater_stop_runs (self);
  g_free (self->working);
  self->working = g_strdup (self->name);
  g_object_freeze_notify (G_OBJECT (side));
  hs_side_set_wanted (side, NULL);
  hs_side_set_attention (side, NULL);
  hs_side_set_model (side, model);
  g_object_thaw_notify (G_OBJECT (side));
}

/* The first model may not have come yet: it is loaded when somebody goes back to it. */
static void
put_model_off (HsUpdater *self)
{
  if (has_something (self)) {
    keep_model (self);
  } else {
    g_free (self->working);
    self->working = g_strdup (self->name);
  }
}

void
hs_updater_show_attention (HsUpdater *self, HsAttention *attention)
{
  HsSide *side;

  g_return_if_fail (HS_IS_UPDATER (self));

  side = hs_session_peek_side (self->session);
  if (attention == NULL && hs_side_peek_model (side) == NULL) {
    hs_updater_load (self, self->name);
    return;
  }
  if (attention != NULL)
    put_model_off (self);
  hs_side_set_wanted (side, attention != NULL ? &attention->place : NULL);
  hs_updater_stop_runs (self);
  hs_updater_drop_load (self);
  if (attention == hs_side_peek_attention (side))
    hs_updater_ask (self); /* what ran is to go on */
  hs_side_set_attention (side, attention);
}

/* ---- reading a file of weights ---- */

static void
attention_read_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Load) load = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAttention) attention = hs_attention_load_finish (result, &error);
  HsUpdater *self = load->self;

  if (load->identity != self->load)
    return; /* something else was asked for, or the reading was stopped */
  hs_updater_drop_load (self);
  if (attention != NULL) {
    hs_updater_show_attention (self, attention);
    g_signal_emit_by_name (self, "attention-opened", attention);
    return;
  }
  keep_model (self);
  if (!has_something (self))
    hs_updater_load (self, self->name);
  g_signal_emit_by_name (self, "attention-failed", error);
}

void
hs_updater_open_attention (HsUpdater *self, const HsAttentionWish *wish)
{
  Load *load;

  g_return_if_fail (HS_IS_UPDATER (self));

  put_model_off (self);
  hs_updater_drop_load (self);
  self->load = g_cancellable_new ();
  hs_side_set_wanted (hs_session_peek_side (self->session), &wish->place);
  tell_begin (self, wish->place.path, _ ("Reading the file…"));
  load = g_new0 (Load, 1);
  load->self = g_object_ref (self);
  load->identity = g_object_ref (self->load);
  hs_attention_load_async (wish, self->load, load_progress_cb, load, attention_read_cb, load);
}

void
hs_updater_open_attention_b (HsUpdater *self, const HsAttentionWish *wish)
{
  g_return_if_fail (HS_IS_UPDATER (self));
  hs_comparer_open_attention (self->comparer, wish);
}

/* ---- side B ---- */

void
hs_updater_show_attention_b (HsUpdater *self, HsAttention *attention)
{
  g_return_if_fail (HS_IS_UPDATER (self));
  hs_comparer_show_attention (self->comparer, attention);
}

void
hs_updater_use_b (HsUpdater *self, const char *name, AttnModel *model)
{
  g_return_if_fail (HS_IS_UPDATER (self));
  hs_comparer_use (self->comparer, name, model);
}

void
hs_updater_stop_b (HsUpdater *self)
{
  g_return_if_fail (HS_IS_UPDATER (self));
  hs_comparer_stop_load (self->comparer);
}

const char *
hs_updater_peek_name (HsUpdater *self)
{
  g_return_val_if_fail (HS_IS_UPDATER (self), NULL);
  return hs_side_peek_model (hs_session_peek_side (self->session)) != NULL ? self->working
                                                                           : self->name;
}

void
hs_updater_load (HsUpdater *self, const char *name)
{
  Load *load;
  HsRequest request;

  g_return_if_fail (HS_IS_UPDATER (self));

  begin_model (self, name);
  self->load = g_cancellable_new ();
  request = hs_updater_request_for_text (self);
  tell_begin (self, self->name, NULL); /* @name may have been our own, and gone */
  load = g_new0 (Load, 1);
  load->self = g_object_ref (self);
  load->identity = g_object_ref (self->load);
  load->text = g_strdup (request.text);
  load->pair = g_strdup (request.pair);
  hs_engine_load_async (self->engine, self->name, hs_text_is_blank (request.text) ? NULL : &request,
                        self->load, load_progress_cb, load, loaded_cb, load);
}

void
hs_updater_stop (HsUpdater *self)
{
  const GError stopped = {ATTN_ERROR, ATTN_ERROR_CANCELLED, NULL};

  g_return_if_fail (HS_IS_UPDATER (self));

  if (hs_session_get_state (self->session) != HS_STATE_BUSY || hs_updater_stop_lens (self))
    return;
  hs_updater_stop_runs (self);
  if (!has_something (self))
    hs_updater_drop_load (self);
  hs_updater_fail (self, &stopped);
}

void
hs_updater_stop_load (HsUpdater *self)
{
  g_return_if_fail (HS_IS_UPDATER (self));

  if (self->load == NULL || !has_something (self))
    return;
  hs_updater_drop_load (self);
  keep_model (self);
}

void
hs_updater_retry (HsUpdater *self)
{
  HsAttentionWish wish = {.looks = true};

  g_return_if_fail (HS_IS_UPDATER (self));

  wish.place = *hs_side_peek_wanted (hs_session_peek_side (self->session));
  if (has_something (self))
    hs_updater_ask (self);
  else if (wish.place.path != NULL) /* its reading was stopped */
    hs_updater_open_attention (self, &wish);
  else
    hs_updater_load (self, self->name);
}
