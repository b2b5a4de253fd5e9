/* SPDX-License-Identifier: MIT */
/* Parts of a high figure brought into view. */
#pragma once

#include "hs-figure.h"

G_BEGIN_DECLS

/**
 * hs_figure_reveal:
 * @parts: [@n] of the figure, read at once: those that it has not are left out
 *
 * Scrolls what the figure is in, no more than is needed, so that all the parts are seen, or where
 * they are higher than that, from the top of them on. It happens once the figure is laid out, and
 * slowly, unless the person wants nothing to move.
 *
 * Test: tests/ui/test-lab-pipeline.c
 */
void hs_figure_reveal (HsFigure *figure, const unsigned *parts, size_t n);

G_END_DECLS
