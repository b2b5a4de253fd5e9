/* SPDX-License-Identifier: MIT */
/* An arrangement's parts by their names, for actions and settings. */
#pragma once

#include "attn/arrange.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

/* What is taken when a person first asks for large weights alone. */
#define HS_THRESHOLD_DEFAULT 0.05
#define HS_N_TOP_DEFAULT 3

/* One part: a word ("s") or a switch ("b"). */
typedef struct {
  const char *name; /* "unit", "hide-cls" … */
  const GVariantType *type;
} HsArrangementPart;

/* Returns: (transfer none): [@n] all of them: unit, part, combine, keep; combine-layers, hide-cls,
 * hide-sep, hide-punctuation, renormalise. */
const HsArrangementPart *hs_arrangement_peek_parts (size_t *n);

/* Returns: a floating value of the part's type. */
GVariant *hs_arrangement_get (const AttnArrangement *arrangement, const char *name);

/* Returns: false, with nothing changed, where the part does not know @value. */
bool hs_arrangement_set (AttnArrangement *arrangement, const char *name, GVariant *value);

/* Returns: a floating "a{sv}" of what is not plain, numbers and heads included. */
GVariant *hs_arrangement_to_variant (const AttnArrangement *arrangement);

/* Takes what it knows of an "a{sv}"; the rest stays plain. */
AttnArrangement hs_arrangement_from_variant (GVariant *variant);

/* Chooses @head of @n_heads or lets it go. All of them, and none, are the empty set. */
void hs_arrangement_toggle_head (AttnArrangement *arrangement, size_t head, size_t n_heads);

G_END_DECLS
