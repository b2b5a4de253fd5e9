/* SPDX-License-Identifier: MIT */
/* The example texts that come with the program. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  char *text; /* owned */
  char *pair; /* owned; NULL for none */
} HsExample;

/* Returns: (transfer full) (element-type HsExample): all of them, read from the resources. */
GPtrArray *hs_examples_load (void);

/* Returns: (transfer full): a menu of them; items activate @action with their index
 * as a uint32. */
GMenuModel *hs_examples_make_menu (GPtrArray *examples, const char *action);

G_END_DECLS
