/* SPDX-License-Identifier: MIT */
/* Findings as JSON. */
#include "attn/finding.h"
#include "attn/number.h"

static void
append_value (GString *json, const char *key, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (json, ",\"%s\":%s", key,
                          attn_number_format (number, value, ATTN_NUMBER_JSON));
}

/* A head as {"layer","head",@of}, or null. */
static void
append_head (GString *json, const char *key, const AttnFindingHead *head, const char *of)
{
  if (head->value != head->value) {
    g_string_append_printf (json, ",\"%s\":null", key);
    return;
  }
  g_string_append_printf (json, ",\"%s\":{\"layer\":%zu,\"head\":%zu", key, head->layer + 1,
                          head->head + 1);
  append_value (json, of, head->value);
  g_string_append_c (json, '}');
}

static void
append_loss (GString *json, const AttnFindingResult *result)
{
  g_string_append_printf (json, ",\"task\":\"%s\"", attn_task_peek_kind_name (result->task));
  append_value (json, "loss", result->loss);
}

static void
append_spare (GString *json, const AttnFindingResult *result)
{
  append_loss (json, result);
  append_value (json, "little", ATTN_FINDING_LITTLE);
  g_string_append_printf (json, ",\"spare\":%zu,\"better_without\":%zu", result->n_spare,
                          result->n_better);
  append_head (json, "worst", &result->head, "effect");
}

static void
append_roles (GString *json, const AttnFindingResult *result)
{
  append_loss (json, result);
  g_string_append_printf (
      json, ",\"most_important\":%zu,\"neighbours_in_these\":%zu,\"neighbours_in_all\":%zu",
      result->n_top, result->n_top_roles, result->n_roles);
  append_head (json, "top", &result->head, "importance");
}

static void
append_relations (GString *json, const AttnFindingResult *result)
{
  static const char *const names[ATTN_N_RELATIONS] = {"previous", "next", "closing"};
  for (size_t i = 0; i < ATTN_N_RELATIONS; i++)
    append_head (json, names[i], &result->surest[i], "mass");
  g_string_append (json, ",\"sure\":{");
  for (size_t i = 0; i < ATTN_N_RELATIONS; i++)
    g_string_append_printf (json, "%s\"%s\":%zu", i > 0 ? "," : "", names[i], result->n_sure[i]);
  g_string_append_c (json, '}');
}

static void
append_kinds (GString *json, const AttnFindingResult *result)
{
  g_string_append (json, ",\"classes\":{");
  for (AttnPattern kind = 0; kind < ATTN_N_PATTERNS; kind++)
    g_string_append_printf (json, "%s\"%s\":%zu", kind > 0 ? "," : "",
                            attn_pattern_peek_name (kind), result->n_kinds[kind]);
  g_string_append_c (json, '}');
}

static void
append_weights (GString *json, const AttnFindingResult *result)
{
  g_string_append_printf (json, ",\"compared\":%zu", result->n_compared);
  append_value (json, "rank_correlation", result->mean);
  append_head (json, "least", &result->least, "rank_correlation");
  append_head (json, "most", &result->most, "rank_correlation");
}

void
attn_finding_append_json (GString *json, const AttnFindingResult *result)
{
  static void (*const parts[ATTN_N_FINDINGS]) (GString *, const AttnFindingResult *) = {
      append_spare, append_roles, append_relations, append_kinds, append_weights};
  g_string_append_printf (
      json, "{\"finding\":\"%s\",\"shown\":%s,\"layers\":%zu,\"heads\":%zu,\"tokens\":%zu",
      attn_finding_names[result->finding], result->is_shown ? "true" : "false", result->n_layers,
      result->n_heads, result->n_tokens);
  parts[result->finding](json, result);
}
