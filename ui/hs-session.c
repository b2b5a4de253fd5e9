/* SPDX-License-Identifier: MIT */
/* The window's shared state: its properties, and how it goes. */
#include "hs-session-private.h"

G_DEFINE_FINAL_TYPE (HsSession, hs_session, G_TYPE_OBJECT)

static GParamSpec *props[HS_SESSION_N_PROPS];

void
hs_session_notify (HsSession *self, HsSessionProp prop)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[prop]);
}

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

/* What side B has: A's model, another one, or one that is not there yet. */
static void
model_b_changed_cb (HsSession *self)
{
  AttnModel *model = hs_side_peek_model (self->side_b);
  const AttnConfig *config = model != NULL ? attn_model_peek_config (model) : NULL;
  const bool is_as_a = config == NULL && *hs_side_peek_name (self->side_b) == '\0';

  g_object_freeze_notify (G_OBJECT (self));
  self->n_layers_b = config != NULL ? (guint)config->n_layers : is_as_a ? self->n_layers : 0;
  self->n_heads_b = config != NULL ? (guint)config->n_heads : is_as_a ? self->n_heads : 0;
  hs_session_notify (self, HS_SESSION_PROP_N_LAYERS_B);
  hs_session_notify (self, HS_SESSION_PROP_N_HEADS_B);
  hs_session_set_layer_b (self, (guint)self->asked->layer_b);
  hs_session_set_head_b (self, (guint)self->asked->head_b);
  limit_heads (self, self->n_heads_b);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
model_changed_cb (HsSession *self)
{
  AttnModel *model = hs_side_peek_model (self->side);
  const AttnConfig *config = model != NULL ? attn_model_peek_config (model) : NULL;

  g_object_freeze_notify (G_OBJECT (self));
  self->n_layers = config != NULL ? (guint)config->n_layers : 0;
  self->n_heads = config != NULL ? (guint)config->n_heads : 0;
  hs_session_notify (self, HS_SESSION_PROP_N_LAYERS);
  hs_session_notify (self, HS_SESSION_PROP_N_HEADS);
  hs_session_set_layer (self, (guint)self->asked->layer);
  hs_session_set_head (self, (guint)self->asked->head);
  limit_heads (self, self->n_heads);
  model_b_changed_cb (self);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
hs_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsSession *self = HS_SESSION (object);

  switch (id) {
  case HS_SESSION_PROP_SIDE:
    g_value_set_object (value, self->side);
    break;
  case HS_SESSION_PROP_KIND:
    g_value_set_enum (value, (int)self->asked->kind);
    break;
  case HS_SESSION_PROP_LAYER:
    g_value_set_uint (value, (guint)self->asked->layer);
    break;
  case HS_SESSION_PROP_HEAD:
    g_value_set_uint (value, (guint)self->asked->head);
    break;
  case HS_SESSION_PROP_LAYER_B:
    g_value_set_uint (value, (guint)self->asked->layer_b);
    break;
  case HS_SESSION_PROP_HEAD_B:
    g_value_set_uint (value, (guint)self->asked->head_b);
    break;
  case HS_SESSION_PROP_N_LAYERS:
    g_value_set_uint (value, self->n_layers);
    break;
  case HS_SESSION_PROP_N_HEADS:
    g_value_set_uint (value, self->n_heads);
    break;
  case HS_SESSION_PROP_N_LAYERS_B:
    g_value_set_uint (value, self->n_layers_b);
    break;
  case HS_SESSION_PROP_N_HEADS_B:
    g_value_set_uint (value, self->n_heads_b);
    break;
  case HS_SESSION_PROP_CHANGES:
    g_value_set_boxed (value, self->changes);
    break;
  case HS_SESSION_PROP_RANGE:
    g_value_set_enum (value, (int)self->asked->range);
    break;
  case HS_SESSION_PROP_RANGE_MAX:
    g_value_set_double (value, self->asked->range_max);
    break;
  case HS_SESSION_PROP_ARRANGEMENT:
    g_value_set_pointer (value, &self->asked->arrangement);
    break;
  case HS_SESSION_PROP_WORDS:
    g_value_set_pointer (value, self->asked->words);
    break;
  case HS_SESSION_PROP_SCALE:
    g_value_set_enum (value, (int)self->asked->scale);
    break;
  case HS_SESSION_PROP_CROP:
    g_value_set_pointer (value, &self->asked->crop);
    break;
  case HS_SESSION_PROP_SHOWS_VALUES:
    g_value_set_boolean (value, !self->asked->hides_values);
    break;
  case HS_SESSION_PROP_MAGNIFICATION:
    g_value_set_double (value, self->magnification);
    break;
  case HS_SESSION_PROP_COLOR_MAP:
    g_value_set_enum (value, (int)self->asked->color_map);
    break;
  case HS_SESSION_PROP_DARK:
    g_value_set_boolean (value, self->dark);
    break;
  case HS_SESSION_PROP_PANELS:
    g_value_set_boxed (value, self->panels);
    break;
  case HS_SESSION_PROP_VIEW:
    g_value_set_pointer (value, self->view);
    break;
  case HS_SESSION_PROP_HEADS:
    g_value_set_boxed (value, self->heads);
    break;
  case HS_SESSION_PROP_WANTS_HEADS:
    g_value_set_boolean (value, self->wants_heads);
    break;
  case HS_SESSION_PROP_HOVERED:
    g_value_set_pointer (value, &self->hovered);
    break;
  case HS_SESSION_PROP_HOVERED_LAYER:
    g_value_set_uint (value, self->hovered.layer);
    break;
  case HS_SESSION_PROP_HOVERED_HEAD:
    g_value_set_uint (value, self->hovered.head);
    break;
  case HS_SESSION_PROP_HOVERED_QUERY:
    g_value_set_uint (value, self->hovered.query);
    break;
  case HS_SESSION_PROP_HOVERED_KEY:
    g_value_set_uint (value, self->hovered.key);
    break;
  case HS_SESSION_PROP_PINNED_QUERY:
    g_value_set_uint (value, self->pinned_query);
    break;
  case HS_SESSION_PROP_PINNED_KEY:
    g_value_set_uint (value, self->pinned_key);
    break;
  case HS_SESSION_PROP_FIND:
    g_value_set_string (value, self->find);
    break;
  case HS_SESSION_PROP_N_FOUND:
    g_value_set_uint (value, self->matches->len);
    break;
  case HS_SESSION_PROP_FOUND:
    g_value_set_uint (value, self->found);
    break;
  case HS_SESSION_PROP_STATE:
    g_value_set_enum (value, (int)self->state);
    break;
  case HS_SESSION_PROP_PROGRESS:
    g_value_set_double (value, self->progress);
    break;
  case HS_SESSION_PROP_MESSAGE:
    g_value_set_string (value, self->message);
    break;
  case HS_SESSION_PROP_DETAIL:
    g_value_set_string (value, self->detail);
    break;
  case HS_SESSION_PROP_N_TRUNCATED:
    g_value_set_uint (value, hs_session_get_n_truncated (self));
    break;
  case HS_SESSION_PROP_N_TOKENS:
    g_value_set_uint (value, hs_session_get_n_tokens (self));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_session_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsSession *self = HS_SESSION (object);

  switch (id) {
  case HS_SESSION_PROP_KIND:
    hs_session_set_kind (self, (AttnDrawKind)g_value_get_enum (value));
    break;
  case HS_SESSION_PROP_LAYER:
    hs_session_set_layer (self, g_value_get_uint (value));
    break;
  case HS_SESSION_PROP_HEAD:
    hs_session_set_head (self, g_value_get_uint (value));
    break;
  case HS_SESSION_PROP_LAYER_B:
    hs_session_set_layer_b (self, g_value_get_uint (value));
    break;
  case HS_SESSION_PROP_HEAD_B:
    hs_session_set_head_b (self, g_value_get_uint (value));
    break;
  case HS_SESSION_PROP_RANGE:
    hs_session_set_range (self, (AttnDrawRange)g_value_get_enum (value));
    break;
  case HS_SESSION_PROP_RANGE_MAX:
    hs_session_set_range_max (self, g_value_get_double (value));
    break;
  case HS_SESSION_PROP_SCALE:
    hs_session_set_scale (self, (AttnDrawScale)g_value_get_enum (value));
    break;
  case HS_SESSION_PROP_SHOWS_VALUES:
    hs_session_set_shows_values (self, g_value_get_boolean (value));
    break;
  case HS_SESSION_PROP_MAGNIFICATION:
    hs_session_set_magnification (self, g_value_get_double (value));
    break;
  case HS_SESSION_PROP_WANTS_HEADS:
    hs_session_set_wants_heads (self, g_value_get_boolean (value));
    break;
  case HS_SESSION_PROP_COLOR_MAP:
    hs_session_set_color_map (self, (AttnDrawColorMap)g_value_get_enum (value));
    break;
  case HS_SESSION_PROP_FIND:
    hs_session_set_find (self, g_value_get_string (value));
    break;
  case HS_SESSION_PROP_DARK:
    hs_session_set_dark (self, g_value_get_boolean (value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
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
  const GParamFlags out = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags in = out | G_PARAM_WRITABLE;

  object_class->get_property = hs_session_get_property;
  object_class->set_property = hs_session_set_property;
  object_class->finalize = hs_session_finalize;

  props[HS_SESSION_PROP_SIDE] = g_param_spec_object ("side", NULL, NULL, HS_TYPE_SIDE, out);
  props[HS_SESSION_PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, HS_TYPE_KIND, 0, in);
  props[HS_SESSION_PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_LAYER_B] = g_param_spec_uint ("layer-b", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_HEAD_B] = g_param_spec_uint ("head-b", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_N_LAYERS] =
      g_param_spec_uint ("n-layers", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_HEADS] = g_param_spec_uint ("n-heads", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_LAYERS_B] =
      g_param_spec_uint ("n-layers-b", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_HEADS_B] =
      g_param_spec_uint ("n-heads-b", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_CHANGES] = g_param_spec_boxed ("changes", NULL, NULL, HS_TYPE_CHANGES, out);
  props[HS_SESSION_PROP_RANGE] =
      g_param_spec_enum ("range", NULL, NULL, HS_TYPE_RANGE, ATTN_DRAW_RANGE_AUTO, in);
  props[HS_SESSION_PROP_RANGE_MAX] =
      g_param_spec_double ("range-max", NULL, NULL, G_MINDOUBLE, G_MAXDOUBLE, 1, in);
  props[HS_SESSION_PROP_ARRANGEMENT] = g_param_spec_pointer ("arrangement", NULL, NULL, out);
  props[HS_SESSION_PROP_WORDS] = g_param_spec_pointer ("words", NULL, NULL, out);
  props[HS_SESSION_PROP_SCALE] = g_param_spec_enum ("scale", NULL, NULL, HS_TYPE_SCALE, 0, in);
  props[HS_SESSION_PROP_CROP] = g_param_spec_pointer ("crop", NULL, NULL, out);
  props[HS_SESSION_PROP_SHOWS_VALUES] = g_param_spec_boolean ("shows-values", NULL, NULL, TRUE, in);
  props[HS_SESSION_PROP_MAGNIFICATION] =
      g_param_spec_double ("magnification", NULL, NULL, 1, G_MAXDOUBLE, 1, in);
  props[HS_SESSION_PROP_COLOR_MAP] =
      g_param_spec_enum ("color-map", NULL, NULL, HS_TYPE_COLOR_MAP, 0, in);
  props[HS_SESSION_PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, in);
  props[HS_SESSION_PROP_PANELS] = g_param_spec_boxed ("panels", NULL, NULL, HS_TYPE_PANELS, out);
  props[HS_SESSION_PROP_VIEW] = g_param_spec_pointer ("view", NULL, NULL, out);
  props[HS_SESSION_PROP_HEADS] = g_param_spec_boxed ("heads", NULL, NULL, HS_TYPE_PANELS, out);
  props[HS_SESSION_PROP_WANTS_HEADS] = g_param_spec_boolean ("wants-heads", NULL, NULL, FALSE, in);
  props[HS_SESSION_PROP_HOVERED] = g_param_spec_pointer ("hovered", NULL, NULL, out);
  props[HS_SESSION_PROP_HOVERED_LAYER] =
      g_param_spec_uint ("hovered-layer", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_HOVERED_HEAD] =
      g_param_spec_uint ("hovered-head", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_HOVERED_QUERY] =
      g_param_spec_uint ("hovered-query", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_HOVERED_KEY] =
      g_param_spec_uint ("hovered-key", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_PINNED_QUERY] =
      g_param_spec_uint ("pinned-query", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_PINNED_KEY] =
      g_param_spec_uint ("pinned-key", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_FIND] = g_param_spec_string ("find", NULL, NULL, NULL, in);
  props[HS_SESSION_PROP_N_FOUND] = g_param_spec_uint ("n-found", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_FOUND] =
      g_param_spec_uint ("found", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[HS_SESSION_PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, HS_TYPE_STATE, 0, out);
  props[HS_SESSION_PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, -1, out);
  props[HS_SESSION_PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, out);
  props[HS_SESSION_PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, out);
  props[HS_SESSION_PROP_N_TRUNCATED] =
      g_param_spec_uint ("n-truncated", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_TOKENS] =
      g_param_spec_uint ("n-tokens", NULL, NULL, 0, G_MAXUINT, 0, out);
  g_object_class_install_properties (object_class, HS_SESSION_N_PROPS, props);
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
  self->side = hs_side_new ();
  self->side_b = hs_side_new ();
  self->asked = attn_draw_view_new ();
  self->asked->palette = ATTN_DRAW_PALETTE_SCREEN;
  g_free (self->asked->language);
  self->asked->language = hs_session_dup_language ();
  self->view = attn_draw_view_copy (self->asked);
  self->magnification = 1;
  self->most_magnification = G_MAXDOUBLE;
  self->hovered = HS_CELL_NONE;
  self->pinned_query = HS_NONE;
  self->pinned_key = HS_NONE;
  self->matches = g_array_new (FALSE, FALSE, sizeof (HsMatch));
  self->found = HS_NONE;
  self->progress = -1;
  g_signal_connect_object (self->side, "notify::answer", G_CALLBACK (answer_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side, "notify::model", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side_b, "notify::model", G_CALLBACK (model_b_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side_b, "notify::name", G_CALLBACK (model_b_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
