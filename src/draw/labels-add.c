/* SPDX-License-Identifier: MIT */
/* Putting planned labels beside their rows and over their columns. */
#include "layout-private.h"

#include <math.h>

static AttnDrawColor
get_color (const AttnDrawBuild *build, const AttnDrawLabels *labels, size_t token)
{
  const AttnDrawInk *ink = build->layout->ink;
  return attn_draw_labels_is_pinned (labels, token) ? ink->accent_text : ink->text;
}

void
attn_draw_labels_add_query (AttnDrawBuild *build,
                            const AttnDrawLabelPlan *plan,
                            size_t panel,
                            size_t token,
                            double right,
                            double middle)
{
  PangoLayout *text = attn_draw_labels_shape (build->queries, plan, token, plan->max_length);
  AttnDrawExtents extents = attn_draw_text_measure (text);
  AttnDrawTextPlace place = {
      .role = ATTN_DRAW_ROLE_QUERY_LABEL,
      .panel = panel,
      .token = token,
      .x = right - extents.width - extents.left,
      .y = middle - attn_draw_labels_get_middle (&extents, plan->size_px),
      .color = get_color (build, build->queries, token),
  };
  attn_draw_build_add_text (build, text, &place);
}

void
attn_draw_labels_add_beside (
    AttnDrawBuild *build, const AttnDrawLabelPlan *plan, size_t token, double left, double middle)
{
  PangoLayout *text = attn_draw_labels_shape (build->keys, plan, token, plan->max_length);
  AttnDrawExtents extents = attn_draw_text_measure (text);
  AttnDrawTextPlace place = {
      .role = ATTN_DRAW_ROLE_KEY_LABEL,
      .panel = G_MAXSIZE,
      .token = token,
      .x = left - extents.left,
      .y = middle - attn_draw_labels_get_middle (&extents, plan->size_px),
      .color = get_color (build, build->keys, token),
  };
  attn_draw_build_add_text (build, text, &place);
}

/* px a turned label may be long before it leaves the picture at the right. */
static double
get_length_limit (const AttnDrawBuild *build, const AttnDrawLabelPlan *plan, double middle)
{
  double cosine = cos (plan->angle);
  double reach = build->width - build->margin / 2 - middle + plan->down * sin (plan->angle);

  return cosine < 0.01 ? plan->max_length : reach / cosine;
}

void
attn_draw_labels_add_key (AttnDrawBuild *build,
                          const AttnDrawLabelPlan *plan,
                          size_t panel,
                          size_t token,
                          double middle,
                          double bottom)
{
  double angle = attn_draw_labels_get_angle (build->keys, plan, token);
  bool is_flat = angle == 0;
  double limit = is_flat ? plan->max_length : get_length_limit (build, plan, middle);
  PangoLayout *text = attn_draw_labels_shape (build->keys, plan, token, limit);
  AttnDrawExtents extents = attn_draw_text_measure (text);
  double down = attn_draw_labels_get_middle (&extents, plan->size_px);
  /* the point of the text that comes to stand at (middle, bottom) */
  double along = extents.left + (is_flat ? extents.width / 2 : 0);
  double cosine = cos (angle), sine = sin (angle);
  double raised = is_flat ? plan->down * (1 - cos (plan->angle)) : 0; /* among turned ones */
  AttnDrawTextPlace place = {
      .role = ATTN_DRAW_ROLE_KEY_LABEL,
      .panel = panel,
      .token = token,
      .x = middle - along * cosine + down * sine,
      .y = bottom - raised - along * sine - down * cosine,
      .angle = angle,
      .color = get_color (build, build->keys, token),
  };
  attn_draw_build_add_text (build, text, &place);
}
