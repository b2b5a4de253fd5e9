/* SPDX-License-Identifier: MIT */
/* The window program. */
#include "hs-application.h"
#include "hs-language.h"

#include <gtk/gtk.h>
#include <locale.h>

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* With GTK's Cairo renderer GL is never drawn with, but GDK would load its drivers all the same: a
 * tenth of a second and 60 MB of every start. */
static void
leave_gl_alone (void)
{
  const char *flags = g_getenv ("GDK_DEBUG");
  g_autofree char *more = NULL;

  if (g_strcmp0 (g_getenv ("GSK_RENDERER"), "cairo") != 0)
    return;
  more = g_strjoin (",", "gl-disable", flags, NULL);
  g_setenv ("GDK_DEBUG", more, TRUE);
}

/* Else the next file opened would take the place of one that is closed, and warnings would be
 * written into it. */
static void
open_standard_files (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      open ("/dev/null", O_RDWR);
}

/* Of a locale that is not installed the language is taken all the same, in one that is everywhere.
 */
static void
take_locale (void)
{
  const char *chosen = g_getenv ("LANGUAGE");
  const char *const *languages = g_get_language_names ();
  g_autofree char *language = g_strndup (languages[0], strcspn (languages[0], ".@"));

  gtk_disable_setlocale (); /* it would complain, and fall back to what has no letters but ASCII */
  if (setlocale (LC_ALL, "") != NULL)
    return;
  setlocale (LC_ALL, "C.UTF-8");
  if (chosen == NULL || *chosen == '\0')
    g_setenv ("LANGUAGE", language, TRUE);
}

int
main (int argc, char **argv)
{
  g_autoptr (HsApplication) application = NULL;
  int status;

  open_standard_files ();
  signal (SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like others */
  leave_gl_alone ();
  take_locale ();
  hs_language_prepare ();
  hs_application_prepare ();
  application = hs_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status == 0 && !hs_application_succeeded (application) ? 1 : status;
}
