/* SPDX-License-Identifier: MIT */
/* One attention block on random numbers, run and timed in turns for several numbers of heads.
 *
 * Letters: T tokens, D = d_model. */
#include "attn/timing.h"

#include "block.h"
#include "linear.h"
#include "ops.h"

#include "attn/error.h"
#include "attn/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1
#define LEAST_US 200 /* of a measurement; the clock counts microseconds */

/* One number of heads. */
typedef struct {
  size_t n_heads, n_blocks; /* blocks for a measurement */
  double *times;            /* [n_runs] ms, rising */
} Turn;

typedef struct {
  const AttnTimingOptions *options;
  AttnPool *pool;
  size_t n;
  Turn *turns; /* [n] */
  AttnBlock block;
  AttnLinear qkv, out;
  float *x, *fused, *mixed, *y; /* [T, D], [T, 3 D], [T, D], [T, D] */
  float *scratch;               /* [threads, scratch_size] */
  size_t scratch_size;
  size_t n_heads; /* of the block that runs */
} Timing;

static bool
check_size (const char *name, size_t value, size_t most, GError **error)
{
  if (value >= 1 && value <= most)
    return true;
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%s is %zu, wanted 1 to %zu", name, value,
               most);
  return false;
}

static bool
check (const AttnTimingOptions *options, const size_t *heads, size_t n, GError **error)
{
  if (!check_size ("d_model", options->d_model, ATTN_TIMING_MAX_WIDTH, error) ||
      !check_size ("the number of tokens", options->n_tokens, ATTN_TIMING_MAX_TOKENS, error) ||
      !check_size ("the number of runs", options->n_runs, ATTN_TIMING_MAX_RUNS, error))
    return false;
  for (size_t i = 0; i < n; i++)
    if (heads[i] == 0 || options->d_model % heads[i] != 0) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_SHAPE, "%zu heads do not divide d_model, %zu",
                   heads[i], options->d_model);
      return false;
    }
  return true;
}

static AttnScoreCall
get_score_call (const Timing *timing, size_t n_heads, size_t head)
{
  const size_t D = timing->options->d_model, d_k = D / n_heads;
  return (AttnScoreCall){
      .q = timing->fused + head * d_k,
      .k = timing->fused + D + head * d_k,
      .ldq = attn_linear_get_stride (3 * D),
      .ldk = attn_linear_get_stride (3 * D),
      .n_tokens = timing->options->n_tokens,
      .d_k = d_k,
      .scale = 1 / sqrtf ((float)d_k),
  };
}

/* ---- memory ---- */

static void
cut_linear (AttnCutter *cutter, size_t n_in, size_t n_out, AttnLinear *linear)
{
  *linear = (AttnLinear){.n_in = n_in, .n_out = n_out};
  linear->panels = attn_cutter_take (cutter, attn_linear_packed_size (n_in, n_out));
  linear->bias = attn_cutter_take (cutter, n_out);
}

static void
cut (AttnCutter *cutter, Timing *timing)
{
  const size_t T = timing->options->n_tokens, D = timing->options->d_model;
  const size_t stride = attn_linear_get_stride (D);
  cut_linear (cutter, D, 3 * D, &timing->qkv);
  cut_linear (cutter, D, D, &timing->out);
  timing->x = attn_cutter_take_matrix (cutter, T, stride);
  timing->fused = attn_cutter_take_matrix (cutter, T, attn_linear_get_stride (3 * D));
  timing->mixed = attn_cutter_take_matrix (cutter, T, stride);
  timing->y = attn_cutter_take_matrix (cutter, T, stride);
  timing->scratch = attn_cutter_take_matrix (cutter, attn_pool_get_n_threads (timing->pool),
                                             timing->scratch_size);
}

static void
fill (float *numbers, size_t n, GRand *random, double size)
{
  for (size_t i = 0; i < n; i++)
    numbers[i] = (float)g_rand_double_range (random, -size, size);
}

