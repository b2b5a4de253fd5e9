/* SPDX-License-Identifier: MIT */
/* Carries what is chosen in the settings to where it takes effect, at once. */
#pragma once

#include "hs-windows.h"

G_BEGIN_DECLS

typedef struct HsChoices HsChoices;

/* Every window has been made anew in another language; other windows may follow. */
typedef void (*HsRenewedFunc) (gpointer data);

/**
 * hs_choices_new:
 * @settings: (nullable): then nothing is ever carried
 * @windows:  outlives this
 *
 * Takes the choices that need no display over now. Text size and theme wait for
 * hs_choices_begin_display().
 */
HsChoices *
hs_choices_new (GSettings *settings, HsWindows *windows, HsRenewedFunc renewed, gpointer data);

/* Once GTK is up. */
void hs_choices_begin_display (HsChoices *self);

void hs_choices_free (HsChoices *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsChoices, hs_choices_free)

G_END_DECLS
