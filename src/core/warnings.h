/* SPDX-License-Identifier: MIT */
/* Keeping lists of warnings readable, whatever a file is made to set off. */
#pragma once

#include <glib.h>

/* Sentences that a list keeps. */
#define ATTN_WARNINGS_KEPT 10

/* Replaces what @warnings (of char *, with their free function) has too many by one sentence that
 * tells how many they are. */
void attn_warnings_limit (GPtrArray *warnings);
