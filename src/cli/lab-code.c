/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --code: the steps of a head as code. */
#include "lab-parts.h"
#include "language.h"

#include "attn-hub/store.h"

bool
cli_lab_code (const CliOptions *options, GError **error)
{
  const char *language = options->lang != NULL ? options->lang : "en";
  const AttnCode code = attn_code_find (options->code);
  if (code >= ATTN_N_CODES)
    return cli_usage_value (error, "--code", options->code, "known are pseudo, c and pytorch");
  if (!cli_language_check (language, error))
    return false;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  const AttnCodeSubject subject = {
      .trace = run.trace,
      .model_name = attn_hub_peek_model_name (run.subject.model),
      .layer = run.layer,
      .head = run.head,
      .translate = cli_language_use (language),
  };
  g_autofree char *text = attn_code_dup (&subject, code, error);
  if (text == NULL)
    return false;
  g_autoptr (GString) answer = g_string_new (text);
  return cli_answer (options, answer, error);
}
