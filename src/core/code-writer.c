/* SPDX-License-Identifier: MIT */
/* Writing code line by line: what the three kinds share. */
#include "code-writer.h"

#include "unicode.h"

#include "attn/model.h"

#include <stdarg.h>

const char *
attn_code_peek_words (AttnStep step)
{
  static const char *const words[ATTN_N_STEPS] = {
      [ATTN_STEP_INPUT] = N_ ("one row for each token"),
      [ATTN_STEP_NORMED] = N_ ("each row brought to a common scale"),
      [ATTN_STEP_QUERIES] = N_ ("queries: what each token looks for"),
      [ATTN_STEP_KEYS] = N_ ("keys: what each token is found by"),
      [ATTN_STEP_VALUES] = N_ ("values: what each token hands on"),
      [ATTN_STEP_HEAD_QUERIES] = N_ ("the head's own columns"),
      [ATTN_STEP_HEAD_KEYS] = N_ ("the head's own columns"),
      [ATTN_STEP_HEAD_VALUES] = N_ ("the head's own columns"),
      [ATTN_STEP_SCORES] = N_ ("how well each query fits each key"),
      [ATTN_STEP_WEIGHTS] = N_ ("weights: every row sums to 1"),
      [ATTN_STEP_HEAD_OUTPUT] = N_ ("values, mixed by the weights"),
      [ATTN_STEP_CONCAT] = N_ ("all heads side by side"),
      [ATTN_STEP_OUTPUT] = N_ ("what attention adds"),
      [ATTN_STEP_SUM] = N_ ("the input stays, and attention is added"),
      [ATTN_STEP_RESULT] = N_ ("each row brought to a common scale"),
  };
  return words[step];
}

static const char *
translate (const AttnCodeWriter *writer, const char *english)
{
  const AttnCodeSubject *subject = writer->subject;
  return subject->translate != NULL ? subject->translate (english, subject->translate_data)
                                    : english;
}

static void
end_with_comment (AttnCodeWriter *writer, size_t line_start, const char *comment)
{
  glong length = g_utf8_strlen (writer->text->str + line_start, -1);
  for (; length < writer->comment_column - 2; length++)
    g_string_append_c (writer->text, ' ');
  g_string_append_printf (writer->text, "  %s%s%s\n", writer->opens, comment, writer->closes);
}

void
attn_code_add (AttnCodeWriter *writer,
               size_t n_rows,
               size_t n_columns,
               const char *what,
               const char *format,
               ...)
{
  const size_t line_start = writer->text->len;
  va_list arguments;
  va_start (arguments, format);
  g_string_append_vprintf (writer->text, format, arguments);
  va_end (arguments);
  g_autoptr (GString) comment = g_string_new (NULL);
  if (n_rows > 0)
    g_string_append_printf (comment, "%zu × %zu", n_rows, n_columns);
  if (what != NULL)
    g_string_append_printf (comment, "%s%s", n_rows > 0 ? ": " : "", translate (writer, what));
  if (comment->len > 0)
    end_with_comment (writer, line_start, comment->str);
  else
    g_string_append_c (writer->text, '\n');
}

void
attn_code_add_comment (AttnCodeWriter *writer, const char *indent, const char *what)
{
  g_string_append_printf (writer->text, "%s%s%s%s\n", indent, writer->opens,
                          translate (writer, what), writer->closes);
}

void
attn_code_add_heading (AttnCodeWriter *writer)
{
  const AttnConfig *config = writer->config;
  const char *given = writer->subject->model_name;
  const char *name = given == NULL ? attn_model_peek_name (writer->model)
                     : g_str_equal (given, ATTN_MODEL_BUILT_IN) ? translate (writer, given)
                                                                : given;
  g_string_append (writer->text, writer->opens);
  /* a folder's name is somebody else's and may end a comment */
  g_auto (GStrv) parts = g_strsplit (name, "*/", -1);
  g_autofree char *safe = g_strjoinv ("* /", parts);
  g_string_append_printf (writer->text, "%s%s\n%s", safe, writer->closes, writer->opens);
  g_string_append_printf (writer->text,
                          "layer = %zu, head = %zu, T = %zu, d_model = %zu, h = %zu, "
                          "d_k = d_model / h = %zu%s\n\n",
                          writer->subject->layer + 1, writer->subject->head + 1, writer->T,
                          config->d_model, config->n_heads, config->d_k, writer->closes);
}

void
attn_code_append_literal (GString *out, const char *text, size_t length)
{
  gunichar before = 0;
  g_string_append_c (out, '"');
  for (const char *at = text; at < text + length; at += g_utf8_skip[(guchar)*at]) {
    const gunichar c = g_utf8_get_char (at);
    if (c == '"' || c == '\\')
      g_string_append_printf (out, "\\%c", (int)c);
    else if (c < 0x20 || c == 0x7f ||
             (c == '?' && before == '?'))        /* two of them may begin a trigraph */
      g_string_append_printf (out, "\\%03o", c); /* three digits, so no more follow */
    else if (attn_char_turns_direction (c))
      g_string_append_printf (out, "\\u%04x", c);
    else
      g_string_append_unichar (out, c);
    before = c;
  }
  g_string_append_c (out, '"');
}
