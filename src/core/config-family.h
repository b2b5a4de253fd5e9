/* SPDX-License-Identifier: MIT */
/* Families whose settings need more than a table. */
#pragma once

#include "config-private.h"

/* As many as the reference uses, whatever the table's size. */
#define ATTN_MPNET_BUCKETS 32

bool attn_config_read_deberta (AttnConfigReader *reader, GError **error);
bool attn_config_read_modernbert (AttnConfigReader *reader, GError **error);
