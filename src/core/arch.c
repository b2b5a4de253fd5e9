/* SPDX-License-Identifier: MIT */
/* The list of families. */
#include "arch.h"

#include <glib.h>

static const AttnArch *const families[] = {
    &attn_arch_bert,
};

const AttnArch *
attn_arch_find (const char *model_type)
{
  for (size_t i = 0; i < G_N_ELEMENTS (families); i++)
    if (g_strv_contains (families[i]->model_types, model_type))
      return families[i];
  return NULL;
}

bool
attn_role_is_layered (AttnRole role)
{
  return role >= ATTN_ROLE_QUERY && role <= ATTN_ROLE_FFN_NORM_BIAS;
}
