/* SPDX-License-Identifier: MIT */
/* Writes a session's state soon after it has changed. */
#include "hs-keeper.h"

#include "hs-state.h"
#include "hs-told.h"
#include "hs-work.h"

#include <glib/gstdio.h>

#include <errno.h>

/* The file, shared by the main thread and the writing one: the newest state wins. */
typedef struct {
  GMutex lock;
  char *path;
  guint64 newest; /* number of the newest write that was tried */
} Target;

typedef struct {
  Target *target; /* referenced */
  guint64 number;
  GBytes *bytes;
} Write;

struct _HsKeeper {
  GObject parent_instance;

  HsSession *session;
  HsUpdater *updater;
  Target *target;
  GBytes *written; /* nullable: what is in the file, or on its way there */
  char *trouble;   /* nullable */
  guint timer;     /* until the next write; 0 when nothing has changed */
  bool writing;    /* a write is under way */
  guint64 n_writes;
  bool forgotten;
};

G_DEFINE_FINAL_TYPE (HsKeeper, hs_keeper, G_TYPE_OBJECT)

enum { PROP_0, PROP_TROUBLE, N_PROPS };

static GParamSpec *props[N_PROPS];

static void
target_clear (gpointer data)
{
  Target *target = data;

  g_mutex_clear (&target->lock);
  g_free (target->path);
}

static void
write_free (gpointer data)
{
  Write *write = data;

  g_atomic_rc_box_release_full (write->target, target_clear);
  g_bytes_unref (write->bytes);
  g_free (write);
}

/* Through a temporary file in the same folder: one cut short by a full disk never replaces. */
static bool
write_file (const Write *write, GError **error)
{
  Target *target = write->target;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&target->lock);
  gsize length;
  const char *data = g_bytes_get_data (write->bytes, &length);

  if (write->number < target->newest)
    return true;
  target->newest = write->number;
  return g_file_set_contents_full (target->path, data, (gssize)length,
                                   G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
}

/* Returns: (transfer full): what is in the file now. */
static gpointer
write_in_thread (gpointer data, HsReport *report G_GNUC_UNUSED, GError **error)
{
  const Write *write = data;

  return write_file (write, error) ? g_bytes_ref (write->bytes) : NULL;
}

static void
unref_bytes (gpointer bytes)
{
  g_bytes_unref (bytes);
}

/* A failed write is tried again with the next change. */
static void
set_outcome (HsKeeper *self, const GError *error)
{
  g_autofree char *trouble = error != NULL ? hs_told_dup (error->message) : NULL;

  if (error != NULL)
    g_clear_pointer (&self->written, g_bytes_unref);
  if (g_strcmp0 (self->trouble, trouble) == 0)
    return;
  g_free (self->trouble);
  self->trouble = g_steal_pointer (&trouble);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TROUBLE]);
}

static void
written_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsKeeper) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) written = hs_work_finish (result, &error);

  self->writing = false;
  set_outcome (self, error);
}

/* Returns: (nullable) (transfer full): what to write now, if it is not written yet. */
static Write *
prepare (HsKeeper *self)
{
  g_autoptr (GBytes) bytes = NULL;
  Write *write;

  if (self->forgotten)
    return NULL;
  bytes = hs_state_dup (self->session, hs_updater_peek_name (self->updater));
  if (self->written != NULL && g_bytes_equal (bytes, self->written))
    return NULL;
  g_clear_pointer (&self->written, g_bytes_unref);
  self->written = g_bytes_ref (bytes);
  write = g_new0 (Write, 1);
  write->target = g_atomic_rc_box_acquire (self->target);
  write->number = ++self->n_writes;
  write->bytes = g_steal_pointer (&bytes);
  return write;
}

