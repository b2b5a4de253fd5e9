/* SPDX-License-Identifier: MIT */
/* Keeps the program small. The C library holds on to blocks that are freed, up to 32 MB each, in a
 * store for every thread; with a model and some traces gone that comes to hundreds of megabytes
 * which only this program could use. */
#include "hs-memory.h"

#include <glib.h>

#include <features.h>

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>

#define KEPT_BYTES (48 << 20) /* the pixels of some frames, and what a short text needs */

/* One thread at a time: the C library readies its store at the first use without a lock, and where
 * another allocator takes its place (a sanitizer's, one that is preloaded) this is that use. */
void
hs_memory_give_back (void)
{
  static GMutex mutex;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);

  if (mallinfo2 ().fordblks > KEPT_BYTES)
    malloc_trim (0);
}

#else

void
hs_memory_give_back (void)
{
}

#endif
