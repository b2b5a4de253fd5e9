/* SPDX-License-Identifier: MIT */
/* Heads that somebody switches off: what is asked, and all that comes of it.
 *
 * For: the window's page on ablation and the command line, which ask alike and have the same
 * numbers. Order of calls: an AttnAblationClean of the text, then of it what is wanted. All results
 * are immutable and counted, so that another thread may make and this one show them. */
#pragma once

#include "attn/ablate.h"
#include "attn/gates.h"
#include "attn/importance.h"
#include "attn/predict.h"
#include "attn/task.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_ABLATE_ZERO,
  ATTN_ABLATE_UNIFORM,
  ATTN_ABLATE_MEAN,
  ATTN_ABLATE_FROZEN, /* zero, and all patterns stay those of the clean run */
  ATTN_ABLATE_PATCH,  /* the outputs are those of a second text of equal length */
  ATTN_N_ABLATE_KINDS
} AttnAblateKind;

/* Returns: (transfer none): "zero", "uniform", "mean", "frozen" or "patch"; static. */
const char *attn_ablate_kind_peek_name (AttnAblateKind kind);

/* Returns: the kind of this name, as attn_name_find() compares, or ATTN_N_ABLATE_KINDS. */
AttnAblateKind attn_ablate_kind_find (const char *name);

/* NULL-terminated, by AttnAblateKind. */
extern const char *const attn_ablate_kind_names[ATTN_N_ABLATE_KINDS + 1];

/* What the window's page shows of it. */
typedef enum {
  ATTN_ABLATION_SWITCHES, /* heads as switches, and what comes of them */
  ATTN_ABLATION_PRUNING,  /* how many heads can go */
  ATTN_N_ABLATION_FIGURES
} AttnAblationFigure;

/* NULL-terminated, by AttnAblationFigure: "switches" and "pruning". */
extern const char *const attn_ablation_figure_names[ATTN_N_ABLATION_FIGURES + 1];

/* What is asked. A plain value; strings are owned. */
typedef struct {
  AttnAblateKind kind;
  char *off;       /* (nullable): heads that are off, as attn_head_list_read() takes them */
  char *labels;    /* (nullable): tokens that are right at the text's masks, from the first mask on,
                      with spaces between them; of other masks the model's best guesses are */
  char *patch;     /* (nullable): the second text of ATTN_ABLATE_PATCH */
  size_t n_draws;  /* of a text without masks; 0 for 1 */
  size_t seed;     /* likewise */
  bool each;       /* every head is removed in turn … */
  bool importance; /* … and importance by gradients stands beside that */
  AttnAblationFigure figure;
  bool curves; /* heads are removed more and more */
} AttnAblationAsked;

#define ATTN_ABLATION_ASKED \
  { \
    .n_draws = 1, .seed = 1 \
  }

/* Frees the strings. */
void attn_ablation_asked_clear (AttnAblationAsked *asked);

/* @to: cleared and set to a copy. */
void attn_ablation_asked_set (AttnAblationAsked *to, const AttnAblationAsked *from);

/* Returns: whether both ask for the very same. */
bool attn_ablation_asked_equal (const AttnAblationAsked *a, const AttnAblationAsked *b);

/**
 * attn_head_list_read:
 * @list:    "3-4,1-7": layers and heads from 1; "" for none
 * @gate:    what the heads named get in @gates
 * @outside: (nullable): [2] written: layer and head, from 1, of the first one that @gates have not;
 *           0 and 0 for none
 *
 * Returns: false where @list is of another form; heads outside are passed over.
 * Test: tests/core/test-ablation.c
 */
bool attn_head_list_read (const char *list, AttnGate gate, AttnHeadGates *gates, size_t outside[2]);

/* Returns: (transfer full): the heads that are not kept, "1-7,3-4". */
char *attn_head_list_dup (const AttnHeadGates *gates);

/* @labels: words with spaces between them; @n: written. Returns: (transfer full): [@n] ids of the
 * words, each one token of the model, for g_free(); or NULL with @error: SHAPE. */
