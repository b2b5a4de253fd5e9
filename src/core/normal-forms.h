/* SPDX-License-Identifier: MIT */
/* Unicode's normal forms, keeping every character's way back. */
#pragma once

#include "char-text.h"

#include <stdbool.h>
#include <stddef.h>

/**
 * attn_normal_form_write:
 * @chars:      [n]
 * @compatible: NFKC and NFKD
 * @compose:    NFC and NFKC
 * @out:        appended to
 *
 * What a character is decomposed into shares its span. Sorting moves characters, not places; what
 * is composed takes the span of its first part. Both as the fast tokenizers do.
 *
 * Source: Unicode's annex 15, tables of 9.0 (unicode.h).
 * Test: tests/core/test-normalizer.c
 */
void attn_normal_form_write (
    const AttnChar *chars, size_t n, bool compatible, bool compose, AttnCharText *out);
