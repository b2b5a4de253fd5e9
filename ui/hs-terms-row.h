/* SPDX-License-Identifier: MIT */
/* A row of terms, each a link to its explanation: pointing at one shows it as a tooltip, a click or
 * Enter in a popover. */
#pragma once

#include "hs-terms.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_TERMS_ROW (hs_terms_row_get_type ())
G_DECLARE_FINAL_TYPE (HsTermsRow, hs_terms_row, HS, TERMS_ROW, GtkWidget)

GtkWidget *hs_terms_row_new (void);

/* @terms: a set of HS_TERM_BIT(); of none the row is not seen. */
void hs_terms_row_set_terms (HsTermsRow *self, guint terms);

/* As a click on its link does. */
void hs_terms_row_explain (HsTermsRow *self, HsTerm term);

/* Returns: (nullable) (transfer none): the sentence that stands in the popover now. */
const char *hs_terms_row_peek_explained (HsTermsRow *self);

G_END_DECLS
