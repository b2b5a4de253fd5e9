/* SPDX-License-Identifier: MIT */
/* Three lists in the settings, and menus that follow them. */
#include "hs-recent.h"

#include "hs-recent-menu.h"
#include "hs-text-limit.h"
#include "hs-work.h"

#include "attn-hub/store.h"
#include "attn/folder.h"

#include <string.h>

#define WATCH "hs-recent-watch"
#define MAX_BYTES 16384 /* of a text; a pasted book is not for the settings */
#define KEEPS "keeps-recent"

struct _HsRecent {
  GObject parent_instance;

  GSettings *settings;
  GMenu *menu;
  GMenu *models_b;
  char **missing; /* (nullable): models' folders that were not there */
};

G_DEFINE_FINAL_TYPE (HsRecent, hs_recent, G_TYPE_OBJECT)

/* ---- the lists ---- */

void
hs_recent_add_text (HsRecent *self, const char *text, const char *pair)
{
  g_autoptr (GVariantIter) before = NULL;
  GVariantBuilder after;
  const char *old_text, *old_pair;
  guint n = 1;

  g_return_if_fail (HS_IS_RECENT (self));
  if (pair == NULL)
    pair = "";
  if (!g_settings_get_boolean (self->settings, KEEPS) || hs_text_is_blank (text) ||
      strlen (text) > MAX_BYTES || strlen (pair) > MAX_BYTES)
    return;
  g_variant_builder_init (&after, G_VARIANT_TYPE (HS_RECENT_LIST_OF_TEXTS));
  g_variant_builder_add (&after, "(ss)", text, pair);
  g_settings_get (self->settings, HS_RECENT_TEXTS, HS_RECENT_LIST_OF_TEXTS, &before);
  while (n < HS_RECENT_MAX_TEXTS && g_variant_iter_next (before, "(&s&s)", &old_text, &old_pair)) {
    if (g_str_equal (old_text, text) && g_str_equal (old_pair, pair))
      continue;
    g_variant_builder_add (&after, "(ss)", old_text, old_pair);
    n++;
  }
  g_settings_set_value (self->settings, HS_RECENT_TEXTS, g_variant_builder_end (&after));
}

void
hs_recent_add_model (HsRecent *self, const char *folder)
{
  g_autoptr (GPtrArray) after = g_ptr_array_new ();
  g_auto (GStrv) before = NULL;

  g_return_if_fail (HS_IS_RECENT (self));
  if (!g_settings_get_boolean (self->settings, KEEPS) || !g_utf8_validate (folder, -1, NULL))
    return;
  before = g_settings_get_strv (self->settings, HS_RECENT_MODELS);
  g_ptr_array_add (after, (gpointer)(guintptr)folder);
  for (guint i = 0; before[i] != NULL && after->len < HS_RECENT_MAX_MODELS; i++)
    if (!g_str_equal (before[i], folder))
      g_ptr_array_add (after, before[i]);
  g_ptr_array_add (after, NULL);
  g_settings_set_strv (self->settings, HS_RECENT_MODELS, (const char *const *)after->pdata);
}

static bool
is_text (const char *bytes)
{
  return bytes == NULL || g_utf8_validate (bytes, -1, NULL);
}

static const char *
or_empty (const char *text)
{
  return text != NULL ? text : "";
}

/* The list but what is of @path, after what is in @after already. */
static void
append_others (HsRecent *self, GVariantBuilder *after, const char *path, guint n)
{
  g_autoptr (GVariantIter) before = NULL;
  const char *old, *array, *tokens;

  g_settings_get (self->settings, HS_RECENT_ATTENTIONS, HS_RECENT_LIST_OF_ATTENTIONS, &before);
  while (n < HS_RECENT_MAX_MODELS &&
         g_variant_iter_next (before, "(&s&s&s)", &old, &array, &tokens)) {
    if (g_str_equal (old, path))
      continue;
    g_variant_builder_add (after, "(sss)", old, array, tokens);
    n++;
  }
}

/* A file once, as it was shown the last time. */
void
hs_recent_add_attention (HsRecent *self, const HsAttentionPlace *place)
{
  GVariantBuilder after;

  g_return_if_fail (HS_IS_RECENT (self));
  if (!g_settings_get_boolean (self->settings, KEEPS) || !is_text (place->path) ||
      !is_text (place->array) || !is_text (place->tokens))
    return;
  g_variant_builder_init (&after, G_VARIANT_TYPE (HS_RECENT_LIST_OF_ATTENTIONS));
  g_variant_builder_add (&after, "(sss)", place->path, or_empty (place->array),
                         or_empty (place->tokens));
  append_others (self, &after, place->path, 1);
  g_settings_set_value (self->settings, HS_RECENT_ATTENTIONS, g_variant_builder_end (&after));
}

