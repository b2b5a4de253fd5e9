/* SPDX-License-Identifier: MIT */
/* What the library that fetches says on standard error of a server's mistakes. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Called once by a program that fetches, before it does: a warning of libsoup about a length of
 * less than nothing, which a server may send and is told in a sentence of ours, is left out.
 * All others are as loud as ever. Test: tests/cli/test-fetch.c */
void attn_hub_quiet_lengths (void);

G_END_DECLS
