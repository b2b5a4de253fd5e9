/* SPDX-License-Identifier: MIT */
/* Memory for many small pieces that are freed together, with a limit on the whole. */
#pragma once

#include <glib.h>

#include <stddef.h>

/* Zeros are an empty arena without room: set limit first. */
typedef struct {
  size_t limit;      /* in bytes, of all pieces together */
  size_t n_bytes;    /* handed out so far */
  GPtrArray *blocks; /* owned */
  char *next;        /* the newest block's free end, */
  size_t n_left;     /* and its size */
} AttnArena;

/* Returns: @n bytes of zeros, aligned for pointers, valid until the arena is cleared; NULL when the
 * limit would be passed or memory is short. */
void *attn_arena_alloc (AttnArena *arena, size_t n);

/* Returns: a copy of @n bytes and one NUL behind them; or NULL likewise. */
char *attn_arena_dup (AttnArena *arena, const char *text, size_t n);

void attn_arena_clear (AttnArena *arena);
