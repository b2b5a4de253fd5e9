/* SPDX-License-Identifier: MIT */
/* What the program was started with, and how it asks a run of it that is there already. */
#pragma once

#include "hs-windows.h"

#include <gio/gio.h>

#include <stdbool.h>

G_BEGIN_DECLS

/* All zero is nothing asked for. The strings are owned. */
typedef struct {
  char *model;
  char *text;
  char **rest;     /* arguments that are no options: a file */
  char *session;   /* its path */
  char *attention; /* option, or the one argument */
  char *array;
  char *tokens;
  gboolean version;
  gboolean new_window;
  gboolean new_instance;
  gboolean benchmark, benchmark_views, benchmark_lab; /* the others have the first, too */
} HsOptions;

/* @application's command line is read into @self, which stays where it is. */
void hs_options_add (HsOptions *self, GApplication *application);

/* Says what is wrong with what was read, and completes its paths. Returns: the exit status, or -1
 * to go on. */
int hs_options_check (HsOptions *self);

/* Returns: whether a run of the program is there that can open the window for us. */
bool hs_options_find_run (void);

/* Asks that run for a window. Returns: the exit status, or -1 where it has gone meanwhile. */
int hs_options_ask (const HsOptions *self, GApplication *application);

/* In that run. @words_of_other: what another start of the program asked for, an a{sv}. */
void hs_options_take (HsOptions *self, GVariant *words_of_other);

/* Returns: the strings of it are the options'. */
HsStart hs_options_get_start (const HsOptions *self);

void hs_options_clear (HsOptions *self);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (HsOptions, hs_options_clear)

G_END_DECLS
