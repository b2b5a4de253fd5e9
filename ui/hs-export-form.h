/* SPDX-License-Identifier: MIT */
/* What is to be exported, and how: a form whose rows belong to the choice. */
#pragma once

#include "hs-export.h"
#include "hs-numbers.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_EXPORT_FORM (hs_export_form_get_type ())
G_DECLARE_FINAL_TYPE (HsExportForm, hs_export_form, HS, EXPORT_FORM, GtkGrid)

/* Signal "changed": something was chosen. */

/* Whether what is shown is a comparison, so that its B and A − B can be chosen; not at first. */
void hs_export_form_set_compared (HsExportForm *self, bool compared);

/* Writes what the form says about pictures to @options; how large the picture on screen is stays.
 */
void hs_export_form_get_options (HsExportForm *self, HsExportOptions *options);

void hs_export_form_set_options (HsExportForm *self, const HsExportOptions *options);

/* Returns: whether numbers were chosen; @format and @extent are written then. */
bool
hs_export_form_get_numbers (HsExportForm *self, AttnExportFormat *format, HsNumbersExtent *extent);

/* Returns: (transfer none): the ending that such a file has, without the point. */
const char *hs_export_form_peek_extension (HsExportForm *self);

/* Chooses the format with this ending, any case. Returns: whether there is one among those that can
 * be chosen now. */
bool hs_export_form_choose (HsExportForm *self, const char *extension);

G_END_DECLS
