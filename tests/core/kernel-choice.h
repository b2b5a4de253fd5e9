/* SPDX-License-Identifier: MIT */
/* A test program's argument: the kernels it runs on. */
#pragma once

#include <stdbool.h>

/**
 * kernel_choice_read:
 * @argv: what g_test_init() left
 *
 * Uses the kernels of that name; without an argument the best of this CPU.
 *
 * Returns: whether to go on; where the CPU lacks them, the whole program is a skip, said as TAP.
 */
bool kernel_choice_read (int argc, char **argv);
