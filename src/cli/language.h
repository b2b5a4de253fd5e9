/* SPDX-License-Identifier: MIT */
/* The language of what is made for people to read: pictures, comments in code. */
#pragma once

#include "options.h"

#include <glib.h>

#include <stdbool.h>

/* Returns: false with a usage error where @language is none that there is. */
bool cli_language_check (const char *language, GError **error);

/* A translation, as the libraries ask for it. */
typedef const char *(*CliTranslate) (const char *english, void *data);

/* Returns: (nullable): what translates into @language, for the rest of the process; NULL for
 * English. */
CliTranslate cli_language_use (const char *language);
