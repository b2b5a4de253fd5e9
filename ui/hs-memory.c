/* SPDX-License-Identifier: MIT */
/* Keeps the program small. The C library holds on to blocks that are freed, up to 32 MB each, in a
 * store for every thread; with a model and some traces gone that comes to hundreds of megabytes
 * which only this program could use. */
#include "hs-memory.h"

#include <features.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>

#define KEPT_BYTES (48 << 20) /* the pixels of some frames, and what a short text needs */

void
hs_memory_give_back (void)
{
  if (mallinfo2 ().fordblks > KEPT_BYTES)
    malloc_trim (0);
}

#else

void
hs_memory_give_back (void)
{
}

#endif
