/* SPDX-License-Identifier: MIT */
/* Three lists in the settings, and a menu that follows them. */
#include "hs-recent.h"

#include "hs-open-attention.h"
#include "hs-text-limit.h"
#include "hs-work.h"

#include "attn-hub/store.h"
#include "attn/folder.h"

#include <glib/gi18n.h>

#include <string.h>

#define TEXTS "recent-texts"
#define MODELS "recent-models"
#define ATTENTIONS "recent-attentions"
#define KEEPS "keeps-recent"
#define WATCH "hs-recent-watch"
#define LIST_OF_TEXTS "a(ss)"
#define LIST_OF_ATTENTIONS "a(sss)"
#define MAX_BYTES 16384 /* of a text; a pasted book is not for the settings */
#define LABEL_CHARS 56  /* of a menu item */

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
  g_variant_builder_init (&after, G_VARIANT_TYPE (LIST_OF_TEXTS));
  g_variant_builder_add (&after, "(ss)", text, pair);
  g_settings_get (self->settings, TEXTS, LIST_OF_TEXTS, &before);
  while (n < HS_RECENT_MAX_TEXTS && g_variant_iter_next (before, "(&s&s)", &old_text, &old_pair)) {
    if (g_str_equal (old_text, text) && g_str_equal (old_pair, pair))
      continue;
    g_variant_builder_add (&after, "(ss)", old_text, old_pair);
    n++;
  }
  g_settings_set_value (self->settings, TEXTS, g_variant_builder_end (&after));
}

void
hs_recent_add_model (HsRecent *self, const char *folder)
{
  g_autoptr (GPtrArray) after = g_ptr_array_new ();
  g_auto (GStrv) before = NULL;

  g_return_if_fail (HS_IS_RECENT (self));
  if (!g_settings_get_boolean (self->settings, KEEPS) || !g_utf8_validate (folder, -1, NULL))
    return;
  before = g_settings_get_strv (self->settings, MODELS);
  g_ptr_array_add (after, (gpointer)(guintptr)folder);
  for (guint i = 0; before[i] != NULL && after->len < HS_RECENT_MAX_MODELS; i++)
    if (!g_str_equal (before[i], folder))
      g_ptr_array_add (after, before[i]);
  g_ptr_array_add (after, NULL);
  g_settings_set_strv (self->settings, MODELS, (const char *const *)after->pdata);
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

  g_settings_get (self->settings, ATTENTIONS, LIST_OF_ATTENTIONS, &before);
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
  g_variant_builder_init (&after, G_VARIANT_TYPE (LIST_OF_ATTENTIONS));
  g_variant_builder_add (&after, "(sss)", place->path, or_empty (place->array),
                         or_empty (place->tokens));
  append_others (self, &after, place->path, 1);
  g_settings_set_value (self->settings, ATTENTIONS, g_variant_builder_end (&after));
}

/* ---- the menu ---- */

/* On one line, cut at a character, underscores kept from becoming mnemonics. */
static char *
make_label (const char *text, const char *pair)
{
  g_autofree char *both =
      *pair != '\0' ? g_strdup_printf ("%s  ⏎  %s", text, pair) : g_strdup (text);
  g_autoptr (GString) label = g_string_new (NULL);
  glong n = 0;

  for (const char *at = both; *at != '\0' && n < LABEL_CHARS; at = g_utf8_next_char (at), n++) {
    const gunichar character = g_utf8_get_char (at);

    if (character == '_')
      g_string_append_c (label, '_');
    g_string_append_unichar (label, g_unichar_isspace (character) ? ' ' : character);
  }
  if (n == LABEL_CHARS)
    g_string_append (label, "…");
  return g_string_free (g_steal_pointer (&label), FALSE);
}

static GMenuModel *
make_texts (HsRecent *self)
{
  g_autoptr (GVariantIter) texts = NULL;
  GMenu *section = g_menu_new ();
  const char *text, *pair;

  g_settings_get (self->settings, TEXTS, LIST_OF_TEXTS, &texts);
  while (g_variant_iter_next (texts, "(&s&s)", &text, &pair)) {
    g_autofree char *label = make_label (text, pair);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    g_menu_item_set_action_and_target (item, "win.show-text", "(ss)", text, pair);
    g_menu_append_item (section, item);
  }
  return G_MENU_MODEL (section);
}

static bool
is_missing (HsRecent *self, const char *folder)
{
  return self->missing != NULL && g_strv_contains ((const char *const *)self->missing, folder);
}

/* Of two models of one name, where each is, too. */
static char *
dup_model_label (char **folders, guint index)
{
  g_autofree char *name = attn_folder_dup_name (folders[index]);
  g_autofree char *above = g_path_get_dirname (folders[index]);
  g_autofree char *both = NULL;
  bool is_twice = false;

  for (guint i = 0; folders[i] != NULL; i++) {
    g_autofree char *other = attn_folder_dup_name (folders[i]);
    is_twice |= i != index && g_str_equal (name, other);
  }
  if (is_twice)
    both = g_strdup_printf ("%s (%s)", name, above);
  return make_label (is_twice ? both : name, "");
}

