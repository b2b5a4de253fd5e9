/* SPDX-License-Identifier: MIT */
/* Attention from files: every shape, dtype, order and container gives the numbers that went in. */
#include "array-bytes.h"
#include "model-folder.h"

#include "attn/arrays.h"

#include <math.h>
#include <string.h>

/* Layers, heads, queries and keys of the closed form, all different. */
enum { L = 3, H = 2, Q = 4, K = 5, N = L * H * Q * K };

/* Exact in f16 and bf16 alike, and different for every element: 7 bits. */
static float
get_value (size_t layer, size_t head, size_t query, size_t key)
{
  return (float)(((layer * H + head) * Q + query) * K + key + 1) / 128;
}

static AttnArrays *
load_with (const GString *bytes, const AttnArraysOptions *options, GError **error)
{
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a", bytes->str, bytes->len);
  AttnArrays *arrays = attn_arrays_load (path, options, error);
  test_folder_remove (folder);
  return arrays;
}

static AttnArrays *
load (const GString *bytes, const char *array, GError **error)
{
  AttnArraysOptions options = {.array = array};
  return load_with (bytes, &options, error);
}

/* The values of layers [0, n_layers) and heads [0, n_heads). */
static void
check_values (AttnArrays *arrays, size_t n_layers, size_t n_heads)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnMaps) maps = attn_maps_new_from_arrays (arrays, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_maps_get_n_layers (maps), ==, n_layers);
  g_assert_cmpuint (attn_maps_get_n_heads (maps), ==, n_heads);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_QUERY), ==, Q);
  g_assert_cmpuint (attn_maps_get_n (maps, ATTN_SIDE_KEY), ==, K);
  g_assert_true (attn_maps_peek_arrays (maps) == arrays);
  g_assert_null (attn_maps_peek_trace (maps));
  float weights[Q * K];
  for (size_t layer = 0; layer < n_layers; layer++)
    for (size_t head = 0; head < n_heads; head++) {
      g_assert_true (attn_maps_compute (maps, layer, head, weights, &error));
      for (size_t query = 0; query < Q; query++)
        for (size_t key = 0; key < K; key++) /* exact: see get_value() */
          g_assert_true (weights[query * K + key] == get_value (layer, head, query, key));
    }
}

static void
fill (float *values)
{
  for (size_t i = 0; i < N; i++)
    values[i] = get_value (i / (H * Q * K), i / (Q * K) % H, i / K % Q, i % K);
}

/* In memory order of a Fortran array of all four dimensions. */
static void
fill_fortran (float *values)
{
  for (size_t i = 0; i < N; i++)
    values[i] = get_value (i % L, i / L % H, i / (L * H) % Q, i / (L * H * Q));
}

/* Bits of a value that is exact in it. */
static guint16
to_half (float value, gboolean is_brain)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  if (is_brain)
    return (guint16)(bits >> 16);
  return (guint16)((((bits >> 23) - 127 + 15) << 10) | (bits >> 13 & 0x3ff));
}

static void
test_shapes (void)
{
  static const struct {
    const char *shape;
    size_t n_layers, n_heads;
  } cases[] = {
      {"(3, 2, 4, 5)", 3, 2},    {"(1, 3, 2, 4, 5)", 3, 2}, {"(3, 1, 2, 4, 5)", 3, 2},
      {"(1, 1, 2, 4, 5)", 1, 2}, {"(1, 2, 4, 5)", 1, 2},    {"(2, 4, 5)", 1, 2},
      {"(4, 5)", 1, 1},          {"(4L, 5L)", 1, 1},
  };
  float values[N];
  fill (values);
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) bytes = g_string_new (NULL);
    size_t n = cases[i].n_layers * cases[i].n_heads * Q * K;
    test_append_array (bytes, "<f4", FALSE, cases[i].shape, values, n * sizeof *values);
    g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
    g_assert_no_error (error);
    check_values (arrays, cases[i].n_layers, cases[i].n_heads);
  }
}

