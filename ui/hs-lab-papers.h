/* SPDX-License-Identifier: MIT */
/* Papers about heads and attention: what they measured and where that ends, in our own words. */
#pragma once

#include "attn/finding.h"

#include <stddef.h>

typedef struct {
  const char *authors, *title, *venue; /* as published; venue with the year */
  const char *link_name, *link;        /* "arXiv:…" and its address */
  const char *measured, *limits;       /* English, for translation */
  AttnFinding finding; /* what can be looked for here; ATTN_N_FINDINGS for nothing */
} HsLabPaper;

/* Returns: (transfer none): [@n] papers on what heads do and how many are needed … */
const HsLabPaper *hs_lab_papers_peek_heads (size_t *n);

/* … and on whether attention explains what a model answers, in the order of the debate. */
const HsLabPaper *hs_lab_papers_peek_debate (size_t *n);
