/* SPDX-License-Identifier: MIT */
/* Buckets of distances and rotary angles, against the reference and by their definition. */
#include "distances.h"
#include "golden-ops.h"
#include "ops.h"

#include <math.h>

static void
test_mpnet_buckets (void)
{
  GoldenOps golden = golden_ops_load ();
  size_t n;
  g_autofree gint32 *distances = golden_ops_get (&golden, "bucket.relative_position_k_minus_q", &n);
  g_autofree gint32 *buckets = golden_ops_get (&golden, "bucket.mpnet_32_128", &n);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpuint (attn_distance_get_mpnet_bucket (distances[i]), ==, (size_t)buckets[i]);
  /* far beyond the reference's list */
  g_assert_cmpuint (attn_distance_get_mpnet_bucket (1000000), ==, 31);
  g_assert_cmpuint (attn_distance_get_mpnet_bucket (-1000000), ==, 15);
  golden_ops_clear (&golden);
}

static void
check_deberta (const GoldenOps *golden, size_t n_buckets, size_t max_distance)
{
  size_t n;
  g_autofree char *name = g_strdup_printf ("bucket.deberta_%zu_%zu", n_buckets, max_distance);
  g_autofree gint32 *distances = golden_ops_get (golden, "bucket.relative_position_q_minus_k", &n);
  g_autofree gint32 *buckets = golden_ops_get (golden, name, &n);
  const AttnRelative relative = {.on = true, .n_buckets = n_buckets, .max_distance = max_distance};
  for (size_t i = 0; i < n; i++) /* beyond max_distance the list is cut off, as rows are later */
    if ((size_t)ABS (distances[i]) < max_distance)
      g_assert_cmpint (attn_distance_get_deberta_bucket (&relative, distances[i]), ==, buckets[i]);
}

static void
test_deberta_buckets (void)
{
  GoldenOps golden = golden_ops_load ();
  check_deberta (&golden, 256, 512);
  check_deberta (&golden, 16, 64);
  check_deberta (&golden, 12, 52);
  golden_ops_clear (&golden);
}

/* Before and after them the ends are repeated. */
static void
check_margins (const int32_t *rows, int n)
{
  for (int i = 1; i <= ATTN_DISTANCE_MARGIN; i++) {
    g_assert_cmpint (rows[-i], ==, rows[0]);
    g_assert_cmpint (rows[n - 1 + i], ==, rows[n - 1]);
  }
}

/* Rows are those of the buckets, from the middle on; without buckets those of the distances, which
 * end at the table's ends. */
static void
test_deberta_rows (void)
{
  enum { N = 9 };
  int32_t all[2 * N - 1 + 2 * ATTN_DISTANCE_MARGIN], *rows = all + ATTN_DISTANCE_MARGIN;
  const AttnRelative buckets = {.on = true, .n_buckets = 8, .max_distance = 64};
  attn_distance_fill_rows (&buckets, N, rows);
  check_margins (rows, 2 * N - 1);
  for (int distance = 1 - N; distance < N; distance++)
    g_assert_cmpint (rows[distance + N - 1], ==,
                     attn_distance_get_deberta_bucket (&buckets, distance) + 8);
  const AttnRelative plain = {.on = true, .max_distance = 3};
  attn_distance_fill_rows (&plain, N, rows);
  for (int distance = 1 - N; distance < N; distance++)
    g_assert_cmpint (rows[distance + N - 1], ==, CLAMP (distance + 3, 0, 5));
  attn_distance_fill_rows (&plain, 1, rows);
  g_assert_cmpint (rows[0], ==, 3);
  check_margins (rows, 1);
}

/* Cosines are of the reference's very angles, in single precision; sines of exact ones, from which
 * a frequency's rounding takes an angle away the farther the higher the position. */
static void
check_angles (const GoldenOps *golden, double theta)
{
  enum { WIDTH = 64, HALF = WIDTH / 2, N = 8192 };
  size_t n_positions, n;
  g_autofree char *cosine_name =
      g_strdup_printf ("rope.hf_float32_cos_theta%.0f_dim%d", theta, WIDTH);
  g_autofree char *sine_name = g_strdup_printf ("rope.sin_theta%.0f_dim%d", theta, WIDTH);
  g_autofree gint32 *positions = golden_ops_get (golden, "rope.positions", &n_positions);
  g_autofree float *cosines = golden_ops_get (golden, cosine_name, &n);
  g_autofree float *sines = golden_ops_get (golden, sine_name, &n);
  g_autofree float *angles = g_new (float, N *WIDTH);
  attn_rotation_fill (angles, N, WIDTH, theta);
  for (size_t i = 0; i < n_positions; i++)
    for (size_t j = 0; j < HALF; j++) {
      const float *row = angles + positions[i] * WIDTH;
      g_assert_cmpint (positions[i], <, N);
      g_assert_cmpfloat_with_epsilon ((double)row[j], (double)cosines[i * HALF + j], 1e-7);
      g_assert_cmpfloat_with_epsilon ((double)row[HALF + j], (double)sines[i * HALF + j],
                                      1e-7 + (double)positions[i] / (1 << 23));
    }
}

static void
test_angles (void)
{
  GoldenOps golden = golden_ops_load ();
  check_angles (&golden, 10000);
  check_angles (&golden, 160000);
  golden_ops_clear (&golden);
}

/* Turning both ends of a product by their positions leaves what depends on the distance alone. */
static void
test_rotation (void)
{
  enum { WIDTH = 6, N = 40 };
  float angles[N * WIDTH];
  attn_rotation_fill (angles, N, WIDTH, 10000);
  double first = NAN;
  for (size_t t = 0; t + 3 < N; t++) {
    float q[WIDTH] = {1, -2, 0.5F, 3, 0.25F, -1}, k[WIDTH] = {0.5F, 1, 2, -1, 3, 0.75F};
    attn_rotation_apply (q, angles + (t + 3) * WIDTH, WIDTH);
    attn_rotation_apply (k, angles + t * WIDTH, WIDTH);
    double product = 0;
    for (size_t i = 0; i < WIDTH; i++)
      product += (double)q[i] * (double)k[i];
    first = isnan (first) ? product : first;
    g_assert_cmpfloat_with_epsilon (product, first, 2e-5); /* angles up to 40 in single precision */
  }
  /* element j turns with j + width/2: a quarter turn of the slowest pair moves one into the other
   */
  float x[WIDTH] = {0, 0, 1, 0, 0, 0};
  const float quarter[WIDTH] = {1, 1, 0, 0, 0, 1};
  attn_rotation_apply (x, quarter, WIDTH);
  g_assert_cmpfloat (x[2], ==, 0);
  g_assert_cmpfloat (x[5], ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/distances/mpnet-buckets", test_mpnet_buckets);
  g_test_add_func ("/distances/deberta-buckets", test_deberta_buckets);
  g_test_add_func ("/distances/deberta-rows", test_deberta_rows);
  g_test_add_func ("/distances/angles", test_angles);
  g_test_add_func ("/distances/rotation", test_rotation);
  return g_test_run ();
}
