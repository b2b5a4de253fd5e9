/* SPDX-License-Identifier: MIT */
/* Inside the pickle reader: its machine, and what the two halves ask of each other. */
#pragma once

#include "pickle.h"

#include "attn/error.h"

typedef struct {
  AttnPickle *pickle;
  size_t op_at;     /* of the instruction being read */
  GPtrArray *stack; /* of AttnPickleValue *, borrowed */
  GArray *marks;    /* of guint, heights of the stack */
  GPtrArray *memo;  /* of AttnPickleValue *, NULL where never stored */
  bool is_done;
} AttnPickleMachine;

/* Sets @error to "PATH: PART: at byte N: …". Returns: false. */
bool attn_pickle_refuse (const AttnPickleMachine *machine,
                         AttnError code,
                         GError **error,
                         const char *format,
                         ...) G_GNUC_PRINTF (4, 5);

/* Returns: a new value of @kind, or NULL with @error: TOO_LARGE. */
AttnPickleValue *
attn_pickle_value_new (AttnPickleMachine *machine, AttnPickleKind kind, GError **error);

/* Appends to a tuple, list or dict. Returns: false with @error: TOO_LARGE, FORMAT (too deep). */
bool attn_pickle_value_append (AttnPickleMachine *machine,
                               AttnPickleValue *container,
                               AttnPickleValue *item,
                               GError **error);

/**
 * attn_pickle_find_global:
 *
 * Returns: a value that stands for module.name, if that is one of the few allowed; otherwise NULL
 *   with @error: UNSUPPORTED, which names it.
 */
AttnPickleValue *attn_pickle_find_global (AttnPickleMachine *machine,
                                          const char *module,
                                          size_t n_module,
                                          const char *name,
                                          size_t n_name,
                                          GError **error);

/* What calling @function with @arguments would have made, built here; NULL with @error. */
AttnPickleValue *attn_pickle_rebuild (AttnPickleMachine *machine,
                                      const AttnPickleValue *function,
                                      AttnPickleValue *arguments,
                                      GError **error);

/* The storage that the persistent id @id stands for; NULL with @error. */
AttnPickleValue *
attn_pickle_rebuild_storage (AttnPickleMachine *machine, const AttnPickleValue *id, GError **error);
