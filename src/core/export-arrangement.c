/* SPDX-License-Identifier: MIT */
/* What arranged maps are called in exports. */
#include "export-parts.h"

#include "attn/number.h"

AttnExportNames
attn_export_name (const AttnExportRange *range, size_t layer, size_t head)
{
  const AttnArrangement *arrangement = range->arrangement;
  bool combines = arrangement != NULL && arrangement->combine != ATTN_COMBINE_NONE;
  AttnExportNames names;
  g_snprintf (names.layer, sizeof names.layer, "%zu", layer + 1);
  g_snprintf (names.head, sizeof names.head, "%zu", head + 1);
  if (attn_lens_is_joint (range->lens))
    g_strlcpy (names.head, "all", sizeof names.head);
  if (combines)
    g_strlcpy (names.head, attn_combine_peek_name (arrangement->combine), sizeof names.head);
  if (combines && arrangement->combine_layers)
    g_strlcpy (names.layer, "all", sizeof names.layer);
  return names;
}

/* Appends the name of a field, after a comma unless it is the first one. */
static void
append_key (GString *text, const char *key)
{
  if (text->str[text->len - 1] != '{')
    g_string_append_c (text, ',');
  g_string_append_printf (text, "\"%s\":", key);
}

static void
append_word (GString *text, const char *key, const char *word)
{
  append_key (text, key);
  g_string_append_printf (text, "\"%s\"", word);
}

static void
append_combined (GString *text, const AttnArrangement *arrangement)
{
  append_word (text, "combine", attn_combine_peek_name (arrangement->combine));
  if (arrangement->combine_layers)
    append_word (text, "layers", "all");
  if (attn_head_set_is_empty (&arrangement->heads)) {
    append_word (text, "heads", "all");
    return;
  }
  append_key (text, "heads");
  char before = '[';
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX; head++)
    if (attn_head_set_has (&arrangement->heads, head)) {
      g_string_append_printf (text, "%c%zu", before, head + 1);
      before = ',';
    }
  g_string_append_c (text, ']');
}

static void
append_hidden (GString *text, unsigned hide)
{
  static const char *const names[] = {"cls", "sep", "punctuation"}; /* AttnHide's bits */
  char before = '[';
  append_key (text, "hide");
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if ((hide >> i & 1) != 0) {
      g_string_append_printf (text, "%c\"%s\"", before, names[i]);
      before = ',';
    }
  g_string_append_c (text, ']');
}

void
attn_export_append_arrangement (GString *text, const AttnArrangement *arrangement)
{
  char number[ATTN_NUMBER_SIZE];
  if (arrangement == NULL || attn_arrangement_is_plain (arrangement))
    return;
  g_string_append (text, "\"arrangement\":{");
  if (arrangement->combine != ATTN_COMBINE_NONE)
    append_combined (text, arrangement);
  if (arrangement->unit != ATTN_UNIT_TOKENS)
    append_word (text, "unit", attn_unit_peek_name (arrangement->unit));
  if (arrangement->part != ATTN_PART_ALL)
    append_word (text, "part", attn_part_peek_name (arrangement->part));
  if (arrangement->hide != ATTN_HIDE_NOTHING)
    append_hidden (text, arrangement->hide);
  if (arrangement->renormalise) {
    append_key (text, "renormalise");
    g_string_append (text, "true");
  }
  if (arrangement->keep == ATTN_KEEP_ABOVE) {
    append_key (text, "threshold");
    g_string_append (text, attn_number_format (number, arrangement->threshold, ATTN_NUMBER_JSON));
  } else if (arrangement->keep == ATTN_KEEP_TOP) {
    append_key (text, "top_keys");
    g_string_append_printf (text, "%zu", arrangement->n_top);
  }
  g_string_append (text, "},");
}
