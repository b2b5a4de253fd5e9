/* SPDX-License-Identifier: MIT */
/* The window program. */
#include "hs-application.h"

#include <locale.h>

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

int
main (int argc, char **argv)
{
  g_autoptr (HsApplication) application = NULL;
  int status;

  leave_gl_alone ();
  setlocale (LC_ALL, "");
  hs_application_prepare ();
  application = hs_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status == 0 && !hs_application_succeeded (application) ? 1 : status;
}
