/* SPDX-License-Identifier: MIT */
/* Puts together what a window needs, and takes over what an earlier one had. */
#include "hs-desk.h"

#include "hs-state.h"

#include "attn/file.h"

#define MAX_STATE_BYTES (64 << 20) /* two texts and a view; what is larger, we did not write */

HsDesk *
hs_desk_new (HsEngine *engine)
{
  HsDesk *self = g_new0 (HsDesk, 1);

  self->session = hs_session_new ();
  self->updater = hs_updater_new (engine, self->session);
  return self;
}

static bool
restore_state (HsDesk *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *model = NULL;
  g_autoptr (GBytes) bytes = NULL;
  size_t n_bytes;
  char *data = attn_file_load (path, MAX_STATE_BYTES, &n_bytes, &error);

  if (data != NULL) {
    bytes = g_bytes_new_take (data, n_bytes);
    if (hs_state_apply (self->session, bytes, &model, &error)) {
      g_free (self->model);
      self->model = g_steal_pointer (&model);
      return true;
    }
  }
  g_message ("%s: the window's state cannot be read: %s", path, error->message);
  return false;
}

bool
hs_desk_keep (HsDesk *self, const char *path, bool restore)
{
  const bool restored = path != NULL && restore && restore_state (self, path);

  if (path != NULL)
    self->keeper = hs_keeper_new (self->session, self->updater, path);
  return restored;
}

void
hs_desk_copy (HsDesk *self, HsDesk *other)
{
  g_autoptr (GBytes) state = hs_state_dup (other->session, hs_updater_peek_name (other->updater));

  g_clear_pointer (&self->model, g_free);
  hs_state_apply (self->session, state, &self->model, NULL);
  self->attention = hs_side_peek_attention (hs_session_peek_side (other->session));
  if (self->attention != NULL)
    hs_attention_ref (self->attention);
}

/* Returns: whether side A has one to begin with, and no model need be loaded before. */
static bool
start_attention (HsDesk *self)
{
  HsSide *b = hs_session_peek_side_b (self->session);
  HsAttentionWish wish = {.looks = self->looks}, wish_b = {0};

  hs_attention_place_set (&wish.place, hs_side_peek_wanted (hs_session_peek_side (self->session)));
  hs_attention_place_set (&wish_b.place, hs_side_peek_wanted (b));
  const bool has = wish.place.path != NULL;
  if (has && self->attention != NULL)
    hs_updater_show_attention (self->updater, self->attention);
  else if (has)
    hs_updater_open_attention (self->updater, &wish);
  if (wish_b.place.path != NULL)
    hs_updater_open_attention_b (self->updater, &wish_b);
  hs_attention_place_clear (&wish.place);
  hs_attention_place_clear (&wish_b.place);
  return has;
}

void
hs_desk_start (HsDesk *self, AttnModel *model)
{
  self->started = true;
  hs_updater_set_name (self->updater, self->model);
  if (start_attention (self))
    return;
  if (model != NULL)
    hs_updater_use (self->updater, self->model, model);
  else
    hs_updater_load (self->updater, self->model);
}

void
hs_desk_free (HsDesk *self)
{
  hs_updater_stop (self->updater);
  hs_updater_stop_load (self->updater);
  g_clear_object (&self->keeper);
  g_clear_object (&self->updater);
  g_clear_object (&self->session);
  g_clear_pointer (&self->attention, hs_attention_unref);
  g_free (self->model);
  g_free (self);
}
