/* SPDX-License-Identifier: MIT */
/* What is remembered between starts. */
#pragma once

#include "hs-session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Returns: (transfer full) (nullable): our settings; NULL where their schema is not installed,
 * after one line in the log. A program started from its build tree uses the build tree's schema.
 * Changes are written a moment after the last one; hs_settings_flush() writes them now. */
GSettings *hs_settings_open (void);

/* Returns: how every property is bound: taken from the settings once, then, unless @read_only, only
 * written there. */
GSettingsBindFlags hs_settings_get_bind_flags (bool read_only);

/* g_settings_bind() of an int @property to a @key of type "i": what lies beyond the key's range, as
 * a window made very small by its manager does, is kept as the range's end. */
void hs_settings_bind_int (GSettings *settings,
                           const char *key,
                           gpointer object,
                           const char *property,
                           GSettingsBindFlags flags);

/* What a new window begins with. @settings: (nullable): none leaves the session as it is. */
void hs_settings_apply (GSettings *settings, HsSession *session);

/* @settings: (nullable) */
void hs_settings_flush (GSettings *settings);

G_END_DECLS
