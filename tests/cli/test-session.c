/* SPDX-License-Identifier: MIT */
/* headscope-cli render --session: the bytes of the screen that was saved, and options on top. */
#include "cli-run.h"
#include "picture-repeat.h"
#include "test-util.h"

#include "attn-draw/session.h"
#include "attn-hub/store.h"
#include "attn/attn.h"

#include <glib/gstdio.h>

#include <string.h>

#define TEXT "It's \"$HOME\" `x` 猫\nnext line"

static char *
save (const AttnDrawPicture *picture)
{
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (picture);
  char *path = in_folder ("a session.headscope");
  GError *error = NULL;
  attn_draw_session_save (session, path, &error);
  g_assert_no_error (error);
  return path;
}

static void
assert_same (const AttnDrawPicture *picture, AttnMaps *maps, const char *words)
{
  g_autoptr (GBytes) wanted = repeat_write (picture, maps, NULL);
  repeat_assert_session (picture, wanted, words);
}

static void
test_same_bytes (void)
{
  g_autofree char *folder = attn_hub_find_model (NULL, NULL);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, NULL);
  g_autoptr (AttnMaps) maps = repeat_run_text (model, TEXT, NULL);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model = folder,
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL),
      .text = TEXT,
      .max_tokens = 512,
      .format = ATTN_DRAW_PNG,
      .scale = 1.0 / 3 + 1, /* more digits than a command line carries */
  };
  view->layer = 2;
  view->head = 4;
  view->width_px = 640;
  view->max_height_px = 480;
  view->has_pin = true;
  view->pin_query = 3;
  assert_same (&picture, maps, "render --session @ -o -");
  view->kind = ATTN_DRAW_HEADS;
  view->n_columns = 3;
  view->range = ATTN_DRAW_RANGE_FIXED;
  view->range_max = 1.0 / 3;
  view->palette = ATTN_DRAW_PALETTE_SCREEN_DARK;
  view->color_map = ATTN_DRAW_COLOR_MAP_MAGMA;
  view->font_size_pt = 8.1;
  picture.format = ATTN_DRAW_SVG;
  assert_same (&picture, maps, "render --session @ -o -");
  picture.format = ATTN_DRAW_PDF;
  assert_same (&picture, maps, "render --session @ --threads 1 -o -");
}

/* An option takes the place of its field and of nothing else. */
static void
test_overrides (void)
{
  g_autofree char *folder = attn_hub_find_model (NULL, NULL);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, NULL);
  g_autoptr (AttnMaps) maps = repeat_run_text (model, TEXT, "a pair");
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  AttnDrawPicture picture = {
      .view = view,
      .model = "demo",
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = attn_model_compute_sha256 (model, NULL, NULL, NULL),
      .text = TEXT,
      .pair = "a pair",
      .format = ATTN_DRAW_PNG,
      .scale = 1.5,
  };
  g_autofree char *path = save (&picture);
  static const char *const words =
      "render --session @ -o - --layer 3 --head 2 --width-px 500 --colormap grey --pin-key 1 "
      "--font-size 12 --palette screen";
  view->layer = 2;
  view->head = 1;
  view->width_px = 500;
  view->color_map = ATTN_DRAW_COLOR_MAP_GREY;
  view->has_pin = true;
  view->pin_key = 1;
  view->font_size_pt = 12;
  view->palette = ATTN_DRAW_PALETTE_SCREEN;
  g_autoptr (GBytes) wanted = repeat_write (&picture, maps, NULL);
  gsize wanted_size = 0;
  const void *wanted_data = g_bytes_get_data (wanted, &wanted_size);
  g_auto (Run) run = RUN (words, path);
  g_assert_cmpstr (run.err, ==, "");
  g_assert_cmpmem (run.out, run.out_length, wanted_data, wanted_size);
  /* another format has its own scale, the ending of the name decides */
  g_autofree char *svg = in_folder ("s.svg");
  g_auto (Run) other = RUN ("render --session @ -o @", path, svg);
  g_assert_cmpint (other.status, ==, 0);
  g_autofree char *file = test_read_file (svg, NULL);
  g_assert_nonnull (strstr (file, "width=\"800\""));
}

static void
assert_fails (const char *content, int status, const char *words)
{
  g_autofree char *path = in_folder ("bad.headscope");
  g_assert_true (g_file_set_contents (path, content, -1, NULL));
  g_auto (Run) run = RUN ("render --session @ -o -", path);
  g_assert_cmpint (run.status, ==, status);
  g_assert_nonnull (strstr (run.err, path));
  if (strstr (run.err, words) == NULL)
    g_error ("\"%s\" is not in: %s", words, run.err);
}

#define HEAD "{\"format\":\"headscope-session\",\"version\":1"

static void
test_faults (void)
{
  assert_fails ("{}", 1, "no session of Headscope");
  assert_fails (HEAD ",\"a\":{\"model\":\"/nowhere/at all\"}}", 1,
                "/nowhere/at all: no such folder");
  assert_fails (HEAD ",\"a\":{\"model\":\"/nowhere\"}}", 1, "say where it is now by --model");
  assert_fails (HEAD ",\"view\":{\"layer\":\"one\"}}", 1, "view: layer: found the string");
  g_auto (Run) missing = RUN ("render --session @ -o -", "/nowhere.headscope");
  g_assert_cmpint (missing.status, ==, 1);
  g_autofree char *path = in_folder ("odd.headscope");
  g_assert_true (g_file_set_contents (
      path, HEAD ",\"a\":{\"model\":\"/nowhere\",\"text\":\"hi\"},\"mood\":\"good\"}", -1, NULL));
  g_auto (Run) run = RUN ("render --session @ --model demo -o -", path);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "warning: "));
  g_assert_nonnull (strstr (run.err, "the field \"mood\" is not known"));
  g_assert_cmpmem (run.out, 4, "\x89PNG", 4);
}

