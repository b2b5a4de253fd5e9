/* SPDX-License-Identifier: MIT */
/* headscope-cli render: the three formats, and that every option does something. */
#include "cli-run.h"
#include "test-util.h"

#include <string.h>

static void
test_render (void)
{
  static const char *const endings[] = {"png", "svg", "pdf"};
  static const char *const starts[] = {"\x89PNG", "<?xml", "%PDF-"};
  for (size_t i = 0; i < G_N_ELEMENTS (endings); i++) {
    g_autofree char *name = g_strconcat ("a picture.", endings[i], NULL);
    g_autofree char *path = in_folder (name);
    g_auto (Run) run = RUN ("render --text @ --view heads --layer 2 -o @", "The cat sat.", path);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    gsize size = 0;
    g_autofree char *file = test_read_file (path, &size);
    g_assert_cmpmem (file, strlen (starts[i]), starts[i], strlen (starts[i]));
    g_autofree char *words = g_strconcat (
        "render --text @ --view heads --layer 2 --threads 1 -o - --format ", endings[i], NULL);
    g_auto (Run) again = RUN (words, "The cat sat.");
    g_assert_cmpmem (file, size, again.out, again.out_length);
  }
}

static void
test_render_options (void)
{
  const char *base = "render --text @ -o - --format png";
  g_auto (Run) plain = RUN (base, "The cat sat.");
  static const char *const variants[] = {
      "--head 2",         "--view heads",   "--scale 1",        "--width-px 500",
      "--width-mm 60",    "--font-size 14", "--palette screen", "--palette screen-dark",
      "--colormap magma", "--range 0.5",    "--pin-query 1",    "--pin-key 2",
      "--lang zh_TW",     "--lang zh_CN",   "--max-tokens 4",   "--font Serif",
  };
  for (size_t i = 0; i < G_N_ELEMENTS (variants); i++) {
    g_autofree char *words = g_strdup_printf ("%s %s", base, variants[i]);
    g_auto (Run) run = RUN (words, "The cat sat.");
    g_assert_cmpint (run.status, ==, 0);
    g_assert_true (run.out_length > 1000);
    if (run.out_length == plain.out_length && memcmp (run.out, plain.out, plain.out_length) == 0)
      g_error ("%s changes nothing", variants[i]);
  }
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/render", test_render);
  g_test_add_func ("/cli/render-options", test_render_options);
  return cli_test_run ();
}
