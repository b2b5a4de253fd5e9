/* SPDX-License-Identifier: MIT */
/* Which set of kernels runs on this CPU. */
#include "kernels.h"

#include "attn/model.h"

const AttnKernels *
attn_kernels_peek (size_t index)
{
#ifdef ATTN_KERNELS_X86
  if (__builtin_cpu_supports ("avx512f") && index-- == 0)
    return &attn_kernels_avx512;
  if (__builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma") && index-- == 0)
    return &attn_kernels_avx2;
#endif
  return index == 0 ? &attn_kernels_portable : NULL;
}

const AttnKernels *
attn_kernels_get (void)
{
  return attn_kernels_peek (0);
}

const char *
attn_kernel_peek_name (void)
{
  return attn_kernels_get ()->name;
}
