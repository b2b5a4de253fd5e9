/* SPDX-License-Identifier: MIT */
/* A line on what a file will be: how large, how many pages or maps, how long it takes. */
#pragma once

#include "hs-export.h"
#include "hs-numbers.h"

G_BEGIN_DECLS

/* Returns: (transfer full): "1181 × 945 pixels · 92.1 kB". */
char *hs_export_facts_dup_of_picture (const HsExportFile *file, AttnDrawFormat format);

/* Returns: (transfer full): "12 maps of 9 × 9 · about 14.2 kB". */
char *hs_export_facts_dup_of_numbers (const HsNumbersSample *sample);

G_END_DECLS
