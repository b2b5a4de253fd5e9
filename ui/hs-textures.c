/* SPDX-License-Identifier: MIT */
/* The textures of a layout's panels and colour bar. */
#include "hs-textures.h"

#include "attn-draw/paint.h"

#include <math.h>
#include <stdint.h>

#define BAR_KEY G_MAXUINT /* panels are keyed by index, the bar by this */

struct _HsTextures {
  GHashTable *by_panel; /* panel index → GdkTexture */
};

HsTextures *
hs_textures_new (void)
{
  HsTextures *textures = g_new0 (HsTextures, 1);
  textures->by_panel = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  return textures;
}

void
hs_textures_free (HsTextures *textures)
{
  if (textures == NULL)
    return;
  g_hash_table_unref (textures->by_panel);
  g_free (textures);
}

void
hs_textures_clear (HsTextures *textures)
{
  g_hash_table_remove_all (textures->by_panel);
}

static GdkTexture *
make_texture (const AttnDrawLayout *layout, const AttnDrawItem *item, double scale)
{
  size_t width = (size_t)MAX (1, lround (item->rect.width * scale));
  size_t height = (size_t)MAX (1, lround (item->rect.height * scale));
  uint32_t *pixels = g_new (uint32_t, width * height);
  if (item->kind == ATTN_DRAW_ITEM_BAR)
    attn_draw_raster_bar (layout, scale, pixels, width);
  else
    attn_draw_raster (layout, item->panel, scale, pixels, width);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, width * height * sizeof *pixels);
  return gdk_memory_texture_new ((int)width, (int)height, GDK_MEMORY_DEFAULT, bytes,
                                 width * sizeof *pixels);
}

GdkTexture *
hs_textures_peek (HsTextures *textures,
                  const AttnDrawLayout *layout,
                  const AttnDrawItem *item,
                  double scale)
{
  guint key = item->kind == ATTN_DRAW_ITEM_BAR ? BAR_KEY : (guint)item->panel;
  GdkTexture *texture = g_hash_table_lookup (textures->by_panel, GUINT_TO_POINTER (key));
  if (texture == NULL) {
    texture = make_texture (layout, item, scale);
    g_hash_table_insert (textures->by_panel, GUINT_TO_POINTER (key), texture);
  }
  return texture;
}
