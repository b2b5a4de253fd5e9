/* SPDX-License-Identifier: MIT */
/* Things with distances between them as points of the plane: classical multidimensional scaling. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/**
 * attn_eigen_symmetric:
 * @matrix:  [n, n] row-major and symmetric, overwritten
 * @values:  [n] written: eigenvalues, largest first
 * @vectors: [n, n] written: row i is the unit eigenvector of values[i], its element of largest size
 *           positive (the first such)
 *
 * Cyclic Jacobi rotations until what is off the diagonal is below rounding.
 *
 * Source: Golub and Van Loan, Matrix Computations, section 8.5.
 * Test:   tests/core/test-mds.c, closed forms.
 */
void attn_eigen_symmetric (double *matrix, size_t n, double *values, double *vectors);

/**
 * attn_mds_compute:
 * @squares: [n, n] row-major, symmetric: squared distances
 * @places:  [n, 2] written: centred; distances between them are as near to the asked as a plane
 *           allows; the axis with more of the spread first, and of each the place that is farthest
 *           out (the first such) on the positive side
 * @kept:    (out): the share of the spread that the plane has, 0 … 1; NaN where all are in one
 * place
 *
 * Returns: false with @error: TOO_LARGE, SHAPE (a distance that is not finite).
 * Source: Torgerson 1952. Test: tests/core/test-mds.c, points of a plane come back.
 */
bool
attn_mds_compute (const double *squares, size_t n, double *places, double *kept, GError **error);

G_END_DECLS
