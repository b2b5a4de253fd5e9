/* SPDX-License-Identifier: MIT */
/* Derivatives against finite differences of the forward formulas, both taken in double. */
#include "ops-backward.h"

#include <math.h>
#include <string.h>

#define STEP 1e-5 /* differences of doubles: off by 1e-10 of the third derivative */
/* derivatives are sums in single precision of up to a hundred products of numbers below 2 */
#define TOLERANCE 2e-5

#define T 5
#define N_IN 11
#define N_OUT 9

/* A loss of some numbers: L = Σ share · y, so that dL/dy = share. */
typedef double (*Loss) (const double *inputs, const void *data);

static double *
random_doubles (size_t n)
{
  double *array = g_new (double, n);
  for (size_t i = 0; i < n; i++)
    array[i] = (double)(float)g_test_rand_double_range (-1.5, 1.5); /* exact in single precision */
  return array;
}

static float *
to_floats (const double *x, size_t n)
{
  float *array = g_new (float, n);
  for (size_t i = 0; i < n; i++)
    array[i] = (float)x[i];
  return array;
}

static void
check (Loss loss, const void *data, const double *inputs, size_t n, const float *derivatives)
{
  g_autofree double *moved = g_memdup2 (inputs, n * sizeof *inputs);
  for (size_t i = 0; i < n; i++) {
    moved[i] = inputs[i] + STEP;
    const double above = loss (moved, data);
    moved[i] = inputs[i] - STEP;
    const double below = loss (moved, data);
    moved[i] = inputs[i];
    const double wanted = (above - below) / (2 * STEP);
    g_assert_cmpfloat_with_epsilon ((double)derivatives[i], wanted,
                                    TOLERANCE * (1 + fabs (wanted)));
  }
}

/* Inputs of a linear map: x, then W, then b. */
static double
linear_loss (const double *inputs, const void *data)
{
  const double *share = data, *x = inputs, *w = x + T * N_IN, *b = w + N_OUT * N_IN;
  double sum = 0;
  for (size_t row = 0; row < T; row++)
    for (size_t out = 0; out < N_OUT; out++) {
      double y = b[out];
      for (size_t in = 0; in < N_IN; in++)
        y += x[row * N_IN + in] * w[out * N_IN + in];
      sum += share[row * N_OUT + out] * y;
    }
  return sum;
}

static void
test_linear (void)
{
  enum { N = T * N_IN + N_OUT * N_IN + N_OUT };
  g_autofree double *inputs = random_doubles (N);
  g_autofree double *share = random_doubles (T * N_OUT);
  g_autofree float *x = to_floats (inputs, N);
  g_autofree float *d_y = to_floats (share, T * N_OUT);
  float d[N] = {0};
  AttnLinearBackward call = {
      .x = x,
      .weights = x + T * N_IN,
      .d_y = d_y,
      .n_rows = T,
      .n_in = N_IN,
      .n_out = N_OUT,
      .d_x = d,
      .d_weights = d + T * N_IN,
      .d_bias = d + T * N_IN + N_OUT * N_IN,
  };
  attn_backward_linear (&call);
  check (linear_loss, share, inputs, N, d);
  /* once more: weights sum up, inputs do not; and each can be left out */
  attn_backward_linear (&call);
  const float *again = d + T * N_IN;
  g_autofree float *halves = g_memdup2 (d, sizeof d);
  for (size_t i = T * N_IN; i < N; i++)
    halves[i] /= 2;
  check (linear_loss, share, inputs, N, halves);
  call.d_weights = call.d_bias = NULL;
  call.x = NULL;
  g_autofree float *before = g_memdup2 (again, N_OUT * N_IN * sizeof *again);
  attn_backward_linear (&call);
  g_assert_cmpmem (before, N_OUT * N_IN * sizeof *again, again, N_OUT * N_IN * sizeof *again);
}

/* The first key of each row is hidden. */
static void
softmax (const double *x, double *y)
{
  double total = 0;
  y[0] = 0;
  for (size_t i = 1; i < N_IN; i++)
    total += y[i] = exp (x[i]);
  for (size_t i = 1; i < N_IN; i++)
    y[i] /= total;
}

