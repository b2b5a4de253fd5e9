/* SPDX-License-Identifier: MIT */
/* headscope-cli importance: how much the loss hangs on each head, by one backward pass a draw. */
#include "cli.h"
#include "elsewhere.h"
#include "subject.h"
#include "task.h"

#include "attn/importance.h"

static void
append_value (GString *json, const char *key, double value)
{
  g_string_append_printf (json, ",\"%s\":", key);
  cli_append_number (json, value);
}

static void
append_heads (GString *json, const AttnImportance *importance)
{
  const size_t H = importance->n_heads;
  g_string_append (json, ",\"heads\":[");
  for (size_t i = 0; i < importance->n_layers * H; i++) {
    g_string_append_printf (json, "%s{\"layer\":%zu,\"head\":%zu", i > 0 ? "," : "", i / H + 1,
                            i % H + 1);
    append_value (json, "gradient", importance->gradient[i]);
    append_value (json, "importance", importance->importance[i]);
    append_value (json, "importance_l2", importance->importance_l2[i]);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}

bool
cli_importance (const CliOptions *options, GError **error)
{
  if (!cli_arrays_refuse (options, "importance", error))
    return false;
  g_auto (CliSubject) subject = {0};
  g_autoptr (AttnTask) task = cli_task_new (options, &subject, error);
  if (task == NULL)
    return false;
  const AttnImportanceOptions asked = {.pool = subject.pool};
  g_autoptr (AttnImportance) importance = attn_importance_new (task, &asked, error);
  if (importance == NULL)
    return false;
  g_autoptr (GString) json = g_string_new (NULL);
  cli_task_append (json, task);
  append_heads (json, importance);
  g_string_append (json, "}\n");
  return cli_answer (options, json, error);
}
