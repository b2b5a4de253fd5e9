/* SPDX-License-Identifier: MIT */
/* headscope-cli lab: the run of a text whose steps are asked for. */
#include "lab-parts.h"

bool
cli_lab_run_init (CliLabRun *run, const CliOptions *options, GError **error)
{
  *run = (CliLabRun){
      .layer = options->layer > 0 ? options->layer - 1 : 0,
      .head = options->head > 0 ? options->head - 1 : 0,
  };
  run->texts = cli_texts_read (options, error);
  if (run->texts == NULL || !cli_subject_init (&run->subject, options, error) ||
      !cli_subject_check (&run->subject, run->layer + 1, run->head + 1, error))
    return false;
  run->text = g_ptr_array_index (run->texts, 0);
  run->trace = cli_subject_run (&run->subject, run->text, error);
  return run->trace != NULL;
}

void
cli_lab_run_clear (CliLabRun *run)
{
  g_clear_pointer (&run->trace, attn_trace_unref);
  g_clear_pointer (&run->texts, g_ptr_array_unref);
  cli_subject_clear (&run->subject);
}
