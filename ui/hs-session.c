/* SPDX-License-Identifier: MIT */
/* The window's shared state: setters that are quiet when nothing changes, published in one step. */
#include "hs-session.h"

#include "hs-format.h"

#include <glib/gi18n.h>

struct _HsSession {
  GObject parent_instance;

  HsSide *side;
  guint n_layers, n_heads;

  AttnDrawView *asked; /* kind, layer, head, range, colours, pin */
  bool dark;

  AttnDrawPanels *panels; /* nullable */
  AttnDrawView *view;     /* what the panels show */

  HsCell hovered;
  guint pinned_query, pinned_key;

  HsState state;
  double progress;
  char *message;
  char *detail;
};

G_DEFINE_FINAL_TYPE (HsSession, hs_session, G_TYPE_OBJECT)

enum {
  PROP_0,
  PROP_SIDE,
  PROP_KIND,
  PROP_LAYER,
  PROP_HEAD,
  PROP_N_LAYERS,
  PROP_N_HEADS,
  PROP_RANGE,
  PROP_COLOR_MAP,
  PROP_DARK,
  PROP_PANELS,
  PROP_VIEW,
  PROP_HOVERED,
  PROP_HOVERED_HEAD,
  PROP_HOVERED_QUERY,
  PROP_HOVERED_KEY,
  PROP_PINNED_QUERY,
  PROP_PINNED_KEY,
  PROP_STATE,
  PROP_PROGRESS,
  PROP_MESSAGE,
  PROP_DETAIL,
  PROP_N_TRUNCATED,
  PROP_N_TOKENS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

static void
notify (HsSession *self, guint prop)
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

/* ---- asked ---- */

AttnDrawKind
hs_session_get_kind (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_HEATMAP);
  return self->asked->kind;
}

void
hs_session_set_kind (HsSession *self, AttnDrawKind kind)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->kind == kind)
    return;
  self->asked->kind = kind;
  notify (self, PROP_KIND);
}

guint
hs_session_get_layer (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->layer;
}

/* Without a model there is nothing to clamp to yet. */
static guint
clamp_index (guint index, guint n)
{
  return n > 0 ? MIN (index, n - 1) : index;
}

void
hs_session_set_layer (HsSession *self, guint layer)
{
  g_return_if_fail (HS_IS_SESSION (self));

  layer = clamp_index (layer, self->n_layers);
  if (self->asked->layer == layer)
    return;
  self->asked->layer = layer;
  notify (self, PROP_LAYER);
}

guint
hs_session_get_head (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return (guint)self->asked->head;
}

void
hs_session_set_head (HsSession *self, guint head)
{
  g_return_if_fail (HS_IS_SESSION (self));

  head = clamp_index (head, self->n_heads);
  if (self->asked->head == head)
    return;
  self->asked->head = head;
  notify (self, PROP_HEAD);
}

guint
hs_session_get_n_layers (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_layers;
}

guint
hs_session_get_n_heads (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), 0);
  return self->n_heads;
}

AttnDrawRange
hs_session_get_range (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_RANGE_AUTO);
  return self->asked->range;
}

void
hs_session_set_range (HsSession *self, AttnDrawRange range)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->range == range)
    return;
  self->asked->range = range;
  notify (self, PROP_RANGE);
}

/* What can change without new numbers goes from the asked view into the shown one at once. */
static void
take_over_look (HsSession *self)
{
  self->view->color_map = self->asked->color_map;
  self->view->palette = self->asked->palette;
  self->view->has_pin = self->asked->has_pin;
  self->view->pin_query = self->asked->pin_query;
  self->view->pin_key = self->asked->pin_key;
}

AttnDrawColorMap
hs_session_get_color_map (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), ATTN_DRAW_COLOR_MAP_YLGNBU);
  return self->asked->color_map;
}

void
hs_session_set_color_map (HsSession *self, AttnDrawColorMap color_map)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->asked->color_map == color_map)
    return;
  self->asked->color_map = color_map;
  take_over_look (self);
  notify (self, PROP_COLOR_MAP);
  notify (self, PROP_VIEW);
}

bool
hs_session_get_dark (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), false);
  return self->dark;
}

void
hs_session_set_dark (HsSession *self, bool dark)
{
  g_return_if_fail (HS_IS_SESSION (self));

  if (self->dark == dark)
    return;
  self->dark = dark;
  self->asked->palette = dark ? ATTN_DRAW_PALETTE_SCREEN_DARK : ATTN_DRAW_PALETTE_SCREEN;
  take_over_look (self);
  notify (self, PROP_DARK);
  notify (self, PROP_VIEW);
}

