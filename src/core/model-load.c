/* SPDX-License-Identifier: MIT */
/* From a model folder to weights in place. */
#include "file.h"
#include "model-plan.h"
#include "model-private.h"
#include "source-private.h"
#include "warnings.h"

#include "attn/folder.h"
#include "attn/number.h"

#include <float.h>
#include <stdint.h>
#include <string.h>

#define PIECE_FLOATS ((size_t)1 << 16) /* read and converted at once, while in cache */
#define PIECES_PER_TELL ((size_t)64)   /* 16 MB of f32: a tenth of a second of a slow disk */

/* One tensor on its way into its place, in pieces of whole rows. */
typedef struct {
  const AttnSource *source;
  const AttnTensorInfo *tensor;
  AttnPlace place;
  size_t n_rows, width, rows_per_piece;
  size_t first_piece; /* of those that are done now */
  bool inputs_first;  /* a matrix's rows are those of its transpose */
  float *scratch;     /* [n_workers, rows_per_piece × width] */
  GMutex lock;        /* for what follows */
  AttnSourceSeen seen;
  guint max_bits; /* largest |value| as bits, so that infinity and NaN come last */
  GError *error;  /* the first */
} Transfer;

static guint
find_max_bits (const float *values, size_t n)
{
  guint max_bits = 0;
  for (size_t i = 0; i < n; i++) {
    guint bits;
    memcpy (&bits, &values[i], sizeof bits);
    bits &= 0x7fffffffU;
    max_bits = bits > max_bits ? bits : max_bits;
  }
  return max_bits;
}

/* @error: owned, NULL where the piece could be read. */
static void
note_piece (Transfer *transfer, const AttnSourceSeen *seen, guint max_bits, GError *error)
{
  g_mutex_lock (&transfer->lock);
  attn_source_join_seen (&transfer->seen, seen);
  transfer->max_bits = MAX (transfer->max_bits, max_bits);
  if (transfer->error == NULL)
    transfer->error = g_steal_pointer (&error);
  g_mutex_unlock (&transfer->lock);
  g_clear_error (&error);
}

static void
transfer_piece (size_t piece, size_t worker, void *data)
{
  Transfer *transfer = data;
  size_t first = (transfer->first_piece + piece) * transfer->rows_per_piece;
  size_t n = MIN (transfer->rows_per_piece, transfer->n_rows - first);
  size_t width = transfer->width;
  float *rows = transfer->place.plain != NULL
                    ? transfer->place.plain + first * width
                    : transfer->scratch + worker * transfer->rows_per_piece * width;
  AttnSourceSeen seen = {0};
  GError *error = NULL;
  const bool read = attn_source_read_noting (transfer->source, transfer->tensor, first * width,
                                             n * width, rows, &seen, &error);
  note_piece (transfer, &seen, read ? find_max_bits (rows, n * width) : 0, error);
  if (!read || transfer->place.linear == NULL)
    return;
  if (transfer->inputs_first)
    attn_linear_pack_columns (transfer->place.linear, rows, first, n);
  else
    attn_linear_pack_rows (transfer->place.linear, rows, transfer->place.first_out + first, n);
}

/* Values that make results infinite or undefined are for the user to know, not for us to refuse. */
static void
warn_of_values (AttnModel *model, const Transfer *transfer)
{
  const guint infinite = 0x7f800000U, square_overflows = 0x5f800000U; /* 2^64 */
  const AttnInfinities *infinities = &transfer->seen.infinities;
  const bool narrowed = infinities->n_too_large > 0;
  const char *path = attn_source_peek_path (transfer->source, transfer->tensor);
  g_autofree char *shown = attn_file_dup_shown (path, strlen (path));
  const char *what = NULL;
  if (transfer->max_bits > infinite)
    what = "not-a-number (NaN) values";
  else if (transfer->max_bits == infinite && (infinities->has_infinite || !narrowed))
    what = "infinite values";
  else if (transfer->max_bits >= square_overflows && !narrowed)
    what = "values so large that results may overflow";
  if (what != NULL)
    g_ptr_array_add (model->warnings, g_strdup_printf ("%s: tensor %s holds %s", shown,
                                                       transfer->tensor->name, what));
  if (narrowed) {
    char largest[ATTN_NUMBER_SIZE], most[ATTN_NUMBER_SIZE];
    g_ptr_array_add (
        model->warnings,
        g_strdup_printf ("%s: tensor %s holds values too large for single precision: "
                         "found %s, wanted at most %s; they are taken as infinite",
                         shown, transfer->tensor->name,
                         attn_number_format (largest, infinities->largest, ATTN_NUMBER_CSV),
                         attn_number_format (most, (double)FLT_MAX, ATTN_NUMBER_CSV)));
  }
}