/* The same rows again and again: what they are does not matter, only that they are many. */
static void
fill_linear (const Timing *timing, AttnLinear *linear, GRand *random)
{
  const size_t n = ATTN_LINEAR_PACK_ROWS;
  g_autofree float *rows = g_new (float, n * linear->n_in);
  fill (rows, n * linear->n_in, random, 1 / sqrt ((double)linear->n_in));
  for (size_t first = 0; first < linear->n_out && !attn_pool_is_stopped (timing->pool); first += n)
    attn_linear_pack_rows (linear, rows, first, MIN (n, linear->n_out - first));
}

/* Likewise. */
static void
fill_input (Timing *timing, GRand *random)
{
  const size_t T = timing->options->n_tokens, n = MIN (ATTN_LINEAR_PACK_ROWS, T);
  const size_t stride = attn_linear_get_stride (timing->options->d_model);
  fill (timing->x, n * stride, random, 1);
  for (size_t row = n; row < T && !attn_pool_is_stopped (timing->pool); row++)
    memcpy (timing->x + row * stride, timing->x + row % n * stride, stride * sizeof (float));
}

static bool
timing_init (Timing *timing, const size_t *heads, size_t n, GError **error)
{
  timing->n = n;
  timing->turns = g_new0 (Turn, n);
  for (size_t i = 0; i < n; i++) {
    const AttnScoreCall call = get_score_call (timing, heads[i], 0);
    timing->turns[i].n_heads = heads[i];
    timing->turns[i].times = g_new (double, timing->options->n_runs);
    timing->scratch_size = MAX (timing->scratch_size, attn_ops_attend_scratch_size (&call));
  }
  timing->scratch_size = (timing->scratch_size + 15) / 16 * 16; /* each begins a cache line */
  AttnCutter cutter = {0};
  cut (&cutter, timing);
  if (!attn_block_init (&timing->block, &cutter, "the attention block", true, error))
    return false;
  cutter = (AttnCutter){.base = timing->block.data};
  cut (&cutter, timing);
  g_autoptr (GRand) random = g_rand_new_with_seed (SEED);
  fill_linear (timing, &timing->qkv, random);
  fill_linear (timing, &timing->out, random);
  fill_input (timing, random);
  return true;
}

static void
timing_clear (Timing *timing)
{
  for (size_t i = 0; i < timing->n; i++)
    g_free (timing->turns[i].times);
  g_free (timing->turns);
  attn_block_clear (&timing->block);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Timing, timing_clear)

/* ---- a block ---- */

static size_t
count_pieces_per_head (const Timing *timing)
{
  return (timing->options->n_tokens + ATTN_QUERIES_PER_PIECE - 1) / ATTN_QUERIES_PER_PIECE;
}

static void
attend_piece (size_t piece, size_t worker, void *data)
{
  const Timing *timing = data;
  const size_t D = timing->options->d_model, d_k = D / timing->n_heads;
  const size_t head = piece / count_pieces_per_head (timing);
  const size_t part = piece % count_pieces_per_head (timing);
  AttnAttendCall call = {
      .score = get_score_call (timing, timing->n_heads, head),
      .v = timing->fused + 2 * D + head * d_k,
      .ldv = attn_linear_get_stride (3 * D),
      .first_query = part * ATTN_QUERIES_PER_PIECE,
      .out = timing->mixed + head * d_k,
      .ldo = attn_linear_get_stride (D),
      .pool = timing->pool,
  };
  call.n_queries = MIN (ATTN_QUERIES_PER_PIECE, timing->options->n_tokens - call.first_query);
  attn_ops_attend (&call, timing->scratch + worker * timing->scratch_size);
}

static void
run_block (Timing *timing, size_t n_heads)
{
  const size_t T = timing->options->n_tokens, D = timing->options->d_model;
  const size_t stride = attn_linear_get_stride (D);
  timing->n_heads = n_heads;
  attn_linear_run (&timing->qkv,
                   &(AttnLinearCall){.x = timing->x,
                                     .ldx = stride,
                                     .y = timing->fused,
                                     .ldy = attn_linear_get_stride (3 * D),
                                     .n_rows = T},
                   timing->pool);
  attn_pool_run (timing->pool, n_heads * count_pieces_per_head (timing), attend_piece, timing);
  attn_linear_run (
      &timing->out,
      &(AttnLinearCall){
          .x = timing->mixed, .ldx = stride, .y = timing->y, .ldy = stride, .n_rows = T},
      timing->pool);
}

