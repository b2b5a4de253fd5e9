/* SPDX-License-Identifier: MIT */
/* The steps of one head written down as code, with the opened model's own shapes and names.
 *
 * For: "show the code", in the window and on the command line. Each program computes what
 * attn_step_compute() gives for the same text, layer and head. Not for: running it. */
#pragma once

#include "attn/trace.h"

#include <glib.h>

#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_CODE_PSEUDO,  /* short formulas, for reading */
  ATTN_CODE_C,       /* a program on this library's public headers */
  ATTN_CODE_PYTORCH, /* a script on PyTorch and Hugging Face's transformers */
  ATTN_N_CODES
} AttnCode;

/* Returns: (transfer none): "pseudo", "c" or "pytorch", for scripts; static. */
const char *attn_code_peek_name (AttnCode code);

/* Returns: the code of this name, as attn_name_find() compares, or ATTN_N_CODES. */
AttnCode attn_code_find (const char *name);

/* Returns: a translation of an English string of this library, valid for good; never NULL. */
typedef const char *(*AttnCodeTranslate) (const char *english, void *data);

/* What is written about. All pointers are borrowed. */
typedef struct {
  const AttnTrace *trace; /* of a model from a folder and of a text, not of bare ids */
  const char *model_name; /* what people call it: NULL for that of its folder; ATTN_MODEL_BUILT_IN
                             is translated */
  size_t layer, head;     /* from 0 */
  AttnCodeTranslate translate; /* for what stands in comments; NULL for English */
  void *translate_data;
} AttnCodeSubject;

/**
 * attn_code_dup:
 *
 * Returns: (transfer full): the code, UTF-8 with line ends, for g_free(); or NULL with @error:
 *   UNSUPPORTED where a family's scores are more than this code can say.
 * Source: Vaswani et al. 2017, section 3.2.
 * Test:   tests/core/test-code.c; tests/cli/test-code.py builds and runs the program in C, and the
 *         script where PyTorch is there, and compares their weights with ours.
 */
char *attn_code_dup (const AttnCodeSubject *subject, AttnCode code, GError **error);

G_END_DECLS
