/* SPDX-License-Identifier: MIT */
/* What a pickle's instructions are made of: its bytes, and a stack of values with marks.
 *
 * Every call answers NULL or false with @error: FORMAT (the pickle ends, or has no such value on
 * its stack), TOO_LARGE. */
#pragma once

#include "pickle-private.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* The next @n bytes of the pickle. */
const char *attn_pickle_take (AttnPickleMachine *machine, size_t n, GError **error);

/* An unsigned little-endian number of @width bytes. */
bool
attn_pickle_take_number (AttnPickleMachine *machine, size_t width, guint64 *number, GError **error);

/* A line of text without its end, which is passed. */
const char *attn_pickle_take_line (AttnPickleMachine *machine, size_t *n, GError **error);

/* @value: (nullable): NULL, with @error set already, is false */
bool attn_pickle_push (AttnPickleMachine *machine, AttnPickleValue *value, GError **error);
bool attn_pickle_push_new (AttnPickleMachine *machine, AttnPickleKind kind, GError **error);
bool attn_pickle_push_integer (AttnPickleMachine *machine, gint64 integer, GError **error);

/* The value on top; @n_above are to stand over it. */
AttnPickleValue *attn_pickle_peek (AttnPickleMachine *machine, guint n_above, GError **error);
AttnPickleValue *attn_pickle_pop (AttnPickleMachine *machine, GError **error);

/* Takes the last mark away; what stood above it is @items, which stay there until cut off. */
bool attn_pickle_pop_mark (AttnPickleMachine *machine,
                           AttnPickleValue ***items,
                           guint *n,
                           GError **error);
