/* SPDX-License-Identifier: MIT */
/* Linear layers against plain loops in double, for every set of kernels this CPU can run, and,
 * where a set promises it, that a row has the same bits in every company. */
#include "kernels.h"
#include "linear.h"

#include "attn/error.h"
#include "attn/model.h"

#include <math.h>
#include <string.h>

/* A layer with its plain weights beside the panels. */
typedef struct {
  AttnLinear linear;
  float *weights; /* [n_out, n_in] */
} Layer;

static float
random_float (void)
{
  return (float)g_test_rand_double_range (-1, 1);
}

static float *
random_array (size_t n)
{
  float *array = g_new (float, MAX (n, 1));
  for (size_t i = 0; i < n; i++)
    array[i] = random_float ();
  return array;
}

/* Rows arrive in uneven pieces and out of order, as a file's tensors may. */
static void
pack (const AttnKernels *kernels, Layer *layer)
{
  const size_t n_in = layer->linear.n_in, n_out = layer->linear.n_out;
  const size_t cut = n_out / 3, second = MIN (n_out, cut + 37);
  attn_linear_pack_rows_with (kernels, &layer->linear, layer->weights + second * n_in, second,
                              n_out - second);
  attn_linear_pack_rows_with (kernels, &layer->linear, layer->weights, 0, cut);
  attn_linear_pack_rows_with (kernels, &layer->linear, layer->weights + cut * n_in, cut,
                              second - cut);
}

static Layer
new_layer (const AttnKernels *kernels, size_t n_in, size_t n_out, bool bias)
{
  const size_t n_packed = attn_linear_packed_size (n_in, n_out);
  Layer layer = {
      .linear = {.panels = g_aligned_alloc0 (n_packed, sizeof (float), 64),
                 .bias = bias ? random_array (n_out) : NULL,
                 .n_in = n_in,
                 .n_out = n_out},
      .weights = random_array (n_in * n_out),
  };
  pack (kernels, &layer);
  return layer;
}

static void
clear_layer (Layer *layer)
{
  g_aligned_free (layer->linear.panels);
  g_free (layer->linear.bias);
  g_free (layer->weights);
}

static double
activate (AttnActivation activation, double x)
{
  switch (activation) {
  case ATTN_ACTIVATION_GELU:
    return x / 2 * (1 + erf (x / sqrt (2)));
  case ATTN_ACTIVATION_GELU_TANH:
    return x / 2 * (1 + tanh (sqrt (2 / G_PI) * (x + 0.044715 * x * x * x)));
  case ATTN_ACTIVATION_RELU:
    return fmax (x, 0);
  case ATTN_ACTIVATION_SILU:
    return x / (1 + exp (-x));
  }
  g_assert_not_reached ();
}

/* One element in double. @size is the sum of what the terms have in magnitude: single precision
 * errs in proportion to it. */
static double
expect (const Layer *layer,
        const AttnLinearCall *call,
        size_t row,
        size_t out,
        double before,
        double *size)
{
  const AttnLinear *linear = &layer->linear;
  double sum = linear->bias != NULL ? (double)linear->bias[out] : 0;
  *size = fabs (sum) + 1;
  for (size_t k = 0; k < linear->n_in; k++) {
    double term =
        (double)call->x[row * call->ldx + k] * (double)layer->weights[out * linear->n_in + k];
    sum += term;
    *size += fabs (term);
  }
  if (call->after == ATTN_AFTER_ACTIVATION)
    return activate (call->activation, sum);
  return call->after == ATTN_AFTER_ADD ? before + sum : sum;
}

