/* SPDX-License-Identifier: MIT */
/* Code for the steps of a head: the choice among the kinds. */
#include "code-kinds.h"
#include "config-private.h"
#include "trace-private.h"

#include "attn/model.h"
#include "attn/names.h"

static const char *const names[ATTN_N_CODES] = {
    [ATTN_CODE_PSEUDO] = "pseudo",
    [ATTN_CODE_C] = "c",
    [ATTN_CODE_PYTORCH] = "pytorch",
};

const char *
attn_code_peek_name (AttnCode code)
{
  g_return_val_if_fail (code < ATTN_N_CODES, NULL);
  return names[code];
}

AttnCode
attn_code_find (const char *name)
{
  return (AttnCode)attn_name_find (name, names, ATTN_N_CODES);
}

/* in characters; longer lines push theirs */
static const glong comment_columns[ATTN_N_CODES] = {
    [ATTN_CODE_PSEUDO] = 48,
    [ATTN_CODE_C] = 76,
    [ATTN_CODE_PYTORCH] = 60,
};

char *
attn_code_dup (const AttnCodeSubject *subject, AttnCode code, GError **error)
{
  const AttnModel *model = attn_trace_peek_model (subject->trace);
  const AttnConfig *config = attn_model_peek_config (model);
  g_return_val_if_fail (code < ATTN_N_CODES, NULL);
  g_return_val_if_fail (subject->layer < config->n_layers, NULL);
  g_return_val_if_fail (subject->head < config->n_heads, NULL);
  g_return_val_if_fail (attn_trace_peek_tokens (subject->trace) != NULL, NULL);
  g_autoptr (GString) text = g_string_new (NULL);
  AttnCodeWriter writer = {
      .subject = subject,
      .model = model,
      .config = config,
      .T = attn_trace_get_n_tokens (subject->trace),
      .opens = code == ATTN_CODE_C ? "/* " : "# ",
      .closes = code == ATTN_CODE_C ? " */" : "",
      .comment_column = comment_columns[code],
      .text = text,
  };
  attn_code_add_heading (&writer);
  if (code == ATTN_CODE_PYTORCH && !attn_code_write_pytorch (&writer, error))
    return NULL;
  if (code == ATTN_CODE_PSEUDO)
    attn_code_write_pseudo (&writer);
  if (code == ATTN_CODE_C)
    attn_code_write_c (&writer);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
