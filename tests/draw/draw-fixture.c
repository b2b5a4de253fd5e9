/* SPDX-License-Identifier: MIT */
/* Maps made for a test. */
#include "draw-fixture.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

const char *const fixture_words[] = {
    "[CLS]",  "the",    "animal",  "didn",  "'",
    "t",      "cross",  "猫",      "学習",  "がく",
    "한국어", "שלום",   "العربية", "g̈ẗ",    "🙂",
    "##ing",  "",       " ",       "\n",    "\t",
    "\x01",   "\u202e", "\u0301",  "ĵ",     "Donaudampfschifffahrtsgesellschaftskapitänsmütze",
    ".",      "Ġhello", "ภาษาไทย", "हिन्दी", "W",
    "|",      "[SEP]",
};
const size_t fixture_n_words = G_N_ELEMENTS (fixture_words);

typedef struct {
  Fixture fixture;
  GPtrArray *names;
} Source;

static void
fill_row (GRand *rand, size_t query, const Fixture *fixture, float *row)
{
  size_t end = fixture->causal ? query + 1 : fixture->n_keys;
  double sum = 0;

  for (size_t key = 0; key < fixture->n_keys; key++)
    row[key] = 0;
  for (size_t key = 0; key < end && key < fixture->n_keys; key++) {
    double near = query == key + 1 ? 3 : 0;
    double sink = key == 0 ? 2.5 : 0;
    row[key] = (float)exp (near + sink + 2.5 * g_rand_double (rand) * g_rand_double (rand));
    sum += (double)row[key];
  }
  for (size_t key = 0; key < end && key < fixture->n_keys; key++)
    row[key] = (float)((double)row[key] / sum);
}

static bool
compute_cb (void *data, size_t layer, size_t head, float *weights, GError **error)
{
  const Fixture *fixture = &((Source *)data)->fixture;
  size_t index = layer * fixture->n_heads + head;
  float factor = powf (fixture->factor > 0 ? fixture->factor : 1, (float)index);
  GRand *rand = g_rand_new_with_seed ((guint32)index + 7);

  for (size_t query = 0; query < fixture->n_queries; query++) {
    float *row = weights + query * fixture->n_keys;
    if (fixture->weights == NULL)
      fill_row (rand, query, fixture, row);
    else
      memcpy (row, fixture->weights + query * fixture->n_keys, fixture->n_keys * sizeof *row);
    for (size_t key = 0; key < fixture->n_keys; key++)
      row[key] *= factor;
  }
  g_rand_free (rand);
  if (fixture->fails_from > 0 && head >= fixture->fails_from) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_IO, "head %zu cannot be had", head);
    return false;
  }
  return true;
}

static const char *
peek_label_cb (void *data, AttnSide side, size_t index)
{
  Source *source = data;
  (void)side;
  if (source->fixture.labels != NULL)
    return source->fixture.labels[index % source->fixture.n_labels];
  return g_ptr_array_index (source->names, index);
}

static void
get_visible_cb (void *data, size_t layer, size_t query, size_t *first, size_t *end)
{
  const Fixture *fixture = &((Source *)data)->fixture;
  (void)layer;
  *first = 0;
  *end = fixture->causal ? MIN (query + 1, fixture->n_keys) : fixture->n_keys;
}

static AttnTrace *
peek_trace_cb (void *data)
{
  (void)data;
  return NULL;
}

static void
free_cb (void *data)
{
  Source *source = data;
  g_ptr_array_unref (source->names);
  g_free (source);
}

AttnMaps *
fixture_make_maps (const Fixture *fixture)
{
  AttnMapsClass klass = {
      .n_layers = fixture->n_layers,
      .n_heads = fixture->n_heads,
      .n_queries = fixture->n_queries,
      .n_keys = fixture->n_keys,
      .compute = compute_cb,
      .peek_label = peek_label_cb,
      .get_visible = get_visible_cb,
      .peek_trace = peek_trace_cb,
      .free = free_cb,
  };
  Source *source = g_new0 (Source, 1);

  source->fixture = *fixture;
  source->names = g_ptr_array_new_with_free_func (g_free);
  for (size_t i = 0; i < MAX (fixture->n_queries, fixture->n_keys); i++)
    g_ptr_array_add (source->names, g_strdup_printf ("t%zu", i));
  return attn_maps_new (&klass, source);
}

AttnDrawPanels *
fixture_make_panels (const Fixture *fixture, const AttnDrawView *view)
{
  g_autoptr (AttnMaps) maps = fixture_make_maps (fixture);
  g_autoptr (GError) error = NULL;
  AttnDrawPanels *panels = attn_draw_panels_new (view, maps, NULL, NULL, NULL, &error);

  g_assert_no_error (error);
  return panels;
}

AttnDrawLayout *
fixture_make_layout (const Fixture *fixture, const AttnDrawView *view)
{
  g_autoptr (AttnDrawPanels) panels = fixture_make_panels (fixture, view);
  return attn_draw_layout_new (view, panels);
}

static double
get_luminance (AttnDrawColor color)
{
  double channels[3] = {color.red, color.green, color.blue};
  for (int i = 0; i < 3; i++) {
    double c = channels[i];
    channels[i] = c <= 0.04045 ? c / 12.92 : pow ((c + 0.055) / 1.055, 2.4);
  }
  return 0.2126 * channels[0] + 0.7152 * channels[1] + 0.0722 * channels[2];
}

double
fixture_get_contrast (AttnDrawColor a, AttnDrawColor b)
{
  double one = get_luminance (a) + 0.05, two = get_luminance (b) + 0.05;
  return MAX (one, two) / MIN (one, two);
}
