/* SPDX-License-Identifier: MIT */
/* From a name to a model, from a path to a file's weights; the newest wins. */
#include "hs-side-loader.h"

#include "hs-errors.h"
#include "hs-model-name.h"
#include "hs-told.h"

#include "attn-draw/sentences.h"
#include "attn-hub/store.h"

struct _HsSideLoader {
  GObject parent_instance;

  HsEngine *engine;
  HsSession *session;
  GCancellable *load; /* identity of the load under way; NULL for none */
  char *loading;      /* (nullable): the name it is of */
  char *name;         /* of the model that the side has; "" for side A's */
  bool needed;
  bool restoring; /* nobody chose the name */
};

G_DEFINE_FINAL_TYPE (HsSideLoader, hs_side_loader, G_TYPE_OBJECT)

static HsSide *
peek_side (HsSideLoader *self)
{
  return hs_session_peek_side_b (self->session);
}

static void
end_load (HsSideLoader *self)
{
  if (self->load != NULL)
    g_cancellable_cancel (self->load);
  g_clear_object (&self->load);
  g_clear_pointer (&self->loading, g_free);
  hs_side_set_coming (peek_side (self), NULL, 0);
}

/* What the side has is what it wants. */
static void
forget_wanted (HsSideLoader *self)
{
  HsAttention *attention = hs_side_peek_attention (peek_side (self));

  hs_side_set_wanted (peek_side (self), attention != NULL ? &attention->place : NULL);
}

/* Who hears of the one finds the other changed, too. */
static void
set_model (HsSideLoader *self, const char *name, AttnModel *model)
{
  HsSide *side = peek_side (self);
  g_autofree char *owned = g_strdup (name); /* may be our own name */

  g_free (self->name);
  self->name = g_steal_pointer (&owned);
  g_object_freeze_notify (G_OBJECT (side));
  end_load (self);
  hs_side_set_trouble (side, NULL);
  hs_side_set_name (side, self->name);
  hs_side_set_model (side, model);
  hs_side_set_attention (side, NULL);
  forget_wanted (self);
  g_object_thaw_notify (G_OBJECT (side));
}

typedef struct {
  HsSideLoader *self; /* referenced */
  GCancellable *identity;
} Load;

static void
load_free (Load *load)
{
  g_object_unref (load->self);
  g_object_unref (load->identity);
  g_free (load);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Load, load_free)

static void
progress_cb (double fraction, gpointer data)
{
  Load *load = data;
  HsSide *side;

  if (load->identity != load->self->load)
    return;
  side = peek_side (load->self);
  hs_side_set_coming (side, hs_side_peek_coming (side), CLAMP (fraction, 0, 1));
}

/* The side has what it had. */
static void
restore (HsSideLoader *self)
{
  end_load (self);
  forget_wanted (self);
  self->restoring = true;
  hs_side_set_name (peek_side (self), self->name);
  self->restoring = false;
}

static void
fail (HsSideLoader *self, const char *sentence)
{
  g_autofree char *missed = g_strdup (self->loading); /* nullable: a file has no name */

  restore (self);
  hs_side_set_missed (peek_side (self), missed);
  hs_side_set_trouble (peek_side (self), sentence);
}

static void
loaded_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Load) load = data;
  g_autoptr (HsAnswer) none = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnModel) model = hs_engine_load_finish (HS_ENGINE (source), result, &none, &error);
  HsSideLoader *self = load->self;
  g_autofree char *name = NULL;

  if (load->identity != self->load)
    return; /* another model was asked for, or the load was stopped */
  if (model == NULL) {
    g_autofree char *told = hs_told_dup (error->message);
    g_autoptr (GString) failure = g_string_new (hs_error_peek_sentence (error));

    attn_draw_add_sentence (failure, told);
    fail (self, failure->str);
    return;
  }
  name = g_strdup (self->loading);
  set_model (self, name, model);
}

/* Tells what is coming from this path. */
static Load *
begin_load (HsSideLoader *self, const char *path)
{
  Load *load = g_new (Load, 1);
  g_autofree char *shown = hs_model_name_dup (path);

  end_load (self);
  self->load = g_cancellable_new ();
  *load = (Load){g_object_ref (self), g_object_ref (self->load)};
  hs_side_set_trouble (peek_side (self), NULL);
  hs_side_set_coming (peek_side (self), shown, 0);
  return load;
}

static void
attention_read_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (Load) load = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAttention) attention = hs_attention_load_finish (result, &error);
  HsSideLoader *self = load->self;

  if (load->identity != self->load)
    return;
  if (attention == NULL) {
    g_autofree char *told = hs_told_dup (error->message);

    fail (self, told);
    return;
  }
  end_load (self);
  hs_side_set_attention (peek_side (self), attention);
  forget_wanted (self);
}

