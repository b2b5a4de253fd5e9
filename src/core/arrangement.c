/* SPDX-License-Identifier: MIT */
/* Arrangements as values: sets of heads, equality, names. */
#include "attn/arrange.h"
#include "attn/names.h"

static const char *const combine_names[] = {
    [ATTN_COMBINE_NONE] = "none",
    [ATTN_COMBINE_MEAN] = "mean",
    [ATTN_COMBINE_MAX] = "max",
};

static const char *const unit_names[] = {
    [ATTN_UNIT_TOKENS] = "tokens",
    [ATTN_UNIT_CHARACTERS] = "characters",
    [ATTN_UNIT_WORDS] = "words",
};

static const char *const part_names[] = {
    [ATTN_PART_ALL] = "all",    [ATTN_PART_A_TO_A] = "a-a", [ATTN_PART_A_TO_B] = "a-b",
    [ATTN_PART_B_TO_A] = "b-a", [ATTN_PART_B_TO_B] = "b-b",
};

bool
attn_head_set_is_empty (const AttnHeadSet *set)
{
  for (size_t i = 0; i < G_N_ELEMENTS (set->bits); i++)
    if (set->bits[i] != 0)
      return false;
  return true;
}

bool
attn_head_set_has (const AttnHeadSet *set, size_t head)
{
  if (attn_head_set_is_empty (set))
    return true;
  return head < ATTN_HEAD_SET_MAX && (set->bits[head / 64] >> head % 64 & 1) != 0;
}

void
attn_head_set_put (AttnHeadSet *set, size_t head, bool chosen)
{
  g_return_if_fail (head < ATTN_HEAD_SET_MAX);
  uint64_t bit = (uint64_t)1 << head % 64;
  if (chosen)
    set->bits[head / 64] |= bit;
  else
    set->bits[head / 64] &= ~bit;
}

bool
attn_head_set_equal (const AttnHeadSet *a, const AttnHeadSet *b)
{
  for (size_t i = 0; i < G_N_ELEMENTS (a->bits); i++)
    if (a->bits[i] != b->bits[i])
      return false;
  return true;
}

void
attn_head_set_toggle (AttnHeadSet *set, size_t head, size_t n_heads)
{
  bool has_all = true, had = attn_head_set_has (set, head);
  if (head >= MIN (n_heads, ATTN_HEAD_SET_MAX))
    return;
  if (attn_head_set_is_empty (set))
    for (size_t other = 0; other < MIN (n_heads, ATTN_HEAD_SET_MAX); other++)
      attn_head_set_put (set, other, true);
  attn_head_set_put (set, head, !had);
  for (size_t other = 0; other < n_heads; other++)
    has_all &= attn_head_set_has (set, other);
  if (has_all)
    *set = (AttnHeadSet){{0}};
}

bool
attn_arrangement_equal (const AttnArrangement *a, const AttnArrangement *b)
{
  return a->combine == b->combine && a->combine_layers == b->combine_layers &&
         attn_head_set_equal (&a->heads, &b->heads) && a->unit == b->unit && a->part == b->part &&
         a->hide == b->hide && a->renormalise == b->renormalise && a->keep == b->keep &&
         a->threshold == b->threshold && a->n_top == b->n_top;
}

bool
attn_arrangement_is_plain (const AttnArrangement *arrangement)
{
  return arrangement->combine == ATTN_COMBINE_NONE && arrangement->unit == ATTN_UNIT_TOKENS &&
         arrangement->part == ATTN_PART_ALL && arrangement->hide == ATTN_HIDE_NOTHING &&
         !arrangement->renormalise && arrangement->keep == ATTN_KEEP_ALL;
}

void
attn_arrangement_limit_heads (AttnArrangement *arrangement, size_t n_heads)
{
  for (size_t head = n_heads; head < ATTN_HEAD_SET_MAX; head++)
    attn_head_set_put (&arrangement->heads, head, false);
}

const char *
attn_combine_peek_name (AttnCombine combine)
{
  g_return_val_if_fail ((size_t)combine < G_N_ELEMENTS (combine_names), combine_names[0]);
  return combine_names[combine];
}

bool
attn_combine_find (const char *name, AttnCombine *combine)
{
  size_t index = attn_name_find (name, combine_names, G_N_ELEMENTS (combine_names));
  if (index == G_N_ELEMENTS (combine_names))
    return false;
  *combine = (AttnCombine)index;
  return true;
}

const char *
attn_unit_peek_name (AttnUnit unit)
{
  g_return_val_if_fail ((size_t)unit < G_N_ELEMENTS (unit_names), unit_names[0]);
  return unit_names[unit];
}

bool
attn_unit_find (const char *name, AttnUnit *unit)
{
  size_t index = attn_name_find (name, unit_names, G_N_ELEMENTS (unit_names));
  if (index == G_N_ELEMENTS (unit_names))
    return false;
  *unit = (AttnUnit)index;
  return true;
}

const char *
attn_part_peek_name (AttnPart part)
{
  g_return_val_if_fail ((size_t)part < G_N_ELEMENTS (part_names), part_names[0]);
  return part_names[part];
}

bool
attn_part_find (const char *name, AttnPart *part)
{
  size_t index = attn_name_find (name, part_names, G_N_ELEMENTS (part_names));
  if (index == G_N_ELEMENTS (part_names))
    return false;
  *part = (AttnPart)index;
  return true;
}
