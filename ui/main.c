/* SPDX-License-Identifier: MIT */
/* The window program. */
#include "hs-application.h"

#include <locale.h>

int
main (int argc, char **argv)
{
  g_autoptr (HsApplication) application = NULL;
  int status;

  setlocale (LC_ALL, "");
  hs_application_prepare ();
  application = hs_application_new ();
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status == 0 && !hs_application_succeeded (application) ? 1 : status;
}
