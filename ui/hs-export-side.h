/* SPDX-License-Identifier: MIT */
/* What one side of an exported picture is of, for its command and its provenance. */
#pragma once

#include "hs-session.h"

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

void hs_export_side_copy (HsExportSide *side, const HsExportSide *from);
void hs_export_side_clear (HsExportSide *side);

G_END_DECLS
