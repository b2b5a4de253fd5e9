/* SPDX-License-Identifier: MIT */
/* Pictures through a lens: which maps, what they are called, and how they are made again. */
#include "draw-fixture.h"
#include "panels-private.h"
#include "picture-provenance.h"

#include "attn-draw/picture.h"
#include "attn-draw/session.h"
#include "attn/error.h"

#include <string.h>

static const Fixture fixture = {.n_layers = 3, .n_heads = 4, .n_queries = 5, .n_keys = 5};

/* The maps are the lens's own, one a layer, whichever head is asked for. */
static void
test_maps (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = fixture_make_maps (&fixture);
  g_autoptr (AttnMaps) rollout =
      attn_lens_new_maps (ATTN_LENS_ROLLOUT, raw, &(AttnLensOptions){0}, &error);
  g_assert_no_error (error);
  float wanted[25];
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->lens = ATTN_LENS_ROLLOUT;
  view->layer = 2;
  view->head = 3;
  attn_head_set_put (&view->arrangement.heads, 3, true);
  for (AttnDrawKind kind = ATTN_DRAW_HEATMAP; kind <= ATTN_DRAW_LINES; kind++) {
    view->kind = kind;
    g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, raw, NULL, NULL, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, kind == ATTN_DRAW_LAYERS ? 3 : 1);
    for (size_t i = 0; i < attn_draw_panels_get_n (panels); i++) {
      const AttnMap *map = attn_draw_panels_peek (panels, i);
      g_assert_cmpuint (map->head, ==, 0);
      g_assert_true (attn_draw_view_has_head (view, panels, i));
      g_assert_true (attn_maps_compute (rollout, map->layer, 0, wanted, &error));
      g_assert_cmpmem (map->weights, sizeof wanted, wanted, sizeof wanted);
    }
    g_assert_true (attn_draw_panels_peek_source (panels) == raw);
  }
}

/* A and B of one head each, by layers. */
static void
test_compared (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = fixture_make_maps (&fixture);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->kind = ATTN_DRAW_COMPARE;
  view->lens = ATTN_LENS_ROLLOUT;
  view->head = 1;
  view->layer_b = 2;
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new_compare (view, raw, raw, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_draw_panels_get_n (panels), ==, 3);
  g_assert_cmpuint (attn_draw_panels_peek (panels, 1)->layer, ==, 2);
  for (size_t i = 0; i < 25; i++)
    g_assert_cmpfloat_with_epsilon ((double)attn_draw_panels_peek (panels, 2)->weights[i],
                                    (double)(attn_draw_panels_peek (panels, 0)->weights[i] -
                                             attn_draw_panels_peek (panels, 1)->weights[i]),
                                    1e-7);
}

static void
assert_title (AttnDrawView *view, const char *title)
{
  if (view->kind == ATTN_DRAW_COMPARE)
    attn_draw_view_set_compared_strings (view, &(AttnDrawSubject){"m", "a", NULL},
                                         &(AttnDrawSubject){"m", "b", NULL}, NULL, NULL);
  else
    attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
  g_assert_cmpstr (view->strings.title, ==, title);
}

