/* SPDX-License-Identifier: MIT */
/* The window's shared state: its properties, and how it goes. */
#include "hs-session-private.h"

G_DEFINE_FINAL_TYPE (HsSession, hs_session, G_TYPE_OBJECT)

HsSession *
hs_session_new (void)
{
  return g_object_new (HS_TYPE_SESSION, NULL);
}

HsSide *
hs_session_peek_side (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->side;
}

HsSide *
hs_session_peek_side_b (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->side_b;
}

HsState
hs_session_get_state (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_STATE_EMPTY);
  return self->state;
}

double
hs_session_get_progress (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), -1);
  return self->progress;
}

const char *
hs_session_peek_message (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->message;
}

const char *
hs_session_peek_detail (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->detail;
}

static void
replace_string (HsSession *self, char **field, const char *value, guint prop)
{
  if (g_strcmp0 (*field, value) == 0)
    return;
  g_free (*field);
  *field = g_strdup (value);
  hs_session_notify (self, prop);
}

void
hs_session_set_state (HsSession *self, HsState state, const char *message, const char *detail)
{
  g_return_if_fail (HS_IS_SESSION (self));

  g_object_freeze_notify (G_OBJECT (self));
  replace_string (self, &self->message, message, HS_SESSION_PROP_MESSAGE);
  replace_string (self, &self->detail, detail, HS_SESSION_PROP_DETAIL);
  hs_session_set_progress (self, -1);
  if (self->state != state) {
    self->state = state;
    hs_session_notify (self, HS_SESSION_PROP_STATE);
  }
  g_object_thaw_notify (G_OBJECT (self));
}

void
hs_session_set_progress (HsSession *self, double fraction)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->progress == fraction)
    return;
  self->progress = fraction;
  hs_session_notify (self, HS_SESSION_PROP_PROGRESS);
}

static AttnTokens *
peek_tokens (HsSession *self)
{
  HsAnswer *answer = hs_side_peek_answer (self->side);

  return answer != NULL ? hs_answer_peek_tokens (answer) : NULL;
}

guint
hs_session_get_n_truncated (HsSession *self)
{
  AttnTokens *tokens;

  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  tokens = peek_tokens (self);
  return tokens != NULL ? (guint)attn_tokens_get_n_truncated (tokens) : 0;
}

guint
hs_session_get_n_tokens (HsSession *self)
{
  AttnTokens *tokens;

  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  tokens = peek_tokens (self);
  return tokens != NULL ? (guint)attn_tokens_get_n (tokens) : 0;
}

static void
answer_changed_cb (HsSession *self)
{
  hs_session_notify (self, HS_SESSION_PROP_N_TRUNCATED);
  hs_session_notify (self, HS_SESSION_PROP_N_TOKENS);
}

/* Combined heads that the new model has not are forgotten. */
static void
limit_heads (HsSession *self, guint n_heads)
{
  AttnArrangement arrangement = self->asked->arrangement;

  if (n_heads == 0)
    return;
  attn_arrangement_limit_heads (&arrangement, n_heads);
  hs_session_set_arrangement (self, &arrangement);
}

/* What side B has: the same as A, something else, or a model that is not there yet. */
static void
size_b_changed_cb (HsSession *self)
{
  guint n_layers, n_heads;

  hs_side_get_size (self->side_b, &n_layers, &n_heads);
  if (n_layers == 0 && *hs_side_peek_name (self->side_b) == '\0') {
    n_layers = self->n_layers;
    n_heads = self->n_heads;
  }
  g_object_freeze_notify (G_OBJECT (self));
  self->n_layers_b = n_layers;
  self->n_heads_b = n_heads;
  hs_session_notify (self, HS_SESSION_PROP_N_LAYERS_B);
  hs_session_notify (self, HS_SESSION_PROP_N_HEADS_B);
  hs_session_update_head_b (self);
  limit_heads (self, self->n_heads_b);
  g_object_thaw_notify (G_OBJECT (self));
}

/* What needs a text is put aside while a file's weights are shown: its tokens' names tell of words
 * and of what can be hidden, not of characters. Whichever way leads from the file to a text, this
 * is arranged as texts were before: what was chosen for the file was not meant for it. */