/* Pieces of whole panels are packed 1.5 times as fast. */
static size_t
choose_packed_rows (size_t n)
{
  return MAX (n / ATTN_LINEAR_PACK_ROWS, 1) * ATTN_LINEAR_PACK_ROWS;
}

/* How far the load is, in bytes of the files. */
typedef struct {
  AttnProgressFunc func; /* nullable */
  void *data;
  guint64 n_done, n_all;
} Progress;

/* Some pieces at a time, so that it can be told how it goes, and stopped. */
static bool
transfer_pieces (Transfer *transfer, AttnPool *pool, const Progress *progress, GError **error)
{
  const size_t n_pieces =
      (transfer->n_rows + transfer->rows_per_piece - 1) / transfer->rows_per_piece;
  const double n_bytes = (double)transfer->tensor->n_bytes;
  for (size_t done = 0; done < n_pieces && transfer->error == NULL; done += PIECES_PER_TELL) {
    const double n_read = (double)progress->n_done + n_bytes * (double)done / (double)n_pieces;
    if (!attn_progress_tell (progress->func, progress->data, n_read / (double)progress->n_all,
                             error))
      return false;
    transfer->first_piece = done;
    attn_pool_run (pool, MIN (n_pieces - done, PIECES_PER_TELL), transfer_piece, transfer);
  }
  if (transfer->error == NULL)
    return true;
  g_propagate_error (error, transfer->error);
  return false;
}

static bool
transfer_tensor (const AttnPlan *plan,
                 const AttnPlanItem *item,
                 AttnPool *pool,
                 const Progress *progress,
                 GArray *scratch,
                 GError **error)
{
  size_t shape[3];
  attn_layout_get_stored_shape (&plan->layout, item->role, shape);
  const size_t width = item->tensor->n_elements / shape[0];
  AttnWeights *weights = &plan->model->weights;
  Transfer transfer = {
      .source = plan->source,
      .tensor = item->tensor,
      .place = attn_weights_find_place (weights, item->role, item->layer),
      .n_rows = shape[0],
      .width = width,
      .rows_per_piece = MAX (PIECE_FLOATS / width, 1),
      .inputs_first = plan->layout.arch->inputs_first,
  };
  if (transfer.place.linear != NULL) {
    transfer.rows_per_piece = choose_packed_rows (transfer.rows_per_piece);
    size_t n = attn_pool_get_n_threads (pool) * transfer.rows_per_piece * width;
    g_array_set_size (scratch, (guint)MAX (n, scratch->len));
    transfer.scratch = (float *)(void *)scratch->data;
  }
  g_mutex_init (&transfer.lock);
  const bool read = transfer_pieces (&transfer, pool, progress, error);
  g_mutex_clear (&transfer.lock);
  if (!read || !attn_source_check_sum (plan->source, item->tensor, transfer.seen.sum, error))
    return false;
  warn_of_values (plan->model, &transfer);
  return true;
}

static bool
transfer_all (const AttnPlan *plan,
              AttnPool *pool,
              AttnProgressFunc progress,
              void *progress_data,
              GError **error)
{
  g_autoptr (GArray) scratch = g_array_new (FALSE, FALSE, sizeof (float));
  Progress told = {progress, progress_data, 0, 0};
  for (guint i = 0; i < plan->items->len; i++)
    told.n_all += g_array_index (plan->items, AttnPlanItem, i).tensor->n_bytes;
  for (guint i = 0; i < plan->items->len; i++) {
    const AttnPlanItem *item = &g_array_index (plan->items, AttnPlanItem, i);
    if (!transfer_tensor (plan, item, pool, &told, scratch, error))
      return false;
    told.n_done += item->tensor->n_bytes;
  }
  return attn_progress_tell (progress, progress_data, 1, error);
}

static void
note_place (AttnModel *model, const char *path)
{
  model->folder = g_canonicalize_filename (path, NULL);
  model->name = attn_folder_dup_name (model->folder);
}

