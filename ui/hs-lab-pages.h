/* SPDX-License-Identifier: MIT */
/* The pages of the lab that there are, in one table: a page is added by a line of it. */
#pragma once

#include "hs-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  AttnDrawLabPage page;
  const char *name;            /* of its action's target */
  const char *title, *tooltip; /* English, for translation */
  const char *hint;            /* likewise, for the status line */
  bool of_head;                /* it is about the layer and the head that are chosen */
  bool needs_model;            /* weights alone, as files have them, are not enough */
  guint terms;     /* that it uses, a set of HS_TERM_BIT(); the pipeline shows its steps' itself */
  bool takes_keys; /* its figure has the keyboard's focus once it is opened */
  bool stands_alone; /* it is none of the lab's, but beside it in the window's header */
  GtkWidget *(*create) (HsSession *session); /* when it is first opened, not before */
} HsLabPageInfo;

/* Returns: (transfer none): [@n] in the order in which they are offered. */
const HsLabPageInfo *hs_lab_pages_peek (size_t *n);

/* Returns: (transfer none): the page, or the first one where there is no such page. */
const HsLabPageInfo *hs_lab_pages_find (AttnDrawLabPage page);

G_END_DECLS