static void
check_array (const char *dtype, gboolean fortran, const void *data, size_t n_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, dtype, fortran, "(3, 2, 4, 5)", data, n_data);
  g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_arrays_peek_dtype (arrays), ==, dtype);
  g_assert_cmpstr (attn_arrays_peek_shape (arrays), ==, "[3, 2, 4, 5]");
  g_assert_cmpuint (attn_arrays_get_n_bytes (arrays), ==, N * (dtype[2] == '2' ? 2 : 4));
  check_values (arrays, L, H);
}

static void
test_dtypes (void)
{
  float values[N];
  for (int fortran = 0; fortran < 2; fortran++) {
    guint16 half[2][N];
    guint32 single[2][N];
    guint64 twice[2][N];
    (fortran ? fill_fortran : fill) (values);
    for (size_t i = 0; i < N; i++) {
      double wide = (double)values[i];
      guint64 bits;
      memcpy (&bits, &wide, sizeof bits);
      memcpy (&single[0][i], &values[i], sizeof values[i]);
      half[0][i] = GUINT16_TO_LE (to_half (values[i], FALSE));
      half[1][i] = GUINT16_TO_BE (to_half (values[i], FALSE));
      single[1][i] = GUINT32_TO_BE (single[0][i]);
      single[0][i] = GUINT32_TO_LE (single[0][i]);
      twice[0][i] = GUINT64_TO_LE (bits);
      twice[1][i] = GUINT64_TO_BE (bits);
    }
    check_array ("<f2", fortran, half[0], sizeof half[0]);
    check_array (">f2", fortran, half[1], sizeof half[1]);
    check_array ("<f4", fortran, single[0], sizeof single[0]);
    check_array (">f4", fortran, single[1], sizeof single[1]);
    check_array ("<f8", fortran, twice[0], sizeof twice[0]);
    check_array (">f8", fortran, twice[1], sizeof twice[1]);
  }
}

static void
test_versions (void)
{
  float values[N];
  fill (values);
  for (char version = 2; version <= 3; version++) {
    const char *header = "{\"shape\":(3,2,4,5),\"descr\":\"<f4\",\"fortran_order\":False}";
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) bytes = g_string_new ("\x93NUMPY");
    g_string_append_c (bytes, version);
    g_string_append_c (bytes, '\0');
    guint32 length = GUINT32_TO_LE ((guint32)strlen (header));
    g_string_append_len (bytes, (const char *)&length, sizeof length);
    g_string_append (bytes, header);
    g_string_append_len (bytes, (const char *)values, sizeof values);
    g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
    g_assert_no_error (error);
    check_values (arrays, L, H);
  }
}

static void
test_safetensors (void)
{
  float values[N];
  guint16 brain[N];
  fill (values);
  for (size_t i = 0; i < N; i++)
    brain[i] = GUINT16_TO_LE (to_half (values[i], TRUE));
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_safetensors (bytes,
                           "{\"attentions\":{\"dtype\":\"BF16\",\"shape\":[3,2,4,5],"
                           "\"data_offsets\":[0,240]}}",
                           brain, sizeof brain);
  g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_arrays_peek_array (arrays), ==, "attentions");
  g_assert_cmpint (attn_arrays_get_format (arrays), ==, ATTN_ARRAYS_SAFETENSORS);
  check_values (arrays, L, H);
}

/* Tokens in the metadata: a list a side, or one for both; what is no list is another program's, and
 * what does not fit or cannot be read is told. */
static void
test_safetensors_tokens (void)
{
  static const struct {
    const char *metadata, *query, *key, *warning;
  } cases[] = {
      {"\"queries\":\"[\\\"a\\\",\\\"b\\\"]\",\"keys\":\"[\\\"x\\\",\\\"y\\\",\\\"z\\\"]\"", "b",
       "z", NULL},
      {"\"tokens\":\"300000000000\"", NULL, NULL, NULL},
      {"\"queries\":\"[\\\"a\\\"]\",\"keys\":\"[\\\"x\\\"]\"", NULL, NULL, "1 queries and 1 keys"},
      {"\"tokens\":\"[\\\"a\\\"]\"", NULL, NULL, "1 queries and 1 keys"},
      {"\"tokens\":\"[1]\"", NULL, NULL, "metadata tokens"},
      {"\"format\":\"pt\"", NULL, NULL, NULL},
  };
  const float weights[] = {0.25f, 0.25f, 0.5f, 0, 1, 0};
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) bytes = g_string_new (NULL);
    g_autofree char *header =
        g_strdup_printf ("{\"__metadata__\":{%s},\"attentions\":{\"dtype\":\"F32\",\"shape\":[2,3],"
                         "\"data_offsets\":[0,24]}}",
                         cases[i].metadata);
    test_append_safetensors (bytes, header, weights, sizeof weights);
    g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
    g_assert_no_error (error);
    AttnLabels *labels = attn_arrays_peek_labels (arrays);
    g_assert_true ((labels != NULL) == (cases[i].query != NULL));
    if (labels != NULL) {
      g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_QUERY, 1), ==, cases[i].query);
      g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_KEY, 2), ==, cases[i].key);
    }
    g_assert_cmpuint (attn_arrays_get_n_warnings (arrays), ==, cases[i].warning != NULL);
    if (cases[i].warning != NULL)
      g_assert_nonnull (strstr (attn_arrays_peek_warning (arrays, 0), cases[i].warning));
  }
}