static gboolean
write_cb (gpointer data)
{
  static const HsWorkClass klass = {write_in_thread, write_free, unref_bytes, .writes = true};
  HsKeeper *self = data;
  Write *write;

  if (self->writing)
    return G_SOURCE_CONTINUE; /* a slow disk: one write at a time */
  self->timer = 0;
  write = prepare (self);
  if (write == NULL)
    return G_SOURCE_REMOVE;
  self->writing = true;
  hs_work_start (&klass, write, NULL, NULL, NULL, written_cb, g_object_ref (self));
  return G_SOURCE_REMOVE;
}

static void
changed_cb (HsKeeper *self)
{
  if (self->timer == 0 && !self->forgotten)
    self->timer = g_timeout_add (HS_KEEPER_DELAY_MS, write_cb, self);
}

static void
view_changed_cb (HsKeeper *self, GParamSpec *pspec)
{
  if (hs_state_has (pspec))
    changed_cb (self);
}

HsKeeper *
hs_keeper_new (HsSession *session, HsUpdater *updater, const char *path)
{
  static const char *const questions[] = {"notify::text", "notify::pair", "notify::model",
                                          "notify::name", "notify::wanted"};
  HsKeeper *self = g_object_new (HS_TYPE_KEEPER, NULL);

  self->session = g_object_ref (session);
  self->updater = g_object_ref (updater);
  self->target = g_atomic_rc_box_new0 (Target);
  g_mutex_init (&self->target->lock);
  self->target->path = g_strdup (path);
  for (size_t i = 0; i < G_N_ELEMENTS (questions); i++) {
    g_signal_connect_object (hs_session_peek_side (session), questions[i], G_CALLBACK (changed_cb),
                             self, G_CONNECT_SWAPPED);
    g_signal_connect_object (hs_session_peek_side_b (session), questions[i],
                             G_CALLBACK (changed_cb), self, G_CONNECT_SWAPPED);
  }
  g_signal_connect_object (session, "notify", G_CALLBACK (view_changed_cb), self,
                           G_CONNECT_SWAPPED);
  return self;
}

const char *
hs_keeper_peek_trouble (HsKeeper *self)
{
  g_return_val_if_fail (HS_IS_KEEPER (self), NULL);
  return self->trouble;
}

void
hs_keeper_flush (HsKeeper *self)
{
  g_autoptr (GError) error = NULL;
  Write *write;

  g_return_if_fail (HS_IS_KEEPER (self));

  g_clear_handle_id (&self->timer, g_source_remove);
  write = prepare (self);
  if (write == NULL)
    return;
  write_file (write, &error);
  write_free (write);
  set_outcome (self, error);
}

void
hs_keeper_forget (HsKeeper *self)
{
  g_return_if_fail (HS_IS_KEEPER (self));

  self->forgotten = true;
  g_clear_handle_id (&self->timer, g_source_remove);
  g_mutex_lock (&self->target->lock);
  self->target->newest = G_MAXUINT64;
  g_unlink (self->target->path);
  g_mutex_unlock (&self->target->lock);
}

static void
hs_keeper_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_TROUBLE)
    g_value_set_string (value, HS_KEEPER (object)->trouble);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_keeper_dispose (GObject *object)
{
  HsKeeper *self = HS_KEEPER (object);

  g_clear_handle_id (&self->timer, g_source_remove);
  g_clear_object (&self->updater);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (hs_keeper_parent_class)->dispose (object);
}

static void
hs_keeper_finalize (GObject *object)
{
  HsKeeper *self = HS_KEEPER (object);

  g_clear_pointer (&self->written, g_bytes_unref);
  g_free (self->trouble);
  if (self->target != NULL)
    g_atomic_rc_box_release_full (self->target, target_clear);
  G_OBJECT_CLASS (hs_keeper_parent_class)->finalize (object);
}

static void
hs_keeper_class_init (HsKeeperClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hs_keeper_get_property;
  object_class->dispose = hs_keeper_dispose;
  object_class->finalize = hs_keeper_finalize;
  props[PROP_TROUBLE] =
      g_param_spec_string ("trouble", NULL, NULL, NULL,
                           G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_keeper_init (HsKeeper *self)
{
  (void)self;
}
