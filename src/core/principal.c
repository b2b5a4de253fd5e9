/* SPDX-License-Identifier: MIT */
/* Where tokens move through the layers: the plane of their two principal components.
 *
 * Subspace iteration on the states as they are, without a D × D matrix: a few directions at once
 * are multiplied, made orthogonal, and turned so that their variances stand apart.
 *
 * Letters: N points, D numbers of each, K directions that are followed. */
#include "model-private.h"
#include "trace-private.h"

#include "attn/error.h"
#include "attn/hidden.h"
#include "attn/mds.h"

#include <math.h>
#include <string.h>

enum { K = 6, MOST_ROUNDS = 300 };

typedef struct {
  const AttnTrace *trace;
  size_t T, D, n_states;
  size_t n;           /* directions, at most K */
  double *mean;       /* [D] */
  double *directions; /* [n, D], of length 1 and orthogonal */
  double *products;   /* [n, D] */
  double variance;    /* sum over all D, times N */
} Cloud;

/* Point @i of N: before a layer, or what leaves the last. */
static const float *
peek_point (const Cloud *cloud, size_t i)
{
  const AttnTrace *trace = cloud->trace;
  const size_t state = i / cloud->T;
  const float *rows = state + 1 < cloud->n_states ? trace->hiddens[state] : trace->last;
  return rows + i % cloud->T * cloud->D;
}

static double
multiply (const double *a, const double *b, size_t n)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += a[i] * b[i];
  return sum;
}

static void
measure (Cloud *cloud)
{
  const size_t N = cloud->n_states * cloud->T, D = cloud->D;
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++)
      cloud->mean[k] += (double)peek_point (cloud, i)[k] / (double)N;
  for (size_t i = 0; i < N; i++)
    for (size_t k = 0; k < D; k++) {
      const double difference = (double)peek_point (cloud, i)[k] - cloud->mean[k];
      cloud->variance += difference * difference;
    }
}

static double
project (const Cloud *cloud, size_t i, const double *direction)
{
  const float *point = peek_point (cloud, i);
  double sum = 0;
  for (size_t k = 0; k < cloud->D; k++)
    sum += ((double)point[k] - cloud->mean[k]) * direction[k];
  return sum;
}

/* products = XᵀX directions */
static void
apply (Cloud *cloud)
{
  const size_t N = cloud->n_states * cloud->T, D = cloud->D;
  memset (cloud->products, 0, cloud->n * D * sizeof *cloud->products);
  for (size_t i = 0; i < N; i++) {
    const float *point = peek_point (cloud, i);
    for (size_t a = 0; a < cloud->n; a++) {
      const double at = project (cloud, i, cloud->directions + a * D);
      double *product = cloud->products + a * D;
      for (size_t k = 0; k < D; k++)
        product[k] += at * ((double)point[k] - cloud->mean[k]);
    }
  }
}

/* Directions from products, by Gram and Schmidt, twice for rounding's sake; what is left of nothing
 * is 0. */
static void
make_orthogonal (Cloud *cloud)
{
  const size_t D = cloud->D;
  memcpy (cloud->directions, cloud->products, cloud->n * D * sizeof *cloud->products);
  for (size_t a = 0; a < cloud->n; a++) {
    double *own = cloud->directions + a * D;
    const double before = sqrt (multiply (own, own, D));
    for (int times = 0; times < 2; times++)
      for (size_t b = 0; b < a; b++) {
        const double *other = cloud->directions + b * D;
        const double common = multiply (own, other, D);
        for (size_t k = 0; k < D; k++)
          own[k] -= common * other[k];
      }
    const double length = sqrt (multiply (own, own, D));
    const double factor = length > 1e-12 * before && length > 0 ? 1 / length : 0;
    for (size_t k = 0; k < D; k++)
      own[k] *= factor;
  }
}

/* Turns the directions within what they span to where their variances stand apart; products turn
 * with them. @values: [n] written, descending */
