/* SPDX-License-Identifier: MIT */
/* Files of arrays made by tests, byte for byte. */
#pragma once

#include <glib.h>

#include <stddef.h>

/* Appends an NPY file of version 1.0: @header is the dictionary's text, a line feed is added. */
void test_append_npy (GString *out, const char *header, const void *data, size_t n_data);

/* Appends the header "{'descr': DTYPE, 'fortran_order': …, 'shape': SHAPE, }" and @data. */
void test_append_array (GString *out,
                        const char *dtype,
                        gboolean fortran,
                        const char *shape,
                        const void *data,
                        size_t n_data);

/* Appends a safetensors file. */
void test_append_safetensors (GString *out, const char *header, const void *data, size_t n_data);

/* Returns: a zip archive of the files with @names ([n]) and @contents, deflated or stored; for
 * g_string_free(). */
GString *
test_new_zip (const char *const *names, GString *const *contents, size_t n, gboolean deflate);
