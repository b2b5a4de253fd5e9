/* SPDX-License-Identifier: MIT */
/* Pictures of any settings, chosen at random from a fixed seed: the copied command and the session
 * make the same file, so that no setting is lost on the way to any format. */
#include "cli-run.h"
#include "picture-repeat.h"

#include "attn/attn.h"

#define TEXT "The cat sat on the mat, it didn't sleep. 今天下雨。"
#define PAIR "A dog \"barked\" at $HOME."
#define TEXT_B "The dog sat on a mat, it didn't run. 今天下雪。"
#define N_PICTURES 36 /* each format in each view twice */
#define LEAST_ROWS 6  /* that some arrangement of the texts surely leaves */

typedef struct {
  GRand *rand;
  AttnModel *model;
  const char *sha256;
  AttnMaps *maps, *maps_b;
} World;

static size_t
below (World *world, size_t end)
{
  return (size_t)g_rand_int_range (world->rand, 0, (gint32)end);
}

static bool
one_in (World *world, size_t n)
{
  return below (world, n) == 0;
}

static double
between (World *world, double least, double most)
{
  return g_rand_double_range (world->rand, least, most);
}

static void
choose_arrangement (World *world, AttnArrangement *arrangement, size_t n_heads)
{
  *arrangement = (AttnArrangement){
      .combine = one_in (world, 3) ? (AttnCombine)below (world, 3) : ATTN_COMBINE_NONE,
      .combine_layers = one_in (world, 2),
      .unit = (AttnUnit)below (world, 3),
      .part = one_in (world, 3) ? (AttnPart)below (world, 5) : ATTN_PART_ALL,
      .hide = one_in (world, 3) ? (unsigned)below (world, 8) : 0,
      .renormalise = one_in (world, 3),
      .keep = one_in (world, 3) ? (AttnKeep)below (world, 3) : ATTN_KEEP_ALL,
      .threshold = between (world, 0, 0.5),
      .n_top = 1 + below (world, 5),
  };
  for (size_t head = 0; head < n_heads; head++)
    attn_head_set_put (&arrangement->heads, head, one_in (world, 3));
}

/* Everything that a view says; sizes so that its picture can be read. */
static AttnDrawView *
make_view (World *world, AttnDrawKind kind)
{
  AttnDrawView *view = attn_draw_view_new ();
  size_t n_layers = attn_maps_get_n_layers (world->maps);
  size_t n_heads = attn_maps_get_n_heads (world->maps);

  view->kind = kind;
  view->layer = below (world, n_layers);
  view->head = below (world, n_heads);
  view->layer_b = below (world, n_layers);
  view->head_b = below (world, n_heads);
  view->range = (AttnDrawRange)below (world, 5);
  view->range_max = between (world, 0.01, 1);
  view->scale = (AttnDrawScale)below (world, 3);
  choose_arrangement (world, &view->arrangement, n_heads);
  if (one_in (world, 3))
    view->crop = (AttnDrawCrop){below (world, 3), 1 + below (world, 3), below (world, 3),
                                one_in (world, 3) ? 0 : 1 + below (world, 3)};
  view->hides_values = one_in (world, 2);
  view->color_map = (AttnDrawColorMap)below (world, ATTN_DRAW_N_COLOR_MAPS);
  view->palette = (AttnDrawPalette)below (world, 3);
  view->font_size_pt = between (world, 7, 14);
  view->width_px = between (world, 700, 1100);
  view->max_height_px = one_in (world, 2) ? between (world, 1200, 1600) : 0;
  view->n_columns = one_in (world, 2) ? 1 + below (world, n_heads) : 0;
  view->map_px = one_in (world, 2) ? between (world, 20, 60) : 0;
  view->has_pin = one_in (world, 2);
  view->pin_query = view->has_pin ? below (world, LEAST_ROWS) : G_MAXSIZE;
  view->pin_key = view->has_pin && one_in (world, 2) ? below (world, LEAST_ROWS) : G_MAXSIZE;
  return view;
}

static bool
can_be_made (World *world, const AttnDrawView *view)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnDrawPanels) panels =
      view->kind == ATTN_DRAW_COMPARE
          ? attn_draw_panels_new_compare (view, world->maps, world->maps_b, NULL, NULL, NULL,
                                          &error)
          : attn_draw_panels_new (view, world->maps, NULL, NULL, NULL, &error);

  return panels != NULL && attn_draw_panels_get_n_joint (panels, ATTN_SIDE_QUERY) >= LEAST_ROWS &&
         attn_draw_panels_get_n_joint (panels, ATTN_SIDE_KEY) >= LEAST_ROWS;
}

/* The arrangement may leave nothing, which is told and not drawn: then another one is tried. */
static AttnDrawView *
make_drawable_view (World *world, AttnDrawKind kind)
{
  for (size_t i = 0; i < 50; i++) {
    g_autoptr (AttnDrawView) view = make_view (world, kind);
    if (can_be_made (world, view))
      return g_steal_pointer (&view);
  }
  g_error ("no view of kind %s can be drawn", attn_draw_kind_peek_name (kind));
}

static void
test_any_picture (gconstpointer number)
{
  const guint seed = GPOINTER_TO_UINT (number);
  World world = {.rand = g_rand_new_with_seed (seed), .model = repeat_load_model (NULL)};
  AttnDrawKind kind = (AttnDrawKind)(seed % 6);

  world.sha256 = attn_model_compute_sha256 (world.model, NULL, NULL, NULL);
  world.maps = repeat_run_text (world.model, TEXT, PAIR);
  world.maps_b = repeat_run_text (world.model, TEXT_B, PAIR);
  g_autoptr (AttnDrawView) view = make_drawable_view (&world, kind);
  bool is_compared = kind == ATTN_DRAW_COMPARE;
  AttnDrawPicture picture = {
      .view = view,
      .model_name = ATTN_MODEL_BUILT_IN,
      .weights_sha256 = world.sha256,
      .text = TEXT,
      .pair = PAIR,
      .model_name_b = is_compared ? ATTN_MODEL_BUILT_IN : NULL,
      .weights_sha256_b = is_compared ? world.sha256 : NULL,
      .text_b = is_compared ? TEXT_B : NULL,
      .pair_b = is_compared ? PAIR : NULL,
      .max_tokens = one_in (&world, 2) ? 512 : 0,
      .format = (AttnDrawFormat)(seed / 6 % 3),
      .scale = between (&world, 0.5, 1.5),
      .page = {one_in (&world, 2) ? (AttnDrawPageSize)below (&world, 4) : ATTN_DRAW_PAGE_PICTURE,
               one_in (&world, 2)},
  };
  g_autoptr (GBytes) wanted =
      repeat_write (&picture, world.maps, is_compared ? world.maps_b : NULL);
  g_autofree char *path = in_folder ("any picture");

  repeat_assert_command (&picture, wanted, path);
  repeat_assert_session (&picture, wanted, "render --session @ -o -");
  attn_maps_unref (world.maps);
  attn_maps_unref (world.maps_b);
  attn_model_unref (world.model);
  g_rand_free (world.rand);
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  for (guint seed = 0; seed < N_PICTURES; seed++) {
    g_autofree char *path = g_strdup_printf ("/cli/any-picture/%u", seed);
    g_test_add_data_func (path, GUINT_TO_POINTER (seed), test_any_picture);
  }
  return cli_test_run ();
}