static void
turn (Cloud *cloud, double *values)
{
  const size_t n = cloud->n, D = cloud->D;
  double matrix[K * K], vectors[K * K];
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++)
      matrix[a * n + b] = (multiply (cloud->directions + a * D, cloud->products + b * D, D) +
                           multiply (cloud->directions + b * D, cloud->products + a * D, D)) /
                          2;
  attn_eigen_symmetric (matrix, n, values, vectors);
  for (size_t k = 0; k < D; k++) {
    double directions[K] = {0}, products[K] = {0};
    for (size_t a = 0; a < n; a++)
      for (size_t b = 0; b < n; b++) {
        directions[a] += vectors[a * n + b] * cloud->directions[b * D + k];
        products[a] += vectors[a * n + b] * cloud->products[b * D + k];
      }
    for (size_t a = 0; a < n; a++) {
      cloud->directions[a * D + k] = directions[a];
      cloud->products[a * D + k] = products[a];
    }
  }
}

/* Somewhere to begin that no model's states are orthogonal to: numbers of a plain generator. */
static void
begin (Cloud *cloud)
{
  guint32 state = 1;
  for (size_t i = 0; i < cloud->n * cloud->D; i++) {
    state = state * 1664525u + 1013904223u;
    cloud->products[i] = (double)state / 4294967296.0 - 0.5;
  }
  make_orthogonal (cloud);
}

/* @values: [n] written. The first two directions are what is wanted; once they no longer move the
 * others do not matter. */
static void
iterate (Cloud *cloud, double *values)
{
  begin (cloud);
  for (int round = 0; round < MOST_ROUNDS; round++) {
    apply (cloud);
    turn (cloud, values);
    double moved = 0;
    for (size_t a = 0; a < MIN (cloud->n, 2); a++) {
      const double length = sqrt (
          multiply (cloud->products + a * cloud->D, cloud->products + a * cloud->D, cloud->D));
      /* how far the product points away from the direction */
      moved = fmax (moved, length * length - values[a] * values[a]);
    }
    if (moved <= 1e-18 * values[0] * values[0])
      return;
    make_orthogonal (cloud);
  }
  apply (cloud);
  turn (cloud, values);
}

/* The loading that is largest is positive. */
static double
find_sign (const double *direction, size_t n)
{
  double largest = 0;
  for (size_t k = 0; k < n; k++)
    largest = fabs (direction[k]) > fabs (largest) ? direction[k] : largest;
  return largest < 0 ? -1 : 1;
}

static bool
cloud_init (Cloud *cloud, const AttnTrace *trace, GError **error)
{
  const AttnConfig *config = trace->model->config;
  *cloud = (Cloud){
      .trace = trace,
      .T = trace->n_tokens,
      .D = config->d_model,
      .n_states = config->n_layers + 1,
      .n = MIN (config->d_model, K),
  };
  cloud->mean = g_try_new0 (double, cloud->D *(1 + 2 * cloud->n));
  if (cloud->mean == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "no memory for directions of %zu numbers",
                 cloud->D);
    return false;
  }
  cloud->directions = cloud->mean + cloud->D;
  cloud->products = cloud->directions + cloud->n * cloud->D;
  return true;
}

bool
attn_hidden_compute_places (const AttnTrace *trace, double *places, double *shares, GError **error)
{
  Cloud cloud;
  double values[K] = {0};
  if (!cloud_init (&cloud, trace, error))
    return false;
  measure (&cloud);
  if (!isfinite (cloud.variance)) {
    for (size_t i = 0; i < 2 * cloud.n_states * cloud.T; i++)
      places[i] = (double)NAN;
    shares[0] = shares[1] = (double)NAN;
    g_free (cloud.mean);
    return true;
  }
  iterate (&cloud, values);
  for (size_t a = 0; a < 2; a++) {
    const bool is_there = a < cloud.n && cloud.variance > 0 && values[a] > 1e-12 * cloud.variance;
    const double *direction = cloud.directions + a * cloud.D;
    const double sign = is_there ? find_sign (direction, cloud.D) : 0;
    shares[a] = is_there ? values[a] / cloud.variance : 0;
    for (size_t i = 0; i < cloud.n_states * cloud.T; i++)
      places[2 * i + a] = is_there ? sign * project (&cloud, i, direction) : 0;
  }
  g_free (cloud.mean);
  return true;
}
