/* SPDX-License-Identifier: MIT */
/* What a bug report needs to know of the libraries that fetch models. */
#pragma once

#include "attn/diagnostics.h"

G_BEGIN_DECLS

/* Adds libsoup's version. Test: tests/cli/test-diagnostics.c */
void attn_hub_diagnostics_add (AttnDiagnostics *diagnostics);

G_END_DECLS