static void
test_titles (void)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->layer = 2;
  view->head = 4;
  view->lens = ATTN_LENS_NORM;
  assert_title (view, "Layer 3, head 5 · norm-weighted attention");
  view->kind = ATTN_DRAW_HEADS;
  assert_title (view, "Layer 3 · all heads · norm-weighted attention");
  view->first_head = 4;
  view->n_heads = 4;
  assert_title (view, "Layer 3 · heads 5 to 8 · norm-weighted attention");
  view->kind = ATTN_DRAW_LAYERS;
  assert_title (view, "All layers · all heads · norm-weighted attention");
  view->kind = ATTN_DRAW_LINES;
  attn_head_set_put (&view->arrangement.heads, 0, true);
  assert_title (view, "Layer 3, head 1 · norm-weighted attention");
  attn_head_set_put (&view->arrangement.heads, 6, true);
  assert_title (view, "Layer 3 · heads 1, 7 · norm-weighted attention");
  view->arrangement.combine = ATTN_COMBINE_MEAN;
  assert_title (view, "Layer 3 · mean of heads 1, 7 · norm-weighted attention");
  view->lens = ATTN_LENS_ZEROING;
  assert_title (view, "Layer 3 · value zeroing");
  view->arrangement.combine = ATTN_COMBINE_NONE;
  view->kind = ATTN_DRAW_LAYERS;
  assert_title (view, "Each layer · value zeroing");
  view->lens = ATTN_LENS_ROLLOUT;
  view->kind = ATTN_DRAW_HEATMAP;
  assert_title (view, "Layers 1 to 3 · attention rollout");
  g_assert_cmpstr (view->strings.axes, ==,
                   "rows: token after these layers · columns: input token it comes from");
  view->layer = 0;
  assert_title (view, "Layer 1 · attention rollout");
  view->layer = 2;
  view->lens = ATTN_LENS_ZEROING;
  view->kind = ATTN_DRAW_COMPARE;
  view->layer_b = 2;
  assert_title (view, "Layer 3 · value zeroing · A and B compared");
}

/* Copied commands, provenance and sessions name the lens, and no head it has not. */
static void
test_told (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = fixture_make_maps (&fixture);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->lens = ATTN_LENS_ROLLOUT;
  view->head = 2;
  attn_draw_view_set_strings (view, "m", "a", NULL, NULL, NULL);
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, raw, NULL, NULL, NULL, &error);
  AttnDrawPicture picture = {
      .view = view, .format = ATTN_DRAW_SVG, .scale = 1, .text = "a", .model_name = "m"};
  g_autofree char *line = attn_draw_picture_dup_command (&picture, "a.svg");
  g_assert_nonnull (strstr (line, " --layer 1 --lens rollout"));
  g_assert_null (strstr (line, "--head"));
  const AttnExportChoice choice = {.layer = 0};
  g_autofree char *numbers =
      attn_draw_picture_dup_numbers_command (&picture, &choice, ATTN_EXPORT_CSV, "a.csv");
  g_assert_nonnull (strstr (numbers, " --layer 1 --lens rollout"));
  g_assert_null (strstr (numbers, "--head"));
  g_autofree char *about = attn_draw_picture_describe (&picture, panels);
  g_assert_nonnull (strstr (about, "; view: heatmap, layer 1; lens: rollout"));
  g_autoptr (AttnDrawSession) session = attn_draw_session_new_from_picture (&picture);
  g_autofree char *json = attn_draw_session_dup_json (session);
  g_assert_nonnull (strstr (json, "\"lens\": \"rollout\""));
  g_autoptr (AttnDrawSession) again =
      attn_draw_session_load_bytes (json, strlen (json), "a.headscope", &error);
  g_assert_no_error (error);
  g_assert_cmpint (again->view->lens, ==, ATTN_LENS_ROLLOUT);
}

/* A lens that does not fit says why. */
static void
test_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = fixture_make_maps (&fixture);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  view->lens = ATTN_LENS_NORM;
  g_assert_null (attn_draw_panels_new (view, raw, NULL, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "the lens norm: it needs a model"));
}

static bool
note_progress (double fraction, void *data)
{
  double *seen = data;
  g_assert_cmpfloat (fraction, >=, *seen);
  g_assert_cmpfloat (fraction, <=, 1);
  *seen = fraction;
  return true;
}

static void
test_progress (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) raw = fixture_make_maps (&fixture);
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  double seen = 0;
  view->lens = ATTN_LENS_FLOW;
  view->kind = ATTN_DRAW_LAYERS;
  g_autoptr (AttnDrawPanels) panels =
      attn_draw_panels_new (view, raw, NULL, note_progress, &seen, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (seen, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/looked/maps", test_maps);
  g_test_add_func ("/looked/compared", test_compared);
  g_test_add_func ("/looked/titles", test_titles);
  g_test_add_func ("/looked/told", test_told);
  g_test_add_func ("/looked/refused", test_refused);
  g_test_add_func ("/looked/progress", test_progress);
  return g_test_run ();
}
