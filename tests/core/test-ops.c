/* SPDX-License-Identifier: MIT */
/* The small operations against the reference data, closed forms and plain loops in double, for
 * every set of kernels this CPU can run. */
#include "golden-ops.h"
#include "kernel-choice.h"
#include "kernels.h"
#include "ops.h"

#include "attn/pool.h"

#include <math.h>
#include <string.h>

static float *
random_array (size_t n)
{
  float *array = g_new (float, n);
  for (size_t i = 0; i < n; i++)
    array[i] = (float)g_test_rand_double_range (-1, 1);
  return array;
}

static void
test_golden_activations (const void *data)
{
  static const struct {
    AttnActivation activation;
    const char *name;
  } cases[] = {
      {ATTN_ACTIVATION_GELU, "act.gelu"},
      {ATTN_ACTIVATION_GELU_TANH, "act.gelu_new"},
      {ATTN_ACTIVATION_RELU, "act.relu"},
      {ATTN_ACTIVATION_SILU, "act.silu"},
  };
  GoldenOps golden = golden_ops_load ();
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    size_t n, n_expected;
    g_autofree float *x = golden_ops_get (&golden, "act.x", &n);
    g_autofree float *y = g_memdup2 (x, n * sizeof *x);
    g_autofree float *expected = golden_ops_get (&golden, cases[c].name, &n_expected);
    g_assert_cmpuint (n, ==, n_expected);
    ((const AttnKernels *)data)->activate (cases[c].activation, y, n);
    /* both sides round a few times: some 4 units in the last place of the larger of x and 1 */
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon ((double)y[i], (double)expected[i],
                                      2.5e-7 * fmax (1, fabs ((double)expected[i])));
  }
  golden_ops_clear (&golden);
}

