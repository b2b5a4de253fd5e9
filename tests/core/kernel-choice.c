/* SPDX-License-Identifier: MIT */
/* Which kernels a test program runs on. */
#include "kernel-choice.h"

#include "attn/model.h"

bool
kernel_choice_read (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc < 2 || attn_kernel_choose (argv[1], &error))
    return true;
  g_print ("1..0 # SKIP %s\n", error->message);
  return false;
}
