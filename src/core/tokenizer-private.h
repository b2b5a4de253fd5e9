/* SPDX-License-Identifier: MIT */
/* Inside a tokenizer, for what makes tokens with it. */
#pragma once

#include "tokenizer-model.h"

#include "attn/tokenizer.h"

#include <glib.h>

struct _AttnTokenizer {
  gatomicrefcount ref_count;
  AttnTokenizerParts parts;
};
