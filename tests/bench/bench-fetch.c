/* SPDX-License-Identifier: MIT */
/* How fast a model of some hundred megabytes is fetched from a hub on this machine, hashed, written
 * and synced; and how much memory that takes. */
#include "attn-hub/fetch.h"
#include "attn-hub/places.h"

#include <glib.h>
#include <glib/gstdio.h>

#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEGABYTE ((size_t)1000000)
#define GIGABIT 118 /* MB/s that such a line carries */

static const char config[] =
    "{\"model_type\":\"bert\",\"hidden_size\":8,\"num_hidden_layers\":2,\"num_attention_heads\":4,"
    "\"intermediate_size\":16,\"vocab_size\":30}";

static int
remove_one (const char *path,
            G_GNUC_UNUSED const struct stat *state,
            G_GNUC_UNUSED int kind,
            G_GNUC_UNUSED struct FTW *place)
{
  return g_remove (path);
}

/* A model whose weights are so many bytes, no two pieces of which are alike. */
static char *
make_model (const char *parent, size_t n_megabytes)
{
  g_autofree guint32 *piece = g_new (guint32, MEGABYTE / 4);
  char *folder = g_build_filename (parent, "model", NULL);
  g_autofree char *weights = g_build_filename (folder, "model.safetensors", NULL);
  g_autofree char *config_path = g_build_filename (folder, "config.json", NULL);
  g_autofree char *vocab = g_build_filename (folder, "vocab.txt", NULL);
  guint32 state = 1;
  g_mkdir_with_parents (folder, 0755);
  FILE *file = fopen (weights, "w");
  if (file == NULL || !g_file_set_contents (config_path, config, -1, NULL) ||
      !g_file_set_contents (vocab, "[PAD]\n", -1, NULL))
    g_error ("cannot write to %s", folder);
  for (size_t n = 0; n < n_megabytes; n++) {
    for (size_t i = 0; i < MEGABYTE / 4; i++)
      piece[i] = state = state * 1664525u + 1013904223u;
    if (fwrite (piece, 4, MEGABYTE / 4, file) != MEGABYTE / 4)
      g_error ("cannot write to %s", weights);
  }
  fclose (file);
  return folder;
}

/* Starts the program and reads the address that it prints. Its standard input is @in. */
static char *
start_hub (const char *program, const char *folder, int *in)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *model = g_strconcat ("bench/model=", folder, NULL);
  const char *command[] = {program, model, NULL};
  char url[200] = "";
  int out = -1;
  if (!g_spawn_async_with_pipes (NULL, (char **)(void *)command, NULL, G_SPAWN_DEFAULT, NULL, NULL,
                                 NULL, in, &out, NULL, &error))
    g_error ("%s", error->message);
  FILE *lines = fdopen (out, "r");
  if (lines == NULL || fgets (url, sizeof url, lines) == NULL)
    g_error ("%s says nothing", program);
  fclose (lines);
  return g_strchomp (g_strdup (url));
}

static void
fetch_once (const char *url, const char *parent, size_t n_megabytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *cache = g_build_filename (parent, "cache", NULL);
  g_autofree char *home = g_strconcat ("HF_HOME=", cache, NULL);
  g_autofree char *endpoint = g_strconcat ("HF_ENDPOINT=", url, NULL);
  g_autoptr (AttnHubPlaces) places =
      attn_hub_places_new ((const char *const[]){home, endpoint, NULL});
  g_autoptr (AttnHubName) name = attn_hub_name_parse ("bench/model", NULL);
  gint64 start_us = g_get_monotonic_time ();
  g_autoptr (AttnHubPlan) plan = attn_hub_plan_new (places, name, NULL, &error);
  g_autofree char *folder = plan == NULL ? NULL : attn_hub_fetch (plan, NULL, NULL, NULL, &error);
  double seconds = (double)(g_get_monotonic_time () - start_us) / G_USEC_PER_SEC;
  if (folder == NULL)
    g_error ("%s", error->message);
  struct rusage use;
  getrusage (RUSAGE_SELF, &use);
  printf ("%4zu MB in %5.2f s: %4.0f MB/s, %.1f times a gigabit line; at most %ld MB of memory\n",
          n_megabytes, seconds, (double)n_megabytes / seconds,
          (double)n_megabytes / seconds / GIGABIT, use.ru_maxrss / 1000);
  nftw (cache, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

int
main (int argc, char **argv)
{
  static const size_t sizes[] = {100, 400};
  int n_repeats = 3;
  const GOptionEntry entries[] = {
      {"repeats", 0, 0, G_OPTION_ARG_INT, &n_repeats, "Fetches of each size", "N"},
      {NULL},
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) options = g_option_context_new ("FAKE-HUB-PROGRAM");
  g_option_context_add_main_entries (options, entries, NULL);
  if (!g_option_context_parse (options, &argc, &argv, &error) || argc != 2) {
    fprintf (stderr, "bench-fetch: %s\n", error != NULL ? error->message : "wanted one program");
    return 2;
  }
  g_autofree char *parent = g_dir_make_tmp ("headscope-bench-XXXXXX", NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    int in = -1;
    g_autofree char *folder = make_model (parent, sizes[i]);
    g_autofree char *url = start_hub (argv[1], folder, &in);
    for (int repeat = 0; repeat < n_repeats; repeat++)
      fetch_once (url, parent, sizes[i]);
    close (in);
  }
  nftw (parent, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  return 0;
}
