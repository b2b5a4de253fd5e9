/* SPDX-License-Identifier: MIT */
/* One callback for each setting. */
#include "hs-choices.h"

#include "hs-language.h"
#include "hs-theme.h"

#include <stdbool.h>

#define DPI_UNIT 1024 /* gtk-xft-dpi counts in these */
#define PLAIN_DPI 96
#define FONT_SIZE_PT 10 /* where the desktop does not say */
#define MIN_FONT_SIZE_PT 1
#define MAX_FONT_SIZE_PT 200 /* what sessions and the command line take */

struct HsChoices {
  GSettings *settings; /* nullable */
  HsWindows *windows;
  HsTheme *theme; /* NULL until there is a display */
  int system_dpi; /* in units of gtk-xft-dpi: what the desktop says */
  gulong dpi_handler, font_handler;
  guint language_idle;
  bool is_renewing;
  HsRenewedFunc renewed;
  gpointer renewed_data;
};

/* ---- letters ---- */

/* Returns: points, whatever the screen's resolution. */
static double
get_size_pt (const PangoFontDescription *font)
{
  const double size = (double)pango_font_description_get_size (font) / PANGO_SCALE;

  if (!(size > 0))
    return FONT_SIZE_PT;
  return pango_font_description_get_size_is_absolute (font) ? size * 72 / PLAIN_DPI : size;
}

/* Letters in pictures are the desktop's, as large as those around them. */
static void
apply_font (HsChoices *self)
{
  g_autofree char *name = NULL;
  int dpi = 0;

  g_object_get (gtk_settings_get_default (), "gtk-font-name", &name, "gtk-xft-dpi", &dpi, NULL);
  if (dpi <= 0)
    dpi = PLAIN_DPI * DPI_UNIT;
  PangoFontDescription *font = pango_font_description_from_string (name != NULL ? name : "");
  const char *family = pango_font_description_get_family (font);
  const double size_pt = get_size_pt (font) * dpi / (DPI_UNIT * PLAIN_DPI);
  hs_windows_set_font (self->windows, family != NULL && *family != '\0' ? family : "Sans",
                       CLAMP (size_pt, MIN_FONT_SIZE_PT, MAX_FONT_SIZE_PT));
  pango_font_description_free (font);
}

/* The program's own text size comes on top of the desktop's. */
static void
apply_text_scale (HsChoices *self)
{
  GtkSettings *gtk = gtk_settings_get_default ();
  const guint percent = g_settings_get_uint (self->settings, "text-scale");
  const int dpi = (int)((gint64)self->system_dpi * percent / 100);

  g_signal_handler_block (gtk, self->dpi_handler);
  g_object_set (gtk, "gtk-xft-dpi", dpi, NULL);
  g_signal_handler_unblock (gtk, self->dpi_handler);
  apply_font (self);
}

static void
read_system_dpi (HsChoices *self)
{
  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &self->system_dpi, NULL);
  if (self->system_dpi <= 0)
    self->system_dpi = PLAIN_DPI * DPI_UNIT;
}

static void
system_dpi_changed_cb (HsChoices *self)
{
  read_system_dpi (self);
  if (self->settings != NULL)
    apply_text_scale (self);
  else
    apply_font (self);
}

/* ---- the others ---- */

static void
set_color_map (HsSession *session, gpointer settings)
{
  hs_session_set_color_map (session, (AttnDrawColorMap)g_settings_get_enum (settings, "color-map"));
}

static void
renew_language (HsSession *session, gpointer data)
{
  (void)data;
  hs_session_renew_language (session);
}

/* Later than the click that chose it: that one's window goes, too. Each window takes a while to
 * make, so that each has a round of the main loop for itself. */
static gboolean
language_cb (gpointer data)
{
  HsChoices *self = data;
  g_autofree char *language = g_settings_get_string (self->settings, "language");

  if (hs_language_set (language)) {
    hs_windows_foreach (self->windows, renew_language, NULL);
    hs_windows_renew (self->windows);
    self->is_renewing = true;
    return G_SOURCE_CONTINUE;
  }
  if (hs_windows_renew_next (self->windows))
    return G_SOURCE_CONTINUE;
  self->language_idle = 0;
  if (self->is_renewing)
    self->renewed (self->renewed_data);
  self->is_renewing = false;
  return G_SOURCE_REMOVE;
}

static void
changed_cb (HsChoices *self, const char *key)
{
  if (g_str_equal (key, "color-map")) {
    hs_windows_foreach (self->windows, set_color_map, self->settings);
  } else if (g_str_equal (key, "threads")) {
    hs_windows_set_n_threads (self->windows, g_settings_get_uint (self->settings, key));
  } else if (g_str_equal (key, "max-tokens")) {
    hs_windows_set_max_tokens (self->windows, g_settings_get_uint (self->settings, key));
  } else if (g_str_equal (key, "text-scale") && self->theme != NULL) {
    apply_text_scale (self);
  } else if (g_str_equal (key, "language") && self->language_idle == 0) {
    self->language_idle = g_idle_add (language_cb, self);
  }
}

HsChoices *
hs_choices_new (GSettings *settings, HsWindows *windows, HsRenewedFunc renewed, gpointer data)
{
  static const char *const now[] = {"threads", "max-tokens"};
  HsChoices *self = g_new0 (HsChoices, 1);

  self->windows = windows;
  self->renewed = renewed;
  self->renewed_data = data;
  if (settings == NULL)
    return self;
  self->settings = g_object_ref (settings);
  for (size_t i = 0; i < G_N_ELEMENTS (now); i++)
    changed_cb (self, now[i]);
  g_signal_connect_swapped (settings, "changed", G_CALLBACK (changed_cb), self);
  return self;
}

void
hs_choices_begin_display (HsChoices *self)
{
  GtkSettings *gtk = gtk_settings_get_default ();

  self->theme = hs_theme_new ();
  if (self->settings != NULL)
    g_settings_bind (self->settings, "color-scheme", self->theme, "color-scheme",
                     G_SETTINGS_BIND_DEFAULT);
  self->dpi_handler = g_signal_connect_swapped (gtk, "notify::gtk-xft-dpi",
                                                G_CALLBACK (system_dpi_changed_cb), self);
  self->font_handler =
      g_signal_connect_swapped (gtk, "notify::gtk-font-name", G_CALLBACK (apply_font), self);
  system_dpi_changed_cb (self);
}

void
hs_choices_free (HsChoices *self)
{
  if (self->dpi_handler != 0)
    g_signal_handler_disconnect (gtk_settings_get_default (), self->dpi_handler);
  if (self->font_handler != 0)
    g_signal_handler_disconnect (gtk_settings_get_default (), self->font_handler);
  g_clear_handle_id (&self->language_idle, g_source_remove);
  if (self->settings != NULL)
    g_signal_handlers_disconnect_by_data (self->settings, self);
  g_clear_object (&self->settings);
  g_clear_object (&self->theme);
  g_free (self);
}
