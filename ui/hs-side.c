/* SPDX-License-Identifier: MIT */
/* A model, a text or a file's weights, and the newest answer. */
#include "hs-side.h"

#include "hs-text-limit.h"

#include <string.h>

struct _HsSide {
  GObject parent_instance;

  AttnModel *model;
  HsAttention *attention; /* nullable */
  HsAttentionPlace wanted;
  char *text;
  char *pair;
  bool is_text_cut, is_pair_cut;
  HsAnswer *answer;
  char *name;
  char *coming;  /* nullable */
  char *trouble; /* nullable */
  char *missed;  /* nullable */
  double progress;
};

G_DEFINE_FINAL_TYPE (HsSide, hs_side, G_TYPE_OBJECT)

enum {
  PROP_0,
  PROP_MODEL,
  PROP_ATTENTION,
  PROP_WANTED,
  PROP_TEXT,
  PROP_PAIR,
  PROP_IS_CUT,
  PROP_ANSWER,
  PROP_NAME,
  PROP_COMING,
  PROP_PROGRESS,
  PROP_TROUBLE,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

HsSide *
hs_side_new (void)
{
  return g_object_new (HS_TYPE_SIDE, NULL);
}

AttnModel *
hs_side_peek_model (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->model;
}

void
hs_side_set_model (HsSide *self, AttnModel *model)
{
  g_return_if_fail (HS_IS_SIDE (self));

  if (self->model == model)
    return;
  g_clear_pointer (&self->model, attn_model_unref);
  if (model != NULL)
    self->model = attn_model_ref (model);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_MODEL]);
}

HsAttention *
hs_side_peek_attention (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->attention;
}

void
hs_side_set_attention (HsSide *self, HsAttention *attention)
{
  g_return_if_fail (HS_IS_SIDE (self));

  if (self->attention == attention)
    return;
  g_clear_pointer (&self->attention, hs_attention_unref);
  if (attention != NULL)
    self->attention = hs_attention_ref (attention);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ATTENTION]);
}

const HsAttentionPlace *
hs_side_peek_wanted (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return &self->wanted;
}

void
hs_side_set_wanted (HsSide *self, const HsAttentionPlace *place)
{
  g_return_if_fail (HS_IS_SIDE (self));

  if (place == NULL && self->wanted.path == NULL)
    return;
  hs_attention_place_set (&self->wanted, place);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_WANTED]);
}

void
hs_side_get_size (HsSide *self, guint *n_layers, guint *n_heads)
{
  const AttnConfig *config;

  g_return_if_fail (HS_IS_SIDE (self));

  config = self->model != NULL ? attn_model_peek_config (self->model) : NULL;
  *n_layers = config != NULL ? (guint)config->n_layers : 0;
  *n_heads = config != NULL ? (guint)config->n_heads : 0;
  if (self->attention == NULL)
    return;
  *n_layers = (guint)attn_maps_get_n_layers (self->attention->maps);
  *n_heads = (guint)attn_maps_get_n_heads (self->attention->maps);
}

size_t
hs_side_get_n_warnings (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), 0);

  if (self->attention != NULL)
    return g_strv_length (self->attention->warnings);
  return self->model != NULL ? attn_model_get_n_warnings (self->model) : 0;
}

const char *
hs_side_peek_warning (HsSide *self, size_t index)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  g_return_val_if_fail (index < hs_side_get_n_warnings (self), NULL);

  return self->attention != NULL ? self->attention->warnings[index]
                                 : attn_model_peek_warning (self->model, index);
}

static void
replace_string (HsSide *self, char **field, const char *value, guint prop)
{
  if (g_strcmp0 (*field, value) == 0)
    return;
  g_free (*field);
  *field = g_strdup (value);
  g_object_notify_by_pspec (G_OBJECT (self), props[prop]);
}

static void
set_cut (HsSide *self, bool *field, bool is_cut)
{
  const bool was_cut = hs_side_get_is_cut (self);

  *field = is_cut;
  if (hs_side_get_is_cut (self) != was_cut)
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_CUT]);
}

