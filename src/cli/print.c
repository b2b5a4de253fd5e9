/* SPDX-License-Identifier: MIT */
/* Answers on standard output or in a file, warnings on standard error. */
#include "cli.h"

#include "attn/number.h"
#include "attn/quote.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Whatever a message holds, it is one line and moves no cursor. */
static char *
dup_line (const char *message)
{
  g_autofree char *valid = g_utf8_make_valid (message, -1);
  GString *line = g_string_new (NULL);
  for (char *p = valid; *p != '\0'; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    g_string_append_unichar (line, g_unichar_iscntrl (c) ? 0xFFFD : c);
  }
  return g_string_free (line, FALSE);
}

void
cli_warn (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *message = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *line = dup_line (message);
  fprintf (stderr, "headscope-cli: %s\n", line);
}

void
cli_warn_of_session (const CliOptions *options, const GPtrArray *warnings)
{
  for (guint i = 0; i < warnings->len; i++) {
    g_autofree char *shown = attn_file_dup_shown (options->session, strlen (options->session));
    cli_warn ("warning: %s: view: %s", shown, (const char *)g_ptr_array_index (warnings, i));
  }
}

static bool
goes_to_stdout (const CliOptions *options)
{
  return options->output == NULL || strcmp (options->output, "-") == 0;
}

AttnOutput *
cli_open_output (const CliOptions *options, GError **error)
{
  if (goes_to_stdout (options))
    return attn_output_open_fd (STDOUT_FILENO, "standard output");
  return attn_output_open (options->output, error);
}

AttnOutput *
cli_open_binary_output (const CliOptions *options, const char *what, GError **error)
{
  if (goes_to_stdout (options) && isatty (STDOUT_FILENO)) {
    cli_usage (error, "%s is no text for a terminal: name a file", what);
    return NULL;
  }
  return cli_open_output (options, error);
}

bool
cli_write (AttnOutput *output, const GString *text, GError **error)
{
  return attn_output_write (output, text->str, text->len, error);
}

bool
cli_answer (const CliOptions *options, const GString *text, GError **error)
{
  g_autoptr (AttnOutput) output = cli_open_output (options, error);
  return output != NULL && cli_write (output, text, error) && attn_output_commit (output, error);
}

void
cli_append_number (GString *json, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, attn_number_format (number, value, ATTN_NUMBER_JSON));
}

void
cli_append_string (GString *json, const char *text)
{
  attn_quote_json (json, text, strlen (text));
}

void
cli_append_nullable (GString *json, const char *key, const char *value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  if (value != NULL)
    cli_append_string (json, value);
  else
    g_string_append (json, "null");
}
