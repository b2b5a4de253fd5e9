/* SPDX-License-Identifier: MIT */
/* Which set of kernels runs in this process. */
#include "kernels.h"

#include "attn/error.h"
#include "attn/model.h"
#include "attn/quote.h"

#include <glib.h>

#include <string.h>

const AttnKernels *
attn_kernels_peek (size_t index)
{
#ifdef ATTN_KERNELS_X86
  if (__builtin_cpu_supports ("avx512f") && index-- == 0)
    return &attn_kernels_avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && index-- == 0)
    return &attn_kernels_avx2;
#endif
  return index == 0 ? &attn_kernels_openblas : NULL;
}

/* Returns: the set of the first call, which is constant from then on. */
static const AttnKernels *
choose_once (const AttnKernels *wanted)
{
  static gsize kernels_once = 0;
  if (g_once_init_enter (&kernels_once)) {
    attn_openblas_run_on_calling_thread ();
    g_once_init_leave (&kernels_once, (gsize)wanted);
  }
  return (const AttnKernels *)kernels_once;
}

const AttnKernels *
attn_kernels_get (void)
{
  return choose_once (attn_kernels_peek (0));
}

bool
attn_kernel_choose (const char *name, GError **error)
{
  g_return_val_if_fail (name != NULL, false);
  g_autoptr (GString) known = g_string_new (NULL);
  const AttnKernels *kernels;
  for (size_t i = 0; (kernels = attn_kernels_peek (i)) != NULL; i++) {
    g_string_append_printf (known, "%s%s", i > 0 ? ", " : "", kernels->name);
    if (strcmp (kernels->name, name) != 0)
      continue;
    if (choose_once (kernels) == kernels)
      return true;
    g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                 "kernels %s come too late: %s are in use already", name,
                 attn_kernels_get ()->name);
    return false;
  }
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
               "this CPU has no kernels called \"%s\", it has: %s", shown, known->str);
  return false;
}

const char *
attn_kernel_peek_name (void)
{
  return attn_kernels_get ()->describe ();
}