/* Runs and compares everything, and checks that what stands between the rows is left alone. */
static void
check_call (const AttnKernels *kernels, const Layer *layer, AttnLinearCall call, AttnPool *pool)
{
  const size_t n_out = layer->linear.n_out, n = call.n_rows * call.ldy;
  g_autofree float *before = random_array (n);
  g_autofree float *y = g_memdup2 (before, n * sizeof *y);
  call.y = y;
  call.add = g_test_rand_bit () ? NULL : g_test_rand_bit () ? before : y;
  attn_linear_run_with (kernels, &layer->linear, &call, pool);
  for (size_t row = 0; row < call.n_rows; row++) {
    const size_t at = row * call.ldy;
    for (size_t out = 0; out < n_out; out++) {
      double size, e = expect (layer, &call, row, out, (double)before[at + out], &size);
      /* sums of some 70 terms in single precision were seen to err by 6 roundings of the terms'
       * magnitude; a lost or doubled term errs by thousands */
      g_assert_cmpfloat_with_epsilon ((double)y[at + out], e, 16 * 6e-8 * size);
    }
    g_assert_cmpmem (y + at + n_out, (call.ldy - n_out) * sizeof *y, before + at + n_out,
                     (call.ldy - n_out) * sizeof *y);
  }
}

typedef struct {
  size_t n_rows, n_in, n_out;
} Shape;

static void
check_shape (const AttnKernels *kernels, Shape shape, AttnPool *pool)
{
  static const AttnActivation activations[] = {
      ATTN_ACTIVATION_GELU,
      ATTN_ACTIVATION_GELU_TANH,
      ATTN_ACTIVATION_RELU,
      ATTN_ACTIVATION_SILU,
  };
  Layer layer = new_layer (kernels, shape.n_in, shape.n_out, g_test_rand_bit ());
  const size_t ldx = shape.n_in + (size_t)g_test_rand_int_range (0, 4);
  g_autofree float *x = random_array (shape.n_rows * ldx);
  AttnLinearCall call = {
      .x = x,
      .ldx = ldx,
      .ldy = shape.n_out + (size_t)g_test_rand_int_range (0, 4),
      .n_rows = shape.n_rows,
      .activation = activations[g_test_rand_int_range (0, G_N_ELEMENTS (activations))],
  };
  for (AttnAfter after = ATTN_AFTER_NOTHING; after <= ATTN_AFTER_ADD; after++) {
    call.after = after;
    check_call (kernels, &layer, call, pool);
  }
  clear_layer (&layer);
}

static size_t
random_size (size_t end)
{
  return (size_t)g_test_rand_int_range (1, (gint32)end);
}

static void
test_against_loops (const void *data)
{
  const AttnKernels *kernels = data;
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  static const Shape shapes[] = {
      {1, 1, 1},     {1, 768, 40},  {9, 1, 33},     {16, 64, 32},  {2, 5, 64},
      {300, 70, 50}, {129, 33, 31}, {10, 1100, 70}, {7, 40, 1000}, {128, 96, 96},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (shapes); i++)
    check_shape (kernels, shapes[i], pool);
  for (size_t i = 0; i < 30; i++)
    check_shape (kernels, (Shape){random_size (70), random_size (100), random_size (100)}, pool);
}

/* dL/dx against plain loops in double, written or added to what was there. */
static void
check_back (const Layer *layer, const AttnLinearBack *call, const float *before)
{
  const size_t n_in = layer->linear.n_in, n_out = layer->linear.n_out;
  for (size_t row = 0; row < call->n_rows; row++)
    for (size_t k = 0; k < n_in; k++) {
      double sum = call->add ? (double)before[row * n_in + k] : 0, size = fabs (sum) + 1;
      for (size_t out = 0; out < n_out; out++) {
        const double term =
            (double)call->d_y[row * n_out + out] * (double)layer->weights[out * n_in + k];
        sum += term;
        size += fabs (term);
      }
      /* as in check_call() */
      g_assert_cmpfloat_with_epsilon ((double)call->d_x[row * n_in + k], sum, 16 * 6e-8 * size);
    }
}

