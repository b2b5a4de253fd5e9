/* SPDX-License-Identifier: MIT */
/* Reference results of a model: reference.json and reference.safetensors side by side. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include <stddef.h>
#include <stdint.h>

typedef struct _Reference Reference;

/* A failure ends the test program: the data belongs to the tests. */
Reference *reference_load (const char *folder);

/* The same of NAME.json and NAME.safetensors. */
Reference *reference_load_named (const char *folder, const char *name);

void reference_free (Reference *reference);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Reference, reference_free)

/* Returns: (transfer none): reference.json's root. */
json_t *reference_peek_json (const Reference *reference);

/**
 * reference_dup_tensor:
 * @n_case: the tensor's name is "case N.NAME"
 * @shape:  (out) (optional): [8]
 *
 * Returns: (transfer full) (nullable): all its elements as f32, integers too; NULL for none.
 */
float *
reference_dup_tensor (const Reference *reference, size_t n_case, const char *name, size_t *shape);

/* The same of a tensor called just @name. */
float *reference_dup_named (const Reference *reference, const char *name, size_t *shape);

/* Returns: (transfer full) (nullable): a JSON array of numbers; NULL when @array is none. */
int32_t *reference_dup_integers (json_t *array, size_t *n);
