/* SPDX-License-Identifier: MIT */
/* B's model by its name, for it may not be loaded yet, and B's texts; or B's file. */
#include "hs-kept-side.h"

#include "attn-hub/store.h"

#include <string.h>

struct _HsKeptSide {
  AttnModel *model; /* nullable: A's, or one that is not loaded */
  char *name;       /* nullable: of B's model; NULL for A's */
  char *text;
  char *pair;            /* nullable */
  HsAttentionPlace file; /* without a path: none; else it stands for all of the above … */
  AttnArrays *arrays;    /* … (nullable): once it is read */
};

/* The shipped model by its short name, so that it is found on another machine too. */
char *
hs_kept_side_dup_name (AttnModel *model)
{
  const char *folder = attn_model_peek_folder (model);
  return g_strdup (attn_hub_is_shipped (folder) ? "demo" : folder);
}

static HsKeptSide *
new_of_file (HsSide *side)
{
  HsAttention *attention = hs_side_peek_attention (side);
  HsKeptSide *self = g_atomic_rc_box_new0 (HsKeptSide);
  self->text = g_strdup ("");
  hs_attention_place_set (&self->file, hs_side_peek_wanted (side));
  if (attention != NULL && attention->arrays != NULL &&
      g_strcmp0 (attention->place.path, self->file.path) == 0)
    self->arrays = attn_arrays_ref (attention->arrays);
  return self;
}

HsKeptSide *
hs_kept_side_new (HsSession *session)
{
  if (hs_side_peek_wanted (hs_session_peek_side_b (session))->path != NULL)
    return new_of_file (hs_session_peek_side_b (session));
  HsSide *a = hs_session_peek_side (session), *b = hs_session_peek_side_b (session);
  AttnModel *model = hs_side_peek_model (b);
  const char *name = hs_side_peek_name (b), *text = hs_side_peek_text (b);
  bool has_texts = strcmp (text, hs_side_peek_text (a)) != 0 ||
                   g_strcmp0 (hs_side_peek_pair (b), hs_side_peek_pair (a)) != 0;
  if (*text == '\0' || (*name == '\0' && !has_texts))
    return NULL;
  HsKeptSide *self = g_atomic_rc_box_new0 (HsKeptSide);
  self->text = g_strdup (text);
  self->pair = g_strdup (hs_side_peek_pair (b));
  if (*name == '\0')
    return self;
  self->model = model != NULL ? attn_model_ref (model) : NULL;
  self->name = model != NULL ? hs_kept_side_dup_name (model) : g_strdup (name);
  return self;
}

HsKeptSide *
hs_kept_side_ref (HsKeptSide *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  HsKeptSide *self = data;
  g_clear_pointer (&self->model, attn_model_unref);
  g_free (self->name);
  g_free (self->text);
  g_free (self->pair);
  hs_attention_place_clear (&self->file);
  g_clear_pointer (&self->arrays, attn_arrays_unref);
}

void
hs_kept_side_unref (HsKeptSide *self)
{
  if (self != NULL)
    g_atomic_rc_box_release_full (self, clear);
}

static void
replace (char **field, const char *value)
{
  g_free (*field);
  *field = g_strdup (value);
}

static void
put_file (const HsKeptSide *self, AttnDrawSessionSide *side)
{
  replace (&side->attention, self->file.path);
  replace (&side->array, self->file.array);
  replace (&side->tokens, self->file.tokens);
  if (self->arrays != NULL)
    replace (&side->weights_sha256, attn_arrays_compute_sha256 (self->arrays, NULL, NULL, NULL));
}

void
hs_kept_side_put (const HsKeptSide *self, AttnDrawSessionSide *side)
{
  replace (&side->model, self->name);
  replace (&side->text, self->text);
  replace (&side->pair, self->pair);
  if (self->file.path != NULL)
    put_file (self, side);
  if (self->model == NULL)
    return;
  replace (&side->model_name, attn_hub_peek_model_name (self->model));
  replace (&side->weights_sha256, attn_model_compute_sha256 (self->model, NULL, NULL, NULL));
}
