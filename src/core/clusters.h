/* SPDX-License-Identifier: MIT */
/* Where the characters of a text begin, as its readers count them. */
#pragma once

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  size_t *starts; /* [n + 1] bytes; the last one is the end */
  size_t n;
} AttnClusters;

/**
 * attn_clusters_init:
 * @text:    UTF-8 of @n_bytes
 * @reaches: bytes that matter; characters that begin farther on may be missing
 *
 * Returns: false with @error: TOO_LARGE.
 * Test: tests/core/test-arrange.c
 */
bool attn_clusters_init (
    AttnClusters *clusters, const char *text, size_t n_bytes, size_t reaches, GError **error);

void attn_clusters_clear (AttnClusters *clusters);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (AttnClusters, attn_clusters_clear)

/* Returns: the character with the byte @at, below what attn_clusters_init() reached, in it. */
size_t attn_clusters_find (const AttnClusters *clusters, size_t at);