static void
replace_text (HsSide *self, char **field, bool *is_cut, const char *text, guint prop)
{
  const size_t n_bytes = text != NULL ? strlen (text) : 0;
  const size_t n_kept = hs_text_count_fitting (text, n_bytes, (HsTextPlace){0, 0});
  g_autofree char *kept = text != NULL ? g_strndup (text, n_kept) : NULL;

  replace_string (self, field, kept, prop);
  set_cut (self, is_cut, n_kept < n_bytes);
}

bool
hs_side_get_is_cut (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), false);
  return self->is_text_cut || self->is_pair_cut;
}

void
hs_side_note_cut (HsSide *self, bool is_pair)
{
  g_return_if_fail (HS_IS_SIDE (self));

  set_cut (self, is_pair ? &self->is_pair_cut : &self->is_text_cut, true);
}

const char *
hs_side_peek_text (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), "");
  return self->text;
}

void
hs_side_set_text (HsSide *self, const char *text)
{
  g_return_if_fail (HS_IS_SIDE (self));

  replace_text (self, &self->text, &self->is_text_cut, text != NULL ? text : "", PROP_TEXT);
}

const char *
hs_side_peek_pair (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->pair;
}

void
hs_side_set_pair (HsSide *self, const char *pair)
{
  g_return_if_fail (HS_IS_SIDE (self));

  replace_text (self, &self->pair, &self->is_pair_cut, pair, PROP_PAIR);
}

HsAnswer *
hs_side_peek_answer (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->answer;
}

void
hs_side_set_answer (HsSide *self, HsAnswer *answer)
{
  g_return_if_fail (HS_IS_SIDE (self));

  if (self->answer == answer)
    return;
  g_clear_pointer (&self->answer, hs_answer_unref);
  if (answer != NULL)
    self->answer = hs_answer_ref (answer);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_ANSWER]);
}

const char *
hs_side_peek_name (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), "");
  return self->name;
}

void
hs_side_set_name (HsSide *self, const char *name)
{
  g_return_if_fail (HS_IS_SIDE (self));

  g_clear_pointer (&self->missed, g_free);
  if (self->wanted.path != NULL && g_str_equal (self->name, name != NULL ? name : ""))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_NAME]);
  replace_string (self, &self->name, name != NULL ? name : "", PROP_NAME);
}

const char *
hs_side_peek_missed (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->missed;
}

void
hs_side_set_missed (HsSide *self, const char *name)
{
  char *owned;

  g_return_if_fail (HS_IS_SIDE (self));
  owned = g_strdup (name); /* may be our own */
  g_free (self->missed);
  self->missed = owned;
}

void
hs_side_set_texts (HsSide *self, const char *text, const char *pair)
{
  g_return_if_fail (HS_IS_SIDE (self));

  g_object_freeze_notify (G_OBJECT (self));
  hs_side_set_text (self, text);
  hs_side_set_pair (self, pair);
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
hs_side_peek_coming (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->coming;
}

double
hs_side_get_progress (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), 0);
  return self->progress;
}

void
hs_side_set_coming (HsSide *self, const char *coming, double progress)
{
  g_return_if_fail (HS_IS_SIDE (self));

  g_object_freeze_notify (G_OBJECT (self));
  replace_string (self, &self->coming, coming, PROP_COMING);
  if (self->progress != progress) {
    self->progress = progress;
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_PROGRESS]);
  }
  g_object_thaw_notify (G_OBJECT (self));
}

const char *
hs_side_peek_trouble (HsSide *self)
{
  g_return_val_if_fail (HS_IS_SIDE (self), NULL);
  return self->trouble;
}

void
hs_side_set_trouble (HsSide *self, const char *trouble)
{
  g_return_if_fail (HS_IS_SIDE (self));

  replace_string (self, &self->trouble, trouble, PROP_TROUBLE);
}

