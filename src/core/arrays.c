/* SPDX-License-Identifier: MIT */
/* Attention that another program computed: what is asked of it, and maps of it. */
#include "attn/arrays.h"

#include "arrays-private.h"
#include "convert.h"
#include "maps-private.h"
#include "named-tokens.h"

#include "attn/error.h"
#include "attn/sha256.h"

#include <string.h>
#include <unistd.h>

#define HASH_PIECE (4u << 20) /* bytes between two questions whether to go on */

AttnArrays *
attn_arrays_ref (AttnArrays *arrays)
{
  g_return_val_if_fail (arrays != NULL, NULL);
  g_atomic_ref_count_inc (&arrays->ref_count);
  return arrays;
}

void
attn_arrays_unref (AttnArrays *arrays)
{
  if (arrays == NULL || !g_atomic_ref_count_dec (&arrays->ref_count))
    return;
  g_free (arrays->path);
  g_free (arrays->name);
  g_free (arrays->array);
  g_free (arrays->dtype);
  g_free (arrays->shape);
  g_free (arrays->layers);
  g_ptr_array_unref (arrays->blocks);
  g_ptr_array_unref (arrays->warnings);
  g_ptr_array_unref (arrays->choices);
  g_ptr_array_unref (arrays->choice_shapes);
  attn_labels_unref (arrays->labels);
  g_mutex_clear (&arrays->hash_lock);
  g_free (arrays->sha256);
  g_free (arrays);
}

const char *
attn_arrays_peek_path (const AttnArrays *arrays)
{
  return arrays->path;
}

const char *
attn_arrays_peek_name (const AttnArrays *arrays)
{
  return arrays->name;
}

AttnArraysFormat
attn_arrays_get_format (const AttnArrays *arrays)
{
  return arrays->format;
}

const char *
attn_arrays_format_peek_name (AttnArraysFormat format)
{
  static const char *const names[] = {"npy", "npz", "safetensors"};
  g_return_val_if_fail ((unsigned)format < G_N_ELEMENTS (names), names[0]);
  return names[format];
}

const char *
attn_arrays_peek_array (const AttnArrays *arrays)
{
  return arrays->array;
}

size_t
attn_arrays_get_n_choices (const AttnArrays *arrays)
{
  return arrays->choices->len;
}

const char *
attn_arrays_peek_choice (const AttnArrays *arrays, size_t index)
{
  g_return_val_if_fail (index < arrays->choices->len, NULL);
  return g_ptr_array_index (arrays->choices, index);
}

const char *
attn_arrays_peek_choice_shape (const AttnArrays *arrays, size_t index)
{
  g_return_val_if_fail (index < arrays->choice_shapes->len, NULL);
  return g_ptr_array_index (arrays->choice_shapes, index);
}

size_t
attn_arrays_get_chosen (const AttnArrays *arrays)
{
  return arrays->chosen;
}

const char *
attn_arrays_peek_dtype (const AttnArrays *arrays)
{
  return arrays->dtype;
}

const char *
attn_arrays_peek_shape (const AttnArrays *arrays)
{
  return arrays->shape;
}

size_t
attn_arrays_get_n_layers (const AttnArrays *arrays)
{
  return arrays->n_layers;
}

size_t
attn_arrays_get_n_heads (const AttnArrays *arrays)
{
  return arrays->n_heads;
}

size_t
attn_arrays_get_n (const AttnArrays *arrays, AttnSide side)
{
  return side == ATTN_SIDE_QUERY ? arrays->n_queries : arrays->n_keys;
}

guint64
attn_arrays_get_n_bytes (const AttnArrays *arrays)
{
  return arrays->n_bytes;
}

size_t
attn_arrays_get_n_warnings (const AttnArrays *arrays)
{
  return arrays->warnings->len;
}

const char *
attn_arrays_peek_warning (const AttnArrays *arrays, size_t index)
{
  g_return_val_if_fail (index < arrays->warnings->len, NULL);
  return g_ptr_array_index (arrays->warnings, index);
}

AttnLabels *
attn_arrays_peek_labels (const AttnArrays *arrays)
{
  return arrays->labels;
}

/* ---- hash ---- */

static bool
check_state (const AttnArrays *arrays, int fd, GError **error)
{
  AttnFileState now;
  if (!attn_file_get_state (fd, arrays->path, &now, error))
    return false;
  return attn_file_has_same_state (&now, &arrays->state) ||
         attn_file_refuse (arrays->path, ATTN_ERROR_IO, error,
                           "the file has changed since it was opened");
}