/* A session of the lab is drawn as its page shows it; of a page without a picture it is said that
 * the map is drawn, and an option that would make no difference is refused. */
static void
test_lab (void)
{
  static const struct {
    const char *window, *command;
  } cases[] = {
      {"\"lab_page\":\"pipeline\",\"lab_step\":\"scores\",\"lab_cell\":{\"row\":1,\"column\":2}",
       "lab --text @ --figure - --format svg --layer 2 --head 3 --step scores --cell 1,2 --follow "
       "1"},
      {"\"lab_page\":\"heads\",\"lab_pair\":\"chosen\",\"lab_heads\":{\"a\":2,\"b\":4}",
       "lab --text @ --several --figure - --format svg --layer 2 --head 2 --head-b 4 --mark 3"},
  };
  g_autofree char *path = in_folder ("lab.headscope");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *content =
        g_strdup_printf (HEAD ",\"a\":{\"text\":\"a cat sat\"},\"view\":{\"layer\":2,\"head\":3},"
                              "\"window\":{\"lab\":true,%s}}",
                         cases[i].window);
    g_assert_true (g_file_set_contents (path, content, -1, NULL));
    g_auto (Run) wanted = RUN (cases[i].command, "a cat sat");
    g_auto (Run) run = RUN ("render --session @ --format svg -o -", path);
    g_assert_cmpint (wanted.status, ==, 0);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_cmpmem (run.out, run.out_length, wanted.out, wanted.out_length);
    /* a width that the steps cannot have is told, as where they are asked for by options */
    g_auto (Run) narrow = RUN ("render --session @ --format svg --width-px 200 -o -", path);
    const bool kept = strstr (narrow.out, " width=\"200px\"") != NULL;
    g_assert_cmpint (narrow.status, ==, 0);
    g_assert_true (kept == (i == 1));
    g_assert_true (
        (strstr (narrow.err, "note: --width-px 200: the figure is 214 px wide") == NULL) == kept);
    g_auto (Run) refused = RUN ("render --session @ --crop 0-1,0-1 -o x.svg", path);
    g_assert_cmpint (refused.status, ==, 2);
    g_assert_nonnull (strstr (refused.err, "--crop is of no use to the lab's figure"));
    g_auto (Run) map = RUN ("render --session @ --view heatmap --format svg -o -", path);
    g_assert_cmpint (map.status, ==, 0);
    g_assert_cmpstr (map.err, ==, "");
    g_assert_cmpstr (map.out, !=, wanted.out);
  }
  g_assert_true (g_file_set_contents (
      path, HEAD ",\"a\":{\"text\":\"hi\"},\"window\":{\"lab\":true,\"lab_page\":\"code\"}}", -1,
      NULL));
  g_auto (Run) code = RUN ("render --session @ --format svg -o -", path);
  g_assert_cmpint (code.status, ==, 0);
  g_assert_nonnull (strstr (code.err, "drawn is the map of Explore"));
}

#define OTHER "0000456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

/* Weights that are not those of the session draw another picture, which is said. */
static void
test_other_weights (void)
{
  g_autofree char *path = in_folder ("old.headscope");
  g_assert_true (g_file_set_contents (
      path, HEAD ",\"a\":{\"weights_sha256\":\"" OTHER "\",\"text\":\"hi\"}}", -1, NULL));
  g_auto (Run) run = RUN ("render --session @ -o - --format svg", path);
  g_assert_cmpint (run.status, ==, 0);
  g_assert_nonnull (strstr (run.err, "the session was made with other weights"));
  g_assert_nonnull (strstr (run.err, OTHER));
  g_assert_null (strstr (run.out, OTHER));
}

/* A side B that a view does not show makes no difference to its picture, even where B's model is
 * not there. */
static void
test_kept_b (void)
{
#define WITHOUT_B HEAD ",\"a\":{\"text\":\"hi\"},\"view\":{\"head\":2,\"head_b\":3}"
  static const char *const contents[] = {
      WITHOUT_B "}",
      WITHOUT_B ",\"b\":{\"text\":\"there\",\"model\":\"/nowhere\"}}",
  };
  g_autofree char *path = in_folder ("kept.headscope");

  g_assert_true (g_file_set_contents (path, contents[0], -1, NULL));
  g_auto (Run) without = RUN ("render --session @ -o -", path);
  g_assert_true (g_file_set_contents (path, contents[1], -1, NULL));
  g_auto (Run) with = RUN ("render --session @ -o -", path);
  g_assert_cmpint (without.status, ==, 0);
  g_assert_cmpint (with.status, ==, 0);
  g_assert_cmpmem (without.out, without.out_length, with.out, with.out_length);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/session/same-bytes", test_same_bytes);
  g_test_add_func ("/cli/session/overrides", test_overrides);
  g_test_add_func ("/cli/session/faults", test_faults);
  g_test_add_func ("/cli/session/lab", test_lab);
  g_test_add_func ("/cli/session/other-weights", test_other_weights);
  g_test_add_func ("/cli/session/kept-b", test_kept_b);
  return cli_test_run ();
}
