/* SPDX-License-Identifier: MIT */
/* What families whose settings need more than a table read. */
#pragma once

#include "config-reader.h"

/* As many as the reference uses, whatever the table's size. */
#define ATTN_MPNET_BUCKETS 32

bool attn_config_read_deberta (AttnConfigReader *reader, GError **error);
bool attn_config_read_modernbert (AttnConfigReader *reader, GError **error);
