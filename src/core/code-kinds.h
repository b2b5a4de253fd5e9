/* SPDX-License-Identifier: MIT */
/* The kinds of code: each writes the steps after the heading. */
#pragma once

#include "code-writer.h"

#include <glib.h>

#include <stdbool.h>

void attn_code_write_pseudo (AttnCodeWriter *writer);

void attn_code_write_c (AttnCodeWriter *writer);

/* Returns: false with @error. */
bool attn_code_write_pytorch (AttnCodeWriter *writer, GError **error);