static double
exact_activation (AttnActivation activation, double x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return x / 2 * erfc (-x / sqrt (2));
  case ATTN_ACTIVATION_GELU_TANH:
    return x / (1 + exp (-2 * sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
  case ATTN_ACTIVATION_RELU:
    return fmax (x, 0);
  case ATTN_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  }
  g_assert_not_reached ();
}

/* A fine grid against the formulas in double; every length, so that the last few elements are as
 * good as the first. */
static void
test_exact_activations (const void *data)
{
  const AttnKernels *kernels = data;
  for (AttnActivation a = ATTN_ACTIVATION_GELU; a <= ATTN_ACTIVATION_SILU; a++) {
    size_t n = 1;
    for (float from = -20; from < 20; from += 1e-4f * (float)n, n = n % 67 + 1) {
      float x[67], y[68];
      y[n] = 77;
      for (size_t i = 0; i < n; i++)
        y[i] = x[i] = from + 1e-4f * (float)i;
      kernels->activate (a, y, n);
      g_assert_true (y[n] == 77);
      for (size_t i = 0; i < n; i++) {
        double exact = exact_activation (a, (double)x[i]);
        /* a few roundings of a value of the result's size */
        g_assert_cmpfloat_with_epsilon ((double)y[i], exact, 1.5e-7 * fmax (1, fabs (exact)));
      }
    }
  }
}

static void
test_special_activations (const void *data)
{
  const AttnKernels *kernels = data;
  for (AttnActivation a = ATTN_ACTIVATION_GELU; a <= ATTN_ACTIVATION_SILU; a++) {
    float x[] = {NAN, INFINITY, 3e38f, -3e38f, 0, 1e-30f, -1e-30f, -200, 200};
    kernels->activate (a, x, G_N_ELEMENTS (x));
    g_assert_true (isnan (x[0]));
    g_assert_true (x[1] == INFINITY);
    g_assert_true (x[2] == 3e38f);
    g_assert_true (x[3] == 0);
    g_assert_true (x[4] == 0);
    g_assert_true (fabsf (x[5]) <= 1e-30f && fabsf (x[6]) <= 1e-30f);
    g_assert_true (x[7] == 0);
    g_assert_true (x[8] == 200);
  }
}

static void
test_golden_layer_norm (const void *data)
{
  static const struct {
    const char *name;
    double eps;
  } cases[] = {{"ln.eps_1e-12", 1e-12}, {"ln.eps_1e-7", 1e-7}, {"ln.eps_1e-5", 1e-5}};
  const AttnKernels *kernels = data;
  GoldenOps golden = golden_ops_load ();
  size_t n, width;
  g_autofree float *x = golden_ops_get (&golden, "ln.x", &n);
  g_autofree float *gain = golden_ops_get (&golden, "ln.weight", &width);
  g_autofree float *bias = golden_ops_get (&golden, "ln.bias", &width);
  for (size_t c = 0; c < G_N_ELEMENTS (cases); c++) {
    g_autofree float *expected = golden_ops_get (&golden, cases[c].name, &n);
    g_autofree float *y = g_memdup2 (x, n * sizeof *y);
    for (size_t row = 0; row < n / width; row++) {
      float *at = y + row * width;
      kernels->norm_row (&(AttnNormRow){at, at, gain, bias, width, cases[c].eps});
    }
    /* the reference's own sums are in single precision and err by some 1e-6 of values around 5 */
    for (size_t i = 0; i < n; i++)
      g_assert_cmpfloat_with_epsilon ((double)y[i], (double)expected[i], 1e-5);
  }
  golden_ops_clear (&golden);
}

static void
check_layer_norm (const AttnKernels *kernels, size_t width, bool with_bias)
{
  g_autofree float *x = random_array (width), *gain = random_array (width);
  g_autofree float *bias = random_array (width), *y = g_new (float, width);
  const double eps = 1e-12;
  double mean = 0, variance = 0;
  for (size_t i = 0; i < width; i++)
    mean += (double)x[i] / (double)width;
  for (size_t i = 0; i < width; i++)
    variance += ((double)x[i] - mean) * ((double)x[i] - mean) / (double)width;
  kernels->norm_row (&(AttnNormRow){x, y, gain, with_bias ? bias : NULL, width, eps});
  for (size_t i = 0; i < width; i++) {
    double e = ((double)x[i] - mean) / sqrt (variance + eps) * (double)gain[i] +
               (with_bias ? (double)bias[i] : 0);
    /* one rounding of a value below 50 */
    g_assert_cmpfloat_with_epsilon ((double)y[i], e, 1e-7 * (1 + fabs (e)));
  }
}

static void
test_layer_norm (const void *data)
{
  for (size_t width = 2; width < 140; width++)
    check_layer_norm (data, width, width % 2 == 0);
  check_layer_norm (data, 768, true);
  check_layer_norm (data, 1031, true);
}

static void
test_golden_softmax (const void *data)
{
  const AttnKernels *kernels = data;
  GoldenOps golden = golden_ops_load ();
  size_t n;
  g_autofree float *x = golden_ops_get (&golden, "softmax.x", &n);
  g_autofree float *p = golden_ops_get (&golden, "softmax.p", &n);
  g_autofree guint8 *keep = golden_ops_get (&golden, "softmax.keep", &n);
  for (size_t i = 0; i < n; i++)
    if (!keep[i])
      x[i] = -INFINITY;
  for (size_t row = 0; row < n / 12; row++)
    kernels->softmax_row (x + row * 12, 12);
  /* the difference to the maximum, whose size is near |log p|, is rounded to 6e-8 of itself; exp
   * and sum err by a few units in the last place; subnormal weights are exact to their step */
  for (size_t i = 0; i < n; i++) {
    double e = (double)p[i], relative = 5e-7 + 6e-8 * (e > 0 ? fabs (log (e)) : 0);
    g_assert_cmpfloat_with_epsilon ((double)x[i], e, e * relative + 2e-45);
  }
  golden_ops_clear (&golden);
}

static void
check_softmax (const AttnKernels *kernels, size_t n, double spread)
{
  g_autofree float *x = random_array (n + 1), *y = NULL;
  for (size_t i = 0; i < n; i++)
    x[i] = (float)(spread * (double)x[i]);
  y = g_memdup2 (x, (n + 1) * sizeof *x);
  kernels->softmax_row (y, n);
  double max = -INFINITY, sum = 0, y_sum = 0;
  for (size_t i = 0; i < n; i++)
    max = fmax (max, (double)x[i]);
  for (size_t i = 0; i < n; i++)
    sum += exp ((double)x[i] - max);
  for (size_t i = 0; i < n; i++) {
    double e = exp ((double)x[i] - max) / sum;
    y_sum += (double)y[i];
    /* the difference x - max is rounded to 6e-8 of the spread, exp and sum err by 3 units */
    g_assert_cmpfloat_with_epsilon ((double)y[i], e, e * (1e-6 + 1.2e-7 * spread) + 2e-45);
  }
  g_assert_cmpfloat_with_epsilon (y_sum, 1, 1e-6);
  g_assert_true (y[n] == x[n]);
}

static void
test_softmax (const void *data)
{
  for (size_t n = 1; n < 150; n++) {
    check_softmax (data, n, 5);
    check_softmax (data, n, 60);
  }
  check_softmax (data, 2048, 3);
  check_softmax (data, 2047, 0);
}

static void
test_special_softmax (const void *data)
{
  const AttnKernels *kernels = data;
  for (size_t n = 2; n < 70; n++) {
    g_autofree float *x = random_array (n);
    x[n / 2] = NAN;
    kernels->softmax_row (x, n);
    for (size_t i = 0; i < n; i++)
      g_assert_true (isnan (x[i]));

    for (size_t i = 0; i < n; i++)
      x[i] = -INFINITY;
    x[n - 1] = -1e30f;
    kernels->softmax_row (x, n);
    for (size_t i = 0; i < n; i++)
      g_assert_true (x[i] == (i == n - 1 ? 1.0f : 0.0f));
  }
}

static void
test_transpose (const void *data)
{
  const AttnKernels *kernels = data;
  const size_t width = kernels->panel;
  for (size_t n_rows = 1; n_rows <= width; n_rows++)
    for (size_t n_in = 1; n_in < 70; n_in += 3) {
      const size_t ld = n_in + n_rows % 3;
      g_autofree float *rows = random_array (n_rows * ld);
      g_autofree float *panel = random_array (width * n_in);
      kernels->transpose (panel, rows, ld, n_rows, n_in);
      for (size_t k = 0; k < n_in; k++)
        for (size_t i = 0; i < width; i++)
          g_assert_true (panel[k * width + i] == (i < n_rows ? rows[i * ld + k] : 0));
    }
}

/* A head with its fused buffer and everything computed from it. */
typedef struct {
  AttnAttendCall call;
  float *qkv, *map, *out, *scratch;
} Head;

static Head
new_head (size_t T, size_t d_k)
{
  const size_t ld = 3 * d_k + 5;
  Head head = {
      .qkv = random_array (T * ld), .map = g_new (float, T *T), .out = g_new (float, T *d_k)};
  head.call = (AttnAttendCall){
      .score = {.q = head.qkv,
                .k = head.qkv + d_k,
                .ldq = ld,
                .ldk = ld,
                .n_tokens = T,
                .d_k = d_k,
                .scale = (float)(3 / sqrt ((double)d_k))},
      .v = head.qkv + 2 * d_k,
      .ldv = ld,
      .n_queries = T,
      .out = head.out,
      .ldo = d_k,
  };
  head.scratch =
      g_aligned_alloc (attn_ops_attend_scratch_size (&head.call.score), sizeof (float), 64);
  return head;
}

static void
clear_head (Head *head)
{
  g_free (head->qkv);
  g_free (head->map);
  g_free (head->out);
  g_aligned_free (head->scratch);
}

static void
check_scores (const Head *head)
{
  const AttnScoreCall *call = &head->call.score;
  for (size_t i = 0; i < call->n_tokens; i++)
    for (size_t j = 0; j < call->n_tokens; j++) {
      double sum = 0;
      for (size_t c = 0; c < call->d_k; c++)
        sum += (double)call->q[i * call->ldq + c] * (double)call->k[j * call->ldk + c];
      /* roundings of d_k terms below 1, times the scale */
      g_assert_cmpfloat_with_epsilon ((double)head->map[i * call->n_tokens + j],
                                      sum * (double)call->scale, 1e-6 * (double)call->d_k);
    }
}

static void
check_mixed (const Head *head)
{
  const size_t T = head->call.score.n_tokens;
  for (size_t i = 0; i < T; i++)
    for (size_t c = 0; c < head->call.score.d_k; c++) {
      double sum = 0;
      for (size_t j = 0; j < T; j++)
        sum += (double)head->map[i * T + j] * (double)head->call.v[j * head->call.ldv + c];
      /* weights sum to 1 and values are below 1: some roundings of 1 */
      g_assert_cmpfloat_with_epsilon ((double)head->out[i * head->call.ldo + c], sum, 1e-6);
    }
}

/* The fused call gives the bits of the single steps, in cuts of the usual size or, where the set
 * promises it, of every kind. */
static void
check_attend (Head *head)
{
  const size_t T = head->call.score.n_tokens, n_bytes = T * head->call.ldo * sizeof (float);
  g_autofree float *expected = g_memdup2 (head->out, n_bytes);
  AttnAttendCall call = head->call;
  const size_t least = attn_kernels_get ()->same_bits ? 1 : ATTN_QUERIES_PER_PIECE;
  for (size_t step = least; step == least || step < 2 * T; step *= 2) {
    memset (head->out, 0, n_bytes);
    for (size_t first = 0; first < T; first += step) {
      call.first_query = first;
      call.n_queries = MIN (step, T - first);
      attn_ops_attend (&call, head->scratch);
    }
    g_assert_cmpmem (head->out, n_bytes, expected, n_bytes);
  }
}

static void
test_attention (void)
{
  static const size_t lengths[] = {1, 2, 7, 16, 31, 33, 64, 100, 129, 300};
  static const size_t widths[] = {1, 8, 10, 24, 64, 80};
  for (size_t l = 0; l < G_N_ELEMENTS (lengths); l++)
    for (size_t w = 0; w < G_N_ELEMENTS (widths); w++) {
      const size_t T = lengths[l];
      Head head = new_head (T, widths[w]);
      attn_ops_scores (&head.call.score, head.map);
      check_scores (&head);
      attn_ops_softmax_rows (head.map, T, T, T);
      attn_ops_mix_values (head.map, head.call.v, head.call.ldv, T, widths[w], head.out,
                           head.call.ldo);
      check_mixed (&head);
      check_attend (&head);
      clear_head (&head);
    }
}

/* Closed forms: zero queries see every key alike; a large scale picks the nearest key. */
static void
test_attention_limits (void)
{
  enum { T = 37, WIDTH = 16 };
  Head head = new_head (T, WIDTH);
  g_autofree float *zeros = g_new0 (float, T *WIDTH);
  AttnScoreCall call = head.call.score;
  call.q = zeros;
  call.ldq = WIDTH;
  attn_ops_scores (&call, head.map);
  attn_ops_softmax_rows (head.map, T, T, T);
  for (size_t i = 0; i < (size_t)T * T; i++)
    g_assert_cmpfloat_with_epsilon ((double)head.map[i], 1.0 / T, 1e-8); /* one rounding */

  for (size_t t = 0; t < T; t++)
    zeros[t * WIDTH + t % WIDTH] = t < WIDTH ? 1 : 0;
  call.k = zeros;
  call.ldk = WIDTH;
  call.scale = 1e6f;
  attn_ops_scores (&call, head.map);
  attn_ops_softmax_rows (head.map, T, T, T);
  for (size_t i = 0; i < WIDTH; i++)
    for (size_t j = 0; j < T; j++)
      g_assert_true (head.map[i * T + j] == (i == j ? 1.0f : 0.0f));
  clear_head (&head);
}

static void
check_logits (size_t n_rows, size_t n_in, size_t n_out, bool with_bias, AttnPool *pool)
{
  g_autofree float *x = random_array (n_rows * n_in), *rows = random_array (n_out * n_in);
  g_autofree float *bias = random_array (n_out), *logits = random_array (n_rows * n_out);
  g_autofree float *alone = random_array (n_out);
  attn_ops_logits (x, n_rows, rows, with_bias ? bias : NULL, n_in, n_out, logits, pool);
  for (size_t row = 0; row < n_rows; row++)
    for (size_t out = 0; out < n_out; out++) {
      double sum = with_bias ? (double)bias[out] : 0;
      for (size_t k = 0; k < n_in; k++)
        sum += (double)x[row * n_in + k] * (double)rows[out * n_in + k];
      /* roundings of n_in terms below 1 */
      g_assert_cmpfloat_with_epsilon ((double)logits[row * n_out + out], sum,
                                      1e-6 + 3e-7 * (double)n_in);
    }
  for (size_t row = 0; attn_kernels_get ()->same_bits && row < n_rows; row++) {
    attn_ops_logits (x + row * n_in, 1, rows, with_bias ? bias : NULL, n_in, n_out, alone, NULL);
    g_assert_cmpmem (alone, n_out * sizeof *alone, logits + row * n_out, n_out * sizeof *alone);
  }
}

static void
test_logits (void)
{
  g_autoptr (AttnPool) pool = attn_pool_new (3);
  check_logits (1, 1, 1, true, NULL);
  check_logits (1, 64, 1000, true, pool);
  check_logits (8, 33, 131, false, pool);
  check_logits (40, 50, 77, true, pool);
  check_logits (9, 768, 100, true, NULL);
}

/* The public calls run the best set, row by row. */
static void
test_public_calls (void)
{
  const AttnKernels *kernels = attn_kernels_get ();
  enum { ROWS = 5, WIDTH = 39, STRIDE = 42 };
  g_autofree float *x = random_array (ROWS * STRIDE), *gain = random_array (WIDTH);
  g_autofree float *expected = g_memdup2 (x, ROWS * STRIDE * sizeof *x);
  for (size_t row = 0; row < ROWS; row++)
    kernels->softmax_row (expected + row * STRIDE, WIDTH);
  attn_ops_softmax_rows (x, STRIDE, ROWS, WIDTH);
  g_assert_cmpmem (x, ROWS * STRIDE * sizeof *x, expected, ROWS * STRIDE * sizeof *x);

  float normed[ROWS * WIDTH];
  attn_ops_layer_norm (normed, x, gain, NULL, ROWS, WIDTH, 1e-5);
  for (size_t row = 0; row < ROWS; row++) {
    kernels->norm_row (&(AttnNormRow){x + row * WIDTH, expected, gain, NULL, WIDTH, 1e-5});
    g_assert_cmpmem (normed + row * WIDTH, WIDTH * sizeof *x, expected, WIDTH * sizeof *x);
  }

  memcpy (expected, x, WIDTH * sizeof *x);
  kernels->activate (ATTN_ACTIVATION_GELU, expected, WIDTH);
  attn_ops_activate (ATTN_ACTIVATION_GELU, x, WIDTH);
  g_assert_cmpmem (x, WIDTH * sizeof *x, expected, WIDTH * sizeof *x);
}

static void
add_test (const AttnKernels *kernels, const char *name, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/ops/%s/%s", kernels->name, name);
  g_test_add_data_func (g_strdelimit (path, " ", '-'), kernels, func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!kernel_choice_read (argc, argv))
    return 0;
  const AttnKernels *kernels;
  for (size_t i = 0; (kernels = attn_kernels_peek (i)) != NULL; i++) {
    add_test (kernels, "golden-activations", test_golden_activations);
    add_test (kernels, "exact-activations", test_exact_activations);
    add_test (kernels, "special-activations", test_special_activations);
    add_test (kernels, "golden-layer-norm", test_golden_layer_norm);
    add_test (kernels, "layer-norm", test_layer_norm);
    add_test (kernels, "golden-softmax", test_golden_softmax);
    add_test (kernels, "softmax", test_softmax);
    add_test (kernels, "special-softmax", test_special_softmax);
    add_test (kernels, "transpose", test_transpose);
  }
  g_test_add_func ("/ops/attention", test_attention);
  g_test_add_func ("/ops/attention-limits", test_attention_limits);
  g_test_add_func ("/ops/logits", test_logits);
  g_test_add_func ("/ops/public-calls", test_public_calls);
  return g_test_run ();
}
