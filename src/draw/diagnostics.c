/* SPDX-License-Identifier: MIT */
/* Versions of the libraries that draw. */
#include "attn-draw/diagnostics.h"

#include "hs-build.h"

#include <cairo.h>
#include <pango/pango.h>

AttnDiagnostics *
attn_draw_diagnostics_new (size_t n_threads, const AttnModel *model, const char *name)
{
  AttnDiagnostics *self = attn_diagnostics_new ("Headscope " HS_VERSION, n_threads, model, name);
  attn_diagnostics_add (self, "cairo", "%s", cairo_version_string ());
  attn_diagnostics_add (self, "pango", "%s", pango_version_string ());
  return self;
}