static void
test_back (const void *data)
{
  const AttnKernels *kernels = data;
  static const Shape shapes[] = {
      {1, 1, 1}, {9, 33, 70}, {16, 64, 64}, {5, 130, 1100}, {40, 70, 513}};
  g_autoptr (AttnPool) pool = attn_pool_new (2);
  float *scratch = g_aligned_alloc (attn_linear_back_scratch_size (pool), sizeof (float), 64);
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (shapes); i++) {
    const Shape shape = shapes[i / 2];
    const size_t n = shape.n_rows * shape.n_in;
    Layer layer = new_layer (kernels, shape.n_in, shape.n_out, true);
    g_autofree float *d_y = random_array (shape.n_rows * shape.n_out);
    g_autofree float *before = random_array (n), *d_x = g_memdup2 (before, n * sizeof *before);
    const AttnLinearBack call = {
        .d_y = d_y, .d_x = d_x, .n_rows = shape.n_rows, .add = i % 2 > 0, .scratch = scratch};
    attn_linear_run_back_with (kernels, &layer.linear, &call, pool);
    check_back (&layer, &call, before);
    memcpy (d_x, before, n * sizeof *d_x);
    attn_linear_run_back_rows (layer.weights, shape.n_in, shape.n_out, &call, pool);
    check_back (&layer, &call, before);
    clear_layer (&layer);
  }
  g_aligned_free (scratch);
}

/* The rows of a batch against each row alone. */
static void
check_same_bits (const AttnKernels *kernels, Shape shape, AttnPool *pool)
{
  const size_t n_in = shape.n_in, n_out = shape.n_out, n_bytes = n_out * sizeof (float);
  Layer layer = new_layer (kernels, n_in, n_out, true);
  g_autofree float *x = random_array (shape.n_rows * n_in);
  g_autofree float *y = random_array (shape.n_rows * n_out), *alone = random_array (n_out);
  AttnLinearCall call = {.x = x, .ldx = n_in, .y = y, .ldy = n_out, .n_rows = shape.n_rows};
  call.after = ATTN_AFTER_ACTIVATION;
  attn_linear_run_with (kernels, &layer.linear, &call, pool);
  call.y = alone;
  call.n_rows = 1;
  for (size_t row = 0; row < shape.n_rows; row++) {
    call.x = x + row * n_in;
    attn_linear_run_with (kernels, &layer.linear, &call, NULL);
    g_assert_cmpmem (y + row * n_out, n_bytes, alone, n_bytes);
  }
  clear_layer (&layer);
}

/* Batches of every size up to 70, and some that are cut into chunks; large enough for several
 * threads to share the work, and too small for that. */
static void
test_same_bits (const void *data)
{
  static const Shape large[] = {{7, 770, 257}, {130, 230, 131}, {300, 65, 99}};
  for (size_t n_threads = 1; n_threads <= 3; n_threads++) {
    g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
    for (size_t n_rows = n_threads; n_rows <= 70; n_rows += 3)
      check_same_bits (data, (Shape){n_rows, 123, 131}, pool);
    for (size_t i = 0; i < G_N_ELEMENTS (large); i++)
      check_same_bits (data, large[i], pool);
  }
}

/* Pieces depend on shapes alone, so every set gives the same bits on any number of threads. */
static void
test_any_threads (const void *data)
{
  enum { N_ROWS = 300, N_IN = 230, N_OUT = 331 };
  const AttnKernels *kernels = data;
  Layer layer = new_layer (kernels, N_IN, N_OUT, true);
  g_autofree float *x = random_array (N_ROWS * N_IN);
  g_autofree float *alone = random_array (N_ROWS * N_OUT), *y = random_array (N_ROWS * N_OUT);
  for (size_t n_rows = 1; n_rows <= N_ROWS; n_rows += n_rows < 40 ? 3 : 37) {
    AttnLinearCall call = {.x = x, .ldx = N_IN, .y = alone, .ldy = N_OUT, .n_rows = n_rows};
    const size_t n_bytes = n_rows * N_OUT * sizeof *y;
    attn_linear_run_with (kernels, &layer.linear, &call, NULL);
    call.y = y;
    for (size_t n_threads = 2; n_threads <= 3; n_threads++) {
      g_autoptr (AttnPool) pool = attn_pool_new (n_threads);
      attn_linear_run_with (kernels, &layer.linear, &call, pool);
      g_assert_cmpmem (y, n_bytes, alone, n_bytes);
    }
  }
  clear_layer (&layer);
}

