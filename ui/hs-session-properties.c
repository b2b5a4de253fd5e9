/* SPDX-License-Identifier: MIT */
/* The session's state as properties, which its views bind to and watch. */
#include "hs-session-private.h"

static GParamSpec *props[HS_SESSION_N_PROPS];

void
hs_session_notify (HsSession *self, HsSessionProp prop)
{
  g_object_notify_by_pspec (G_OBJECT (self), props[prop]);
}

/* ---- reading: each function answers whether the property is one of its own ---- */

static bool
get_asked (HsSession *self, guint id, GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_KIND:
    g_value_set_enum (value, (int)self->asked->kind);
    return true;
  case HS_SESSION_PROP_LAYER:
    g_value_set_uint (value, (guint)self->asked->layer);
    return true;
  case HS_SESSION_PROP_HEAD:
    g_value_set_uint (value, (guint)self->asked->head);
    return true;
  case HS_SESSION_PROP_LAYER_B:
    g_value_set_uint (value, (guint)self->asked->layer_b);
    return true;
  case HS_SESSION_PROP_HEAD_B:
    g_value_set_uint (value, (guint)self->asked->head_b);
    return true;
  case HS_SESSION_PROP_RANGE:
    g_value_set_enum (value, (int)self->asked->range);
    return true;
  case HS_SESSION_PROP_RANGE_MAX:
    g_value_set_double (value, self->asked->range_max);
    return true;
  case HS_SESSION_PROP_ARRANGEMENT:
    g_value_set_pointer (value, &self->asked->arrangement);
    return true;
  case HS_SESSION_PROP_WORDS:
    g_value_set_pointer (value, self->asked->words);
    return true;
  case HS_SESSION_PROP_LENS:
    g_value_set_uint (value, (guint)self->asked->lens);
    return true;
  case HS_SESSION_PROP_SCALE:
    g_value_set_enum (value, (int)self->asked->scale);
    return true;
  case HS_SESSION_PROP_CROP:
    g_value_set_pointer (value, &self->asked->crop);
    return true;
  case HS_SESSION_PROP_SHOWS_VALUES:
    g_value_set_boolean (value, !self->asked->hides_values);
    return true;
  case HS_SESSION_PROP_MAGNIFICATION:
    g_value_set_double (value, self->magnification);
    return true;
  case HS_SESSION_PROP_COLOR_MAP:
    g_value_set_enum (value, (int)self->asked->color_map);
    return true;
  case HS_SESSION_PROP_DARK:
    g_value_set_boolean (value, self->dark);
    return true;
  default:
    return false;
  }
}

static bool
get_lab (HsSession *self, guint id, GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_IN_LAB:
    g_value_set_boolean (value, self->in_lab);
    return true;
  case HS_SESSION_PROP_LAB_PAGE:
    g_value_set_enum (value, (int)self->lab_page);
    return true;
  case HS_SESSION_PROP_LAB_STEP:
  case HS_SESSION_PROP_LAB_ROW:
  case HS_SESSION_PROP_LAB_COLUMN:
  case HS_SESSION_PROP_LAB_PAIR:
  case HS_SESSION_PROP_LAB_HEAD_A:
  case HS_SESSION_PROP_LAB_HEAD_B:
  case HS_SESSION_PROP_LAB_CODE:
    g_value_set_uint (value, hs_session_get_lab_number (self, (HsSessionProp)id));
    return true;
  case HS_SESSION_PROP_ABLATION:
    g_value_set_pointer (value, &self->ablation);
    return true;
  case HS_SESSION_PROP_ATLAS:
    g_value_set_pointer (value, &self->atlas);
    return true;
  case HS_SESSION_PROP_HEAD_CHOSEN:
    g_value_set_boolean (value, self->head_chosen);
    return true;
  default:
    return false;
  }
}

static bool
get_shown (HsSession *self, guint id, GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_PANELS:
    g_value_set_boxed (value, self->panels);
    return true;
  case HS_SESSION_PROP_VIEW:
    g_value_set_pointer (value, self->view);
    return true;
  case HS_SESSION_PROP_HEADS:
    g_value_set_boxed (value, self->heads);
    return true;
  case HS_SESSION_PROP_WANTS_HEADS:
    g_value_set_boolean (value, self->wants_heads);
    return true;
  case HS_SESSION_PROP_CHANGES:
    g_value_set_boxed (value, self->changes);
    return true;
  default:
    return false;
  }
}

static bool
get_pointed (HsSession *self, guint id, GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_HOVERED:
    g_value_set_pointer (value, &self->hovered);
    return true;
  case HS_SESSION_PROP_HOVERED_LAYER:
    g_value_set_uint (value, self->hovered.layer);
    return true;
  case HS_SESSION_PROP_HOVERED_HEAD:
    g_value_set_uint (value, self->hovered.head);
    return true;
  case HS_SESSION_PROP_HOVERED_QUERY:
    g_value_set_uint (value, self->hovered.query);
    return true;
  case HS_SESSION_PROP_HOVERED_KEY:
    g_value_set_uint (value, self->hovered.key);
    return true;
  case HS_SESSION_PROP_PINNED_QUERY:
    g_value_set_uint (value, self->pinned_query);
    return true;
  case HS_SESSION_PROP_PINNED_KEY:
    g_value_set_uint (value, self->pinned_key);
    return true;
  case HS_SESSION_PROP_FIND:
    g_value_set_string (value, self->find);
    return true;
  case HS_SESSION_PROP_N_FOUND:
    g_value_set_uint (value, self->matches->len);
    return true;
  case HS_SESSION_PROP_FOUND:
    g_value_set_uint (value, self->found);
    return true;
  default:
    return false;
  }
}