static void
note_facts (const AttnPlan *plan)
{
  AttnModel *model = plan->model;
  model->n_parameters = attn_model_count_parameters (model);
  g_autoptr (GStrvBuilder) files = g_strv_builder_new ();
  for (const char *const *file = attn_source_peek_files (plan->source); *file != NULL; file++)
    g_strv_builder_add (files, *file);
  model->files = g_strv_builder_end (files);
  model->dtype_name = g_strdup (attn_plan_peek_main_dtype (plan));
  model->n_bytes = attn_source_get_n_bytes (plan->source);
}

static void
compare_vocabularies (AttnModel *model, const char *folder)
{
  size_t n_words = attn_tokenizer_get_vocab_size (model->tokenizer);
  size_t n_rows = model->config->vocab_size;
  if (n_words == n_rows)
    return;
  g_autofree char *shown = attn_file_dup_shown (folder, strlen (folder));
  g_ptr_array_add (
      model->warnings,
      g_strdup_printf ("%s: the vocabulary has %zu entries, config.json's vocab_size is %zu: %s",
                       shown, n_words, n_rows,
                       n_words < n_rows ? "the model's last rows stand for no token"
                                        : "texts with the last entries cannot be run"));
}

/* What is cheap comes first, so that a folder of another kind is refused at once. */
static AttnModel *
open_folder (const char *folder, bool with_tokenizer, GError **error)
{
  AttnConfig *config = attn_config_load (folder, error);
  if (config == NULL)
    return NULL;
  g_autoptr (AttnModel) model = attn_model_new_empty (config, error);
  if (model == NULL)
    return NULL;
  char **warnings = model->config->warnings;
  for (size_t i = 0; warnings != NULL && warnings[i] != NULL; i++)
    g_ptr_array_add (model->warnings, g_strdup (warnings[i]));
  if (!with_tokenizer)
    return g_steal_pointer (&model);
  model->tokenizer = attn_tokenizer_load (folder, error);
  if (model->tokenizer == NULL)
    return NULL;
  compare_vocabularies (model, folder);
  return g_steal_pointer (&model);
}

/* Names the file whose weights there is no room for. */
static bool
get_room (const AttnPlan *plan, GError **error)
{
  if (attn_weights_init (&plan->model->weights, &plan->layout, error))
    return true;
  g_autofree char *path = attn_plan_dup_path (plan, NULL);
  g_prefix_error (error, "%s: ", path);
  return false;
}

static bool
load_weights (AttnModel *model,
              const char *path,
              AttnPool *pool,
              AttnProgressFunc progress,
              void *progress_data,
              GError **error)
{
  g_autoptr (AttnSource) source = attn_source_open (path, error);
  if (source == NULL)
    return false;
  for (size_t i = 0; i < attn_source_get_n_warnings (source); i++)
    g_ptr_array_add (model->warnings, g_strdup (attn_source_peek_warning (source, i)));
  g_auto (AttnPlan) plan = {0};
  if (!attn_plan_init (&plan, model, source, error) || !get_room (&plan, error) ||
      !transfer_all (&plan, pool, progress, progress_data, error) ||
      !attn_distances_init (&model->distances, &model->weights, pool, error) ||
      !attn_model_note_files (model, source, error))
    return false;
  attn_plan_warn (&plan); /* after what was found in the weights, which matters more */
  note_facts (&plan);
  return true;
}

static AttnModel *
load_place (const char *path,
            bool with_tokenizer,
            AttnPool *pool,
            AttnProgressFunc progress,
            void *progress_data,
            GError **error)
{
  g_autofree char *place = attn_source_dup_place (path);
  g_autofree char *inner = attn_folder_find_transformer (place, error);
  g_autofree char *weights = inner == NULL ? NULL : attn_folder_find_weights (place, error);
  g_autoptr (AttnModel) model = weights == NULL ? NULL : open_folder (inner, with_tokenizer, error);
  if (model == NULL || !load_weights (model, weights, pool, progress, progress_data, error))
    return NULL;
  attn_warnings_limit (model->warnings);
  note_place (model, place);
  return g_steal_pointer (&model);
}

AttnModel *
attn_model_load (const char *folder,
                 AttnPool *pool,
                 AttnProgressFunc progress,
                 void *progress_data,
                 GError **error)
{
  g_return_val_if_fail (folder != NULL, NULL);
  return load_place (folder, true, pool, progress, progress_data, error);
}

AttnModel *
attn_model_load_weights (const char *folder,
                         AttnPool *pool,
                         AttnProgressFunc progress,
                         void *progress_data,
                         GError **error)
{
  return load_place (folder, false, pool, progress, progress_data, error);
}
