/* SPDX-License-Identifier: MIT */
/* Tensors whose elements do not stand row by row, read run by run. */
#include "gather.h"

#include "file.h"
#include "source-private.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 15 };

/* A part of the index space, and where it goes: all of some last dimensions, a range of the one
 * before them, one index of the rest. */
typedef struct {
  const AttnStoredTensor *tensor;
  const char *what;
  size_t n_dims;                        /* those with more than one index in the box */
  size_t sizes[ATTN_TENSOR_MAX_DIMS];   /* [n_dims], outermost first */
  size_t strides[ATTN_TENSOR_MAX_DIMS]; /* [n_dims], in elements of the storage, */
  size_t steps[ATTN_TENSOR_MAX_DIMS];   /* [n_dims], and in elements of out */
  guint64 offset;                       /* of the first element in the file */
  float *out;
  AttnInfinities *noted;
} Box;

/* One run: @n elements @stride apart in the file, @step apart in @out. */
static bool
read_run (const Box *box,
          guint64 offset,
          size_t n,
          size_t stride,
          size_t step,
          float *out,
          GError **error)
{
  char block[BLOCK_BYTES];
  AttnDtype dtype = box->tensor->info.dtype;
  size_t width = attn_convert_get_width (dtype);
  size_t room = BLOCK_BYTES / width;
  /* as many elements as a block spans; one when they stand too far apart */
  size_t per_block = stride == 0 ? n : MAX ((room - 1) / stride + 1, 1);
  while (n > 0) {
    size_t n_now = MIN (n, per_block);
    size_t span = per_block == 1 ? 1 : (n_now - 1) * stride + 1;
    if (!attn_file_read_at (box->tensor->file->fd, offset, block, span * width, box->what, error))
      return false;
    for (size_t i = 0; i < n_now; i++) {
      const char *in = block + i * stride * width;
      attn_convert_to_f32 (dtype, in, out + i * step, 1);
      if (dtype == ATTN_DTYPE_F64)
        attn_convert_note_infinities (dtype, in, out + i * step, 1, box->noted);
    }
    offset += (guint64)n_now * stride * width;
    out += n_now * step;
    n -= n_now;
  }
  return true;
}

/* The dimension along which elements stand closest together. */
static size_t
find_run (const Box *box)
{
  size_t best = box->n_dims - 1;
  for (size_t d = box->n_dims; d-- > 0;)
    if (box->strides[d] > 0 && (box->strides[best] == 0 || box->strides[d] < box->strides[best]))
      best = d;
  return best;
}

static bool
read_box (const Box *box, GError **error)
{
  size_t width = attn_convert_get_width (box->tensor->info.dtype);
  size_t run = find_run (box);
  size_t index[ATTN_TENSOR_MAX_DIMS] = {0};
  guint64 offset = box->offset;
  float *out = box->out;
  for (;;) {
    if (!read_run (box, offset, box->sizes[run], box->strides[run], box->steps[run], out, error))
      return false;
    /* on to the next run, like a counter of which one digit is left out */
    size_t d = box->n_dims;
    while (d-- > 0) {
      if (d == run)
        continue;
      offset += (guint64)box->strides[d] * width;
      out += box->steps[d];
      if (++index[d] < box->sizes[d])
        break;
      offset -= (guint64)box->strides[d] * width * box->sizes[d];
      out -= box->steps[d] * box->sizes[d];
      index[d] = 0;
    }
    if (d == G_MAXSIZE)
      return true;
  }
}

/* The largest box that begins at element @at and holds at most @n; returns its size. */
static size_t
make_box (Box *box, size_t at, size_t n)
{
  const AttnTensorInfo *info = &box->tensor->info;
  const size_t *strides = box->tensor->strides;
  size_t index[ATTN_TENSOR_MAX_DIMS], inner = 1, d = info->n_dims;
  box->offset = box->tensor->offset;
  for (size_t i = info->n_dims; i-- > 0; at /= info->shape[i]) {
    index[i] = at % info->shape[i];
    box->offset += (guint64)index[i] * strides[i] * attn_convert_get_width (info->dtype);
  }
  /* whole dimensions from the last one on, as long as they are at their beginning and fit */
  while (d > 1 && index[d - 1] == 0 && inner * info->shape[d - 1] <= n) {
    d--;
    inner *= info->shape[d];
  }
  size_t n_rows = MIN (info->shape[d - 1] - index[d - 1], n / inner);
  box->n_dims = 0;
  for (size_t i = d - 1, step = inner; i < info->n_dims; i++) {
    box->sizes[box->n_dims] = i == d - 1 ? n_rows : info->shape[i];
    box->strides[box->n_dims] = strides[i];
    step = i == d - 1 ? inner : step / info->shape[i];
    box->steps[box->n_dims++] = step;
  }
  return n_rows * inner;
}

bool
attn_gather (const AttnStoredTensor *tensor,
             size_t first,
             size_t n,
             float *out,
             AttnInfinities *noted,
             const char *what,
             GError **error)
{
  Box box = {.tensor = tensor, .what = what, .noted = noted};
  while (n > 0) {
    box.out = out;
    size_t n_done = make_box (&box, first, n);
    if (!read_box (&box, error))
      return false;
    first += n_done;
    out += n_done;
    n -= n_done;
  }
  return true;
}