void
hs_side_loader_open_attention (HsSideLoader *self, const HsAttentionWish *wish)
{
  Load *load;

  g_return_if_fail (HS_IS_SIDE_LOADER (self));

  load = begin_load (self, wish->place.path);
  hs_side_set_wanted (peek_side (self), &wish->place);
  hs_attention_load_async (wish, self->load, progress_cb, load, attention_read_cb, load);
}

void
hs_side_loader_show_attention (HsSideLoader *self, HsAttention *attention)
{
  HsSide *side;

  g_return_if_fail (HS_IS_SIDE_LOADER (self));

  side = peek_side (self);
  g_object_freeze_notify (G_OBJECT (side));
  set_model (self, "", NULL);
  hs_side_set_attention (side, attention);
  forget_wanted (self);
  self->restoring = true; /* the name was not chosen in its place */
  g_object_thaw_notify (G_OBJECT (side));
  self->restoring = false;
}

static void
start_load (HsSideLoader *self, const char *name)
{
  Load *load = begin_load (self, name);

  self->loading = g_strdup (name);
  hs_engine_load_async (self->engine, name, NULL, self->load, progress_cb, load, loaded_cb, load);
}

/* Returns: (nullable): side A's model, where @name means the same one. */
static AttnModel *
find_same (HsSideLoader *self, const char *name)
{
  AttnModel *model = hs_side_peek_model (hs_session_peek_side (self->session));
  g_autofree char *folder = model != NULL ? attn_hub_find_model (name, NULL) : NULL;
  g_autofree char *absolute = folder != NULL ? g_canonicalize_filename (folder, NULL) : NULL;

  return absolute != NULL && g_strcmp0 (attn_model_peek_folder (model), absolute) == 0 ? model
                                                                                       : NULL;
}

static void
follow_name (HsSideLoader *self)
{
  const char *name = hs_side_peek_name (peek_side (self));
  AttnModel *same;

  if (g_str_equal (name, self->name)) {
    if (hs_side_peek_wanted (peek_side (self))->path == NULL)
      end_load (self);
    return;
  }
  if (*name == '\0') {
    set_model (self, name, NULL);
    return;
  }
  if (!self->needed || g_strcmp0 (self->loading, name) == 0)
    return;
  same = find_same (self, name);
  if (same != NULL)
    set_model (self, name, same);
  else
    start_load (self, name);
}

/* What was said of an earlier name is over, and a model takes the place of a file, even the one
 * that was there before. */
static void
name_changed_cb (HsSideLoader *self)
{
  HsSide *side = peek_side (self);

  hs_side_set_trouble (side, NULL);
  if (!self->restoring && hs_side_peek_wanted (side)->path != NULL &&
      g_str_equal (hs_side_peek_name (side), self->name))
    set_model (self, self->name, hs_side_peek_model (side));
  else
    follow_name (self);
}

void
hs_side_loader_need (HsSideLoader *self)
{
  g_return_if_fail (HS_IS_SIDE_LOADER (self));

  self->needed = true;
  follow_name (self);
}

void
hs_side_loader_leave (HsSideLoader *self)
{
  g_return_if_fail (HS_IS_SIDE_LOADER (self));
  self->needed = false;
}

void
hs_side_loader_stop (HsSideLoader *self)
{
  g_return_if_fail (HS_IS_SIDE_LOADER (self));
  restore (self);
}

void
hs_side_loader_use (HsSideLoader *self, const char *name, AttnModel *model)
{
  g_return_if_fail (HS_IS_SIDE_LOADER (self));
  g_return_if_fail ((*name == '\0') == (model == NULL));
  set_model (self, name, model);
}

HsSideLoader *
hs_side_loader_new (HsEngine *engine, HsSession *session)
{
  HsSideLoader *self = g_object_new (HS_TYPE_SIDE_LOADER, NULL);

  self->engine = g_object_ref (engine);
  self->session = g_object_ref (session);
  g_signal_connect_object (peek_side (self), "notify::name", G_CALLBACK (name_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
hs_side_loader_dispose (GObject *object)
{
  HsSideLoader *self = HS_SIDE_LOADER (object);

  if (self->load != NULL)
    g_cancellable_cancel (self->load);
  g_clear_object (&self->load);
  g_clear_pointer (&self->loading, g_free);
  g_clear_object (&self->session);
  g_clear_object (&self->engine);
  G_OBJECT_CLASS (hs_side_loader_parent_class)->dispose (object);
}

static void
hs_side_loader_finalize (GObject *object)
{
  g_free (HS_SIDE_LOADER (object)->name);
  G_OBJECT_CLASS (hs_side_loader_parent_class)->finalize (object);
}

static void
hs_side_loader_class_init (HsSideLoaderClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_side_loader_dispose;
  G_OBJECT_CLASS (klass)->finalize = hs_side_loader_finalize;
}

static void
hs_side_loader_init (HsSideLoader *self)
{
  self->name = g_strdup ("");
}