int32_t *
attn_ablation_find_labels (AttnModel *model, const char *labels, size_t *n, GError **error);

/* A text as it is, and what is asked of the model there. */
typedef struct {
  AttnTask *task;          /* owned */
  AttnPredictions *before; /* owned; NULL where there is nothing to guess */
  size_t seed;             /* of the draws */
  size_t n_layers, n_heads;
} AttnAblationClean;

/**
 * attn_ablation_clean_new:
 * @positions: (nullable): [n] tokens to mask, whose own are right; NULL: the text decides
 * @how:       pool and progress, which is asked between the draws
 *
 * Returns: (transfer full): for attn_ablation_clean_unref(), or NULL with @error as
 *   attn_task_new(), and SHAPE where a label is no token of the model.
 * Test: tests/core/test-ablation.c
 */
AttnAblationClean *attn_ablation_clean_new (AttnModel *model,
                                            AttnTokens *tokens,
                                            const AttnAblationAsked *asked,
                                            const size_t *positions,
                                            size_t n,
                                            const AttnImportanceOptions *how,
                                            GError **error);

AttnAblationClean *attn_ablation_clean_ref (AttnAblationClean *clean);
void attn_ablation_clean_unref (AttnAblationClean *clean);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAblationClean, attn_ablation_clean_unref)

/* The same with some heads off. */
typedef struct {
  AttnAblateKind kind;
  AttnHeadGates *gates; /* owned */
  size_t n_off;
  double loss;            /* mean over the draws */
  AttnTrace *trace;       /* referenced: of the first draw */
  AttnPredictions *after; /* owned; NULL as AttnAblationClean.before is */
} AttnAblationOff;

/* Returns: (transfer full): for attn_ablation_off_unref(), or NULL with @error: TOO_LARGE, SHAPE (a
 * list of another form, or a second text of another length), INVALID_TEXT (no second text). */
AttnAblationOff *attn_ablation_off_new (const AttnAblationClean *clean,
                                        const AttnAblationAsked *asked,
                                        AttnPool *pool,
                                        GError **error);

AttnAblationOff *attn_ablation_off_ref (AttnAblationOff *off);
void attn_ablation_off_unref (AttnAblationOff *off);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnAblationOff, attn_ablation_off_unref)

/* Returns: (transfer full): losses with each head alone changed, [n_layers, n_heads], for g_free();
 * or NULL with @error as above, or CANCELLED. */
double *attn_ablation_compute_each (const AttnAblationClean *clean,
                                    const AttnAblationAsked *asked,
                                    AttnPool *pool,
                                    AttnProgressFunc progress,
                                    void *progress_data,
                                    GError **error);

/* All that is known; borrowed. */
typedef struct {
  AttnAblateKind kind;
  const AttnAblationClean *clean;
  const AttnAblationOff *off;       /* nullable */
  const double *each;               /* nullable: [n_layers, n_heads] */
  const AttnImportance *importance; /* nullable */
} AttnAblationNumbers;

/* Returns: rank correlation (Spearman, ties have their mean rank) of importance with the size of
 * the effect of each head; NaN where one of them is not known or does not vary.
 *
 * Source: Spearman 1904. Test: tests/core/test-ablation.c */
double attn_ablation_correlate (const AttnAblationNumbers *numbers);

/* Returns: (transfer full): heads, as layer · n_heads + head, by the effect of removing each: the
 * largest first, NaN last; NULL where each is not known. */
size_t *attn_ablation_rank (const AttnAblationNumbers *numbers);

/* Returns: (transfer full): what the command line prints, with its line feed. */
char *attn_ablation_dup_json (const AttnAblationNumbers *numbers);

/* Returns: (transfer full): a row for each head: layer, head, off, loss, effect, gradient,
 * importance, importance_l2; what is not known is left empty. */
char *attn_ablation_dup_csv (const AttnAblationNumbers *numbers);

G_END_DECLS
