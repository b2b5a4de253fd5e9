/* SPDX-License-Identifier: MIT */
/* Maps as a view looks at them: through its lens, then arranged. */
#include "looked.h"

#include "wording.h"

bool
attn_draw_view_is_joint (const AttnDrawView *view)
{
  return view->arrangement.combine != ATTN_COMBINE_NONE || attn_lens_is_joint (view->lens);
}

bool
attn_draw_view_is_signed (const AttnDrawView *view)
{
  return attn_lens_peek_about (view->lens)->is_signed;
}

bool
attn_draw_share_tell (double fraction, void *data)
{
  const AttnDrawShare *share = data;
  return share->progress == NULL ||
         share->progress (share->start + share->share * fraction, share->data);
}

double
attn_draw_view_get_lens_share (const AttnDrawView *view)
{
  switch (attn_lens_peek_about (view->lens)->cost) {
  case ATTN_LENS_COST_SLOW:
    return 0.9;
  case ATTN_LENS_COST_PASS:
    return 0.5;
  case ATTN_LENS_COST_MAP:
  default:
    return 0;
  }
}

/* Whether maps of other layers are looked at, too. */
static bool
needs_all_layers (const AttnDrawView *view)
{
  return view->kind == ATTN_DRAW_LAYERS ||
         (view->arrangement.combine != ATTN_COMBINE_NONE && view->arrangement.combine_layers) ||
         attn_draw_view_resolve_range (view) == ATTN_DRAW_RANGE_MODEL;
}

AttnMaps *
attn_draw_view_look (const AttnDrawView *view,
                     AttnMaps *maps,
                     size_t layer,
                     AttnPool *pool,
                     AttnDrawShare *share,
                     GError **error)
{
  AttnArrangement arrangement = view->arrangement;
  const AttnLensOptions options = {
      .pool = pool,
      .progress = attn_draw_share_tell,
      .progress_data = share,
      .one_layer = !needs_all_layers (view),
      .layer = layer,
      .target = view->target,
  };
  g_autoptr (AttnMaps) seen = attn_lens_new_maps (view->lens, maps, &options, error);
  if (seen == NULL)
    return NULL;
  if (attn_lens_is_joint (view->lens))
    arrangement.heads = (AttnHeadSet){{0}}; /* there is one map, whichever heads were chosen */
  if (attn_draw_view_is_signed (view))
    arrangement.renormalise = false; /* a row's sum may be 0 or below; the title says so */
  return attn_maps_arrange (seen, &arrangement, view->words, pool, error);
}
