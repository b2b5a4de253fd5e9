/* SPDX-License-Identifier: MIT */
/* What several test programs need: where the test data lies, and what may be missing. */
#pragma once

#include <glib.h>

#include <stdbool.h>

G_BEGIN_DECLS

/**
 * test_data_path:
 * @name: path below tests/data, with slashes
 *
 * Returns: (transfer full): the absolute path, from HEADSCOPE_TEST_DATA or the source tree.
 */
char *test_data_path (const char *name);

/**
 * test_golden_path:
 * @name: path below the reference folder named by HEADSCOPE_GOLDEN
 *
 * For reference data too large to be kept in the repository. A test whose data is absent must skip.
 *
 * Returns: (transfer full) (nullable): the absolute path when it exists; otherwise NULL, after
 *   having marked the running test as skipped with the reason.
 */
char *test_golden_path (const char *name);

/**
 * test_minilm_path:
 *
 * Returns: (transfer full) (nullable): the model folder named by HEADSCOPE_MINILM; otherwise NULL,
 *   after having marked the running test as skipped with the reason.
 */
char *test_minilm_path (void);

/**
 * test_read_file:
 * @path: a file that must exist
 * @size: (out) (optional): its length in bytes
 *
 * Returns: (transfer full): the content with a final NUL; a failure ends the test program.
 */
char *test_read_file (const char *path, gsize *size);

G_END_DECLS