static void
update_menus (HsRecent *self)
{
  const HsRecentMenus menus = {self->menu, self->models_b};

  hs_recent_menus_fill (&menus, self->settings, (const char *const *)self->missing);
}

/* ---- what is not there any more ---- */

static gpointer
find_missing (gpointer folders, HsReport *report, GError **error)
{
  g_autoptr (GStrvBuilder) missing = g_strv_builder_new ();

  (void)report;
  (void)error;
  for (char **each = folders; *each != NULL; each++)
    if (!g_file_test (*each, G_FILE_TEST_IS_DIR) && !attn_folder_is_weight_file (*each) &&
        !(hs_attention_takes (*each) && g_file_test (*each, G_FILE_TEST_IS_REGULAR)))
      g_strv_builder_add (missing, *each);
  return g_strv_builder_end (missing);
}

/* Returns: (transfer full): of models and attention files. */
static char **
dup_paths (HsRecent *self)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autoptr (GVariantIter) attentions = NULL;
  g_auto (GStrv) models = g_settings_get_strv (self->settings, HS_RECENT_MODELS);
  const char *path;

  for (char **each = models; *each != NULL; each++)
    g_strv_builder_add (paths, *each);
  g_settings_get (self->settings, HS_RECENT_ATTENTIONS, HS_RECENT_LIST_OF_ATTENTIONS, &attentions);
  while (g_variant_iter_next (attentions, "(&s&s&s)", &path, NULL, NULL))
    g_strv_builder_add (paths, path);
  return g_strv_builder_end (paths);
}

static void
free_strings (gpointer strings)
{
  g_strfreev (strings);
}

static void
checked_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsRecent) self = data;
  g_auto (GStrv) missing = hs_work_finish (result, NULL);
  static const char *const none[] = {NULL};
  const char *const *before = self->missing != NULL ? (const char *const *)self->missing : none;

  (void)source;
  if (missing == NULL || g_strv_equal (before, (const char *const *)missing))
    return;
  g_strfreev (self->missing);
  self->missing = g_steal_pointer (&missing);
  update_menus (self);
}

static void
check_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  static const HsWorkClass klass = {find_missing, free_strings, free_strings};
  HsRecent *self = data;

  (void)action;
  (void)value;
  hs_work_start (&klass, dup_paths (self), NULL, NULL, NULL, checked_cb, g_object_ref (self));
}

static void
forget_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsRecent *self = data;
  g_autoptr (GStrvBuilder) rest = g_strv_builder_new ();
  g_auto (GStrv) before = g_settings_get_strv (self->settings, HS_RECENT_MODELS);
  g_auto (GStrv) after = NULL;
  GVariantBuilder attentions;

  (void)action;
  for (char **each = before; *each != NULL; each++)
    if (!g_str_equal (*each, g_variant_get_string (value, NULL)))
      g_strv_builder_add (rest, *each);
  after = g_strv_builder_end (rest);
  g_settings_set_strv (self->settings, HS_RECENT_MODELS, (const char *const *)after);
  g_variant_builder_init (&attentions, G_VARIANT_TYPE (HS_RECENT_LIST_OF_ATTENTIONS));
  append_others (self, &attentions, g_variant_get_string (value, NULL), 0);
  g_settings_set_value (self->settings, HS_RECENT_ATTENTIONS, g_variant_builder_end (&attentions));
}

static void
clear_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsRecent *self = data;

  (void)action;
  (void)value;
  g_settings_reset (self->settings, HS_RECENT_TEXTS);
  g_settings_reset (self->settings, HS_RECENT_MODELS);
  g_settings_reset (self->settings, HS_RECENT_ATTENTIONS);
}

void
hs_recent_add_actions (HsRecent *self, GActionMap *map)
{
  static const GActionEntry entries[] = {
      {.name = "clear-recent", .activate = clear_cb},
      {.name = "check-recent", .activate = check_cb},
      {.name = "forget-model", .activate = forget_cb, .parameter_type = "s"},
  };

  g_return_if_fail (HS_IS_RECENT (self));
  g_action_map_add_action_entries (map, entries, G_N_ELEMENTS (entries), self);
}

