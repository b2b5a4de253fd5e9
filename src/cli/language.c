/* SPDX-License-Identifier: MIT */
/* Languages by gettext. */
#include "language.h"

#include "cli.h"
#include "hs-build.h"

#include "attn-hub/store.h"

#include <locale.h>

#include <libintl.h>
#include <string.h>

static const char *const languages[] = {"en", "zh_TW", "zh_CN"};

bool
cli_language_check (const char *language, GError **error)
{
  for (size_t i = 0; i < G_N_ELEMENTS (languages); i++)
    if (strcmp (language, languages[i]) == 0)
      return true;
  return cli_usage_value (error, "--lang", language, "known are en, zh_TW and zh_CN");
}

static const char *
translate (const char *english, G_GNUC_UNUSED void *data)
{
  return g_dgettext (HS_GETTEXT_DOMAIN, english);
}

CliTranslate
cli_language_use (const char *language)
{
  if (strcmp (language, "en") == 0)
    return NULL;
  /* gettext needs a locale that is not "C" and knows UTF-8 */
  g_setenv ("LANGUAGE", language, TRUE);
  if (setlocale (LC_MESSAGES, "C.UTF-8") == NULL)
    cli_warn ("warning: this system has no locale C.UTF-8, so the words are English");
  bindtextdomain (HS_GETTEXT_DOMAIN, hs_locale_dir ());
  bind_textdomain_codeset (HS_GETTEXT_DOMAIN, "UTF-8");
  return translate;
}
