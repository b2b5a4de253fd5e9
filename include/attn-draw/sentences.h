/* SPDX-License-Identifier: MIT */
/* Sentences one after the other, in any of our languages. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * attn_draw_add_sentence:
 * @text:     sentences so far, or none
 * @sentence: one that is whole
 *
 * Appends a sentence, after a blank where @text has one before it: not behind a Chinese full stop,
 * which brings its own.
 *
 * Test: tests/draw/test-sentences.c
 */
void attn_draw_add_sentence (GString *text, const char *sentence);

G_END_DECLS
