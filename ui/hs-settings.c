/* SPDX-License-Identifier: MIT */
/* GSettings that do without their schema, and do not write at every key press. */
#include "hs-settings.h"

#include "hs-build.h"

#include "attn-hub/store.h"

#define WRITE_AFTER_MS 800

static const char *const known_keys[] = {
    "window-width", "window-height", "window-maximized",  "color-scheme", "color-map",
    "language",     "text-scale",    "threads",           "max-tokens",   "keeps-recent",
    "recent-texts", "recent-models", "recent-attentions",
};

static GSettingsSchema *
find_schema (void)
{
  GSettingsSchemaSource *installed = g_settings_schema_source_get_default ();
  /* our own place first: a prefix need not be among the places GLib looks in */
  g_autoptr (GSettingsSchemaSource) source =
      g_settings_schema_source_new_from_directory (hs_schema_dir (), installed, TRUE, NULL);

  if (source == NULL && installed != NULL)
    source = g_settings_schema_source_ref (installed);
  return source != NULL ? g_settings_schema_source_lookup (source, HS_APP_ID, TRUE) : NULL;
}

static gboolean
flush_cb (gpointer data)
{
  GSettings *settings = data;

  g_object_set_data (data, "hs-write", NULL);
  g_settings_apply (settings);
  return G_SOURCE_REMOVE;
}

static void
unapplied_cb (GSettings *settings)
{
  if (!g_settings_get_has_unapplied (settings) ||
      g_object_get_data (G_OBJECT (settings), "hs-write"))
    return;
  g_object_set_data (
      G_OBJECT (settings), "hs-write",
      GUINT_TO_POINTER (g_timeout_add_full (G_PRIORITY_LOW, WRITE_AFTER_MS, flush_cb,
                                            g_object_ref (settings), g_object_unref)));
}

GSettings *
hs_settings_open (void)
{
  g_autoptr (GSettingsSchema) schema = find_schema ();
  GSettings *settings;

  if (schema == NULL) {
    g_message ("The settings schema %s is not installed; nothing is remembered", HS_APP_ID);
    return NULL;
  }
  for (size_t i = 0; i < G_N_ELEMENTS (known_keys); i++) {
    if (!g_settings_schema_has_key (schema, known_keys[i])) {
      g_message ("The settings schema %s is of another version (no key %s); nothing is remembered",
                 HS_APP_ID, known_keys[i]);
      return NULL;
    }
  }
  settings = g_settings_new_full (schema, NULL, NULL);
  g_settings_delay (settings);
  g_signal_connect (settings, "notify::has-unapplied", G_CALLBACK (unapplied_cb), NULL);
  return settings;
}

/* Read once, then only written: another window's settings must not change what is typed in this. */
GSettingsBindFlags
hs_settings_get_bind_flags (bool read_only)
{
  return G_SETTINGS_BIND_NO_SENSITIVITY | G_SETTINGS_BIND_GET | G_SETTINGS_BIND_GET_NO_CHANGES |
         (read_only ? 0 : G_SETTINGS_BIND_SET);
}

/* The pair of numbers a key of type "i" may lie between. */
typedef struct {
  int smallest, largest;
} Range;

static Range *
find_range (GSettings *settings, const char *key)
{
  Range *range = g_new (Range, 1);
  g_autoptr (GSettingsSchema) schema = NULL;
  g_autoptr (GSettingsSchemaKey) facts = NULL;
  g_autoptr (GVariant) kind = NULL, limits = NULL;
  const char *name;

  *range = (Range){G_MININT, G_MAXINT};
  g_object_get (settings, "settings-schema", &schema, NULL);
  facts = g_settings_schema_get_key (schema, key);
  kind = g_settings_schema_key_get_range (facts);
  g_variant_get (kind, "(&sv)", &name, &limits);
  if (g_variant_is_of_type (limits, G_VARIANT_TYPE ("(ii)")))
    g_variant_get (limits, "(ii)", &range->smallest, &range->largest);
  return range;
}

static GVariant *
to_range_cb (const GValue *value, const GVariantType *type, gpointer data)
{
  const Range *range = data;

  (void)type;
  return g_variant_new_int32 (CLAMP (g_value_get_int (value), range->smallest, range->largest));
}

static gboolean
from_range_cb (GValue *value, GVariant *stored, gpointer data)
{
  (void)data;
  g_value_set_int (value, g_variant_get_int32 (stored));
  return TRUE;
}

void
hs_settings_bind_int (GSettings *settings,
                      const char *key,
                      gpointer object,
                      const char *property,
                      GSettingsBindFlags flags)
{
  g_settings_bind_with_mapping (settings, key, object, property, flags, from_range_cb, to_range_cb,
                                find_range (settings, key), g_free);
}

void
hs_settings_apply (GSettings *settings, HsSession *session)
{
  if (settings != NULL)
    hs_session_set_color_map (session,
                              (AttnDrawColorMap)g_settings_get_enum (settings, "color-map"));
}

void
hs_settings_flush (GSettings *settings)
{
  guint source;

  if (settings == NULL)
    return;
  source = GPOINTER_TO_UINT (g_object_steal_data (G_OBJECT (settings), "hs-write"));
  if (source != 0)
    g_source_remove (source);
  g_settings_apply (settings);
  g_settings_sync ();
}