/* ---- measuring ---- */

/* Returns: µs of @n_blocks blocks. */
static gint64
measure (Timing *timing, size_t n_heads, size_t n_blocks)
{
  const gint64 begin_us = g_get_monotonic_time ();
  for (size_t i = 0; i < n_blocks; i++)
    run_block (timing, n_heads);
  return g_get_monotonic_time () - begin_us;
}

/* The first block finds nothing in the caches, the next ones tell how many make a measurement. */
static void
warm_up (Timing *timing, Turn *turn)
{
  run_block (timing, turn->n_heads);
  turn->n_blocks = 1;
  while (measure (timing, turn->n_heads, turn->n_blocks) < LEAST_US &&
         !attn_pool_is_stopped (timing->pool))
    turn->n_blocks *= 2;
}

static void
insert (double *times, size_t n, double time)
{
  for (; n > 0 && times[n - 1] > time; n--)
    times[n] = times[n - 1];
  times[n] = time;
}

/* Of [@n] rising values; between two of them in a straight line. */
static double
find_quantile (const double *values, size_t n, double share)
{
  const double place = share * (double)(n - 1);
  const size_t below = (size_t)place, above = MIN (below + 1, n - 1);
  return values[below] + (place - (double)below) * (values[above] - values[below]);
}

/* Nine digits, as times are written down: who draws from a file draws the same. */
static double
round_time (double ms)
{
  char number[ATTN_NUMBER_SIZE];
  return g_ascii_strtod (attn_number_format (number, ms, ATTN_NUMBER_JSON), NULL);
}

static void
summarize (const Timing *timing, size_t n_runs, AttnTiming *timings)
{
  for (size_t i = 0; i < timing->n; i++) {
    const Turn *turn = &timing->turns[i];
    timings[i] = (AttnTiming){
        .n_heads = turn->n_heads,
        .n_runs = n_runs,
        .low = round_time (find_quantile (turn->times, n_runs, 0.25)),
        .median = round_time (find_quantile (turn->times, n_runs, 0.5)),
        .high = round_time (find_quantile (turn->times, n_runs, 0.75)),
    };
  }
}

/* Every number of heads once more. Returns: false when the pool was stopped meanwhile. */
static bool
run_round (Timing *timing, size_t round)
{
  for (size_t i = 0; i < timing->n; i++) {
    Turn *turn = &timing->turns[i];
    if (round == 0) {
      warm_up (timing, turn);
    } else {
      const gint64 elapsed_us = measure (timing, turn->n_heads, turn->n_blocks);
      insert (turn->times, round - 1, (double)elapsed_us / 1e3 / (double)turn->n_blocks);
    }
    if (attn_pool_is_stopped (timing->pool))
      return false;
  }
  return true;
}

bool
attn_timing_run (const AttnTimingOptions *options,
                 const size_t *heads,
                 size_t n,
                 AttnPool *pool,
                 AttnTimingFunc report,
                 void *report_data,
                 AttnTiming *timings,
                 GError **error)
{
  g_return_val_if_fail (n > 0, false);
  g_auto (Timing) timing = {.options = options, .pool = pool};
  if (!check (options, heads, n, error) || !timing_init (&timing, heads, n, error))
    return false;
  for (size_t run = 0; run <= options->n_runs; run++) {
    const bool is_whole = run_round (&timing, run);
    if (is_whole && run > 0)
      summarize (&timing, run, timings);
    const double fraction = (double)(run + 1) / (double)(options->n_runs + 1);
    if (!is_whole ||
        (report != NULL && !report (timings, run > 0 ? n : 0, fraction, report_data))) {
      g_set_error_literal (error, ATTN_ERROR, ATTN_ERROR_CANCELLED, "timing was stopped");
      return false;
    }
  }
  return true;
}