/* Several arrays: refused with their names, or the first is read and the others are told. */
static void
test_choices (void)
{
  const float weights[] = {1, 0, 0.5f, 0.5f, 0.25f, 0.25f, 0.5f};
  AttnArraysOptions first = {.takes_first = true};
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_safetensors (
      bytes,
      "{\"decoder\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]},"
      "\"encoder\":{\"dtype\":\"F32\",\"shape\":[1,3],\"data_offsets\":[16,28]}}",
      weights, sizeof weights);
  g_assert_null (load (bytes, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_autoptr (AttnArrays) arrays = load_with (bytes, &first, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_arrays_get_n_choices (arrays), ==, 2);
  g_assert_cmpuint (attn_arrays_get_chosen (arrays), ==, 0);
  g_assert_cmpstr (attn_arrays_peek_choice (arrays, 1), ==, "encoder");
  g_assert_cmpstr (attn_arrays_peek_choice_shape (arrays, 1), ==, "[1, 3]");
  g_autoptr (AttnArrays) other = load (bytes, "encoder", &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_arrays_get_chosen (other), ==, 1);
  g_assert_cmpuint (attn_arrays_get_n (other, ATTN_SIDE_KEY), ==, 3);
}

/* A layer each, not in order, and the other way round in the file. */
static void
test_layers (void)
{
  static const char *const names[] = {"layer_2.npy", "layer_0.npy", "layer_1.npy", "note.npy"};
  float values[N];
  fill (values);
  for (int deflate = 0; deflate < 2; deflate++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) files = g_ptr_array_new ();
    for (size_t i = 0; i < 4; i++) {
      GString *file = g_string_new (NULL);
      if (i < 3)
        test_append_array (file, "<f4", FALSE, "(1, 2, 4, 5)",
                           values + (size_t)(names[i][6] - '0') * H * Q * K,
                           H * Q * K * sizeof *values);
      else
        test_append_array (file, "<i4", FALSE, "(1,)", values, 4);
      g_ptr_array_add (files, file);
    }
    g_autoptr (GString) bytes =
        test_new_zip (names, (GString *const *)files->pdata, files->len, deflate);
    g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (attn_arrays_peek_array (arrays), ==, "layer_0 … layer_2");
    g_assert_cmpuint (attn_arrays_get_n_choices (arrays), ==, 0);
    check_values (arrays, L, H);
    g_autoptr (AttnArrays) one = load (bytes, "layer_0", &error);
    g_assert_no_error (error);
    check_values (one, 1, H);
    for (guint i = 0; i < files->len; i++)
      g_string_free (g_ptr_array_index (files, i), TRUE);
  }
}

/* Tokens beside the weights: NumPy's strings, padded with zeros. */
static void
test_own_tokens (void)
{
  static const char *const names[] = {"attentions.npy", "queries.npy", "keys.npy"};
  static const guint32 queries[] = {'a', 0, 0x611b, 0, 'c', 'd', 0x1f642, 0};
  static const guint32 keys[] = {'v', 'w', 'x', 'y', 'z'};
  float values[N];
  fill (values);
  GString *files[] = {g_string_new (NULL), g_string_new (NULL), g_string_new (NULL)};
  test_append_array (files[0], "<f4", FALSE, "(3, 2, 4, 5)", values, sizeof values);
  test_append_array (files[1], "<U2", FALSE, "(4,)", queries, sizeof queries);
  test_append_array (files[2], "<U1", FALSE, "(5,)", keys, sizeof keys);
  g_autoptr (GString) bytes = test_new_zip (names, files, 3, TRUE);
  g_autoptr (GError) error = NULL;
  g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
  g_assert_no_error (error);
  const AttnLabels *labels = attn_arrays_peek_labels (arrays);
  g_assert_nonnull (labels);
  g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_QUERY, 1), ==, "愛");
  g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_QUERY, 2), ==, "cd");
  g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_QUERY, 3), ==, "🙂");
  g_assert_cmpstr (attn_labels_peek (labels, ATTN_SIDE_KEY, 4), ==, "z");
  check_values (arrays, L, H);
  for (size_t i = 0; i < G_N_ELEMENTS (files); i++)
    g_string_free (files[i], TRUE);
}

