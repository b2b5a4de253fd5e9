/* SPDX-License-Identifier: MIT */
/* One aligned allocation of f32, cut into arrays. */
#include "block.h"

#include "attn/error.h"

#include <stdint.h>
#include <sys/mman.h>

#define LINE 16              /* f32 in a cache line */
#define HUGE_PAGE (2u << 20) /* bytes */

float *
attn_cutter_take (AttnCutter *cutter, size_t n)
{
  size_t padded, used;
  if (!g_size_checked_add (&padded, n, LINE - 1) ||
      !g_size_checked_add (&used, cutter->used, padded / LINE * LINE)) {
    cutter->overflow = true;
    return NULL;
  }
  float *array = cutter->base != NULL ? cutter->base + cutter->used : NULL;
  cutter->used = used;
  return array;
}

float *
attn_cutter_take_matrix (AttnCutter *cutter, size_t n_rows, size_t n_columns)
{
  size_t n;
  if (!g_size_checked_mul (&n, n_rows, n_columns)) {
    cutter->overflow = true;
    return NULL;
  }
  return attn_cutter_take (cutter, n);
}

static void *
align_up (void *memory, size_t alignment)
{
  uintptr_t address = (uintptr_t)memory;
  return (char *)memory + (alignment - address % alignment) % alignment;
}

bool
attn_block_init (
    AttnBlock *block, const AttnCutter *layout, const char *what, bool zero, GError **error)
{
  size_t n_bytes, n_allocated;
  if (layout->overflow || !g_size_checked_mul (&n_bytes, layout->used, sizeof (float)) ||
      !g_size_checked_add (&n_allocated, n_bytes, HUGE_PAGE)) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE,
                 "%s: more bytes than this machine can address", what);
    return false;
  }
  bool huge = n_bytes >= 2 * HUGE_PAGE;
  size_t alignment = huge ? HUGE_PAGE : LINE * sizeof (float);
  n_allocated = n_bytes + alignment;
  /* calloc() leaves fresh pages of a large block untouched, so zeros cost nothing there */
  void *memory = zero ? g_try_malloc0 (n_allocated) : g_try_malloc (n_allocated);
  if (memory == NULL) {
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_TOO_LARGE, "%s: no memory for %zu bytes", what,
                 n_allocated);
    return false;
  }
  block->memory = memory;
  block->data = align_up (memory, alignment);
  block->n_bytes = n_bytes;
  if (huge)
    madvise (block->data, n_bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
  return true;
}

void
attn_block_clear (AttnBlock *block)
{
  g_free (block->memory);
  *block = (AttnBlock){0};
}
