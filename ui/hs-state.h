/* SPDX-License-Identifier: MIT */
/* What one window shows, as a small file: the texts, the model, files of weights and the view. */
#pragma once

#include "hs-session.h"

G_BEGIN_DECLS

/* Returns: whether a property of the session is part of its state: what a person chose. */
bool hs_state_has (GParamSpec *pspec);

/* Returns: (transfer full): the state as bytes. @model: (nullable): the name it was loaded by. */
GBytes *hs_state_dup (HsSession *session, const char *model);

/**
 * hs_state_apply:
 * @model: (out) (transfer full) (nullable): the model's name, NULL for the shipped one
 *
 * Files of weights that the sides showed are wanted by them afterwards; nothing is read.
 *
 * Takes over what @bytes say; names it does not know and values that make no sense are passed over,
 * so that a state of another version does what it can.
 *
 * Returns: FALSE with @error where the bytes are no state at all; nothing is changed then.
 * Test: tests/ui/test-keeper.c
 */
bool hs_state_apply (HsSession *session, GBytes *bytes, char **model, GError **error);

G_END_DECLS
