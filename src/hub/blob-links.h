/* SPDX-License-Identifier: MIT */
/* Which blob a file of a snapshot is. */
#pragma once

#include "walk.h"

/* Returns: (transfer full) (nullable): the blob's name, by the link's own target; NULL for what is
 * no link into a folder called blobs. */
char *attn_hub_link_dup_blob (const AttnHubFile *file);