static void
hs_side_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsSide *self = HS_SIDE (object);

  switch (id) {
  case PROP_MODEL:
    g_value_set_boxed (value, self->model);
    break;
  case PROP_ATTENTION:
    g_value_set_boxed (value, self->attention);
    break;
  case PROP_WANTED:
    g_value_set_pointer (value, &self->wanted);
    break;
  case PROP_TEXT:
    g_value_set_string (value, self->text);
    break;
  case PROP_PAIR:
    g_value_set_string (value, self->pair);
    break;
  case PROP_IS_CUT:
    g_value_set_boolean (value, hs_side_get_is_cut (self));
    break;
  case PROP_ANSWER:
    g_value_set_boxed (value, self->answer);
    break;
  case PROP_NAME:
    g_value_set_string (value, self->name);
    break;
  case PROP_COMING:
    g_value_set_string (value, self->coming);
    break;
  case PROP_PROGRESS:
    g_value_set_double (value, self->progress);
    break;
  case PROP_TROUBLE:
    g_value_set_string (value, self->trouble);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_side_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsSide *self = HS_SIDE (object);

  switch (id) {
  case PROP_MODEL:
    hs_side_set_model (self, g_value_get_boxed (value));
    break;
  case PROP_ATTENTION:
    hs_side_set_attention (self, g_value_get_boxed (value));
    break;
  case PROP_TEXT:
    hs_side_set_text (self, g_value_get_string (value));
    break;
  case PROP_PAIR:
    hs_side_set_pair (self, g_value_get_string (value));
    break;
  case PROP_ANSWER:
    hs_side_set_answer (self, g_value_get_boxed (value));
    break;
  case PROP_NAME:
    hs_side_set_name (self, g_value_get_string (value));
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_side_finalize (GObject *object)
{
  HsSide *self = HS_SIDE (object);

  g_clear_pointer (&self->answer, hs_answer_unref);
  g_clear_pointer (&self->model, attn_model_unref);
  g_clear_pointer (&self->attention, hs_attention_unref);
  hs_attention_place_clear (&self->wanted);
  g_free (self->text);
  g_free (self->pair);
  g_free (self->name);
  g_free (self->coming);
  g_free (self->trouble);
  g_free (self->missed);
  G_OBJECT_CLASS (hs_side_parent_class)->finalize (object);
}

static void
hs_side_class_init (HsSideClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  const GParamFlags told = flags & ~G_PARAM_WRITABLE;

  object_class->get_property = hs_side_get_property;
  object_class->set_property = hs_side_set_property;
  object_class->finalize = hs_side_finalize;

  props[PROP_MODEL] = g_param_spec_boxed ("model", NULL, NULL, HS_TYPE_MODEL, flags);
  props[PROP_ATTENTION] = g_param_spec_boxed ("attention", NULL, NULL, HS_TYPE_ATTENTION, flags);
  props[PROP_WANTED] = g_param_spec_pointer ("wanted", NULL, NULL, told);
  props[PROP_TEXT] = g_param_spec_string ("text", NULL, NULL, "", flags);
  props[PROP_PAIR] = g_param_spec_string ("pair", NULL, NULL, NULL, flags);
  props[PROP_IS_CUT] = g_param_spec_boolean ("is-cut", NULL, NULL, FALSE, told);
  props[PROP_ANSWER] = g_param_spec_boxed ("answer", NULL, NULL, HS_TYPE_ANSWER, flags);
  props[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, "", flags);
  props[PROP_COMING] = g_param_spec_string ("coming", NULL, NULL, NULL, told);
  props[PROP_PROGRESS] = g_param_spec_double ("progress", NULL, NULL, 0, 1, 0, told);
  props[PROP_TROUBLE] = g_param_spec_string ("trouble", NULL, NULL, NULL, told);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_side_init (HsSide *self)
{
  self->text = g_strdup ("");
  self->name = g_strdup ("");
}