/* A NaN or an infinity in one row of x stays in that row. */
static void
test_special_values (const void *data)
{
  const AttnKernels *kernels = data;
  Layer layer = new_layer (kernels, 50, 45, true);
  g_autofree float *x = random_array (10 * 50);
  float y[10 * 45];
  x[3 * 50 + 7] = NAN;
  x[6 * 50 + 49] = INFINITY;
  AttnLinearCall call = {.x = x, .ldx = 50, .y = y, .ldy = 45, .n_rows = 10};
  attn_linear_run_with (kernels, &layer.linear, &call, NULL);
  for (size_t row = 0; row < 10; row++)
    for (size_t out = 0; out < 45; out++) {
      float value = y[row * 45 + out];
      if (row == 3)
        g_assert_true (isnan (value));
      else if (row == 6)
        g_assert_true (isinf (value));
      else
        g_assert_true (isfinite (value));
    }
  clear_layer (&layer);
}

static void
test_stride (void)
{
  for (size_t width = 1; width < 5000; width++) {
    size_t stride = attn_linear_get_stride (width);
    g_assert_cmpuint (stride, >=, width);
    g_assert_cmpuint (stride, <, width + 32);
    g_assert_cmpuint (stride % 32, ==, 16);
  }
}

/* The public calls are the best set's. */
static void
test_public_calls (void)
{
  const AttnKernels *kernels = attn_kernels_get ();
  g_assert_true (kernels == attn_kernels_peek (0));
  g_assert_cmpstr (attn_kernel_peek_name (), ==, kernels->describe ());
  Layer layer = new_layer (kernels, 40, 50, true);
  const size_t n_packed = attn_linear_packed_size (40, 50);
  AttnLinear other = layer.linear;
  other.panels = g_aligned_alloc0 (n_packed, sizeof (float), 64);
  attn_linear_pack_rows (&other, layer.weights, 0, 50);
  g_assert_cmpmem (other.panels, n_packed * sizeof (float), layer.linear.panels,
                   n_packed * sizeof (float));
  g_autofree float *x = random_array (11 * 40);
  float y[11 * 50], expected[11 * 50];
  AttnLinearCall call = {.x = x, .ldx = 40, .y = expected, .ldy = 50, .n_rows = 11};
  attn_linear_run_with (kernels, &layer.linear, &call, NULL);
  call.y = y;
  attn_linear_run (&other, &call, NULL);
  g_assert_cmpmem (y, sizeof y, expected, sizeof expected);
  g_aligned_free (other.panels);
  clear_layer (&layer);
}

/* Whoever chooses kernels hears what there is, and when it is too late. */
static void
test_choose (void)
{
  g_autoptr (GError) unknown = NULL, late = NULL;
  const AttnKernels *kernels = attn_kernels_get ();
  g_assert_true (attn_kernel_choose (kernels->name, NULL));
  g_assert_false (attn_kernel_choose ("abacus", &unknown));
  g_assert_error (unknown, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (unknown->message, "abacus"));
  g_assert_nonnull (strstr (unknown->message, "openblas"));
  g_assert_false (attn_kernel_choose ("plain", &late));
  g_assert_error (late, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (late->message, kernels->name));
  g_assert_true (attn_kernels_get () == kernels);
}

static void
add_test (const AttnKernels *kernels, const char *name, GTestDataFunc func)
{
  g_autofree char *path = g_strdup_printf ("/linear/%s/%s", kernels->name, name);
  g_test_add_data_func (g_strdelimit (path, " ", '-'), kernels, func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  const AttnKernels *kernels;
  for (size_t i = 0; (kernels = attn_kernels_peek (i)) != NULL; i++) {
    add_test (kernels, "against-loops", test_against_loops);
    add_test (kernels, "back", test_back);
    add_test (kernels, "same-bits-on-any-threads", test_any_threads);
    if (kernels->same_bits)
      add_test (kernels, "same-bits", test_same_bits);
    add_test (kernels, "special-values", test_special_values);
  }
  g_test_add_func ("/linear/stride", test_stride);
  g_test_add_func ("/linear/public-calls", test_public_calls);
  g_test_add_func ("/linear/choose", test_choose);
  return g_test_run ();
}
