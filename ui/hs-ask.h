/* SPDX-License-Identifier: MIT */
/* Asking for a file or a folder by the desktop's own chooser. */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef struct {
  GtkFileChooserAction action;
  const char *title, *accept; /* translated; accept with a mnemonic */
  const char *name;           /* nullable: to suggest for a new file */
  const char *pattern;        /* nullable: "*.json *.txt", of files that are listed first … */
  const char *pattern_name;   /* … and what these are, translated */
} HsQuestion;

/* @path: (transfer full) (nullable): NULL when the person changed their mind */
typedef void (*HsPathFunc) (char *path, gpointer data);

/* How to ask; tests put their own in place of the chooser. */
typedef void (*HsAsk) (GtkWindow *parent,
                       const HsQuestion *question,
                       HsPathFunc done,
                       gpointer data);

/* A name that was typed with its ending over the stem of one that has it already ends in it twice.
 * Returns: (transfer full): @path with ".png.png" as ".png". */
char *hs_ask_dup_single_ending (const char *path);

/* @parent: (nullable). Shows the chooser and calls @done once. */
void
hs_ask_by_chooser (GtkWindow *parent, const HsQuestion *question, HsPathFunc done, gpointer data);

G_END_DECLS
