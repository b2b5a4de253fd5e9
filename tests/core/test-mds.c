/* SPDX-License-Identifier: MIT */
/* Eigenvectors and places: known matrices, and points that come back. */
#include "attn/error.h"
#include "attn/mds.h"

#include <math.h>

/* [[2, 1], [1, 2]]: 3 and 1, along the diagonals. */
static void
test_two (void)
{
  double matrix[] = {2, 1, 1, 2}, values[2], vectors[4];
  attn_eigen_symmetric (matrix, 2, values, vectors);
  g_assert_cmpfloat_with_epsilon (values[0], 3, 1e-14);
  g_assert_cmpfloat_with_epsilon (values[1], 1, 1e-14);
  const double half = sqrt (0.5), wanted[] = {half, half, half, -half};
  for (size_t i = 0; i < 4; i++)
    g_assert_cmpfloat_with_epsilon (vectors[i], wanted[i], 1e-14);
}

/* Of a path of n points, with 2 on the diagonal and -1 beside it: 2 - 2 cos (k π / (n + 1)). */
static void
test_path (void)
{
  enum { N = 40 };
  double matrix[N * N] = {0}, values[N], vectors[N * N];
  for (size_t i = 0; i < N; i++) {
    matrix[i * N + i] = 2;
    if (i > 0)
      matrix[i * N + i - 1] = matrix[(i - 1) * N + i] = -1;
  }
  double copy[N * N];
  for (size_t i = 0; i < N * N; i++)
    copy[i] = matrix[i];
  attn_eigen_symmetric (matrix, N, values, vectors);
  for (size_t i = 0; i < N; i++) {
    g_assert_cmpfloat_with_epsilon (values[i], 2 - 2 * cos ((double)(N - i) * G_PI / (N + 1)),
                                    1e-13);
    for (size_t row = 0; row < N; row++) { /* A v = λ v */
      double sum = 0;
      for (size_t k = 0; k < N; k++)
        sum += copy[row * N + k] * vectors[i * N + k];
      g_assert_cmpfloat_with_epsilon (sum, values[i] * vectors[i * N + row], 1e-12);
    }
    for (size_t other = 0; other <= i; other++) {
      double product = 0;
      for (size_t k = 0; k < N; k++)
        product += vectors[i * N + k] * vectors[other * N + k];
      g_assert_cmpfloat_with_epsilon (product, other == i, 1e-12);
    }
  }
}

static double
get_square (const double *points, size_t a, size_t b)
{
  const double x = points[a * 2] - points[b * 2], y = points[a * 2 + 1] - points[b * 2 + 1];
  return x * x + y * y;
}

/* Points of a plane have their own distances again, and nothing of the spread is lost. */
static void
test_plane (void)
{
  enum { N = 6 };
  static const double points[] = {0, 0, 4, 0, 4, 1, 0, 2, -3, 0.5, 1, 1};
  double squares[N * N], places[N * 2], kept, sum[2] = {0};
  for (size_t a = 0; a < N; a++)
    for (size_t b = 0; b < N; b++)
      squares[a * N + b] = get_square (points, a, b);
  g_assert_true (attn_mds_compute (squares, N, places, &kept, NULL));
  g_assert_cmpfloat_with_epsilon (kept, 1, 1e-12);
  for (size_t a = 0; a < N; a++) {
    for (size_t b = 0; b < N; b++)
      g_assert_cmpfloat_with_epsilon (get_square (places, a, b), squares[a * N + b], 1e-12);
    sum[0] += places[a * 2];
    sum[1] += places[a * 2 + 1];
  }
  g_assert_cmpfloat_with_epsilon (sum[0], 0, 1e-12); /* around the centre */
  g_assert_cmpfloat_with_epsilon (sum[1], 0, 1e-12);
  g_assert_cmpfloat (places[4 * 2], >, 0); /* the farthest out is on the positive side */
}

/* Three that are equally far apart need both axes; four of them keep two of three. */
static void
test_simplex (void)
{
  double squares[16], places[8], kept;
  for (size_t i = 0; i < 16; i++)
    squares[i] = i % 5 == 0 ? 0 : 1;
  g_assert_true (attn_mds_compute (squares, 4, places, &kept, NULL));
  g_assert_cmpfloat_with_epsilon (kept, 2.0 / 3, 1e-12);
  for (size_t i = 0; i < 9; i++)
    squares[i] = i % 4 == 0 ? 0 : 1;
  g_assert_true (attn_mds_compute (squares, 3, places, &kept, NULL));
  g_assert_cmpfloat_with_epsilon (kept, 1, 1e-12);
  for (size_t a = 0; a < 3; a++)
    g_assert_cmpfloat_with_epsilon (get_square (places, a, (a + 1) % 3), 1, 1e-12);
}

static void
test_ends (void)
{
  g_autoptr (GError) error = NULL;
  double places[4], kept;
  const double nothing[4] = {0};
  g_assert_true (attn_mds_compute (nothing, 1, places, &kept, NULL));
  g_assert_cmpfloat (places[0], ==, 0);
  g_assert_true (isnan (kept));
  g_assert_true (attn_mds_compute (nothing, 2, places, &kept, NULL));
  g_assert_true (isnan (kept));
  const double odd[4] = {0, NAN, NAN, 0};
  g_assert_false (attn_mds_compute (odd, 2, places, &kept, &error));
  g_assert_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mds/two", test_two);
  g_test_add_func ("/mds/path", test_path);
  g_test_add_func ("/mds/plane", test_plane);
  g_test_add_func ("/mds/simplex", test_simplex);
  g_test_add_func ("/mds/ends", test_ends);
  return g_test_run ();
}