static bool
get_state (HsSession *self, guint id, GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_SIDE:
    g_value_set_object (value, self->side);
    return true;
  case HS_SESSION_PROP_N_LAYERS:
    g_value_set_uint (value, self->n_layers);
    return true;
  case HS_SESSION_PROP_N_HEADS:
    g_value_set_uint (value, self->n_heads);
    return true;
  case HS_SESSION_PROP_N_LAYERS_B:
    g_value_set_uint (value, self->n_layers_b);
    return true;
  case HS_SESSION_PROP_N_HEADS_B:
    g_value_set_uint (value, self->n_heads_b);
    return true;
  case HS_SESSION_PROP_STATE:
    g_value_set_enum (value, (int)self->state);
    return true;
  case HS_SESSION_PROP_PROGRESS:
    g_value_set_double (value, self->progress);
    return true;
  case HS_SESSION_PROP_MESSAGE:
    g_value_set_string (value, self->message);
    return true;
  case HS_SESSION_PROP_DETAIL:
    g_value_set_string (value, self->detail);
    return true;
  case HS_SESSION_PROP_N_TRUNCATED:
    g_value_set_uint (value, hs_session_get_n_truncated (self));
    return true;
  case HS_SESSION_PROP_N_TOKENS:
    g_value_set_uint (value, hs_session_get_n_tokens (self));
    return true;
  default:
    return false;
  }
}

