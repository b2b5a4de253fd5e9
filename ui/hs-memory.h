/* SPDX-License-Identifier: MIT */
#pragma once

/* Returns what the allocator keeps to the system, when that is much. Any thread; takes some
 * milliseconds then, for which other threads may have to wait when they allocate. */
void hs_memory_give_back (void);
