/* SPDX-License-Identifier: MIT */
/* The error domain's name. */
#include "attn/error.h"

GQuark
attn_error_quark (void)
{
  return g_quark_from_static_string ("attn-error");
}
