/* SPDX-License-Identifier: MIT */
/* Whether a folder holds a whole model that this program can run. */
#pragma once

#include "attn-hub/cache.h"

/* Fills in family, sizes of the model, state and reason of @entry, whose folder is set. */
void attn_hub_check_model (AttnHubEntry *entry);
