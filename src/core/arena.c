/* SPDX-License-Identifier: MIT */
/* Memory for many small pieces that are freed together. */
#include "arena.h"

#include <string.h>

enum { BLOCK_BYTES = 1 << 16, ALIGNMENT = 8 };

static char *
add_block (AttnArena *arena, size_t n)
{
  char *block = g_try_malloc0 (n);
  if (block == NULL)
    return NULL;
  if (arena->blocks == NULL)
    arena->blocks = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (arena->blocks, block);
  return block;
}

void *
attn_arena_alloc (AttnArena *arena, size_t n)
{
  if (n > arena->limit || arena->n_bytes > arena->limit - n)
    return NULL;
  size_t rounded = (MAX (n, 1) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (rounded > BLOCK_BYTES / 4) { /* a large piece has its own block */
    arena->n_bytes += rounded;
    return add_block (arena, rounded);
  }
  if (rounded > arena->n_left) {
    arena->next = add_block (arena, BLOCK_BYTES);
    arena->n_left = arena->next == NULL ? 0 : BLOCK_BYTES;
    if (arena->next == NULL)
      return NULL;
  }
  char *piece = arena->next;
  arena->next += rounded;
  arena->n_left -= rounded;
  arena->n_bytes += rounded;
  return piece;
}

char *
attn_arena_dup (AttnArena *arena, const char *text, size_t n)
{
  char *copy = n == G_MAXSIZE ? NULL : attn_arena_alloc (arena, n + 1);
  if (copy != NULL)
    memcpy (copy, text, n);
  return copy;
}

void
attn_arena_clear (AttnArena *arena)
{
  g_clear_pointer (&arena->blocks, g_ptr_array_unref);
  arena->next = NULL;
  arena->n_left = 0;
  arena->n_bytes = 0;
}