/* Returns: the warnings, a line each. */
static char *
dup_warnings (const float *values, const char *shape, size_t n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, "<f4", FALSE, shape, values, n * sizeof *values);
  g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
  g_assert_no_error (error);
  GString *text = g_string_new (NULL);
  for (size_t i = 0; i < attn_arrays_get_n_warnings (arrays); i++)
    g_string_append_printf (text, "%s\n", attn_arrays_peek_warning (arrays, i));
  return g_string_free (text, FALSE);
}

/* A double that no f32 holds is finite in the file, and not called infinite. */
static void
test_too_large (void)
{
  static const struct {
    double values[4];
    const char *words;
  } rows[] = {
      {{1e308, 1, 0, 1},
       "a: 1 of 4 weights is too large for single precision, the first in layer 1"},
      {{-1e308, 1e308, 0, 1}, "a: 2 of 4 weights are too large for single precision, the first"},
      {{1e308, 0, (double)INFINITY, 1},
       "a: 2 of 4 weights are infinite, or too large for single precision, the first"},
      {{(double)INFINITY, 1, 0, 1}, "a: 1 of 4 weights is infinite, the first"},
  };
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    const bool is_big = i % 2 == 1;
    const double *values = rows[i / 2].values;
    g_autoptr (GError) error = NULL;
    g_autoptr (GString) bytes = g_string_new (NULL);
    guint64 swapped[4];
    memcpy (swapped, values, sizeof swapped);
    for (size_t k = 0; k < 4; k++)
      swapped[k] = is_big ? GUINT64_TO_BE (swapped[k]) : GUINT64_TO_LE (swapped[k]);
    test_append_array (bytes, is_big ? ">f8" : "<f8", FALSE, "(1, 1, 2, 2)", swapped,
                       sizeof swapped);
    g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
    g_assert_no_error (error);
    g_assert_true (g_str_has_prefix (attn_arrays_peek_warning (arrays, 0), rows[i / 2].words));
  }
}

static void
test_warnings (void)
{
  const float good[] = {0.25f, 0.75f, 1, 0, 0.9995f, 0, 0.5f, 0.5f};
  const float odd[] = {NAN, 0.75f, 1, 0, INFINITY, 0, -0.5f, 2};
  g_autofree char *none = dup_warnings (good, "(2, 1, 2, 2)", 8);
  g_assert_cmpstr (none, ==, "");
  g_autofree char *all = dup_warnings (odd, "(2, 1, 2, 2)", 8);
  g_assert_cmpstr (all, ==,
                   "a: 1 of 8 weights is not a number (NaN), the first in layer 1, head 1, query "
                   "0 (counted from 0); pictures cross such cells\n"
                   "a: 1 of 8 weights is infinite, the first in layer 2, head 1, query 0 (counted "
                   "from 0); pictures cross such cells\n"
                   "a: 1 of 8 weights is negative, the first in layer 2, head 1, query 1 (counted "
                   "from 0), which no softmax gives: are these scores?\n"
                   "a: 1 of 4 rows does not sum to 1, the first in layer 2, head 1, query 1 "
                   "(counted from 0); the furthest from 1 is 1.5, in layer 2, head 1\n");
  const float several[] = {NAN, NAN, 0.5f, 1, -1, -1, 1, 1.0270004f};
  g_autofree char *many = dup_warnings (several, "(2, 1, 2, 2)", 8);
  g_assert_nonnull (strstr (many, "2 of 8 weights are not numbers (NaN), "));
  g_assert_nonnull (strstr (many, "2 of 8 weights are negative, "));
  g_assert_nonnull (strstr (many, "3 of 4 rows do not sum to 1, "));
  g_assert_nonnull (strstr (many, "the furthest from 1 is -2, in layer 2, head 1"));
}

