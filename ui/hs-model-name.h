/* SPDX-License-Identifier: MIT */
/* What a model is called before it is loaded. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @name: "demo" (or NULL), a folder or weight file, or a name of the Hub. Returns: (transfer full):
 * one line for people. Test: tests/ui/test-updater.c */
char *hs_model_name_dup (const char *name);

G_END_DECLS
