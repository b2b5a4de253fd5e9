/* SPDX-License-Identifier: MIT */
/* Places on the colour map by thresholds, so that a colour costs no logarithm. */
#include "scale.h"

#include "panels-private.h"

#include <math.h>

static void
set_log (AttnDrawCoder *coder)
{
  for (size_t color = 1; color < ATTN_DRAW_N_COLORS; color++) {
    double place = ((double)color - 0.5) / (ATTN_DRAW_N_COLORS - 1);
    double share = pow (10, ATTN_DRAW_LOG_DECADES * (place - 1));
    coder->least[color] = (float)((double)coder->max * share);
  }
}

void
attn_draw_coder_set_max (AttnDrawCoder *coder, float max)
{
  coder->max = max;
  if (coder->scale == ATTN_DRAW_SCALE_LOG)
    set_log (coder);
}

void
attn_draw_coder_init (AttnDrawCoder *coder, const AttnDrawLayout *layout, size_t panel)
{
  *coder = (AttnDrawCoder){
      .scale = layout->view->scale,
      .max = attn_draw_layout_get_max (layout, panel),
  };
  if (attn_draw_panels_is_signed (layout->panels, panel)) {
    coder->is_signed = true;
    coder->scale = ATTN_DRAW_SCALE_LINEAR;
  }
  if (coder->scale == ATTN_DRAW_SCALE_LOG)
    set_log (coder);
  else if (coder->scale == ATTN_DRAW_SCALE_RANK)
    attn_draw_panels_get_ranks (layout->panels, panel, coder->least);
}

unsigned
attn_draw_coder_code (const AttnDrawCoder *coder, float weight)
{
  unsigned code = 0;

  if (coder->is_signed)
    return attn_draw_diverging_index (weight, coder->max);
  if (coder->scale == ATTN_DRAW_SCALE_LINEAR)
    return attn_draw_color_index (weight, coder->max);
  for (unsigned step = ATTN_DRAW_N_COLORS / 2; step > 0; step /= 2)
    code += weight >= coder->least[code + step] ? step : 0;
  return code;
}

double
attn_draw_scale_place (AttnDrawScale scale, double value, double max)
{
  switch (scale) {
  case ATTN_DRAW_SCALE_LOG:
    return 1 + log10 (value / max) / ATTN_DRAW_LOG_DECADES;
  case ATTN_DRAW_SCALE_RANK:
    return value;
  case ATTN_DRAW_SCALE_LINEAR:
  default:
    return value / max;
  }
}