static double
softmax_loss (const double *inputs, const void *data)
{
  const double *share = data;
  double sum = 0, y[N_IN];
  for (size_t row = 0; row < T; row++) {
    softmax (inputs + row * N_IN, y);
    for (size_t i = 0; i < N_IN; i++)
      sum += share[row * N_IN + i] * y[i];
  }
  return sum;
}

static void
test_softmax (void)
{
  enum { N = T * N_IN };
  g_autofree double *inputs = random_doubles (N);
  g_autofree double *share = random_doubles (N);
  g_autofree float *d = to_floats (share, N);
  double exact[N];
  for (size_t row = 0; row < T; row++)
    softmax (inputs + row * N_IN, exact + row * N_IN);
  g_autofree float *y = to_floats (exact, N);
  attn_backward_softmax_rows (d, y, d, T, N_IN);
  check (softmax_loss, share, inputs, N, d);
  for (size_t row = 0; row < T; row++)
    g_assert_cmpfloat (d[row * N_IN], ==, 0);
}

#define EPS 1e-3

/* x, then gain, then bias. */
static double
norm_loss (const double *inputs, const void *data)
{
  const double *share = data, *gain = inputs + T * N_IN, *bias = gain + N_IN;
  double sum = 0;
  for (size_t row = 0; row < T; row++) {
    const double *x = inputs + row * N_IN;
    double mean = 0, variance = 0;
    for (size_t i = 0; i < N_IN; i++)
      mean += x[i] / N_IN;
    for (size_t i = 0; i < N_IN; i++)
      variance += (x[i] - mean) * (x[i] - mean) / N_IN;
    for (size_t i = 0; i < N_IN; i++)
      sum += share[row * N_IN + i] * ((x[i] - mean) / sqrt (variance + EPS) * gain[i] + bias[i]);
  }
  return sum;
}

static void
test_layer_norm (void)
{
  enum { N = T * N_IN + 2 * N_IN };
  g_autofree double *inputs = random_doubles (N);
  g_autofree double *share = random_doubles (T * N_IN);
  g_autofree float *x = to_floats (inputs, N);
  g_autofree float *d_y = to_floats (share, T * N_IN);
  float d[N] = {0};
  const AttnNormBackward call = {
      .x = x,
      .gain = x + T * N_IN,
      .d_y = d_y,
      .n_rows = T,
      .width = N_IN,
      .eps = EPS,
      .d_x = d,
      .d_gain = d + T * N_IN,
      .d_bias = d + T * N_IN + N_IN,
  };
  attn_backward_layer_norm (&call);
  check (norm_loss, share, inputs, N, d);
  AttnNormBackward in_place = call;
  in_place.d_x = d_y;
  in_place.d_gain = in_place.d_bias = NULL;
  attn_backward_layer_norm (&in_place);
  g_assert_cmpmem (d_y, T * N_IN * sizeof *d, d, T * N_IN * sizeof *d);
}

static double
activate (AttnActivation activation, double x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return x / 2 * (1 + erf (x / sqrt (2)));
  case ATTN_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * pow (x, 3))));
  case ATTN_ACTIVATION_RELU:
    return fmax (x, 0);
  case ATTN_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  }
  g_assert_not_reached ();
}

static double
activation_loss (const double *inputs, const void *data)
{
  double sum = 0;
  for (size_t i = 0; i < N_IN; i++)
    sum += (double)(i + 1) / N_IN * activate (*(const AttnActivation *)data, inputs[i]);
  return sum;
}

static void
test_activations (void)
{
  for (AttnActivation a = ATTN_ACTIVATION_GELU; a <= ATTN_ACTIVATION_SILU; a++) {
    double inputs[N_IN];
    float x[N_IN], d[N_IN];
    for (size_t i = 0; i < N_IN; i++) {
      inputs[i] = (double)(x[i] = (float)i - 5.25f); /* away from ReLU's corner */
      d[i] = (float)(i + 1) / N_IN;
    }
    attn_backward_activate (a, d, x, d, N_IN);
    check (activation_loss, &a, inputs, N_IN, d);
  }
}

#define D_K 4
#define WIDTH 7 /* row stride: more than the head */

