/* SPDX-License-Identifier: MIT */
/* Which set of kernels runs in this process. */
#include "kernels.h"

#include "attn/error.h"
#include "attn/model.h"
#include "attn/quote.h"

#include <glib.h>

#include <string.h>

#define MAX_SETS 4

/* Those for this kind of CPU, whether installed or not: asking would load them. */
static const AttnKernels *
peek_any (size_t index)
{
#ifdef ATTN_KERNELS_X86
  if (__builtin_cpu_supports ("avx512f") && index-- == 0)
    return &attn_kernels_avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && index-- == 0)
    return &attn_kernels_avx2;
#endif
  const AttnKernels *const everywhere[] = {&attn_kernels_openblas, &attn_kernels_plain};
  return index < G_N_ELEMENTS (everywhere) ? everywhere[index] : NULL;
}

const AttnKernels *
attn_kernels_peek (size_t index)
{
  const AttnKernels *kernels = NULL;
  for (size_t i = 0; (kernels = peek_any (i)) != NULL; i++)
    if ((kernels->is_there == NULL || kernels->is_there ()) && index-- == 0)
      return kernels;
  return NULL;
}

/* What runs in this process, and why not better. */
typedef struct {
  const AttnKernels *kernels;
  const char *warning; /* nullable; static */
} Choice;

static void
choose (Choice *choice, const AttnKernels *wanted)
{
  const AttnKernels *sets[MAX_SETS] = {wanted};
  size_t n_sets = wanted != NULL;
  while (wanted == NULL && n_sets < MAX_SETS && (sets[n_sets] = peek_any (n_sets)) != NULL)
    n_sets++;
  choice->kernels = attn_kernels_pick (sets, n_sets, &choice->warning);
}

/* Returns: the choice of the first call, which is constant from then on: @wanted, or if that is
 * NULL the best set of this CPU. */
static const Choice *
choose_once (const AttnKernels *wanted)
{
  static gsize choice_once = 0;
  if (g_once_init_enter (&choice_once)) {
    Choice *choice = g_new (Choice, 1);
    choose (choice, wanted);
    g_once_init_leave (&choice_once, (gsize)choice);
  }
  return (const Choice *)choice_once;
}

const AttnKernels *
attn_kernels_get (void)
{
  return choose_once (NULL)->kernels;
}

const char *
attn_kernel_peek_warning (void)
{
  return choose_once (NULL)->warning;
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
    if (!attn_kernels_check (kernels)) {
      g_set_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED,
                   "this computer multiplies matrices wrongly by the kernels %s", kernels->name);
      return false;
    }
    if (choose_once (kernels)->kernels == kernels)
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
