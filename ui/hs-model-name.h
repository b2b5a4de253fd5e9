/* SPDX-License-Identifier: MIT */
/* What a model is called: the shipped one the same everywhere in the window. */
#pragma once

#include "attn/model.h"

G_BEGIN_DECLS

/* @name: "demo" (or NULL), a folder or weight file, or a name of the Hub. Returns: (transfer full):
 * one line for people. Test: tests/ui/test-updater.c */
char *hs_model_name_dup (const char *name);

/* Likewise of one that is loaded. Test: tests/ui/test-closures.c */
char *hs_model_name_dup_loaded (const AttnModel *model);

/* Returns: (nullable) (transfer full): where that is, for people; NULL for one that comes with the
 * program. Test: tests/ui/test-closures.c */
char *hs_model_name_dup_place (const AttnModel *model);

G_END_DECLS