const AttnDrawView *
hs_session_peek_asked (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->asked;
}

/* ---- shown ---- */

AttnDrawPanels *
hs_session_peek_panels (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->panels;
}

const AttnDrawView *
hs_session_peek_view (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return self->view;
}

const AttnMap *
hs_session_peek_map (HsSession *self)
{
  size_t index;

  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  if (self->panels == NULL)
    return NULL;
  index = self->view->kind == ATTN_DRAW_HEADS ? self->view->head : 0;
  if (index >= attn_draw_panels_get_n (self->panels))
    return NULL;
  return attn_draw_panels_peek (self->panels, index);
}

bool
hs_session_is_current (HsSession *self)
{
  const AttnDrawView *a, *b;

  g_return_val_if_fail (HS_IS_SESSION (self), false);
  a = self->asked;
  b = self->view;
  return self->panels != NULL && a->kind == b->kind && a->layer == b->layer && a->head == b->head &&
         a->range == b->range;
}

/* The strings name the text that was run, not what has been typed since. */
static void
make_strings (HsSession *self)
{
  AttnTrace *trace = attn_maps_peek_trace (attn_draw_panels_peek_maps (self->panels));
  AttnTokens *tokens = trace != NULL ? attn_trace_peek_tokens (trace) : NULL;

  attn_draw_view_set_strings (
      self->view, trace != NULL ? attn_model_peek_name (attn_trace_peek_model (trace)) : "",
      tokens != NULL ? attn_tokens_peek_text (tokens, 0, NULL) : "",
      tokens != NULL ? attn_tokens_peek_text (tokens, 1, NULL) : NULL, hs_translate, NULL);
}

void
hs_session_show (HsSession *self, AttnDrawPanels *panels, const AttnDrawView *asked)
{
  bool changed;

  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (panels == NULL || asked != NULL);

  if (panels == NULL && self->panels == NULL)
    return;
  changed = panels != self->panels;
  g_object_freeze_notify (G_OBJECT (self));
  if (panels != NULL)
    attn_draw_panels_ref (panels);
  g_clear_pointer (&self->panels, attn_draw_panels_unref);
  self->panels = panels;
  if (panels != NULL) {
    attn_draw_view_free (self->view);
    self->view = attn_draw_view_copy (asked);
    take_over_look (self);
    make_strings (self);
  }
  if (changed)
    notify (self, PROP_PANELS);
  notify (self, PROP_VIEW);
  g_object_thaw_notify (G_OBJECT (self));
}

static bool
same_token (HsAnswer *before, HsAnswer *now, guint index)
{
  if (index == HS_NONE)
    return true;
  if (index >= attn_maps_get_n (before->maps, ATTN_SIDE_QUERY) ||
      index >= attn_maps_get_n (now->maps, ATTN_SIDE_QUERY))
    return false;
  return g_str_equal (attn_maps_peek_label (before->maps, ATTN_SIDE_QUERY, index),
                      attn_maps_peek_label (now->maps, ATTN_SIDE_QUERY, index));
}

void
hs_session_publish (HsSession *self, HsAnswer *answer)
{
  HsAnswer *before;

  g_return_if_fail (HS_IS_SESSION (self));
  g_return_if_fail (answer != NULL);

  g_object_freeze_notify (G_OBJECT (self));
  g_object_freeze_notify (G_OBJECT (self->side));
  hs_session_set_hovered (self, NULL);
  before = hs_side_peek_answer (self->side);
  if (before == NULL || !same_token (before, answer, self->pinned_query) ||
      !same_token (before, answer, self->pinned_key))
    hs_session_set_pinned (self, HS_NONE, HS_NONE);
  hs_side_set_answer (self->side, answer);
  hs_session_show (self, answer->panels, answer->view);
  hs_session_set_state (self, HS_STATE_READY, NULL, NULL);
  g_object_thaw_notify (G_OBJECT (self->side));
  g_object_thaw_notify (G_OBJECT (self));
}

/* ---- pointed at ---- */

const HsCell *
hs_session_peek_hovered (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), NULL);
  return &self->hovered;
}

