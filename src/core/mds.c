/* SPDX-License-Identifier: MIT */
/* Classical multidimensional scaling, and the eigenvectors it needs. */
#include "attn/mds.h"

#include "attn/error.h"

#include <math.h>
#include <string.h>

#define MAX_SWEEPS 60 /* ten are usual */

/* The rotation of rows and columns p and q that makes their common element 0. */
static void
rotate (double *a, double *vectors, size_t n, size_t p, size_t q)
{
  const double off = a[p * n + q];
  const double theta = (a[q * n + q] - a[p * n + p]) / (2 * off);
  const double t = copysign (1, theta) / (fabs (theta) + sqrt (theta * theta + 1));
  const double c = 1 / sqrt (t * t + 1), s = t * c;
  for (size_t k = 0; k < n; k++) {
    const double kp = a[k * n + p], kq = a[k * n + q];
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (size_t k = 0; k < n; k++) {
    const double pk = a[p * n + k], qk = a[q * n + k];
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
  }
  for (size_t k = 0; k < n; k++) {
    const double pk = vectors[p * n + k], qk = vectors[q * n + k];
    vectors[p * n + k] = c * pk - s * qk;
    vectors[q * n + k] = s * pk + c * qk;
  }
  a[p * n + q] = a[q * n + p] = 0;
}

/* Returns: whether some element was still worth a rotation. */
static bool
sweep (double *a, double *vectors, size_t n)
{
  bool rotated = false;
  for (size_t p = 0; p < n; p++)
    for (size_t q = p + 1; q < n; q++) {
      const double off = fabs (a[p * n + q]);
      const double on = fabs (a[p * n + p]) + fabs (a[q * n + q]);
      if (off == 0 || on + off / 16 == on)
        continue;
      rotate (a, vectors, n, p, q);
      rotated = true;
    }
  return rotated;
}

static void
swap_rows (double *a, double *b, size_t n)
{
  for (size_t k = 0; k < n; k++) {
    const double swapped = a[k];
    a[k] = b[k];
    b[k] = swapped;
  }
}

static void
sort (double *values, double *vectors, size_t n)
{
  for (size_t i = 0; i < n; i++) {
    size_t largest = i;
    for (size_t k = i + 1; k < n; k++)
      if (values[k] > values[largest])
        largest = k;
    swap_rows (values + i, values + largest, 1);
    swap_rows (vectors + i * n, vectors + largest * n, n);
  }
}

/* Which of two opposite vectors: rounding must not decide, so nearly equal sizes count as equal. */
static void
choose_sign (double *vector, size_t n)
{
  size_t largest = 0;
  for (size_t k = 1; k < n; k++)
    if (fabs (vector[k]) > fabs (vector[largest]) * (1 + 1e-9))
      largest = k;
  if (vector[largest] < 0)
    for (size_t k = 0; k < n; k++)
      vector[k] = -vector[k];
}

void
attn_eigen_symmetric (double *matrix, size_t n, double *values, double *vectors)
{
  memset (vectors, 0, n * n * sizeof *vectors);
  for (size_t i = 0; i < n; i++)
    vectors[i * n + i] = 1;
  for (size_t i = 0; i < MAX_SWEEPS && sweep (matrix, vectors, n); i++)
    continue;
  for (size_t i = 0; i < n; i++)
    values[i] = matrix[i * n + i];
  sort (values, vectors, n);
  for (size_t i = 0; i < n; i++)
    choose_sign (vectors + i * n, n);
}

/* -½ J D² J: products of places around their centre. */
static void
centre (double *products, const double *squares, size_t n)
{
  g_autofree double *means = g_new0 (double, n);
  double mean = 0;
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < n; k++)
      means[i] += squares[i * n + k] / (double)n;
    mean += means[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      products[i * n + k] = -(squares[i * n + k] - means[i] - means[k] + mean) / 2;
}

static bool
check (const double *squares, size_t n, GError **error)
{
  for (size_t i = 0; i < n * n; i++)
    if (!isfinite (squares[i])) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE,
                   "the distance of %zu and %zu is not finite: they have no place in the plane",
                   i / n + 1, i % n + 1);
      return false;
    }
  return true;
}

bool
attn_mds_compute (const double *squares, size_t n, double *places, double *kept, GError **error)
{
  g_return_val_if_fail (n > 0, false);
  size_t size;
  g_autofree double *matrix = NULL, *vectors = NULL;
  g_autofree double *values = g_new (double, n);
  if (!check (squares, n, error))
    return false;
  if (g_size_checked_mul (&size, n, n)) {
    matrix = g_try_new (double, size);
    vectors = g_try_new (double, size);
  }
  if (matrix == NULL || vectors == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for the places of %zu heads",
                 n);
    return false;
  }
  centre (matrix, squares, n);
  attn_eigen_symmetric (matrix, n, values, vectors);
  double all = 0, both = 0;
  for (size_t i = 0; i < n; i++)
    all += fmax (values[i], 0);
  for (size_t axis = 0; axis < 2; axis++) {
    const double value = axis < n ? fmax (values[axis], 0) : 0;
    both += value;
    for (size_t i = 0; i < n; i++)
      places[i * 2 + axis] = axis < n ? vectors[axis * n + i] * sqrt (value) : 0;
  }
  *kept = all > 0 ? both / all : (double)NAN;
  return true;
}
