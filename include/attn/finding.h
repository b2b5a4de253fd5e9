/* SPDX-License-Identifier: MIT */
/* What papers found about heads, looked for in one run of one model: each shows itself there, or
 * does not.
 *
 * For: trying a claim on a text. Not for: confirming or refuting a paper, which measured over data
 * of a task; the rules and thresholds here are ours.
 *
 * Letters: N heads of the model. */
#pragma once

#include "attn/lens.h"
#include "attn/passport.h"
#include "attn/pool.h"
#include "attn/progress.h"
#include "attn/task.h"
#include "attn/trace.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_FINDING_SPARE,     /* most heads can be missing, one at a time */
  ATTN_FINDING_ROLES,     /* the heads that matter most look at neighbours more often than others */
  ATTN_FINDING_RELATIONS, /* single heads look at the previous or next token, or at the closing one
                             that the template adds */
  ATTN_FINDING_KINDS,     /* maps repeat a few kinds */
  ATTN_FINDING_WEIGHTS,   /* weights say little of what the loss hangs on */
  ATTN_N_FINDINGS
} AttnFinding;

/* By finding, and a NULL: "michel", "voita", "clark", "kovaleva" and "debate". */
extern const char *const attn_finding_names[ATTN_N_FINDINGS + 1];

#define ATTN_FINDING_LITTLE 0.01 /* of the loss; of a vector, whose loss is 0, 1 - cosine */
#define ATTN_FINDING_MUCH 0.5    /* of a head's weight, that makes it look there */
#define ATTN_FINDING_QUARTER 4   /* N over the heads that matter most */
#define ATTN_FINDING_KINDS_LEAST \
  0.39                          /* share of kinds that have a name; 0.39 … 0.68 in the paper */
#define ATTN_FINDING_AGREES 0.5 /* mean rank correlation from which weights agree */

enum { ATTN_RELATION_PREVIOUS, ATTN_RELATION_NEXT, ATTN_RELATION_CLOSING, ATTN_N_RELATIONS };

typedef struct {
  size_t layer, head;
  double value; /* NaN: there is no such head */
} AttnFindingHead;

/* What was found. Fields that are of another finding are 0. A plain value. */
typedef struct {
  AttnFinding finding;
  size_t n_layers, n_heads, n_tokens;
  bool is_shown;        /* whether the rule holds that stands beside the numbers it is of */
  AttnFindingHead head; /* the one to look at */

  /* spare: at least half of N can be missing */
  size_t n_spare;  /* heads without which the loss is at most ATTN_FINDING_LITTLE higher … */
  size_t n_better; /* … and those of them without which it is lower */
  double without;  /* the loss without @head, the worst to lose; its value is the difference */

  /* roles: the share of the most important is above that of all */
  size_t n_top, n_top_roles; /* of the quarter with the most importance, so many have … */
  size_t n_roles;            /* … and of all: ATTN_FINDING_MUCH on the previous or next token */

  AttnTaskKind task; /* of spare and roles */
  double loss;       /* with all heads */

  /* relations: some head has ATTN_FINDING_MUCH there */
  AttnFindingHead surest[ATTN_N_RELATIONS]; /* value: its mean weight there */
  size_t n_sure[ATTN_N_RELATIONS];          /* heads with ATTN_FINDING_MUCH there */

  /* kinds: ATTN_FINDING_KINDS_LEAST of N are vertical, diagonal, both or blocks */
  size_t n_kinds[ATTN_N_PATTERNS];

  /* weights: the mean is below ATTN_FINDING_AGREES */
  size_t n_compared; /* heads that have a correlation of a_ij and |a_ij ∂L/∂a_ij| … */
  double mean;       /* … its mean over them … */
  AttnFindingHead least, most; /* … and ends */
} AttnFindingResult;

/* Returns: whether @finding can be looked for in runs of @model, or why not. */
AttnLensReason attn_finding_get_reason (AttnFinding finding, const AttnModel *model);

typedef struct {
  AttnPool *pool;            /* nullable */
  AttnProgressFunc progress; /* nullable; asked after every few heads */
  void *progress_data;
} AttnFindingOptions;

/**
 * attn_finding_look:
 * @trace:  of tokens
 * @result: written
 *
 * A loss is that of one draw of attn_task_new(), so the numbers are those of an ablation of the
 * text.
 *
 * Returns: false with @error: UNSUPPORTED (attn_finding_get_reason()), SHAPE, TOO_LARGE, CANCELLED.
 * Source: Michel et al. 2019, section 3.2; Voita et al. 2019, section 5; Clark et al. 2019, section
 *   3; Kovaleva et al. 2019, section 4.1; Jain and Wallace 2019, section 4.1.
 * Test:   tests/core/test-finding.c
 */
bool attn_finding_look (AttnFinding finding,
                        AttnTrace *trace,
                        const AttnFindingOptions *options,
                        AttnFindingResult *result,
                        GError **error);

/* Appends {"finding","shown","layers","heads","tokens" and the finding's numbers, with the brace
 * left open; layers and heads as those of other files, from 1. */
void attn_finding_append_json (GString *json, const AttnFindingResult *result);

G_END_DECLS
