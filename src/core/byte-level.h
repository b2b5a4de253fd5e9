/* SPDX-License-Identifier: MIT */
/* The alphabet of byte-level vocabularies: one visible character for each byte. */
#pragma once

#include "char-text.h"

#include <glib.h>

#include <stddef.h>

/* Returns: the character that stands for a byte: itself where it is visible in Latin-1, else one
 * from U+0100 on. */
gunichar attn_byte_level_get_char (guint8 byte);

/* Returns: the byte a character stands for, or -1. */
int attn_byte_level_get_byte (gunichar c);

/* Appends the characters for the bytes of each character, which share its span. */
void attn_byte_level_write (const AttnChar *chars, size_t n, AttnCharText *out);