void
hs_session_set_hovered (HsSession *self, const HsCell *cell)
{
  const HsCell before = self->hovered;

  g_return_if_fail (HS_IS_SESSION (self));

  self->hovered = cell != NULL ? *cell : HS_CELL_NONE;
  if (self->hovered.head == before.head && self->hovered.query == before.query &&
      self->hovered.key == before.key)
    return;
  g_object_freeze_notify (G_OBJECT (self));
  notify (self, PROP_HOVERED);
  if (self->hovered.head != before.head)
    notify (self, PROP_HOVERED_HEAD);
  if (self->hovered.query != before.query)
    notify (self, PROP_HOVERED_QUERY);
  if (self->hovered.key != before.key)
    notify (self, PROP_HOVERED_KEY);
  g_object_thaw_notify (G_OBJECT (self));
}

guint
hs_session_get_pinned_query (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_NONE);
  return self->pinned_query;
}

guint
hs_session_get_pinned_key (HsSession *self)
{
  g_return_val_if_fail (HS_IS_SESSION (self), HS_NONE);
  return self->pinned_key;
}

static size_t
to_size (guint index)
{
  return index == HS_NONE ? G_MAXSIZE : index;
}

void
hs_session_set_pinned (HsSession *self, guint query, guint key)
{
  const guint query_before = self->pinned_query, key_before = self->pinned_key;

  g_return_if_fail (HS_IS_SESSION (self));

  if (query == query_before && key == key_before)
    return;
  self->pinned_query = query;
  self->pinned_key = key;
  self->asked->has_pin = query != HS_NONE || key != HS_NONE;
  self->asked->pin_query = to_size (query);
  self->asked->pin_key = to_size (key);
  take_over_look (self);
  g_object_freeze_notify (G_OBJECT (self));
  if (query != query_before)
    notify (self, PROP_PINNED_QUERY);
  if (key != key_before)
    notify (self, PROP_PINNED_KEY);
  notify (self, PROP_VIEW);
  g_object_thaw_notify (G_OBJECT (self));
}

/* ---- how it goes ---- */

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
  notify (self, prop);
}