static void
test_labels (void)
{
  float values[N];
  fill (values);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, "<f4", FALSE, "(3, 2, 4, 5)", values, sizeof values);
  g_autoptr (AttnArrays) arrays = load (bytes, NULL, &error);
  g_autoptr (AttnLabels) fits = attn_labels_new_typed ("a b c d", "v w x y z", NULL);
  g_autoptr (AttnLabels) one = attn_labels_new_typed ("a b c d", NULL, NULL);
  g_autoptr (AttnMaps) maps = attn_maps_new_from_arrays (arrays, fits, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (attn_maps_peek_label (maps, ATTN_SIDE_KEY, 2), ==, "x");
  g_assert_true (attn_maps_peek_labels (maps) == fits);
  g_assert_null (attn_maps_new_from_arrays (arrays, one, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
  const char *const names[] = {"4 tokens", "4 queries and 5 keys", "[3, 2, 4, 5]", "\"keys\"",
                               NULL};
  test_sentence_check (error->message, names);
}

static void
test_hash (void)
{
  float values[N];
  fill (values);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, "<f4", FALSE, "(3, 2, 4, 5)", values, sizeof values);
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a.npy", bytes->str, bytes->len);
  g_autoptr (AttnArrays) arrays = attn_arrays_load (path, NULL, &error);
  g_autoptr (AttnArrays) other = attn_arrays_load (path, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *wanted =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)bytes->str, bytes->len);
  g_assert_null (attn_arrays_peek_sha256 (arrays));
  g_assert_cmpstr (attn_arrays_compute_sha256 (arrays, NULL, NULL, &error), ==, wanted);
  g_assert_cmpstr (attn_arrays_peek_sha256 (arrays), ==, wanted);
  g_autofree char *same = test_folder_write (folder, "a.npy", "other", 5);
  g_assert_null (attn_arrays_compute_sha256 (other, NULL, NULL, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_IO);
  test_folder_remove (folder);
}

static bool
stop_cb (double fraction, void *data)
{
  double *last = data;
  g_assert_cmpfloat (fraction, >=, *last);
  g_assert_cmpfloat (fraction, <=, 1);
  *last = fraction;
  return fraction < 0.9;
}

static void
test_stop (void)
{
  float values[N];
  double last = 0;
  fill (values);
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) bytes = g_string_new (NULL);
  test_append_array (bytes, "<f4", FALSE, "(3, 2, 4, 5)", values, sizeof values);
  char *folder = test_folder_new ();
  g_autofree char *path = test_folder_write (folder, "a.npy", bytes->str, bytes->len);
  AttnArraysOptions options = {.progress = stop_cb, .progress_data = &last};
  g_assert_null (attn_arrays_load (path, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
  g_clear_error (&error);
  options = (AttnArraysOptions){.max_bytes = 100};
  g_assert_null (attn_arrays_load (path, &options, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE);
  test_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/arrays/shapes", test_shapes);
  g_test_add_func ("/arrays/dtypes", test_dtypes);
  g_test_add_func ("/arrays/versions", test_versions);
  g_test_add_func ("/arrays/safetensors", test_safetensors);
  g_test_add_func ("/arrays/safetensors-tokens", test_safetensors_tokens);
  g_test_add_func ("/arrays/choices", test_choices);
  g_test_add_func ("/arrays/layers", test_layers);
  g_test_add_func ("/arrays/own-tokens", test_own_tokens);
  g_test_add_func ("/arrays/warnings", test_warnings);
  g_test_add_func ("/arrays/too-large", test_too_large);
  g_test_add_func ("/arrays/labels", test_labels);
  g_test_add_func ("/arrays/hash", test_hash);
  g_test_add_func ("/arrays/stop", test_stop);
  return g_test_run ();
}
