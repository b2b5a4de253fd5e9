/* SPDX-License-Identifier: MIT */
/* Keeps the program small. */
#pragma once

/* Returns what the allocator keeps to the system, when that is much. Any thread; takes some
 * milliseconds then, for which other threads may have to wait when they allocate. */
void hs_memory_give_back (void);
