/* SPDX-License-Identifier: MIT */
/* How long files of pictures take to write: one head, a layer's heads, a contact sheet of
 * BERT-base's 144 heads; the best of the repeats, as wall time and as processor time. */
#include "draw-fixture.h"

#include "attn-draw/picture.h"

#include <glib.h>

#include <math.h>
#include <stdlib.h>
#include <time.h>

#define N_LAYERS 12
#define N_HEADS 12

typedef struct {
  const char *name;
  AttnDrawKind kind;
  AttnDrawFormat format;
  double scale, width_px;
  AttnDrawPageSize page;
  size_t columns;
  double budget_ms; /* 0 for none */
} Case;

static const Case cases[] = {
    {"one head", ATTN_DRAW_HEATMAP, ATTN_DRAW_PNG, 2, 800, ATTN_DRAW_PAGE_PICTURE, 0, 0},
    {"one head", ATTN_DRAW_HEATMAP, ATTN_DRAW_SVG, 1, 800, ATTN_DRAW_PAGE_PICTURE, 0, 200},
    {"one head", ATTN_DRAW_HEATMAP, ATTN_DRAW_PDF, 1, 800, ATTN_DRAW_PAGE_PICTURE, 0, 200},
    {"a layer's heads", ATTN_DRAW_HEADS, ATTN_DRAW_PNG, 2, 1000, ATTN_DRAW_PAGE_PICTURE, 0, 0},
    {"a layer's heads", ATTN_DRAW_HEADS, ATTN_DRAW_SVG, 1, 1000, ATTN_DRAW_PAGE_PICTURE, 0, 0},
    {"a layer's heads", ATTN_DRAW_HEADS, ATTN_DRAW_PDF, 1, 800, ATTN_DRAW_PAGE_A4, 2, 0},
    {"contact sheet", ATTN_DRAW_LAYERS, ATTN_DRAW_PNG, 2, 1200, ATTN_DRAW_PAGE_PICTURE, 0, 1000},
    {"contact sheet", ATTN_DRAW_LAYERS, ATTN_DRAW_PNG, 2, 1800, ATTN_DRAW_PAGE_PICTURE, 0, 1000},
    {"contact sheet", ATTN_DRAW_LAYERS, ATTN_DRAW_SVG, 1, 1200, ATTN_DRAW_PAGE_PICTURE, 0, 0},
    {"contact sheet", ATTN_DRAW_LAYERS, ATTN_DRAW_PDF, 1, 1200, ATTN_DRAW_PAGE_A4, 0, 0},
};

static double
now_ms (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static GBytes *
write_once (const Case *c, AttnMaps *maps, AttnPool *pool)
{
  g_autoptr (AttnDrawView) view = attn_draw_view_new ();
  GError *error = NULL;
  view->kind = c->kind;
  view->width_px = c->width_px;
  view->n_columns = c->columns;
  g_autoptr (AttnDrawPanels) panels = attn_draw_panels_new (view, maps, pool, NULL, NULL, &error);
  AttnDrawPicture picture = {
      .view = view,
      .model_name = "bench",
      .text = "",
      .format = c->format,
      .scale = c->scale,
      .page = {c->page, false},
  };
  GBytes *bytes = panels == NULL ? NULL : attn_draw_picture_write (&picture, panels, &error);
  if (bytes == NULL)
    g_error ("%s: %s", c->name, error->message);
  return bytes;
}

static void
time_case (const Case *c, AttnMaps *maps, AttnPool *pool, int n_repeats)
{
  double wall = HUGE_VAL, cpu = HUGE_VAL;
  gsize size = 0;
  for (int i = 0; i < n_repeats; i++) {
    double wall_before = now_ms (CLOCK_MONOTONIC), cpu_before = now_ms (CLOCK_PROCESS_CPUTIME_ID);
    g_autoptr (GBytes) bytes = write_once (c, maps, pool);
    wall = MIN (wall, now_ms (CLOCK_MONOTONIC) - wall_before);
    cpu = MIN (cpu, now_ms (CLOCK_PROCESS_CPUTIME_ID) - cpu_before);
    size = g_bytes_get_size (bytes);
  }
  g_autofree char *budget = c->budget_ms > 0
                                ? g_strdup_printf ("%6.0f  %.2f", c->budget_ms, wall / c->budget_ms)
                                : g_strdup ("");
  g_print ("%-16s %s %-7s %6.0f %8.1f %8.1f %8.1f  %s\n", c->name,
           attn_draw_format_peek_name (c->format), attn_draw_page_size_peek_name (c->page),
           c->width_px, (double)size / 1024, wall, cpu, budget);
}

int
main (int argc, char **argv)
{
  int n_tokens = 128, n_repeats = 5;
  GOptionEntry entries[] = {
      {"tokens", 0, 0, G_OPTION_ARG_INT, &n_tokens, "Length of the text (128)", "N"},
      {"repeats", 0, 0, G_OPTION_ARG_INT, &n_repeats, "Runs of each (5)", "N"},
      {NULL},
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL) || n_tokens < 1 || n_repeats < 1)
    return EXIT_FAILURE;
  g_autoptr (AttnPool) pool = attn_pool_new (0);
  Fixture fixture = {
      .n_layers = N_LAYERS,
      .n_heads = N_HEADS,
      .n_queries = (size_t)n_tokens,
      .n_keys = (size_t)n_tokens,
      .labels = fixture_words,
      .n_labels = fixture_n_words,
  };
  g_autoptr (AttnMaps) maps = fixture_make_maps (&fixture);
  g_print ("%d layers × %d heads, %d tokens; best of %d\n", N_LAYERS, N_HEADS, n_tokens, n_repeats);
  g_print ("picture          as  page     width      KiB  wall ms   cpu ms  budget  used\n");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++)
    time_case (&cases[i], maps, pool, n_repeats);
  return EXIT_SUCCESS;
}
