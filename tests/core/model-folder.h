/* SPDX-License-Identifier: MIT */
/* Model folders made and broken by tests, and the list of hostile ones. */
#pragma once

#include "attn/error.h"
#include "attn/source.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* A new empty folder; test_folder_remove() deletes it with the files in it and frees the name. */
char *test_folder_new (void);
void test_folder_remove (char *folder);

/* Writes the file @name; returns its path, for g_free(). */
char *test_folder_write (const char *folder, const char *name, const void *bytes, size_t n);

/* Writes model.safetensors: the header's length, @header, @data. */
void
test_folder_write_weights (const char *folder, const char *header, const void *data, size_t n_data);

/* The folder's weights, which must open. */
AttnSource *test_source_open (const char *folder);

/* The whole tensor, which must be readable, as new f32 for g_free(). */
float *test_source_read (const AttnSource *source, const AttnTensorInfo *tensor);

/* What a case of tests/data/hostile is to end as. */
typedef enum {
  TEST_LOADS,
  TEST_REFUSED,      /* when opened, with the code beside it */
  TEST_MODEL_REFUSES /* opens here; the model that needs it refuses it */
} TestOutcome;

typedef struct {
  const char *folder; /* below tests/data/hostile */
  TestOutcome outcome;
  AttnError code; /* of TEST_REFUSED */
} TestHostileCase;

/* The folder's path, for g_free(). */
char *test_hostile_path (const char *folder);

/* Fails unless hostile.json lists exactly the @n @cases among the folders that begin with
 * @prefix, so that none is forgotten, and expects an error where the case does. */
void test_hostile_check_list (const char *prefix, const TestHostileCase *cases, size_t n);

/* Fails unless @error is @code, valid UTF-8 without a final stop, and holds every substring that
 * hostile.json names for @folder. */
void test_hostile_check_error (const char *folder, const GError *error, AttnError code);

/* The same about a sentence alone; for warnings. */
void test_sentence_check (const char *sentence, const char *const *names);
