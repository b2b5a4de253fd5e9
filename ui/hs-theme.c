/* SPDX-License-Identifier: MIT */
/* Follows a choice, or the portal's color-scheme (GTK 4.8 does not by itself). */
#include "hs-theme.h"

#include <gtk/gtk.h>

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define APPEARANCE "org.freedesktop.appearance"
#define PREFERS_DARK 1

struct _HsTheme {
  GObject parent_instance;

  HsColorScheme scheme;
  gboolean own_dark; /* GTK's setting before we touched it */
  gboolean portal_dark;
  GCancellable *cancellable;
  GDBusConnection *bus; /* nullable */
  guint subscription;
};

G_DEFINE_FINAL_TYPE (HsTheme, hs_theme, G_TYPE_OBJECT)

enum { PROP_0, PROP_COLOR_SCHEME, N_PROPS };

static GParamSpec *props[N_PROPS];

GType
hs_color_scheme_get_type (void)
{
  static gsize type;
  static const GEnumValue values[] = {
      {HS_COLOR_SCHEME_SYSTEM, "HS_COLOR_SCHEME_SYSTEM", "system"},
      {HS_COLOR_SCHEME_LIGHT, "HS_COLOR_SCHEME_LIGHT", "light"},
      {HS_COLOR_SCHEME_DARK, "HS_COLOR_SCHEME_DARK", "dark"},
      {0, NULL, NULL},
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("HsColorScheme", values));
  return type;
}

static void
apply (HsTheme *self)
{
  GtkSettings *settings = gtk_settings_get_default ();
  const gboolean system = self->own_dark || self->portal_dark;
  const gboolean dark =
      self->scheme == HS_COLOR_SCHEME_SYSTEM ? system : self->scheme == HS_COLOR_SCHEME_DARK;
  gboolean before;

  if (settings == NULL)
    return;
  g_object_get (settings, "gtk-application-prefer-dark-theme", &before, NULL);
  if (before != dark)
    g_object_set (settings, "gtk-application-prefer-dark-theme", dark, NULL);
}

static void
take_value (HsTheme *self, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    g_autoptr (GVariant) inner = g_variant_get_variant (value);

    take_value (self, inner);
    return;
  }
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    return;
  self->portal_dark = g_variant_get_uint32 (value) == PREFERS_DARK;
  apply (self);
}

static void
changed_cb (GDBusConnection *bus G_GNUC_UNUSED,
            const char *sender G_GNUC_UNUSED,
            const char *path G_GNUC_UNUSED,
            const char *interface G_GNUC_UNUSED,
            const char *signal G_GNUC_UNUSED,
            GVariant *parameters,
            gpointer data)
{
  g_autoptr (GVariant) value = NULL;
  const char *space, *key;

  if (!g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(ssv)")))
    return;
  g_variant_get (parameters, "(&s&sv)", &space, &key, &value);
  if (g_str_equal (space, APPEARANCE) && g_str_equal (key, "color-scheme"))
    take_value (data, value);
}

static void
read_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsTheme) self = data;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autoptr (GVariant) value = NULL;

  if (reply == NULL)
    return; /* no portal: the desktop says nothing, and light is what GTK shows then */
  g_variant_get (reply, "(v)", &value);
  take_value (self, value);
}

static void
bus_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  g_autoptr (HsTheme) self = data;

  self->bus = g_bus_get_finish (result, NULL);
  if (self->bus == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  self->subscription = g_dbus_connection_signal_subscribe (
      self->bus, PORTAL_NAME, PORTAL_SETTINGS, "SettingChanged", PORTAL_PATH, APPEARANCE,
      G_DBUS_SIGNAL_FLAGS_NONE, changed_cb, self, NULL);
  g_dbus_connection_call (self->bus, PORTAL_NAME, PORTAL_PATH, PORTAL_SETTINGS, "Read",
                          g_variant_new ("(ss)", APPEARANCE, "color-scheme"),
                          G_VARIANT_TYPE ("(v)"), G_DBUS_CALL_FLAGS_NONE, -1, self->cancellable,
                          read_cb, g_object_ref (self));
}

HsTheme *
hs_theme_new (void)
{
  HsTheme *self = g_object_new (HS_TYPE_THEME, NULL);
  GtkSettings *settings = gtk_settings_get_default ();

  if (settings != NULL)
    g_object_get (settings, "gtk-application-prefer-dark-theme", &self->own_dark, NULL);
  g_bus_get (G_BUS_TYPE_SESSION, self->cancellable, bus_cb, g_object_ref (self));
  return self;
}

static void
hs_theme_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_COLOR_SCHEME)
    g_value_set_enum (value, (int)HS_THEME (object)->scheme);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_theme_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsTheme *self = HS_THEME (object);

  if (id != PROP_COLOR_SCHEME) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  if (self->scheme == (HsColorScheme)g_value_get_enum (value))
    return;
  self->scheme = (HsColorScheme)g_value_get_enum (value);
  apply (self);
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_theme_dispose (GObject *object)
{
  HsTheme *self = HS_THEME (object);

  g_cancellable_cancel (self->cancellable);
  if (self->subscription != 0)
    g_dbus_connection_signal_unsubscribe (self->bus, self->subscription);
  self->subscription = 0;
  g_clear_object (&self->bus);
  G_OBJECT_CLASS (hs_theme_parent_class)->dispose (object);
}

static void
hs_theme_finalize (GObject *object)
{
  g_clear_object (&HS_THEME (object)->cancellable);
  G_OBJECT_CLASS (hs_theme_parent_class)->finalize (object);
}

static void
hs_theme_class_init (HsThemeClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hs_theme_get_property;
  object_class->set_property = hs_theme_set_property;
  object_class->dispose = hs_theme_dispose;
  object_class->finalize = hs_theme_finalize;

  props[PROP_COLOR_SCHEME] =
      g_param_spec_enum ("color-scheme", NULL, NULL, HS_TYPE_COLOR_SCHEME, HS_COLOR_SCHEME_SYSTEM,
                         G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_theme_init (HsTheme *self)
{
  self->cancellable = g_cancellable_new ();
}
