/* SPDX-License-Identifier: MIT */
/* fake-hub [--tls] [--rule RULE]… [--log FILE] OWNER/NAME[@REVISION]=FOLDER …
 *
 * Serves model folders at the address it prints on its first line, until its standard input ends.
 */
#include "fake-hub.h"

#include <stdio.h>
#include <string.h>

static void
add_model (FakeHub *hub, const char *text)
{
  g_auto (GStrv) parts = g_strsplit (text, "=", 2);
  if (g_strv_length (parts) != 2)
    g_error ("fake hub: %s: wanted OWNER/NAME[@REVISION]=FOLDER", text);
  g_auto (GStrv) name = g_strsplit (parts[0], "@", 2);
  fake_hub_add_folder (hub, name[0], name[1] != NULL ? name[1] : "main", parts[1]);
}

int
main (int argc, char **argv)
{
  gboolean tls = FALSE;
  g_auto (GStrv) rules = NULL;
  g_autofree char *log = NULL;
  const GOptionEntry entries[] = {
      {"tls", 0, 0, G_OPTION_ARG_NONE, &tls, "Speak TLS, with a certificate nobody trusts", NULL},
      {"rule", 0, 0, G_OPTION_ARG_STRING_ARRAY, &rules, "How to misbehave", "RULE"},
      {"log", 0, 0, G_OPTION_ARG_FILENAME, &log, "Write all requests there at the end", "FILE"},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) options = g_option_context_new ("OWNER/NAME[@REVISION]=FOLDER …");
  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error)) {
    fprintf (stderr, "fake-hub: %s\n", error->message);
    return 2;
  }
  g_autoptr (FakeHub) hub = fake_hub_new (tls);
  for (int i = 1; i < argc; i++)
    add_model (hub, argv[i]);
  for (char **rule = rules; rule != NULL && *rule != NULL; rule++)
    fake_hub_add_rule (hub, *rule);
  puts (fake_hub_peek_url (hub));
  fflush (stdout);
  while (getchar () != EOF)
    continue;
  g_autofree char *text = fake_hub_dup_log (hub);
  if (log != NULL && !g_file_set_contents (log, text, -1, &error)) {
    fprintf (stderr, "fake-hub: %s\n", error->message);
    return 1;
  }
  return 0;
}
