/* SPDX-License-Identifier: MIT */
/* Versions of the libraries that fetch models. */
#include "attn-hub/diagnostics.h"

#include <libsoup/soup.h>

void
attn_hub_diagnostics_add (AttnDiagnostics *diagnostics)
{
  attn_diagnostics_add (diagnostics, "libsoup", "%u.%u.%u", soup_get_major_version (),
                        soup_get_minor_version (), soup_get_micro_version ());
}
