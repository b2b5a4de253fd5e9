/* SPDX-License-Identifier: MIT */
/* Writing code line by line: what the three kinds share. */
#pragma once

#include "attn/code.h"
#include "attn/config.h"
#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

/* Marks a string for translation. */
#define N_(english) (english)

typedef struct {
  const AttnCodeSubject *subject;
  const AttnModel *model;
  const AttnConfig *config;
  size_t T;                   /* tokens */
  const char *opens, *closes; /* of a comment: slash-star and star-slash, or "# " and "" */
  glong comment_column;
  GString *text; /* what has been written */
} AttnCodeWriter;

/* One line, and behind it in one column its matrix's shape, "16 × 256", where @n_rows > 0, and what
 * it is, where @what is not NULL: English, marked for translation. */
void attn_code_add (AttnCodeWriter *writer,
                    size_t n_rows,
                    size_t n_columns,
                    const char *what,
                    const char *format,
                    ...) G_GNUC_PRINTF (5, 6);

/* The first lines: which model, layer and head, and what the letters are, in no language. */
void attn_code_add_heading (AttnCodeWriter *writer);

/* A line that is all comment. */
void attn_code_add_comment (AttnCodeWriter *writer, const char *indent, const char *what);

/* Appends @text, [length] bytes of UTF-8, as a literal that C and Python both read. */
void attn_code_append_literal (GString *out, const char *text, size_t length);

/* The words that stand beside the same step in every kind of code. */
const char *attn_code_peek_words (AttnStep step);
