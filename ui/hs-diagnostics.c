/* SPDX-License-Identifier: MIT */
/* Asks the toolkit what it runs on. */
#include "hs-diagnostics.h"

#include "attn-draw/diagnostics.h"
#include "attn-hub/diagnostics.h"
#include "attn-hub/store.h"

#include <string.h>

/* Returns: (transfer none): "X11" of GdkX11Display. */
static const char *
peek_between (const char *text, const char *before, const char *after)
{
  const size_t length = strlen (before);
  g_autofree char *inner = NULL;

  if (!g_str_has_prefix (text, before) || !g_str_has_suffix (text, after) ||
      strlen (text) <= length + strlen (after))
    return text;
  inner = g_strndup (text + length, strlen (text) - length - strlen (after));
  return g_intern_string (inner);
}

static void
add_toolkit (AttnDiagnostics *facts, GtkWindow *window)
{
  GdkDisplay *display = gtk_widget_get_display (GTK_WIDGET (window));
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (window));
  GtkSettings *settings = gtk_widget_get_settings (GTK_WIDGET (window));
  g_autofree char *theme = NULL;
  int dpi = 0;

  g_object_get (settings, "gtk-theme-name", &theme, "gtk-xft-dpi", &dpi, NULL);
  attn_diagnostics_add (facts, "gtk", "%u.%u.%u", gtk_get_major_version (),
                        gtk_get_minor_version (), gtk_get_micro_version ());
  attn_diagnostics_add (facts, "display", "%s, scale %d, %.0f dpi",
                        peek_between (G_OBJECT_TYPE_NAME (display), "Gdk", "Display"),
                        gtk_widget_get_scale_factor (GTK_WIDGET (window)), dpi / 1024.0);
  attn_diagnostics_add (
      facts, "renderer", "%s",
      renderer != NULL ? peek_between (G_OBJECT_TYPE_NAME (renderer), "Gsk", "Renderer") : "none");
  attn_diagnostics_add (facts, "theme", "%s", theme);
}

char *
hs_diagnostics_dup_text (GtkWindow *window, AttnModel *model, size_t n_threads)
{
  g_autoptr (AttnDiagnostics) facts = attn_draw_diagnostics_new (
      n_threads, model, model != NULL ? attn_hub_peek_model_name (model) : NULL);

  attn_hub_diagnostics_add (facts);
  add_toolkit (facts, window);
  attn_diagnostics_add (facts, "locale", "%s", g_get_language_names ()[0]);
  return attn_diagnostics_dup_text (facts);
}
