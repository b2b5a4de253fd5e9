/* SPDX-License-Identifier: MIT */
/* What a plan holds, for those who make it and who carry it out. */
#pragma once

#include "client.h"

#include "attn-hub/fetch.h"

struct _AttnHubPlan {
  const AttnHubPlaces *places; /* borrowed */
  char *repo, *revision, *commit;
  char *family;
  size_t n_layers, n_heads;
  GPtrArray *files; /* of AttnHubPlanFile */
};