void
hs_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsSession *self = HS_SESSION (object);

  if (!get_asked (self, id, value) && !get_lab (self, id, value) && !get_shown (self, id, value) &&
      !get_pointed (self, id, value) && !get_state (self, id, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static bool
set_lab (HsSession *self, guint id, const GValue *value)
{
  switch (id) {
  case HS_SESSION_PROP_IN_LAB:
    hs_session_set_in_lab (self, g_value_get_boolean (value));
    return true;
  case HS_SESSION_PROP_LAB_PAGE:
    hs_session_set_lab_page (self, (AttnDrawLabPage)g_value_get_enum (value));
    return true;
  case HS_SESSION_PROP_LAB_STEP:
  case HS_SESSION_PROP_LAB_ROW:
  case HS_SESSION_PROP_LAB_COLUMN:
  case HS_SESSION_PROP_LAB_PAIR:
  case HS_SESSION_PROP_LAB_HEAD_A:
  case HS_SESSION_PROP_LAB_HEAD_B:
  case HS_SESSION_PROP_LAB_CODE:
    hs_session_set_lab_number (self, (HsSessionProp)id, g_value_get_uint (value));
    return true;
  case HS_SESSION_PROP_HEAD_CHOSEN:
    hs_session_set_head_chosen (self, g_value_get_boolean (value));
    return true;
  default:
    return false;
  }
}

void
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
  case HS_SESSION_PROP_LENS:
    hs_session_set_lens (self, (AttnLens)g_value_get_uint (value));
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
    if (!set_lab (self, id, value))
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static const GParamFlags out = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
static const GParamFlags in = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

static void
make_asked (void)
{
  props[HS_SESSION_PROP_KIND] = g_param_spec_enum ("kind", NULL, NULL, HS_TYPE_KIND, 0, in);
  props[HS_SESSION_PROP_LAYER] = g_param_spec_uint ("layer", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_HEAD] = g_param_spec_uint ("head", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_LAYER_B] = g_param_spec_uint ("layer-b", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_HEAD_B] = g_param_spec_uint ("head-b", NULL, NULL, 0, G_MAXUINT, 0, in);
  props[HS_SESSION_PROP_RANGE] =
      g_param_spec_enum ("range", NULL, NULL, HS_TYPE_RANGE, ATTN_DRAW_RANGE_AUTO, in);
  props[HS_SESSION_PROP_RANGE_MAX] =
      g_param_spec_double ("range-max", NULL, NULL, G_MINDOUBLE, G_MAXDOUBLE, 1, in);
  props[HS_SESSION_PROP_ARRANGEMENT] = g_param_spec_pointer ("arrangement", NULL, NULL, out);
  props[HS_SESSION_PROP_WORDS] = g_param_spec_pointer ("words", NULL, NULL, out);
  props[HS_SESSION_PROP_LENS] =
      g_param_spec_uint ("lens", NULL, NULL, 0, ATTN_N_LENSES - 1, ATTN_LENS_RAW, in);
  props[HS_SESSION_PROP_SCALE] = g_param_spec_enum ("scale", NULL, NULL, HS_TYPE_SCALE, 0, in);
  props[HS_SESSION_PROP_CROP] = g_param_spec_pointer ("crop", NULL, NULL, out);
  props[HS_SESSION_PROP_SHOWS_VALUES] = g_param_spec_boolean ("shows-values", NULL, NULL, TRUE, in);
  props[HS_SESSION_PROP_MAGNIFICATION] =
      g_param_spec_double ("magnification", NULL, NULL, 1, G_MAXDOUBLE, 1, in);
  props[HS_SESSION_PROP_COLOR_MAP] =
      g_param_spec_enum ("color-map", NULL, NULL, HS_TYPE_COLOR_MAP, 0, in);
  props[HS_SESSION_PROP_DARK] = g_param_spec_boolean ("dark", NULL, NULL, FALSE, in);
}

static void
make_lab (void)
{
  static const struct {
    HsSessionProp prop;
    const char *name;
    guint most, initial;
  } numbers[] = {
      {HS_SESSION_PROP_LAB_STEP, "lab-step", ATTN_N_STEPS - 1, 0},
      {HS_SESSION_PROP_LAB_ROW, "lab-row", G_MAXUINT, HS_NONE},
      {HS_SESSION_PROP_LAB_COLUMN, "lab-column", G_MAXUINT, HS_NONE},
      {HS_SESSION_PROP_LAB_PAIR, "lab-pair", ATTN_DRAW_LAB_CHOSEN, 0},
      {HS_SESSION_PROP_LAB_HEAD_A, "lab-head-a", G_MAXUINT, 0},
      {HS_SESSION_PROP_LAB_HEAD_B, "lab-head-b", G_MAXUINT, 0},
      {HS_SESSION_PROP_LAB_CODE, "lab-code", ATTN_N_CODES - 1, 0},
  };

  props[HS_SESSION_PROP_IN_LAB] = g_param_spec_boolean ("in-lab", NULL, NULL, FALSE, in);
  props[HS_SESSION_PROP_LAB_PAGE] =
      g_param_spec_enum ("lab-page", NULL, NULL, HS_TYPE_LAB_PAGE, 0, in);
  for (size_t i = 0; i < G_N_ELEMENTS (numbers); i++)
    props[numbers[i].prop] =
        g_param_spec_uint (numbers[i].name, NULL, NULL, 0, numbers[i].most, numbers[i].initial, in);
  props[HS_SESSION_PROP_ABLATION] = g_param_spec_pointer ("ablation", NULL, NULL, in);
  props[HS_SESSION_PROP_ATLAS] = g_param_spec_pointer ("atlas", NULL, NULL, in);
  props[HS_SESSION_PROP_HEAD_CHOSEN] = g_param_spec_boolean ("head-chosen", NULL, NULL, FALSE, in);
}

static void
make_shown (void)
{
  props[HS_SESSION_PROP_PANELS] = g_param_spec_boxed ("panels", NULL, NULL, HS_TYPE_PANELS, out);
  props[HS_SESSION_PROP_VIEW] = g_param_spec_pointer ("view", NULL, NULL, out);
  props[HS_SESSION_PROP_HEADS] = g_param_spec_boxed ("heads", NULL, NULL, HS_TYPE_PANELS, out);
  props[HS_SESSION_PROP_WANTS_HEADS] = g_param_spec_boolean ("wants-heads", NULL, NULL, FALSE, in);
  props[HS_SESSION_PROP_CHANGES] = g_param_spec_boxed ("changes", NULL, NULL, HS_TYPE_CHANGES, out);
}

static void
make_pointed (void)
{
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
}

static void
make_state (void)
{
  props[HS_SESSION_PROP_SIDE] = g_param_spec_object ("side", NULL, NULL, HS_TYPE_SIDE, out);
  props[HS_SESSION_PROP_N_LAYERS] =
      g_param_spec_uint ("n-layers", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_HEADS] = g_param_spec_uint ("n-heads", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_LAYERS_B] =
      g_param_spec_uint ("n-layers-b", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_HEADS_B] =
      g_param_spec_uint ("n-heads-b", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_STATE] = g_param_spec_enum ("state", NULL, NULL, HS_TYPE_STATE, 0, out);
  props[HS_SESSION_PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, -1, 1, -1, out);
  props[HS_SESSION_PROP_MESSAGE] = g_param_spec_string ("message", NULL, NULL, NULL, out);
  props[HS_SESSION_PROP_DETAIL] = g_param_spec_string ("detail", NULL, NULL, NULL, out);
  props[HS_SESSION_PROP_N_TRUNCATED] =
      g_param_spec_uint ("n-truncated", NULL, NULL, 0, G_MAXUINT, 0, out);
  props[HS_SESSION_PROP_N_TOKENS] =
      g_param_spec_uint ("n-tokens", NULL, NULL, 0, G_MAXUINT, 0, out);
}

void
hs_session_install_properties (GObjectClass *klass)
{
  make_asked ();
  make_lab ();
  make_shown ();
  make_pointed ();
  make_state ();
  g_object_class_install_properties (klass, HS_SESSION_N_PROPS, props);
}