void
hs_session_set_state (HsSession *self, HsState state, const char *message, const char *detail)
{
  g_return_if_fail (HS_IS_SESSION (self));

  g_object_freeze_notify (G_OBJECT (self));
  replace_string (self, &self->message, message, PROP_MESSAGE);
  replace_string (self, &self->detail, detail, PROP_DETAIL);
  hs_session_set_progress (self, -1);
  if (self->state != state) {
    self->state = state;
    notify (self, PROP_STATE);
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
  notify (self, PROP_PROGRESS);
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
  notify (self, PROP_N_TRUNCATED);
  notify (self, PROP_N_TOKENS);
}

static void
model_changed_cb (HsSession *self)
{
  AttnModel *model = hs_side_peek_model (self->side);
  const AttnConfig *config = model != NULL ? attn_model_peek_config (model) : NULL;

  g_object_freeze_notify (G_OBJECT (self));
  self->n_layers = config != NULL ? (guint)config->n_layers : 0;
  self->n_heads = config != NULL ? (guint)config->n_heads : 0;
  notify (self, PROP_N_LAYERS);
  notify (self, PROP_N_HEADS);
  hs_session_set_layer (self, (guint)self->asked->layer);
  hs_session_set_head (self, (guint)self->asked->head);
  g_object_thaw_notify (G_OBJECT (self));
}

static void
hs_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsSession *self = HS_SESSION (object);

  switch (id) {
  case PROP_SIDE:
    g_value_set_object (value, self->side);
    break;
  case PROP_KIND:
    g_value_set_enum (value, (int)self->asked->kind);
    break;
  case PROP_LAYER:
    g_value_set_uint (value, (guint)self->asked->layer);
    break;
  case PROP_HEAD:
    g_value_set_uint (value, (guint)self->asked->head);
    break;
  case PROP_N_LAYERS:
    g_value_set_uint (value, self->n_layers);
    break;
  case PROP_N_HEADS:
    g_value_set_uint (value, self->n_heads);
    break;
  case PROP_RANGE:
    g_value_set_enum (value, (int)self->asked->range);
    break;
  case PROP_COLOR_MAP:
    g_value_set_enum (value, (int)self->asked->color_map);
    break;
  case PROP_DARK:
    g_value_set_boolean (value, self->dark);
    break;
  case PROP_PANELS:
    g_value_set_boxed (value, self->panels);
    break;
  case PROP_VIEW:
    g_value_set_pointer (value, self->view);
    break;
  case PROP_HOVERED:
    g_value_set_pointer (value, &self->hovered);
    break;
  case PROP_HOVERED_HEAD:
    g_value_set_uint (value, self->hovered.head);
    break;
  case PROP_HOVERED_QUERY:
    g_value_set_uint (value, self->hovered.query);
    break;
  case PROP_HOVERED_KEY:
    g_value_set_uint (value, self->hovered.key);
    break;
  case PROP_PINNED_QUERY:
    g_value_set_uint (value, self->pinned_query);
    break;
  case PROP_PINNED_KEY:
    g_value_set_uint (value, self->pinned_key);
    break;
  case PROP_STATE:
    g_value_set_enum (value, (int)self->state);
    break;
  case PROP_PROGRESS:
    g_value_set_double (value, self->progress);
    break;
  case PROP_MESSAGE:
    g_value_set_string (value, self->message);
    break;
  case PROP_DETAIL:
    g_value_set_string (value, self->detail);
    break;
  case PROP_N_TRUNCATED:
    g_value_set_uint (value, hs_session_get_n_truncated (self));
    break;
  case PROP_N_TOKENS:
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
  case PROP_KIND:
    hs_session_set_kind (self, (AttnDrawKind)g_value_get_enum (value));
    break;
  case PROP_LAYER:
    hs_session_set_layer (self, g_value_get_uint (value));
    break;
  case PROP_HEAD:
    hs_session_set_head (self, g_value_get_uint (value));
    break;
  case PROP_RANGE:
    hs_session_set_range (self, (AttnDrawRange)g_value_get_enum (value));
    break;
  case PROP_COLOR_MAP:
    hs_session_set_color_map (self, (AttnDrawColorMap)g_value_get_enum (value));
    break;
  case PROP_DARK:
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

  g_clear_pointer (&self->panels, attn_draw_panels_unref);
  attn_draw_view_free (self->asked);
  attn_draw_view_free (self->view);
  g_clear_object (&self->side);
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

  props[PROP_SIDE] = g_param_spec_object ("side", NULL, NULL, HS_TYPE_SIDE, out);
  props[PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, HS_TYPE_KIND, 0, in);
  props[PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[PROP_N_LAYERS] = g_param_spec_uint ("n-layers", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[PROP_N_HEADS] = g_param_spec_uint ("n-heads", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[PROP_RANGE] =
      g_param_spec_enum ("range", NULL, NULL, HS_TYPE_RANGE, ATTN_DRAW_RANGE_AUTO, in);
  props[PROP_COLOR_MAP] = g_param_spec_enum ("color-map", NULL, NULL, HS_TYPE_COLOR_MAP, 0, in);
  props[PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, in);
  props[PROP_PANELS] = g_param_spec_boxed ("panels", NULL, NULL, HS_TYPE_PANELS, out);
  props[PROP_VIEW] = g_param_spec_pointer ("view", NULL, NULL, out);
  props[PROP_HOVERED] = g_param_spec_pointer ("hovered", NULL, NULL, out);
  props[PROP_HOVERED_HEAD] =
      g_param_spec_uint ("hovered-head", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[PROP_HOVERED_QUERY] =
      g_param_spec_uint ("hovered-query", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[PROP_HOVERED_KEY] =
      g_param_spec_uint ("hovered-key", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[PROP_PINNED_QUERY] =
      g_param_spec_uint ("pinned-query", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[PROP_PINNED_KEY] = g_param_spec_uint ("pinned-key", NULL, NULL, 0, G_MAXUINT, HS_NONE, out);
  props[PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, HS_TYPE_STATE, 0, out);
  props[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, -1, out);
  props[PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, out);
  props[PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, out);
  props[PROP_N_TRUNCATED] = g_param_spec_uint ("n-truncated", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[PROP_N_TOKENS] = g_param_spec_uint ("n-tokens", NULL, NULL, 0, G_MAXUINT, 0, out);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

/* The way the window's language writes Han characters, "zh-TW"; "en" where none is set. */
static char *
dup_language (void)
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
  self->asked = attn_draw_view_new ();
  self->asked->palette = ATTN_DRAW_PALETTE_SCREEN;
  g_free (self->asked->language);
  self->asked->language = dup_language ();
  self->view = attn_draw_view_copy (self->asked);
  self->hovered = HS_CELL_NONE;
  self->pinned_query = HS_NONE;
  self->pinned_key = HS_NONE;
  self->progress = -1;
  g_signal_connect_object (self->side, "notify::answer", G_CALLBACK (answer_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->side, "notify::model", G_CALLBACK (model_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
