/* SPDX-License-Identifier: MIT */
/* Which language the program speaks, while it runs. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Remembers what the surroundings ask for, and sees to it that a language can be chosen at all: no
 * other thread may be there yet, since the environment is written. */
void hs_language_prepare (void);

/**
 * hs_language_set:
 * @language: "en", "zh_TW", "zh_CN", or "system" for what the surroundings ask for
 *
 * Takes effect on all words that are made from now on.
 *
 * Returns: whether that is a change.
 */
bool hs_language_set (const char *language);

G_END_DECLS
