/* SPDX-License-Identifier: MIT */
/* headscope-cli render: the three formats, and that every option does something. */
#include "cli-run.h"
#include "picture-repeat.h"
#include "test-util.h"

#include "attn-draw/picture.h"
#include "attn-hub/store.h"
#include "attn/attn.h"

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
      "--head 2",
      "--view heads",
      "--view layers",
      "--scale 1",
      "--width-px 500",
      "--width-mm 60",
      "--font-size 14",
      "--palette screen",
      "--palette screen-dark",
      "--colormap magma",
      "--range 0.5",
      "--pin-query 1",
      "--pin-key 2",
      "--lang zh_TW",
      "--lang zh_CN",
      "--max-tokens 4",
      "--font Serif",
      "--height-px 300",
      "--width-in 3",
      "--color-scale log",
      "--color-scale rank",
      "--crop 1:3,0:2",
      "--crop 2:4",
      "--no-values",
      "--unit words",
      "--unit characters",
      "--combine mean",
      "--combine max",
      "--hide cls",
      "--hide sep",
      "--hide punctuation",
      "--renormalise",
      "--threshold 0.1",
      "--top-keys 2",
      "--part a-a",
      "--combine mean --heads 1-3",
      "--combine mean --all-layers",
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

/* An inch is 25.4 mm, and 96 px. */
static void
test_inches (void)
{
  g_auto (Run) inches = RUN ("render --text a -o - --format svg --width-in 3.5", "");
  g_auto (Run) mm = RUN ("render --text a -o - --format svg --width-mm 88.9", "");
  g_assert_cmpint (inches.status, ==, 0);
  g_assert_cmpmem (inches.out, inches.out_length, mm.out, mm.out_length);
  g_assert_nonnull (strstr (inches.out, "width=\"336"));
}

/* Lines are of all heads, or of the one that is named. */
static void
test_lines_head (void)
{
  const char *base = "render --text @ --view lines --layer 2 -o - --format svg";
  g_autofree char *head = g_strconcat (base, " --head 4", NULL);
  g_autofree char *heads = g_strconcat (base, " --heads 4", NULL);
  g_autofree char *every = g_strconcat (base, " --heads 1-8", NULL);
  g_auto (Run) all = RUN (base, "The cat sat.");
  g_auto (Run) one = RUN (head, "The cat sat.");
  g_auto (Run) named = RUN (heads, "The cat sat.");
  g_auto (Run) listed = RUN (every, "The cat sat.");
  g_assert_cmpstr (one.err, ==, "");
  g_assert_cmpmem (one.out, one.out_length, named.out, named.out_length);
  g_assert_cmpuint (one.out_length, <, all.out_length);
  g_assert_cmpuint (listed.out_length, >, one.out_length);
}

/* A height nothing could be read at is exceeded, and not without a word. */
static void
test_low (void)
{
  const char *command = "render --text a --view heads -o - --format svg --width-px 900 --height-px";
  g_autofree char *low = g_strconcat (command, " 120", NULL);
  g_autofree char *high = g_strconcat (command, " 900", NULL);
  g_auto (Run) exceeded = RUN (low, "");
  g_auto (Run) kept = RUN (high, "");
  g_assert_cmpint (exceeded.status, ==, 0);
  g_assert_nonnull (strstr (exceeded.err, "could not be read at 120 px"));
  g_assert_cmpint (kept.status, ==, 0);
  g_assert_cmpstr (kept.err, ==, "");
}

/* Letters of another family than was asked for are said. */
static void
test_absent_font (void)
{
  g_auto (Run) absent = RUN ("render --text a -o - --format svg --font @", "No Such Font");
  g_auto (Run) there = RUN ("render --text a -o - --format svg --font Serif", "");
  g_assert_cmpint (absent.status, ==, 0);
  g_assert_nonnull (strstr (absent.err, "font family No Such Font is not installed"));
  g_assert_nonnull (strstr (absent.out, "font: No Such Font, 10 pt"));
  g_assert_cmpint (there.status, ==, 0);
  g_assert_cmpstr (there.err, ==, "");
}

static void
assert_command_repeats (AttnMaps *maps, const AttnDrawPicture *picture, const char *path)
{
  g_autoptr (GBytes) wanted = repeat_write (picture, maps, NULL);
  repeat_assert_command (picture, wanted, path);
}

