/* SPDX-License-Identifier: MIT */
/* Attention weights that another program wrote into a file, in one immutable parcel.
 *
 * A side that has one shows it instead of what a model makes of a text: maps without a forward pass
 * behind them. Whatever needs a model does without. */
#pragma once

#include "attn/maps.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Immutable and reference-counted; made on another thread, read on the main thread. */
typedef struct {
  AttnMaps *maps;  /* referenced */
  char *path;      /* owned: of the file, absolute */
  char *tokens;    /* (nullable) owned: of the file its tokens are from, absolute; NULL where they
                      are numbered */
  char *name;      /* owned, UTF-8: what titles call it */
  char **warnings; /* owned, NULL-terminated: sentences about what is odd but usable */
} HsAttention;

#define HS_TYPE_ATTENTION (hs_attention_get_type ()) /* boxed HsAttention */
GType hs_attention_get_type (void) G_GNUC_CONST;

/* @maps: referenced; @tokens: (nullable). Returns: an attention without warnings, for
 * hs_attention_unref(). */
HsAttention *hs_attention_new (AttnMaps *maps, const char *path, const char *tokens);

HsAttention *hs_attention_ref (HsAttention *attention);
void hs_attention_unref (HsAttention *attention);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAttention, hs_attention_unref)

G_END_DECLS
