/* SPDX-License-Identifier: MIT */
/* The figure on heads that are off: which blocks it has, and where. */
#include "attn-draw/ablation.h"

#include "ablation-private.h"

#define NARROW_EM 56.0 /* below this blocks stand under each other */
#define GAP_EM 2.4
#define LEFT_SHARE 0.54 /* of the width: the switches */

bool
attn_draw_ablation_is_off (const AttnDrawAblation *asked, size_t layer, size_t head)
{
  return asked->gates != NULL && layer < asked->gates->n_layers && head < asked->gates->n_heads &&
         attn_head_gates_get (asked->gates, layer, head) != ATTN_GATE_KEEP;
}

typedef double (*AddBlock) (Making *making, double x, double y, double width);

/* Two blocks beside each other, or under each other where there is no room; either may be missing.
 * Returns: the height. */
static double
add_row (Making *making, AddBlock left, AddBlock right, double y)
{
  const double margin = making->em, gap = GAP_EM * making->em;
  const double width = making->asked->width - 2 * margin;
  if (left == NULL || right == NULL) {
    AddBlock only = left != NULL ? left : right;
    return only != NULL ? only (making, margin, y, width) : 0;
  }
  if (making->asked->width < NARROW_EM * making->em) {
    const double height = left (making, margin, y, width);
    return height + gap / 2 + right (making, margin, y + height + gap / 2, width);
  }
  const double part = (width - gap) * LEFT_SHARE;
  const double height = left (making, margin, y, part);
  const double other = right (making, margin + part + gap, y, width - gap - part);
  return MAX (height, other);
}

AttnDrawFigure *
attn_draw_ablation_new (const AttnDrawAblation *ablation)
{
  const AttnAblationNumbers *numbers = &ablation->numbers;
  Making making = {
      .builder = attn_draw_figure_builder_new (&ablation->style),
      .asked = ablation,
      .n_layers = numbers->clean->n_layers,
      .n_heads = numbers->clean->n_heads,
  };
  making.em = attn_draw_figure_builder_get_em (making.builder);
  double y = making.em;
  y += add_row (&making, attn_draw_ablation_add_grid, attn_draw_ablation_add_guesses, y);
  if (numbers->each != NULL || numbers->importance != NULL)
    y += 2 * making.em +
         add_row (&making, numbers->importance != NULL ? attn_draw_ablation_add_importance : NULL,
                  numbers->each != NULL ? attn_draw_ablation_add_ranking : NULL, y + 2 * making.em);
  if (numbers->off != NULL)
    y += 2 * making.em + add_row (&making, attn_draw_ablation_add_maps, NULL, y + 2 * making.em);
  return attn_draw_figure_builder_end (making.builder, ablation->width, y + making.em);
}