static void
append_models (HsRecent *self, GMenu *section, const char *action, bool missing)
{
  g_auto (GStrv) folders = g_settings_get_strv (self->settings, MODELS);

  for (guint i = 0; folders[i] != NULL; i++) {
    g_autofree char *label = dup_model_label (folders, i);
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    if (is_missing (self, folders[i]) != missing)
      continue;
    g_menu_item_set_action_and_target (item, action, "s", folders[i]);
    g_menu_append_item (section, item);
  }
}

static void
append_attentions (HsRecent *self, GMenu *section, bool missing)
{
  g_autoptr (GVariantIter) list = NULL;
  const char *path, *array, *tokens;

  g_settings_get (self->settings, ATTENTIONS, LIST_OF_ATTENTIONS, &list);
  while (g_variant_iter_next (list, "(&s&s&s)", &path, &array, &tokens)) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *label = make_label (name, "");
    g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

    if (is_missing (self, path) != missing)
      continue;
    if (missing)
      g_menu_item_set_action_and_target (item, "app.forget-model", "s", path);
    else
      g_menu_item_set_action_and_target (item, "win.load-attention", "(sss)", path, array, tokens);
    g_menu_append_item (section, item);
  }
}

static void
append_section (HsRecent *self, const char *title, GMenuModel *section)
{
  if (g_menu_model_get_n_items (section) > 0)
    g_menu_append_section (self->menu, title, section);
}

static void
update_menu (HsRecent *self)
{
  g_autoptr (GMenuModel) texts = make_texts (self);
  g_autoptr (GMenu) models = g_menu_new ();
  g_autoptr (GMenu) attentions = g_menu_new ();
  g_autoptr (GMenu) missing = g_menu_new ();
  g_autoptr (GMenu) last = g_menu_new ();

  append_models (self, models, "win.load-model", false);
  append_models (self, missing, "app.forget-model", true);
  append_attentions (self, attentions, false);
  append_attentions (self, missing, true);
  g_menu_remove_all (self->models_b);
  append_models (self, self->models_b, "win.model-b", false);
  g_menu_remove_all (self->menu);
  append_section (self, _ ("Texts"), texts);
  append_section (self, _ ("Models"), G_MENU_MODEL (models));
  append_section (self, _ ("Attention files"), G_MENU_MODEL (attentions));
  append_section (self, _ ("Not found: choose to take off the list"), G_MENU_MODEL (missing));
  /* without an action it is only a line to read */
  if (g_menu_model_get_n_items (G_MENU_MODEL (self->menu)) == 0)
    g_menu_append (last, _ ("Nothing yet"), "win.none");
  else
    g_menu_append (last, _ ("Clear list"), "app.clear-recent");
  g_menu_append_section (self->menu, NULL, G_MENU_MODEL (last));
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
        !(hs_open_attention_takes (*each) && g_file_test (*each, G_FILE_TEST_IS_REGULAR)))
      g_strv_builder_add (missing, *each);
  return g_strv_builder_end (missing);
}

/* Returns: (transfer full): of models and attention files. */
static char **
dup_paths (HsRecent *self)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_autoptr (GVariantIter) attentions = NULL;
  g_auto (GStrv) models = g_settings_get_strv (self->settings, MODELS);
  const char *path;

  for (char **each = models; *each != NULL; each++)
    g_strv_builder_add (paths, *each);
  g_settings_get (self->settings, ATTENTIONS, LIST_OF_ATTENTIONS, &attentions);
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
  update_menu (self);
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
  g_auto (GStrv) before = g_settings_get_strv (self->settings, MODELS);
  g_auto (GStrv) after = NULL;
  GVariantBuilder attentions;

  (void)action;
  for (char **each = before; *each != NULL; each++)
    if (!g_str_equal (*each, g_variant_get_string (value, NULL)))
      g_strv_builder_add (rest, *each);
  after = g_strv_builder_end (rest);
  g_settings_set_strv (self->settings, MODELS, (const char *const *)after);
  g_variant_builder_init (&attentions, G_VARIANT_TYPE (LIST_OF_ATTENTIONS));
  append_others (self, &attentions, g_variant_get_string (value, NULL), 0);
  g_settings_set_value (self->settings, ATTENTIONS, g_variant_builder_end (&attentions));
}

static void
clear_cb (GSimpleAction *action, GVariant *value, gpointer data)
{
  HsRecent *self = data;

  (void)action;
  (void)value;
  g_settings_reset (self->settings, TEXTS);
  g_settings_reset (self->settings, MODELS);
  g_settings_reset (self->settings, ATTENTIONS);
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

/* Sections are never changed, only replaced. */
GMenuModel *
hs_recent_freeze (GMenuModel *menu)
{
  GMenu *frozen = g_menu_new ();

  for (int i = 0; i < g_menu_model_get_n_items (menu); i++) {
    g_autoptr (GMenuItem) item = g_menu_item_new_from_model (menu, i);
    g_menu_append_item (frozen, item);
  }
  return G_MENU_MODEL (frozen);
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
  static const char *const signals[] = {"changed::" TEXTS, "changed::" MODELS,
                                        "changed::" ATTENTIONS};
  HsRecent *self = g_object_new (HS_TYPE_RECENT, NULL);

  self->settings = g_object_ref (settings);
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_connect_object (settings, signals[i], G_CALLBACK (update_menu), self,
                             G_CONNECT_SWAPPED);
  update_menu (self);
  return self;
}
