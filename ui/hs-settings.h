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

/* Reads text, pair, layer, head, view and colours into the session, and, unless @read_only, keeps
 * what changes. @settings: (nullable): none means that nothing is done. */
void hs_settings_bind_session (GSettings *settings, HsSession *session, bool read_only);

/* @settings: (nullable) */
void hs_settings_flush (GSettings *settings);

G_END_DECLS
