/* SPDX-License-Identifier: MIT */
/* Reads the cache and the folders of before into a list. */
#include "hs-models.h"

#include "hs-work.h"

#include "attn-hub/store.h"
#include "attn/folder.h"

#include <string.h>

struct _HsModels {
  GObject parent_instance;

  AttnHubPlaces *places;
  GSettings *settings; /* nullable */
  GListStore *list;
  GCancellable *reading; /* nullable: identity of the newest refresh */
  char *trouble;         /* nullable */
  guint64 n_bytes;
};

G_DEFINE_FINAL_TYPE (HsModels, hs_models, G_TYPE_OBJECT)

enum { SIGNAL_REMOVED, N_SIGNALS };

static guint signals[N_SIGNALS];

enum { PROP_0, PROP_TROUBLE, PROP_IS_READING, PROP_N_BYTES, N_PROPS };

static GParamSpec *props[N_PROPS];

/* ---- on another thread ---- */

typedef struct {
  char *cache;
  char **folders;
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_free (job->cache);
  g_strfreev (job->folders);
  g_free (job);
}

typedef struct {
  AttnHubList *cached; /* nullable */
  AttnHubEntry *demo;  /* nullable */
  GPtrArray *folders;  /* AttnHubEntry */
  char *trouble;       /* nullable */
} Found;

static void
found_free (gpointer data)
{
  Found *found = data;

  g_clear_pointer (&found->cached, attn_hub_list_free);
  g_clear_pointer (&found->demo, attn_hub_entry_free);
  g_clear_pointer (&found->folders, g_ptr_array_unref);
  g_free (found->trouble);
  g_free (found);
}

/* A weight file is judged by the folder it is in; what that lacks for itself does not matter. */
static AttnHubEntry *
check_file (const char *path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  AttnHubEntry *entry = attn_hub_cache_check_folder (folder);

  entry->n_bytes = 0;
  if (entry->family != NULL)
    entry->state = ATTN_HUB_USABLE;
  return entry;
}

/* What is listed as cached is not listed twice. */
static bool
is_cached (const AttnHubList *cached, const char *path)
{
  for (size_t i = 0; cached != NULL && i < cached->n_entries; i++)
    if (g_str_equal (cached->entries[i]->folder, path))
      return true;
  return false;
}

static gpointer
read_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Job *job = data;
  Found *found = g_new0 (Found, 1);
  g_autoptr (GError) trouble = NULL;
  g_autofree char *demo = attn_hub_find_model ("demo", NULL);

  (void)error;
  found->cached = attn_hub_cache_list (job->cache, hs_report_tell, report, &trouble);
  if (found->cached == NULL)
    found->trouble = g_strdup (trouble->message);
  if (demo != NULL)
    found->demo = attn_hub_cache_check_folder (demo);
  found->folders = g_ptr_array_new_with_free_func ((GDestroyNotify)attn_hub_entry_free);
  for (char **each = job->folders; *each != NULL; each++) {
    const bool is_file = attn_folder_is_weight_file (*each);
    AttnHubEntry *entry;

    if (is_cached (found->cached, *each) || (!is_file && !g_file_test (*each, G_FILE_TEST_IS_DIR)))
      continue;
    entry = is_file ? check_file (*each) : attn_hub_cache_check_folder (*each);
    g_free (entry->folder);
    entry->folder = g_strdup (*each);
    g_ptr_array_add (found->folders, entry);
  }
  return found;
}

static const HsWorkClass read_work = {read_in_thread, job_free, found_free};

/* ---- the list ---- */

/* Consumes @entry. */
static void
add (GPtrArray *items, HsModelPlace place, const char *target, AttnHubEntry *entry)
{
  g_ptr_array_add (items, hs_model_item_new (place, target, entry));
}

static void
show (HsModels *self, Found *found)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);

  if (found->demo != NULL)
    add (items, HS_MODEL_BUILT_IN, "demo", g_steal_pointer (&found->demo));
  for (size_t i = 0; found->cached != NULL && i < found->cached->n_entries; i++)
    add (items, HS_MODEL_CACHED, NULL, g_steal_pointer (&found->cached->entries[i]));
  if (found->cached != NULL)
    found->cached->n_entries = 0; /* they are the items' now */
  for (guint i = 0; i < found->folders->len; i++)
    add (items, HS_MODEL_FOLDER, NULL,
         g_steal_pointer ((AttnHubEntry **)&found->folders->pdata[i]));
  g_ptr_array_set_free_func (found->folders, NULL);
  self->n_bytes = found->cached != NULL ? found->cached->n_bytes : 0;
  g_free (self->trouble);
  self->trouble = g_strdup (found->trouble);
  g_list_store_splice (self->list, 0, g_list_model_get_n_items (G_LIST_MODEL (self->list)),
                       items->pdata, items->len);
}

