/* SPDX-License-Identifier: MIT */
/* Binds a form to the settings. */
#include "hs-preferences.h"

#include "hs-accessible.h"
#include "hs-dialog-keys.h"

struct _HsPreferences {
  GtkWindow parent_instance;

  GSettings *settings;

  GtkDropDown *language;
  GtkDropDown *color_scheme;
  GtkDropDown *color_map;
  GtkSpinButton *text_scale;
  GtkSpinButton *threads;
  GtkSpinButton *max_tokens;
  GtkCheckButton *keeps_recent;
};

G_DEFINE_FINAL_TYPE (HsPreferences, hs_preferences, GTK_TYPE_WINDOW)

/* The places of the drop-downs' lines. */
static const char *const languages[] = {"system", "en", "zh_TW", "zh_CN", NULL};
static const char *const color_schemes[] = {"system", "light", "dark", NULL};
static const char *const color_maps[] = {"YlGnBu", "viridis", "cividis", "magma", "grey", NULL};

static gboolean
name_to_place (GValue *value, GVariant *variant, gpointer names)
{
  const char *name = g_variant_get_string (variant, NULL);

  for (guint i = 0; ((const char *const *)names)[i] != NULL; i++) {
    if (g_str_equal (((const char *const *)names)[i], name)) {
      g_value_set_uint (value, i);
      return TRUE;
    }
  }
  return FALSE;
}

static GVariant *
place_to_name (const GValue *value, const GVariantType *type, gpointer names)
{
  const guint place = g_value_get_uint (value);

  (void)type;
  if (place >= g_strv_length (names))
    return NULL;
  return g_variant_new_string (((const char *const *)names)[place]);
}

static gboolean
number_to_value (GValue *value, GVariant *variant, gpointer data)
{
  (void)data;
  g_value_set_double (value, g_variant_get_uint32 (variant));
  return TRUE;
}

static GVariant *
value_to_number (const GValue *value, const GVariantType *type, gpointer data)
{
  (void)type;
  (void)data;
  return g_variant_new_uint32 ((guint32)g_value_get_double (value));
}

static void
bind_names (HsPreferences *self, const char *key, GtkDropDown *widget, const char *const *names)
{
  /* the table is constant, the signature is not */
  g_settings_bind_with_mapping (self->settings, key, widget, "selected", G_SETTINGS_BIND_DEFAULT,
                                name_to_place, place_to_name, (gpointer)(guintptr)names, NULL);
}

static void
bind_number (HsPreferences *self, const char *key, GtkSpinButton *widget)
{
  g_settings_bind_with_mapping (self->settings, key, gtk_spin_button_get_adjustment (widget),
                                "value", G_SETTINGS_BIND_DEFAULT, number_to_value, value_to_number,
                                NULL, NULL);
}

static void
clear_recent_cb (HsPreferences *self)
{
  g_settings_reset (self->settings, "recent-texts");
  g_settings_reset (self->settings, "recent-models");
  g_settings_reset (self->settings, "recent-attentions");
}

/* Letters have their new size only when the theme was read anew. */
static void
fit_cb (gpointer data)
{
  g_autoptr (HsPreferences) self = data;

  gtk_window_set_default_size (GTK_WINDOW (self), -1, -1);
}

static void
text_scale_changed_cb (HsPreferences *self)
{
  g_idle_add_once (fit_cb, g_object_ref (self));
}

/* ---- object ---- */

static void
hs_preferences_dispose (GObject *object)
{
  HsPreferences *self = HS_PREFERENCES (object);

  gtk_widget_dispose_template (GTK_WIDGET (self), HS_TYPE_PREFERENCES);
  g_clear_object (&self->settings);
  G_OBJECT_CLASS (hs_preferences_parent_class)->dispose (object);
}

static void
hs_preferences_class_init (HsPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = hs_preferences_dispose;
  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, language);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, color_scheme);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, color_map);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, text_scale);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, threads);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, max_tokens);
  gtk_widget_class_bind_template_child (widget_class, HsPreferences, keeps_recent);
  gtk_widget_class_bind_template_callback (widget_class, clear_recent_cb);
  hs_dialog_keys_add (widget_class);
}

static void
hs_preferences_init (HsPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  hs_accessible_name_all (GTK_WIDGET (self));
}

GtkWidget *
hs_preferences_new (GtkWindow *parent, GSettings *settings)
{
  HsPreferences *self = g_object_new (HS_TYPE_PREFERENCES, "transient-for", parent, NULL);

  self->settings = g_object_ref (settings);
  bind_names (self, "language", self->language, languages);
  bind_names (self, "color-scheme", self->color_scheme, color_schemes);
  bind_names (self, "color-map", self->color_map, color_maps);
  bind_number (self, "text-scale", self->text_scale);
  bind_number (self, "threads", self->threads);
  bind_number (self, "max-tokens", self->max_tokens);
  g_signal_connect_object (gtk_spin_button_get_adjustment (self->text_scale), "value-changed",
                           G_CALLBACK (text_scale_changed_cb), self, G_CONNECT_SWAPPED);
  g_settings_bind (settings, "keeps-recent", self->keeps_recent, "active", G_SETTINGS_BIND_DEFAULT);
  return GTK_WIDGET (self);
}