static void
test_command_repeats (void)
{
  const char *text = "It's \"$HOME\" `x` \\ 猫\nnext line";
  g_autoptr (AttnModel) model = repeat_load_model (NULL);
  g_autoptr (AttnMaps) maps = repeat_run_text (model, text, NULL);
  g_autofree char *path = in_folder ("it's a copy");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL),
      .text = text,
      .format = ATTN_DRAW_PNG,
      .scale = 1.25,
  };
  view->layer = 1;
  view->head = 6;
  view->width_px = 640;
  view->has_pin = true;
  view->pin_query = 2;
  assert_command_repeats (maps, &picture, path);
  view->kind = ATTN_DRAW_HEADS;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 1.0 / 3;
  view->palette = ATTN_DRAW_PALETTE_SCREEN_DARK;
  view->color_map = ATTN_DRAW_COLOR_MAP_CIVIDIS;
  picture.format = ATTN_DRAW_SVG;
  assert_command_repeats (maps, &picture, path);
  view->range = ATTN_DRAW_RANGE_MODEL;
  view->max_height_px = 433;
  assert_command_repeats (maps, &picture, path);
  view->kind = ATTN_DRAW_HEATMAP;
  assert_command_repeats (maps, &picture, path);
  view->kind = ATTN_DRAW_LAYERS;
  view->range = ATTN_DRAW_RANGE_AUTO;
  assert_command_repeats (maps, &picture, path);
  view->map_px = 43.5;
  assert_command_repeats (maps, &picture, path);
  view->map_px = 0;
  view->range = ATTN_DRAW_RANGE_LAYER;
  view->kind = ATTN_DRAW_HEADS;
  view->n_columns = 3;
  view->font_size_pt = 8.5;
  picture.format = ATTN_DRAW_PDF;
  attn_draw_picture_set_width_mm (view, 123.4, picture.format, &picture.scale);
  assert_command_repeats (maps, &picture, path);
}

/* Titles, labels, rows and provenance of an arranged picture are the window's. */
static void
test_arranged_command (void)
{
  const char *text = "The cat, it didn't.", *pair = "今天";
  g_autoptr (AttnModel) model = repeat_load_model (NULL);
  g_autoptr (AttnMaps) maps = repeat_run_text (model, text, pair);
  g_autofree char *path = in_folder ("arranged.svg");
  g_autofree char *list = in_folder ("a list.txt");
  g_assert_true (g_file_set_contents (list, "今天\n", -1, NULL));
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL),
      .text = text,
      .pair = pair,
      .format = ATTN_DRAW_SVG,
      .scale = 1,
  };
  const AttnArrangement arrangements[] = {
      {.unit = ATTN_UNIT_WORDS, .hide = ATTN_HIDE_CLS | ATTN_HIDE_SEP, .renormalise = true},
      {.combine = ATTN_COMBINE_MEAN, .heads = {{0x49}}, .part = ATTN_PART_A_TO_A},
      {.combine = ATTN_COMBINE_MAX, .combine_layers = true, .keep = ATTN_KEEP_TOP, .n_top = 2},
      {.unit = ATTN_UNIT_CHARACTERS, .keep = ATTN_KEEP_ABOVE, .threshold = 1.0 / 3},
  };
  view->layer = 2;
  view->head = 5;
  view->has_pin = true;
  view->pin_query = 1;
  for (size_t i = 0; i < G_N_ELEMENTS (arrangements); i++)
    for (AttnDrawKind kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_LINES; kind++) {
      view->arrangement = arrangements[i];
      view->kind = kind;
      assert_command_repeats (maps, &picture, path);
    }
  view->arrangement = (AttnArrangement){.heads = {{0x49}}}; /* lines are of several heads */
  assert_command_repeats (maps, &picture, path);
  view->arrangement = (AttnArrangement){.unit = ATTN_UNIT_WORDS};
  view->words = attn_word_list_load (list, NULL);
  assert_command_repeats (maps, &picture, path);
  g_autofree char *file = test_read_file (path, NULL);
  g_assert_nonnull (strstr (file, "a list.txt"));
  g_assert_null (strstr (file, list)); /* a figure tells nothing of its maker's disk */
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/render", test_render);
  g_test_add_func ("/cli/render-options", test_render_options);
  g_test_add_func ("/cli/inches", test_inches);
  g_test_add_func ("/cli/lines-head", test_lines_head);
  g_test_add_func ("/cli/low", test_low);
  g_test_add_func ("/cli/absent-font", test_absent_font);
  g_test_add_func ("/cli/command-repeats", test_command_repeats);
  g_test_add_func ("/cli/arranged-command", test_arranged_command);
  return cli_test_run ();
}