static void
read_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsModels) self = data;
  GCancellable *identity = g_task_get_cancellable (G_TASK (result));
  Found *found = hs_work_finish (result, NULL);

  if (found == NULL || identity != self->reading) {
    g_clear_pointer (&found, found_free);
    return; /* a newer one took over */
  }
  g_object_freeze_notify (G_OBJECT (self));
  g_clear_object (&self->reading);
  show (self, found);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_TROUBLE]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_N_BYTES]);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_READING]);
  g_object_thaw_notify (G_OBJECT (self));
  found_free (found);
}

void
hs_models_refresh (HsModels *self)
{
  Job *job;

  g_return_if_fail (HS_IS_MODELS (self));

  if (self->reading != NULL)
    g_cancellable_cancel (self->reading);
  g_clear_object (&self->reading);
  self->reading = g_cancellable_new ();
  job = g_new0 (Job, 1);
  job->cache = g_strdup (self->places->cache);
  job->folders = self->settings != NULL ? g_settings_get_strv (self->settings, "recent-models")
                                        : g_new0 (char *, 1);
  hs_work_start (&read_work, job, self->reading, NULL, NULL, read_cb, g_object_ref (self));
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_IS_READING]);
}

void
hs_models_note_removed (HsModels *self, const char *name, guint64 n_bytes)
{
  g_return_if_fail (HS_IS_MODELS (self));
  g_signal_emit (self, signals[SIGNAL_REMOVED], 0, name, n_bytes);
  hs_models_refresh (self);
}

const AttnHubPlaces *
hs_models_peek_places (HsModels *self)
{
  g_return_val_if_fail (HS_IS_MODELS (self), NULL);
  return self->places;
}

GListModel *
hs_models_peek_list (HsModels *self)
{
  g_return_val_if_fail (HS_IS_MODELS (self), NULL);
  return G_LIST_MODEL (self->list);
}

const char *
hs_models_peek_trouble (HsModels *self)
{
  g_return_val_if_fail (HS_IS_MODELS (self), NULL);
  return self->trouble;
}

bool
hs_models_get_is_reading (HsModels *self)
{
  g_return_val_if_fail (HS_IS_MODELS (self), false);
  return self->reading != NULL;
}

guint64
hs_models_get_n_bytes (HsModels *self)
{
  g_return_val_if_fail (HS_IS_MODELS (self), 0);
  return self->n_bytes;
}

/* ---- object ---- */

static void
hs_models_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  HsModels *self = HS_MODELS (object);

  switch (id) {
  case PROP_TROUBLE:
    g_value_set_string (value, self->trouble);
    break;
  case PROP_IS_READING:
    g_value_set_boolean (value, self->reading != NULL);
    break;
  case PROP_N_BYTES:
    g_value_set_uint64 (value, self->n_bytes);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
hs_models_finalize (GObject *object)
{
  HsModels *self = HS_MODELS (object);

  g_clear_object (&self->reading);
  g_clear_object (&self->list);
  g_clear_object (&self->settings);
  attn_hub_places_free (self->places);
  g_free (self->trouble);
  G_OBJECT_CLASS (hs_models_parent_class)->finalize (object);
}

static void
hs_models_class_init (HsModelsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = hs_models_get_property;
  object_class->finalize = hs_models_finalize;
  signals[SIGNAL_REMOVED] =
      g_signal_new ("removed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_UINT64);
  props[PROP_TROUBLE] = g_param_spec_string ("trouble", NULL, NULL, NULL, flags);
  props[PROP_IS_READING] = g_param_spec_boolean ("is-reading", NULL, NULL, FALSE, flags);
  props[PROP_N_BYTES] = g_param_spec_uint64 ("n-bytes", NULL, NULL, 0, G_MAXUINT64, 0, flags);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_models_init (HsModels *self)
{
  self->list = g_list_store_new (HS_TYPE_MODEL_ITEM);
}

HsModels *
hs_models_new (AttnHubPlaces *places, GSettings *settings)
{
  HsModels *self = g_object_new (HS_TYPE_MODELS, NULL);

  self->places = places;
  self->settings = settings != NULL ? g_object_ref (settings) : NULL;
  return self;
}