static bool
hash_bytes (const AttnArrays *arrays,
            int fd,
            AttnSha256 *sum,
            AttnProgressFunc progress,
            void *data,
            GError **error)
{
  guint64 n_bytes = arrays->state.n_bytes;
  g_autofree guint8 *piece = g_malloc (HASH_PIECE);
  for (guint64 at = 0; at < n_bytes;) {
    size_t n = (size_t)MIN (HASH_PIECE, n_bytes - at);
    if (!attn_progress_tell (progress, data, (double)at / (double)n_bytes, error) ||
        !attn_file_read_at (fd, at, piece, n, arrays->path, error))
      return false;
    attn_sha256_update (sum, piece, n);
    at += n;
  }
  return attn_progress_tell (progress, data, 1, error);
}

static char *
hash_file (const AttnArrays *arrays, AttnProgressFunc progress, void *data, GError **error)
{
  char hex[ATTN_SHA256_HEX_SIZE];
  guint64 n_bytes = 0;
  int fd = attn_file_open (arrays->path, &n_bytes, error);
  if (fd < 0)
    return NULL;
  g_auto (AttnSha256) sum;
  attn_sha256_init (&sum);
  /* checked after reading as well, for a file that is being written meanwhile */
  bool done = check_state (arrays, fd, error) &&
              hash_bytes (arrays, fd, &sum, progress, data, error) &&
              check_state (arrays, fd, error);
  close (fd);
  attn_sha256_finish (&sum, hex);
  return done ? g_strdup (hex) : NULL;
}

const char *
attn_arrays_peek_sha256 (AttnArrays *arrays)
{
  return g_atomic_pointer_get (&arrays->sha256);
}

const char *
attn_arrays_compute_sha256 (AttnArrays *arrays,
                            AttnProgressFunc progress,
                            void *progress_data,
                            GError **error)
{
  g_return_val_if_fail (arrays != NULL, NULL);
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&arrays->hash_lock);
  if (attn_arrays_peek_sha256 (arrays) == NULL)
    g_atomic_pointer_set (&arrays->sha256, hash_file (arrays, progress, progress_data, error));
  return attn_arrays_peek_sha256 (arrays);
}

/* ---- maps ---- */

/* Keys of one query that do not stand side by side. */
static void
gather_row (const AttnArrayLayer *layer, size_t first, size_t n_keys, float *row)
{
  size_t width = attn_convert_get_width (layer->dtype);
  for (size_t key = 0; key < n_keys; key++)
    attn_convert_to_f32 (layer->dtype, layer->bytes + (first + key * layer->key_stride) * width,
                         row + key, 1);
}

void
attn_arrays_get_map (const AttnArrays *arrays, size_t layer, size_t head, float *weights)
{
  const AttnArrayLayer *from = &arrays->layers[layer];
  size_t width = attn_convert_get_width (from->dtype);
  for (size_t query = 0; query < arrays->n_queries; query++) {
    size_t first = head * from->head_stride + query * from->query_stride;
    float *row = weights + query * arrays->n_keys;
    if (from->key_stride == 1 || arrays->n_keys == 1)
      attn_convert_to_f32 (from->dtype, from->bytes + first * width, row, arrays->n_keys);
    else
      gather_row (from, first, arrays->n_keys, row);
  }
}

typedef struct {
  AttnArrays *arrays;
  AttnLabels *labels;
  AttnTokens *tokens[2]; /* by AttnSide: what the labels tell */
} ArraysSource;

static bool
compute (void *source, size_t layer, size_t head, float *weights, GError **error G_GNUC_UNUSED)
{
  attn_arrays_get_map (((ArraysSource *)source)->arrays, layer, head, weights);
  return true;
}

static const char *
peek_label (void *source, AttnSide side, size_t index)
{
  return attn_labels_peek (((ArraysSource *)source)->labels, side, index);
}

static bool
get_origin (void *source, AttnSide side, size_t index, AttnOrigin *origin)
{
  const AttnToken *token = attn_tokens_peek (((ArraysSource *)source)->tokens[side], index);
  *origin = (AttnOrigin){
      .first = index,
      .n = 1,
      .sequence = token->sequence,
      .start = token->start,
      .end = token->end,
      .special = token->special,
  };
  return true;
}

static AttnTokens *
peek_tokens (void *source, AttnSide side)
{
  return ((ArraysSource *)source)->tokens[side];
}

