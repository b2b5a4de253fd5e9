/* SPDX-License-Identifier: MIT */
/* What the atlas's page has computed on other threads. */
#pragma once

#include "hs-attention.h"

#include "attn/atlas-part.h"
#include "attn/maps.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* An atlas of one text. Immutable and reference-counted, for any thread. */
typedef struct {
  AttnMaps *maps;         /* referenced: of these */
  HsAttention *attention; /* referenced, nullable: the file that they are of */
  AttnAtlas *atlas;       /* owned; nullable, with fault */
  AttnAtlasMap *map;      /* owned; nullable: there is none, or it is still to come */
  bool is_whole;          /* nothing is still to come */
  GError *fault;          /* owned; nullable: why there is no atlas */
} HsAtlasFound;

HsAtlasFound *hs_atlas_found_ref (HsAtlasFound *found);
void hs_atlas_found_unref (HsAtlasFound *found);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAtlasFound, hs_atlas_found_unref)

/**
 * hs_atlas_find_async:
 * @maps:   of a text, as a model or a file has them
 * @whole:  with how far the heads are apart, which takes most of the time where texts are long;
 *          without it is done where that is nothing to speak of
 */
void hs_atlas_find_async (AttnMaps *maps,
                          HsAttention *attention,
                          bool whole,
                          GCancellable *cancellable,
                          GAsyncReadyCallback callback,
                          gpointer user_data);

/* Returns: (transfer full): what was found, or NULL with @error, cancelled. */
HsAtlasFound *hs_atlas_find_finish (GAsyncResult *result, GError **error);

G_END_DECLS
