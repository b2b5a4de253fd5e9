/* SPDX-License-Identifier: MIT */
/* What one side of an exported picture is of, for its command and its provenance. */
#pragma once

#include "hs-session.h"

#include "attn-draw/picture.h"

#include <stdbool.h>

G_BEGIN_DECLS

/* Holds what it needs beyond the session's next change; all zero is of nothing. */
typedef struct {
  AttnModel *source;      /* (nullable) referenced: of the weights */
  HsAttention *attention; /* (nullable) referenced: where no model made them */
  char *model;            /* (nullable) owned: as a command calls it */
  char *model_name;       /* owned: in titles */
  char *text, *pair;      /* (nullable) owned */
} HsExportSide;

/* @maps: not arranged. Returns: false, with @side all zero, where nobody knows any more what they
 * were of. */
bool hs_export_side_init (HsExportSide *side, HsSession *session, AttnMaps *maps);

/* Returns: what a command calls the file; all NULL for a model. Borrowed from @side. */
AttnDrawArrays hs_export_side_get_arrays (const HsExportSide *side);

/* Whether there is anything to be hashed, and its hash: (nullable) (transfer none), NULL with
 * @error where it cannot be had. Any thread. */
bool hs_export_side_has_weights (const HsExportSide *side);
const char *hs_export_side_compute_sha256 (const HsExportSide *side,
                                           AttnProgressFunc progress,
                                           void *progress_data,
                                           GError **error);

void hs_export_side_copy (HsExportSide *side, const HsExportSide *from);
void hs_export_side_clear (HsExportSide *side);

G_END_DECLS
