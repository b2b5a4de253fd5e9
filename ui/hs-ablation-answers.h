/* SPDX-License-Identifier: MIT */
/* What the page on heads that are off has asked and been answered: the newest question wins, and
 * nothing that is known is computed again. */
#pragma once

#include "hs-ablation-curves.h"
#include "hs-ablation-work.h"

#include <gtk/gtk.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

typedef struct HsAblationAnswers HsAblationAnswers;

/* @changed: on the main thread, once something else is known. @page: borrowed, and held while
 * there is work; it owns the answers. */
HsAblationAnswers *hs_ablation_answers_new (GtkWidget *page, void (*changed) (GtkWidget *page));

void hs_ablation_answers_free (HsAblationAnswers *self);

/* Nothing where that was asked last. */
void hs_ablation_answers_ask (HsAblationAnswers *self, const HsAblationQuestion *question);

/* Each in turn was asked for, or is not any more, which changes nothing that is found at once. */
void hs_ablation_answers_note (HsAblationAnswers *self, const AttnAblationAsked *asked);

/* What is worked on is dropped. */
void hs_ablation_answers_stop (HsAblationAnswers *self);

/* Returns: whether the newest question is not answered yet; weights that are looked at do not
 * count. */
bool hs_ablation_answers_are_waited_for (const HsAblationAnswers *self);

/* Returns: (nullable): the newest answer. */
const HsAblationFound *hs_ablation_answers_peek_found (const HsAblationAnswers *self);

/* Returns: (nullable): a head's weights of that: the asked one's, or until they are there another
 * one's. */
AttnDrawAblationWeights *hs_ablation_answers_peek_weights (const HsAblationAnswers *self);

/* Returns: (nullable): every head in turn, of that. */
const HsAblationEach *hs_ablation_answers_peek_each (const HsAblationAnswers *self);

/* Consumes @each. */
void hs_ablation_answers_take_each (HsAblationAnswers *self, HsAblationEach *each);

/* Returns: how long each in turn took last; 0 before. */
gint64 hs_ablation_answers_get_each_us (const HsAblationAnswers *self);

/* The same of heads that are removed more and more. */
const HsAblationCurves *hs_ablation_answers_peek_curves (const HsAblationAnswers *self);
void hs_ablation_answers_take_curves (HsAblationAnswers *self, HsAblationCurves *curves);
gint64 hs_ablation_answers_get_curves_us (const HsAblationAnswers *self);

G_END_DECLS
