/* SPDX-License-Identifier: MIT */
/* GNU gettext reads the variable LANGUAGE, so a language is chosen by writing it. */
#include "hs-language.h"

#include <locale.h>

#include <libintl.h>
#include <stdlib.h>

#define LANGUAGE "LANGUAGE"

/* What the program was started with. */
static char *system_language; /* nullable */

/* GNU gettext's documented way to make it forget what it has looked up. */
extern int _nl_msg_cat_cntr;

void
hs_language_prepare (void)
{
  const char *category = setlocale (LC_MESSAGES, NULL);

  /* messages of the locale C are never translated, whatever LANGUAGE says; C.UTF-8 is everywhere */
  if (g_strcmp0 (category, "C") == 0 || g_strcmp0 (category, "POSIX") == 0) {
    system_language = g_strdup ("en");
    setlocale (LC_MESSAGES, "C.UTF-8");
  } else {
    system_language = g_strdup (g_getenv (LANGUAGE));
  }
  /* a variable that is there is later changed in its place, which readers in other threads bear */
  setenv (LANGUAGE, system_language != NULL ? system_language : "", 1);
}

bool
hs_language_set (const char *language)
{
  const char *wanted = g_str_equal (language, "system") ? system_language : language;

  if (wanted == NULL)
    wanted = "";
  if (g_strcmp0 (g_getenv (LANGUAGE), wanted) == 0)
    return false;
  setenv (LANGUAGE, wanted, 1);
  _nl_msg_cat_cntr++;
  return true;
}
