/* SPDX-License-Identifier: MIT */
/* headscope-cli lab --finding: what a paper found, looked for in a run of the text. */
#include "lab-parts.h"
#include "language.h"

#include "attn-draw/finding.h"
#include "attn/names.h"
#include "attn/quote.h"

#include <string.h>

bool
cli_lab_finding (const CliOptions *options, GError **error)
{
  const char *language = options->lang != NULL ? options->lang : "en";
  const size_t finding = attn_name_find (options->finding, attn_finding_names, ATTN_N_FINDINGS);
  if (finding >= ATTN_N_FINDINGS)
    return cli_usage_value (error, "--finding", options->finding,
                            "known are michel, voita, clark, kovaleva and debate");
  if (!cli_language_check (language, error))
    return false;
  g_auto (CliLabRun) run = {0};
  if (!cli_lab_run_init (&run, options, error))
    return false;
  const AttnFindingOptions asked = {.pool = run.subject.pool};
  AttnFindingResult result;
  if (!attn_finding_look ((AttnFinding)finding, run.trace, &asked, &result, error))
    return false;
  g_autofree char *sentence = attn_draw_finding_dup_sentence (
      &result, attn_draw_finding_peek_closing (run.trace), cli_language_use (language), NULL);
  g_autoptr (GString) json = g_string_new (NULL);
  attn_finding_append_json (json, &result);
  g_string_append_printf (json, ",\"language\":\"%s\",\"sentence\":", language);
  attn_quote_json (json, sentence, strlen (sentence));
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
