/* SPDX-License-Identifier: MIT */
/* Letters that still work where there is no room to show them. */
#pragma once

#include <gtk/gtk.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * hs_mnemonic_keep:
 * @widget: what Alt and the letter go to
 * @label:  with an underscore before the letter, as it is said where there is room
 * @on:     false where the label is seen, and takes the letter by itself
 *
 * Test: tests/e2e/test-keyboard.py
 */
void hs_mnemonic_keep (GtkWidget *widget, const char *label, bool on);

G_END_DECLS
