/* SPDX-License-Identifier: MIT */
/* What the fuzz targets share: one input as a file of a folder, and what must hold of an error. */
#pragma once

#include <glib.h>

#include <stddef.h>
#include <stdint.h>

/* Each target's one function, by the name that libFuzzer calls. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);

/**
 * fuzz_write:
 * @name: of the file
 *
 * Writes one file of a folder that this process keeps for itself and removes at its end.
 *
 * Returns: (transfer none): the folder.
 */
const char *fuzz_write (const char *name, const void *data, size_t size);

/* Aborts unless exactly one of result and error is there, and the error is a sentence: of our own
 * domain, valid UTF-8 in one line without a final stop. */
void fuzz_check_error (gboolean has_result, const GError *error);