GMenuModel *
hs_recent_peek_menu (HsRecent *self)
{
  g_return_val_if_fail (HS_IS_RECENT (self), NULL);
  return G_MENU_MODEL (self->menu);
}

GMenuModel *
hs_recent_peek_models_b (HsRecent *self)
{
  g_return_val_if_fail (HS_IS_RECENT (self), NULL);
  return G_MENU_MODEL (self->models_b);
}

/* ---- what to list ---- */

/* One session's text on its way into the list; lives as long as the session. */
typedef struct {
  HsRecent *recent; /* referenced */
  HsSession *session;
  guint timer;
} Watch;

static void
watch_free (gpointer data)
{
  Watch *watch = data;

  g_clear_handle_id (&watch->timer, g_source_remove);
  g_object_unref (watch->recent);
  g_free (watch);
}

static void
stood_cb (gpointer data)
{
  Watch *watch = data;
  HsSide *side = hs_session_peek_side (watch->session);

  watch->timer = 0;
  if (hs_session_get_state (watch->session) == HS_STATE_READY &&
      hs_side_peek_attention (side) == NULL)
    hs_recent_add_text (watch->recent, hs_side_peek_text (side), hs_side_peek_pair (side));
}

static void
answered_cb (HsSession *session)
{
  Watch *watch = g_object_get_data (G_OBJECT (session), WATCH);

  g_clear_handle_id (&watch->timer, g_source_remove);
  watch->timer = g_timeout_add_once (HS_RECENT_STAND_MS, stood_cb, watch);
}

static void
model_changed_cb (HsSession *session, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  Watch *watch = g_object_get_data (G_OBJECT (session), WATCH);
  AttnModel *model = hs_side_peek_model (side);
  const char *folder = model != NULL ? attn_model_peek_folder (model) : NULL;
  g_autofree char *shipped = attn_hub_find_model ("demo", NULL);

  if (folder != NULL && g_strcmp0 (folder, shipped) != 0)
    hs_recent_add_model (watch->recent, folder);
}

static void
attention_changed_cb (HsSession *session, GParamSpec *pspec G_GNUC_UNUSED, HsSide *side)
{
  Watch *watch = g_object_get_data (G_OBJECT (session), WATCH);
  HsAttention *attention = hs_side_peek_attention (side);

  if (attention != NULL && attention->place.path != NULL)
    hs_recent_add_attention (watch->recent, &attention->place);
}

void
hs_recent_watch (HsRecent *self, HsSession *session)
{
  HsSide *side = hs_session_peek_side (session);
  Watch *watch = g_new0 (Watch, 1);

  g_return_if_fail (HS_IS_RECENT (self));
  watch->recent = g_object_ref (self);
  watch->session = session;
  g_object_set_data_full (G_OBJECT (session), WATCH, watch, watch_free);
  g_signal_connect_object (side, "notify::answer", G_CALLBACK (answered_cb), session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (side, "notify::model", G_CALLBACK (model_changed_cb), session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (side, "notify::attention", G_CALLBACK (attention_changed_cb), session,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side_b (session), "notify::attention",
                           G_CALLBACK (attention_changed_cb), session, G_CONNECT_SWAPPED);
  g_signal_connect_object (hs_session_peek_side_b (session), "notify::model",
                           G_CALLBACK (model_changed_cb), session, G_CONNECT_SWAPPED);
}

/* ---- object ---- */

static void
hs_recent_finalize (GObject *object)
{
  HsRecent *self = HS_RECENT (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->menu);
  g_clear_object (&self->models_b);
  g_clear_pointer (&self->missing, g_strfreev);
  G_OBJECT_CLASS (hs_recent_parent_class)->finalize (object);
}

static void
hs_recent_class_init (HsRecentClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_recent_finalize;
}

static void
hs_recent_init (HsRecent *self)
{
  self->menu = g_menu_new ();
  self->models_b = g_menu_new ();
}

HsRecent *
hs_recent_new (GSettings *settings)
{
  static const char *const signals[] = {"changed::" HS_RECENT_TEXTS, "changed::" HS_RECENT_MODELS,
                                        "changed::" HS_RECENT_ATTENTIONS};
  HsRecent *self = g_object_new (HS_TYPE_RECENT, NULL);

  self->settings = g_object_ref (settings);
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (settings, signals[i], G_CALLBACK (update_menus), self,
                             G_CONNECT_SWAPPED);
  update_menus (self);
  return self;
}