static void
fit_arrangement (HsSession *self)
{
  const bool shows_file = hs_side_peek_attention (self->side) != NULL;
  AttnArrangement arrangement = self->asked->arrangement;

  if (self->shows_file == shows_file)
    return;
  self->shows_file = shows_file;
  if (!shows_file) {
    hs_session_set_arrangement (self, &self->of_text);
    return;
  }
  self->of_text = arrangement;
  if (arrangement.unit == ATTN_UNIT_CHARACTERS)
    arrangement.unit = ATTN_UNIT_TOKENS;
  arrangement.part = ATTN_PART_ALL;
  hs_session_set_arrangement (self, &arrangement);
}

/* Likewise a lens that the file cannot be seen through: it needs a model, a text, other sizes. */
static void
fit_lens (HsSession *self)
{
  HsAttention *attention = hs_side_peek_attention (self->side);
  const AttnLens lens = self->asked->lens;

  if (attention == NULL && self->shows_file)
    hs_session_set_lens (self, self->lens_of_text);
  if (attention == NULL)
    return;
  if (!self->shows_file)
    self->lens_of_text = lens;
  if (attn_lens_get_reason (lens, attention->maps) != ATTN_LENS_FITS)
    hs_session_set_lens (self, ATTN_LENS_RAW);
}

static void
size_changed_cb (HsSession *self)
{
  g_object_freeze_notify (G_OBJECT (self));
  hs_side_get_size (self->side, &self->n_layers, &self->n_heads);
  hs_session_notify (self, HS_SESSION_PROP_N_LAYERS);
  hs_session_notify (self, HS_SESSION_PROP_N_HEADS);
  hs_session_set_layer (self, (guint)self->asked->layer);
  hs_session_set_head (self, (guint)self->asked->head);
  fit_lens (self);
  fit_arrangement (self);
  limit_heads (self, self->n_heads);
  size_b_changed_cb (self);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
hs_session_finalize (GObject *object)
{
  HsSession *self = HS_SESSION (object);

  g_clear_pointer (&self->map, attn_map_free);
  g_clear_pointer (&self->heads, attn_draw_panels_unref);
  g_clear_pointer (&self->changes, hs_changes_unref);
  g_clear_pointer (&self->panels, attn_draw_panels_unref);
  attn_draw_view_free (self->asked);
  attn_draw_view_free (self->view);
  g_clear_object (&self->side);
  g_clear_object (&self->side_b);
  attn_ablation_asked_clear (&self->ablation);
  g_free (self->find);
  g_array_unref (self->matches);
  g_free (self->message);
  g_free (self->detail);
  G_OBJECT_CLASS (hs_session_parent_class)->finalize (object);
}

static void
hs_session_class_init (HsSessionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hs_session_get_property;
  object_class->set_property = hs_session_set_property;
  object_class->finalize = hs_session_finalize;
  hs_session_install_properties (object_class);
}

char *
hs_session_dup_language (void)
{
  const char *name = g_get_language_names ()[0];
  char *language;

  if (g_str_equal (name, "C") || g_str_has_prefix (name, "C."))
    return g_strdup ("en");
  language = g_strndup (name, strcspn (name, ".@"));
  return g_strdelimit (language, "_", '-');
}

static void
hs_session_init (HsSession *self)
{
  static const char *const sizes[] = {"notify::model", "notify::attention"};

  self->side = hs_side_new ();
  self->side_b = hs_side_new ();
  self->asked = attn_draw_view_new ();
  self->asked->palette = ATTN_DRAW_PALETTE_SCREEN;
  self->follows = true;
  g_free (self->asked->language);
  self->asked->language = hs_session_dup_language ();
  self->view = attn_draw_view_copy (self->asked);
  self->magnification = 1;
  self->most_magnification = G_MAXDOUBLE;
  self->hovered = HS_CELL_NONE;
  self->lab_place.row = self->lab_place.column = G_MAXSIZE;
  self->ablation = (AttnAblationAsked)ATTN_ABLATION_ASKED;
  self->pinned_query = HS_NONE;
  self->pinned_key = HS_NONE;
  self->matches = g_array_new (FALSE, FALSE, sizeof (HsMatch));
  self->found = HS_NONE;
  self->progress = -1;
  g_signal_connect_object (self->side, "notify::answer", G_CALLBACK (answer_changed_cb), self,
                           G_CONNECT_SWAPPED);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_signal_connect_object (self->side, sizes[i], G_CALLBACK (size_changed_cb), self,
                             G_CONNECT_SWAPPED);
    g_signal_connect_object (self->side_b, sizes[i], G_CALLBACK (size_b_changed_cb), self,
                             G_CONNECT_SWAPPED);
  }
  g_signal_connect_object (self->side_b, "notify::name", G_CALLBACK (size_b_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