/* Which zeros were a mask the file does not say, so all keys can be seen. */
static void
get_visible (void *source,
             G_GNUC_UNUSED size_t layer,
             G_GNUC_UNUSED size_t query,
             size_t *first,
             size_t *end)
{
  *first = 0;
  *end = ((ArraysSource *)source)->arrays->n_keys;
}

static void
source_free (void *source)
{
  ArraysSource *self = source;
  for (size_t side = 0; side < G_N_ELEMENTS (self->tokens); side++)
    g_clear_pointer (&self->tokens[side], attn_tokens_unref); /* names lie in the labels */
  attn_arrays_unref (self->arrays);
  attn_labels_unref (self->labels);
  g_free (self);
}

/* Returns: false with TOO_LARGE. */
static bool
read_names (ArraysSource *self, GError **error)
{
  AttnTokens *queries = attn_named_tokens_new (self->labels, ATTN_SIDE_QUERY, error);
  self->tokens[ATTN_SIDE_QUERY] = queries;
  if (queries == NULL)
    return false;
  self->tokens[ATTN_SIDE_KEY] = attn_labels_is_one_list (self->labels)
                                    ? attn_tokens_ref (queries)
                                    : attn_named_tokens_new (self->labels, ATTN_SIDE_KEY, error);
  return self->tokens[ATTN_SIDE_KEY] != NULL;
}

/* "3 queries and 5 keys", "6 tokens on each side" */
static char *
dup_count (size_t n_queries, size_t n_keys, bool is_one)
{
  return is_one ? g_strdup_printf ("%zu token%s", n_queries, n_queries == 1 ? "" : "s")
                : g_strdup_printf ("%zu queries and %zu keys", n_queries, n_keys);
}

static bool
check_labels (const AttnArrays *arrays, const AttnLabels *labels, GError **error)
{
  size_t n_queries = attn_labels_get_n (labels, ATTN_SIDE_QUERY);
  size_t n_keys = attn_labels_get_n (labels, ATTN_SIDE_KEY);
  const char *path = attn_labels_peek_path (labels);
  if (n_queries == arrays->n_queries && n_keys == arrays->n_keys)
    return true;
  bool is_one = attn_labels_is_one_list (labels), is_square = arrays->n_queries == arrays->n_keys;
  g_autofree char *found = dup_count (n_queries, n_keys, is_one);
  g_autofree char *wanted = dup_count (arrays->n_queries, arrays->n_keys, is_one && is_square);
  return attn_file_refuse (path != NULL ? path : "the tokens typed", ATTN_ERROR_SHAPE, error,
                           "found %s, wanted %s for %s, which is %s%s", found, wanted, arrays->name,
                           arrays->shape,
                           is_one && !is_square ? ": a list for each side, {\"queries\": […], "
                                                  "\"keys\": […]}"
                                                : "");
}

AttnMaps *
attn_maps_new_from_arrays (AttnArrays *arrays, AttnLabels *labels, GError **error)
{
  g_return_val_if_fail (arrays != NULL, NULL);
  if (labels == NULL)
    labels = arrays->labels;
  if (labels != NULL && !check_labels (arrays, labels, error))
    return NULL;
  AttnMapsClass klass = {
      .n_layers = arrays->n_layers,
      .n_heads = arrays->n_heads,
      .n_queries = arrays->n_queries,
      .n_keys = arrays->n_keys,
      .compute = compute,
      .peek_label = peek_label,
      .get_origin = get_origin,
      .peek_tokens = peek_tokens,
      .get_visible = get_visible,
      .free = source_free,
  };
  ArraysSource *source = g_new0 (ArraysSource, 1);
  source->arrays = attn_arrays_ref (arrays);
  source->labels = labels != NULL ? attn_labels_ref (labels)
                                  : attn_labels_new_numbers (arrays->n_queries, arrays->n_keys);
  if (!read_names (source, error)) {
    source_free (source);
    return NULL;
  }
  return attn_maps_new (&klass, source);
}

AttnArrays *
attn_maps_peek_arrays (const AttnMaps *maps)
{
  const ArraysSource *source = attn_maps_peek_source (maps, compute);
  return source != NULL ? source->arrays : NULL;
}

AttnLabels *
attn_maps_peek_labels (const AttnMaps *maps)
{
  const ArraysSource *source = attn_maps_peek_source (maps, compute);
  return source != NULL ? source->labels : NULL;
}
