/* SPDX-License-Identifier: MIT */
/* Attention weights that another program wrote into a file, in one immutable parcel.
 *
 * A side that has one shows it instead of what a model makes of a text: maps without a forward pass
 * behind them. Whatever needs a model does without. */
#pragma once

#include "hs-report.h"

#include "attn/arrays.h"
#include "attn/maps.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* Where one is: all that is kept of it. Paths may be any bytes and are absolute. */
typedef struct {
  char *path;   /* of the file */
  char *array;  /* nullable: which of its arrays */
  char *tokens; /* nullable: of the file of its tokens */
} HsAttentionPlace;

/* Copies from @from, which may be NULL for none. */
void hs_attention_place_set (HsAttentionPlace *place, const HsAttentionPlace *from);
void hs_attention_place_clear (HsAttentionPlace *place);

/* Immutable and reference-counted; made on another thread, read on the main thread. */
typedef struct {
  AttnMaps *maps;         /* referenced */
  AttnArrays *arrays;     /* (nullable) referenced: what they are made from */
  HsAttentionPlace place; /* without tokens they are the file's own, or numbers */
  char *name;             /* owned, UTF-8: what titles call it … */
  char *text, *pair; /* … (nullable) owned: and its tokens, and its keys where they are others */
  char *token_list, *key_list; /* (nullable) owned: those that were typed, as one types them */
  char **warnings;             /* owned, NULL-terminated: sentences about what is odd but usable */
  bool was_opened;             /* by a person just now, who may be asked for tokens */
  bool took_first;             /* of several arrays, none of which was named */
  bool found_tokens;           /* the file of tokens was found beside it, nobody named it … */
  char *note;                  /* … (nullable) owned: or why one that is there was left out */
} HsAttention;

#define HS_TYPE_ATTENTION (hs_attention_get_type ()) /* boxed HsAttention */
GType hs_attention_get_type (void) G_GNUC_CONST;

/* @maps: referenced. Returns: an attention without warnings, for hs_attention_unref(). */
HsAttention *hs_attention_new (AttnMaps *maps, const HsAttentionPlace *place);

HsAttention *hs_attention_ref (HsAttention *attention);
void hs_attention_unref (HsAttention *attention);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HsAttention, hs_attention_unref)

/* Returns: whether its rows and columns have no names but their numbers. */
bool hs_attention_is_numbered (const HsAttention *attention);

/* Returns: whether the file is of such weights, by its name and what stands beside it. Any thread.
 */
bool hs_attention_takes (const char *path);

typedef struct {
  HsAttentionPlace place;
  char
      *token_list; /* (nullable): tokens as attn_labels_new_typed() reads them, instead of a file */
  char *key_list;  /* (nullable): those of its keys, where they are others */
  bool forgives;   /* tokens that cannot be had, or do not fit, are left out with a note */
  bool looks;      /* where no tokens are named, a file beside the other one is looked for */
  HsAttention *known; /* (nullable): the same file, to be given other tokens without reading it */
  AttnLabels *others; /* (nullable): used where there are no other tokens, if they are as many */
} HsAttentionWish;

/* Reads a file and its tokens on another thread; @wish is copied. Beside "a.npy" stands "a.json" or
 * "a.txt". */
void hs_attention_load_async (const HsAttentionWish *wish,
                              GCancellable *cancellable,
                              HsReportFunc progress,
                              gpointer progress_data,
                              GAsyncReadyCallback callback,
                              gpointer user_data);

/* Returns: (transfer full): the attention, or NULL with ATTN_ERROR. Test:
 * tests/ui/test-attention-file.c */
HsAttention *hs_attention_load_finish (GAsyncResult *result, GError **error);

G_END_DECLS
