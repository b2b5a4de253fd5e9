/* SPDX-License-Identifier: MIT */
/* Attention maps as files: JSON, CSV, NPY, NPZ and safetensors. */
#pragma once

#include "attn/arrange.h"
#include "attn/arrays.h"
#include "attn/lens.h"
#include "attn/maps.h"
#include "attn/pool.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_EXPORT_JSON, /* {"tokens","maps":[{"layer","head","weights"}]}, layer and head from 1; where
                       queries and keys differ, "queries" and "keys" instead of "tokens" */
  ATTN_EXPORT_CSV,  /* layer,head,query,key,query_token,key_token,weight; layer and head from 1,
                       fields quoted as in RFC 4180, lines end in a line feed */
  ATTN_EXPORT_NPY,  /* f32 [layers, heads, query, key], or [query, key] of one head */
  ATTN_EXPORT_NPZ,  /* one NumPy archive, at most 4 GB: the arrays `attentions` likewise, `queries`
                       and `keys` (tokens), `layers` and `heads` (from 1; names where combined) */
  ATTN_EXPORT_SAFETENSORS, /* tensor `attentions` likewise, `input_ids`, and what `with` asks for */
} AttnExportFormat;

const char *attn_export_format_peek_name (AttnExportFormat format);
bool attn_export_format_find (const char *name, AttnExportFormat *format);

/* Returns: whether files of this format say where their maps come from. */
bool attn_export_format_has_about (AttnExportFormat format);

/* What a file says of where its maps come from, besides what their trace knows: the model's name
 * and the texts. All of it may be missing; borrowed. */
typedef struct _AttnExportAbout AttnExportAbout;
struct _AttnExportAbout {
  const char *model_name;     /* attn_hub_peek_model_name(); NULL for attn_model_peek_name() */
  const char *weights_sha256; /* attn_model_compute_sha256() */
  size_t max_tokens;          /* the limit the texts were cut to; 0 for the model's own */
  const AttnWordList *words;  /* that the arrangement used */
  AttnArrays *arrays;         /* maps of a file of arrays: then the hash is
                                 attn_arrays_compute_sha256() */
  AttnMaps *maps;             /* of a difference, which has no trace: A's, arranged */
  const AttnExportAbout *b;   /* of a difference: what was subtracted; of its own, @maps, the model
                                 or arrays and the hash are read, and … */
  size_t layer, head;         /* … these, from 0, of @b alone: its head */
};

typedef struct {
  bool all_layers, all_heads; /* else the one below */
  size_t layer, head;         /* from 0 */
  bool with_hidden;           /* safetensors: hidden_states [layers+1, tokens, d_model] */
  bool with_logits;           /* safetensors: logits [tokens, vocab]; left out without an LM head */
  AttnPool *pool;             /* nullable */
  const AttnArrangement *arrangement; /* nullable: what @maps went through before, for the file to
                                         say; see below */
  AttnLens lens;                      /* likewise, before the arrangement */
  const AttnExportAbout *about;       /* nullable: without it the file does not say where its maps
                                         come from */
} AttnExportChoice;

/* Where maps come from is a JSON object {"program","model","weights_sha256","text","pair",
 * "max_tokens","truncated","layer","head","lens","arrangement","words"}, of which only what is
 * known and not plain is there. Maps of a file of arrays have "attention", its name without its
 * folder, "array" and "file_sha256" instead of a model and texts; words is the list's name without
 * its folder, truncated how many tokens were left out, layer and head those of a file of one,
 * from 1. JSON has it as "about", NPZ as the array `about`, one string without dimensions, and
 * safetensors as the string "about" of __metadata__. CSV and NPY have no place for it: they are the
 * numbers alone. Of A − B all this is A's, and an object "b" with "model" (or "attention",
 * "array"), its hash, "text", "pair", "truncated", "layer" and "head" says what B was. The metadata
 * of one text's safetensors also have `queries` and `keys`, each a JSON list.
 */

/* Arranged maps: JSON has an object "arrangement" more, {"combine","heads","layers","unit","part",
 * "hide","renormalise","threshold","top_keys"}, of which only what is not plain is there. Where
 * heads are combined JSON and CSV have "mean" or "max" in the place of the head's number, and "all"
 * in that of the layer where these are combined, too. Tokens are then words or characters.
 *
 * Maps of a lens other than raw: JSON has "lens", its name, more; of one that is joint, "all"
 * stands in the place of the head's number. */

/* Returns: false with *error to stop writing. */
typedef bool (*AttnWriteFunc) (const void *bytes, size_t n_bytes, void *data, GError **error);

/**
 * attn_export:
 * @write: called with the file's bytes in order; maps are computed one at a time
 *
 * Returns: false with @error: SHAPE (a layer or head that @maps has not), UNSUPPORTED (hidden
 *   states or logits in another format than safetensors, or of maps without a model), TOO_LARGE, or
 *   what @write said.
 * Test: tests/core/test-export.c
 */
bool attn_export (AttnMaps *maps,
                  const AttnExportChoice *choice,
                  AttnExportFormat format,
                  AttnWriteFunc write,
                  void *data,
                  GError **error);

/**
 * attn_export_texts:
 * @tokens: [n_texts], > 0
 *
 * One safetensors file of many texts, names preceded by the text's number from 0 and a point:
 * "0.attentions"; its tokens are the JSON list "0.tokens" of __metadata__. A text is run when its
 * turn comes, so memory is that of the largest one.
 *
 * Returns: false with @error as attn_export(), or why a text could not be run, with its number.
 * Test: tests/cli/test-cli.c
 */
bool attn_export_texts (AttnModel *model,
                        AttnTokens *const *tokens,
                        size_t n_texts,
                        const AttnExportChoice *choice,
                        AttnWriteFunc write,
                        void *data,
                        GError **error);

/**
 * attn_export_to_file:
 *
 * attn_export() into a file that takes the place of @path when complete (output.h).
 *
 * Returns: false with @error, IO too; @path is then as it was.
 */
bool attn_export_to_file (AttnMaps *maps,
                          const AttnExportChoice *choice,
                          AttnExportFormat format,
                          const char *path,
                          GError **error);

G_END_DECLS
