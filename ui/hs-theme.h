/* SPDX-License-Identifier: MIT */
/* Light or dark, by choice or as the desktop says. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum { HS_COLOR_SCHEME_SYSTEM, HS_COLOR_SCHEME_LIGHT, HS_COLOR_SCHEME_DARK } HsColorScheme;

#define HS_TYPE_COLOR_SCHEME (hs_color_scheme_get_type ()) /* "system", "light", "dark" */
GType hs_color_scheme_get_type (void) G_GNUC_CONST;

#define HS_TYPE_THEME (hs_theme_get_type ())
G_DECLARE_FINAL_TYPE (HsTheme, hs_theme, HS, THEME, GObject)

/* Property "color-scheme" (HS_TYPE_COLOR_SCHEME). Sets GTK's preference for a dark theme; GTK must
 * be up. For "system" the desktop portal is asked, without waiting for it. */
HsTheme *hs_theme_new (void);

G_END_DECLS
