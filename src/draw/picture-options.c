/* SPDX-License-Identifier: MIT */
/* Writes settings down as the command line takes them; an arrangement in the order in which its
 * steps are done. */
#include "picture-options.h"

#include "looked.h"
#include "wording.h"

#include "attn/number.h"

const char *
attn_draw_number_word (char *buffer, double value)
{
  attn_number_format (buffer, value, ATTN_NUMBER_CSV);
  const double read = g_ascii_strtod (buffer, NULL);
  if (read < value || read > value)
    g_ascii_formatd (buffer, ATTN_NUMBER_SIZE, "%.17g", value);
  return buffer;
}

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
                            attn_draw_number_word (number, arrangement->threshold));
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

const char *
attn_draw_range_word (const AttnDrawView *view, char *buffer)
{
  switch (attn_draw_view_resolve_range (view)) {
  case ATTN_DRAW_RANGE_MAP:
    return "map";
  case ATTN_DRAW_RANGE_LAYER:
    return "layer";
  case ATTN_DRAW_RANGE_MODEL:
    return "model";
  case ATTN_DRAW_RANGE_FIXED:
  default:
    return attn_draw_number_word (buffer, view->range_max);
  }
}

static void
append_span (GString *word, size_t first, size_t n)
{
  if (n > 0)
    g_string_append_printf (word, "%zu:%zu", first, first + n);
  else
    g_string_append_c (word, ':');
}

char *
attn_draw_dup_crop_word (const AttnDrawView *view)
{
  if (!attn_draw_kind_has_cells (view->kind) ||
      (view->crop.n_queries == 0 && view->crop.n_keys == 0))
    return NULL;
  GString *word = g_string_new (NULL);
  append_span (word, view->crop.first_query, view->crop.n_queries);
  g_string_append_c (word, ',');
  append_span (word, view->crop.first_key, view->crop.n_keys);
  return g_string_free (word, FALSE);
}

void
attn_draw_append_lens (GString *line, const AttnDrawView *view)
{
  if (view->lens != ATTN_LENS_RAW)
    g_string_append_printf (line, " --lens %s", attn_lens_peek_name (view->lens));
}

bool
attn_draw_is_combined (const AttnDrawView *view)
{
  return view->arrangement.combine != ATTN_COMBINE_NONE;
}

bool
attn_draw_chooses_heads (const AttnDrawView *view)
{
  return view->kind == ATTN_DRAW_LINES && !attn_draw_view_is_joint (view);
}

bool
attn_draw_is_on_sheets (const AttnDrawPicture *picture)
{
  return picture->format == ATTN_DRAW_PDF && picture->page.size != ATTN_DRAW_PAGE_PICTURE;
}
