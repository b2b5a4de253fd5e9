/* SPDX-License-Identifier: MIT */
/* Writes an arrangement down as options, in the order in which its steps are done. */
#include "picture-arrangement.h"

#include "attn/number.h"

void
attn_draw_append_heads (GString *line, const AttnHeadSet *heads)
{
  const char *separator = " --heads ";
  if (attn_head_set_is_empty (heads))
    return;
  for (size_t head = 0; head < ATTN_HEAD_SET_MAX; head++)
    if (attn_head_set_has (heads, head)) {
      g_string_append_printf (line, "%s%zu", separator, head + 1);
      separator = ",";
    }
}

static void
append_hidden (GString *line, unsigned hide)
{
  static const struct {
    AttnHide flag;
    const char *name;
  } names[] = {
      {ATTN_HIDE_CLS, "cls"}, {ATTN_HIDE_SEP, "sep"}, {ATTN_HIDE_PUNCTUATION, "punctuation"}};
  const char *separator = " --hide ";
  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    if ((hide & names[i].flag) != 0) {
      g_string_append_printf (line, "%s%s", separator, names[i].name);
      separator = ",";
    }
}

static void
append_kept (GString *line, const AttnArrangement *arrangement)
{
  char number[ATTN_NUMBER_SIZE];
  if (arrangement->keep == ATTN_KEEP_ABOVE)
    g_string_append_printf (line, " --threshold %s",
                            attn_number_format (number, arrangement->threshold, ATTN_NUMBER_CSV));
  else if (arrangement->keep == ATTN_KEEP_TOP)
    g_string_append_printf (line, " --top-keys %zu", arrangement->n_top);
}

void
attn_draw_append_arrangement (GString *line, const AttnArrangement *arrangement)
{
  if (arrangement->combine != ATTN_COMBINE_NONE) {
    g_string_append_printf (line, " --combine %s", attn_combine_peek_name (arrangement->combine));
    attn_draw_append_heads (line, &arrangement->heads);
    if (arrangement->combine_layers)
      g_string_append (line, " --all-layers");
  }
  if (arrangement->unit != ATTN_UNIT_TOKENS)
    g_string_append_printf (line, " --unit %s", attn_unit_peek_name (arrangement->unit));
  if (arrangement->part != ATTN_PART_ALL)
    g_string_append_printf (line, " --part %s", attn_part_peek_name (arrangement->part));
  append_hidden (line, arrangement->hide);
  if (arrangement->renormalise)
    g_string_append (line, " --renormalise");
  append_kept (line, arrangement);
}