typedef struct {
  const double *share;
  double scale;
  double weights[T * T]; /* as last computed */
} HeadCase;

/* Rows of q, then k, then v. */
static double
head_loss (const double *inputs, const void *data)
{
  HeadCase *self = (HeadCase *)(guintptr)data;
  const double *q = inputs, *k = q + T * D_K, *v = k + T * D_K;
  double sum = 0;
  for (size_t query = 0; query < T; query++) {
    double total = 0, *row = self->weights + query * T;
    for (size_t key = 0; key < T; key++) {
      double score = 0;
      for (size_t i = 0; i < D_K; i++)
        score += q[query * D_K + i] * k[key * D_K + i];
      total += row[key] = exp (self->scale * score);
    }
    for (size_t key = 0; key < T; key++) {
      row[key] /= total;
      for (size_t i = 0; i < D_K; i++)
        sum += self->share[query * D_K + i] * row[key] * v[key * D_K + i];
    }
  }
  return sum;
}

static void
spread (float *to, const double *from)
{
  for (size_t t = 0; t < T; t++)
    for (size_t i = 0; i < D_K; i++)
      to[t * WIDTH + i] = (float)from[t * D_K + i];
}

static void
test_head (void)
{
  enum { N = 3 * T * D_K };
  g_autofree double *inputs = random_doubles (N);
  g_autofree double *share = random_doubles (T * D_K);
  HeadCase self = {.share = share, .scale = 0.5};
  float q[T * WIDTH], k[T * WIDTH], v[T * WIDTH], d_out[T * WIDTH], d[3][T * WIDTH];
  float d_weights[T * T], flat[N];
  spread (q, inputs);
  spread (k, inputs + T * D_K);
  spread (v, inputs + 2 * T * D_K);
  spread (d_out, share);
  head_loss (inputs, &self);
  g_autofree float *weights = to_floats (self.weights, T * T);
  attn_backward_head (&(AttnHeadBackward){.q = q,
                                          .k = k,
                                          .v = v,
                                          .weights = weights,
                                          .d_out = d_out,
                                          .ld = WIDTH,
                                          .ld_out = WIDTH,
                                          .n_tokens = T,
                                          .d_k = D_K,
                                          .scale = 0.5f,
                                          .d_q = d[0],
                                          .d_k_rows = d[1],
                                          .d_v = d[2],
                                          .ld_d = WIDTH,
                                          .d_weights = d_weights,
                                          .d_scores = d_weights});
  for (size_t i = 0; i < N; i++)
    flat[i] = d[i / (T * D_K)][i / D_K % T * WIDTH + i % D_K];
  check (head_loss, &self, inputs, N, flat);
}

static double
entropy_loss (const double *inputs, const void *data)
{
  const int *labels = data;
  double sum = 0;
  for (size_t row = 0; row < T; row++) {
    double total = 0;
    for (size_t i = 0; i < N_OUT; i++)
      total += exp (inputs[row * N_OUT + i]);
    if (labels[row] >= 0)
      sum += log (total) - inputs[row * N_OUT + (size_t)labels[row]];
  }
  return sum;
}

static void
test_cross_entropy (void)
{
  static const int labels[T] = {3, -1, 0, N_OUT - 1, 3};
  g_autofree double *inputs = random_doubles (T * N_OUT);
  g_autofree float *logits = to_floats (inputs, T * N_OUT);
  const double wanted = entropy_loss (inputs, labels);
  const double loss = attn_backward_cross_entropy (logits, logits, labels, T, N_OUT, 1);
  g_assert_cmpfloat_with_epsilon (loss, wanted, 1e-9);
  check (entropy_loss, labels, inputs, T * N_OUT, logits);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ops-backward/linear", test_linear);
  g_test_add_func ("/ops-backward/softmax", test_softmax);
  g_test_add_func ("/ops-backward/layer-norm", test_layer_norm);
  g_test_add_func ("/ops-backward/activations", test_activations);
  g_test_add_func ("/ops-backward/head", test_head);
  g_test_add_func ("/ops-backward/cross-entropy", test_cross_entropy);
  return g_test_run ();
}
