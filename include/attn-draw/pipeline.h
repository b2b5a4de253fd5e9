/* SPDX-License-Identifier: MIT */
/* The steps of attention in one layer and head as one figure, with the arithmetic of a number.
 *
 * For: the lab's pipeline, on screen and in files. The numbers (AttnDrawSteps, AttnDrawExample) are
 * made on any thread; the figure of them, which has texts, on the one that shows it. */
#pragma once

#include "attn-draw/figure.h"
#include "attn-draw/picture.h"
#include "attn-draw/view.h"
#include "attn/maps.h"
#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* ---- numbers ---- */

/* Every step's matrix of one layer and head; immutable and reference-counted. */
typedef struct _AttnDrawSteps AttnDrawSteps;

/* Returns: (transfer full): for attn_draw_steps_unref(), or NULL with @error: TOO_LARGE. Any
 * thread. Tokens of bare ids are called by their place. */
AttnDrawSteps *attn_draw_steps_new (AttnTrace *trace, size_t layer, size_t head, GError **error);

AttnDrawSteps *attn_draw_steps_ref (AttnDrawSteps *steps);

void attn_draw_steps_unref (AttnDrawSteps *steps);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawSteps, attn_draw_steps_unref)

/* Returns: (nullable) (transfer none): the step's matrix; NULL where the family has no such step.
 */
const AttnMatrix *attn_draw_steps_peek (const AttnDrawSteps *steps, AttnStep step);

/* Returns: (transfer none): what the steps are of. */
AttnTrace *attn_draw_steps_peek_trace (const AttnDrawSteps *steps);
size_t attn_draw_steps_get_layer (const AttnDrawSteps *steps);
size_t attn_draw_steps_get_head (const AttnDrawSteps *steps);

/* Returns: the step that @by stages lead to, at most to the first or the last: Q, K and V are made
 * in one stage, and likewise a head's. The first step of the stage, or @step where it is in it. */
AttnStep attn_draw_steps_move (const AttnDrawSteps *steps, AttnStep step, int by);

/* Writes which stage @step is in, from 1. Returns: how many stages there are. */
size_t attn_draw_steps_get_stage (const AttnDrawSteps *steps, AttnStep step, size_t *stage);

/**
 * attn_draw_steps_choose_head:
 * @layer,@head: written
 *
 * A head worth beginning with: of the middle layer the one whose rows' entropies vary most (special
 * tokens' rows left out), that variance times the mean share of weight that goes to other words,
 * and not to the token itself, special tokens or punctuation. Some of its tokens look at one other,
 * some at many.
 *
 * Returns: false with @error: TOO_LARGE. Any thread; it takes as long as the layer's maps.
 * Test: tests/draw/test-pipeline.c
 */
bool
attn_draw_steps_choose_head (const AttnTrace *trace, size_t *layer, size_t *head, GError **error);

/* The arithmetic of one number; reference-counted. */
typedef struct _AttnDrawExample AttnDrawExample;

/**
 * attn_draw_example_new:
 * @row,@column: of the step's matrix
 *
 * Returns: (transfer full): for attn_draw_example_unref(), or NULL with @error: TOO_LARGE. Any
 *   thread; a number of a late step takes as long as some steps.
 */
AttnDrawExample *attn_draw_example_new (
    AttnDrawSteps *steps, AttnStep step, size_t row, size_t column, GError **error);

/* The same of a number in @row of @step: what stands there until somebody picks another. Of scores
 * and weights the largest; elsewhere one column of the head's own, the same in every step: that of
 * the largest number of the row that the head hands on. Test: tests/draw/test-pipeline.c */
AttnDrawExample *
attn_draw_example_new_usual (AttnDrawSteps *steps, AttnStep step, size_t row, GError **error);

/* Returns: a row worth an example where nobody follows one: of the tokens that are whole words, and
 * rather of those that look most at another word, the one that shares out its
 * attention among three as nearly as any (by the exponential of its row's entropy); where there are
 * no words, the token that looks most at one other of the text. */
size_t attn_draw_steps_find_row (const AttnDrawSteps *steps);

AttnDrawExample *attn_draw_example_ref (AttnDrawExample *example);

void attn_draw_example_unref (AttnDrawExample *example);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawExample, attn_draw_example_unref)

/* Returns: (transfer none): the cell's own arithmetic. */
const AttnCell *attn_draw_example_peek_cell (const AttnDrawExample *example);
AttnStep attn_draw_example_get_step (const AttnDrawExample *example);

/* ---- the figure ---- */

/* Ids of its items: a step's matrices, and terms that lead to one of its numbers, have
 * ATTN_DRAW_PIPELINE_STEP + step with row and column; a token's label has the token as row. */
enum { ATTN_DRAW_PIPELINE_TOKEN = 1, ATTN_DRAW_PIPELINE_STEP = 2 };

/* Parts of it that somebody looks for: what is told, the step's own matrix, and the arithmetic. */
enum {
  ATTN_DRAW_PIPELINE_WORDS = 1,
  ATTN_DRAW_PIPELINE_MATRIX,
  ATTN_DRAW_PIPELINE_CARD,
};

#define ATTN_DRAW_PIPELINE_LEAST_EM 16.0 /* a narrower width is not kept: its words need this */

/* What is drawn of the steps. All zero but width is the first step, nothing picked. */
typedef struct {
  AttnStep step;     /* that is told of; one that is there */
  bool has_followed; /* a token's row is marked throughout */
  size_t followed;
  bool has_cell;            /* the example is of a number of this step that somebody picked */
  AttnDrawExample *example; /* (nullable): whose arithmetic is shown */
  double width;             /* px */
  AttnDrawFigureStyle style;
  AttnDrawTranslate translate; /* (nullable): none means English */
  void *translate_data;
} AttnDrawPipeline;

/* Returns: (transfer full): the figure, as wide as asked, or as its widest picture needs. */
AttnDrawFigure *attn_draw_pipeline_new (AttnDrawSteps *steps, const AttnDrawPipeline *pipeline);

/* Returns: (transfer full): one line that says what the figure is of, for titles. */
char *attn_draw_pipeline_dup_title (AttnDrawSteps *steps, const AttnDrawPipeline *pipeline);

/* Returns: (transfer full): the example in words, "Row “it”, column “tired” of softmax: 0.5870";
 * "" for none. */
char *attn_draw_pipeline_dup_value (AttnDrawSteps *steps, const AttnDrawPipeline *pipeline);

/**
 * attn_draw_pipeline_write:
 * @pipeline: its width, style and translation are not read: they are @picture's
 * @picture:  of its view the looks and the width; pages are left out
 *
 * Returns: (transfer full): the file's bytes for g_bytes_unref(), or NULL with @error as
 *   attn_draw_picture_write().
 * Test: tests/cli/test-lab.c
 */
GBytes *attn_draw_pipeline_write (AttnDrawSteps *steps,
                                  const AttnDrawPipeline *pipeline,
                                  const AttnDrawPicture *picture,
                                  GError **error);

/* Returns: (transfer full): "headscope-cli lab --model … --figure …", quoted for a POSIX shell,
 * that writes the very bytes of attn_draw_pipeline_write(). */
char *attn_draw_pipeline_dup_command (const AttnDrawSteps *steps,
                                      const AttnDrawPipeline *pipeline,
                                      const AttnDrawPicture *picture,
                                      const char *path);

/* Returns: (transfer full): plain words for a step, translated: "scaled scores". */
char *attn_draw_pipeline_dup_name (const AttnDrawPipeline *pipeline, AttnStep step);

G_END_DECLS
