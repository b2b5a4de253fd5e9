/* SPDX-License-Identifier: MIT */
/* What is freed goes back to the system. */
#include "hs-memory.h"

#include <gtk/gtk.h>

#include <string.h>

#define BLOCK_BYTES (100 << 10) /* below what the C library asks the system for by itself */
#define N_BLOCKS 2000
#define LEAST_BACK_KB (150 << 10)

/* Returns: the memory of this program that is in use, in kB. */
static gint64
get_resident_kb (void)
{
  g_autofree char *text = NULL;
  const char *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &text, NULL, NULL));
  line = strstr (text, "VmRSS:");
  g_assert_nonnull (line);
  return g_ascii_strtoll (line + strlen ("VmRSS:"), NULL, 10);
}

/* Something small that stays lies above all that is freed. */
static void
test_given_back (void)
{
  static char *blocks[N_BLOCKS];
  g_autofree char *last = NULL;
  gint64 before;

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  g_test_skip ("the sanitizer has its own allocator");
  return;
#endif
  for (int i = 0; i < N_BLOCKS; i++)
    blocks[i] = memset (g_malloc (BLOCK_BYTES), i, BLOCK_BYTES);
  last = g_malloc (BLOCK_BYTES);
  for (int i = 0; i < N_BLOCKS; i++)
    g_free (blocks[i]);
  before = get_resident_kb ();
  hs_memory_give_back ();
  g_assert_cmpint (before - get_resident_kb (), >=, LEAST_BACK_KB);
}

static gpointer
give_back (gpointer data G_GNUC_UNUSED)
{
  hs_memory_give_back ();
  return NULL;
}

/* In a sanitized program this is the first use of the C library's store. */
static void
test_many_threads (void)
{
  GThread *threads[8];

  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    threads[i] = g_thread_new ("give-back", give_back, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (threads); i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/memory/many-threads", test_many_threads);
  g_test_add_func ("/memory/given-back", test_given_back);
  return g_test_run ();
}
