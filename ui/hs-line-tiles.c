/* SPDX-License-Identifier: MIT */
/* Bands of lines, made when first seen. */
#include "hs-line-tiles.h"

#include <math.h>
#include <stdbool.h>

#define TILE_ROWS 256 /* device px */
#define MAX_TILES 24  /* of the picture's own lines that are kept: some screens' height */

struct _HsLineTiles {
  GHashTable *own;     /* index from the top → GdkTexture */
  GHashTable *focused; /* the same of the lines that are left while something is pointed at */
  AttnDrawFocus focus; /* what those are */
  int scale_factor;
};

static GHashTable *
new_table (void)
{
  return g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
}

HsLineTiles *
hs_line_tiles_new (void)
{
  HsLineTiles *tiles = g_new0 (HsLineTiles, 1);
  tiles->own = new_table ();
  tiles->focused = new_table ();
  return tiles;
}

void
hs_line_tiles_free (HsLineTiles *tiles)
{
  if (tiles == NULL)
    return;
  g_hash_table_unref (tiles->own);
  g_hash_table_unref (tiles->focused);
  g_free (tiles);
}

void
hs_line_tiles_clear (HsLineTiles *tiles)
{
  g_hash_table_remove_all (tiles->own);
  g_hash_table_remove_all (tiles->focused);
}

/* Rows [first, end) of device px. */
typedef struct {
  size_t first, end;
} Rows;

static Rows
get_rows (const AttnDrawItem *item, guint tile, int scale_factor)
{
  size_t n_rows = (size_t)lround (item->rect.height * scale_factor);
  return (Rows){(size_t)tile * TILE_ROWS, MIN (((size_t)tile + 1) * TILE_ROWS, n_rows)};
}

static GdkTexture *
make_tile (const AttnDrawLayout *layout,
           const AttnDrawItem *item,
           const AttnDrawFocus *focus,
           Rows rows,
           int scale_factor)
{
  size_t width = (size_t)MAX (lround (item->rect.width * scale_factor), 1);
  size_t height = rows.end - rows.first;
  uint32_t *pixels = g_new (uint32_t, width * height);
  attn_draw_raster_lines (layout, focus, scale_factor, rows.first, height, pixels, width);
  g_autoptr (GBytes) bytes = g_bytes_new_take (pixels, width * height * sizeof *pixels);
  return gdk_memory_texture_new ((int)width, (int)height, GDK_MEMORY_DEFAULT, bytes,
                                 width * sizeof *pixels);
}

/* The table for @focus, without bands that are of no use any more. */
static GHashTable *
choose_table (HsLineTiles *tiles, const AttnDrawFocus *focus, int scale_factor)
{
  if (scale_factor != tiles->scale_factor)
    hs_line_tiles_clear (tiles);
  tiles->scale_factor = scale_factor;
  if (focus == NULL) {
    g_hash_table_remove_all (tiles->focused);
    return tiles->own;
  }
  if (focus->panel != tiles->focus.panel || focus->query != tiles->focus.query ||
      focus->key != tiles->focus.key)
    g_hash_table_remove_all (tiles->focused);
  tiles->focus = *focus;
  return tiles->focused;
}

typedef struct {
  guint first, end; /* bands that are on screen */
} Bands;

static gboolean
is_elsewhere_cb (gpointer key, gpointer value G_GNUC_UNUSED, gpointer data)
{
  const Bands *bands = data;
  guint tile = GPOINTER_TO_UINT (key);
  return tile < bands->first || tile >= bands->end;
}

static Bands
find_bands (const AttnDrawItem *item, const graphene_rect_t *visible, int scale_factor)
{
  double top = MAX ((double)visible->origin.y - item->rect.y, 0);
  double bottom =
      MIN ((double)(visible->origin.y + visible->size.height) - item->rect.y, item->rect.height);
  if (bottom <= top)
    return (Bands){0, 0};
  return (Bands){(guint)(top * scale_factor / TILE_ROWS),
                 (guint)ceil (bottom * scale_factor / TILE_ROWS)};
}

void
hs_line_tiles_append (HsLineTiles *tiles,
                      GtkSnapshot *snapshot,
                      const AttnDrawLayout *layout,
                      const AttnDrawItem *item,
                      const AttnDrawFocus *focus,
                      const graphene_rect_t *visible,
                      int scale_factor)
{
  GHashTable *table = choose_table (tiles, focus, scale_factor);
  Bands bands = find_bands (item, visible, scale_factor);
  if (g_hash_table_size (table) > MAX_TILES)
    g_hash_table_foreach_remove (table, is_elsewhere_cb, &bands);
  for (guint tile = bands.first; tile < bands.end; tile++) {
    Rows rows = get_rows (item, tile, scale_factor);
    GdkTexture *texture = g_hash_table_lookup (table, GUINT_TO_POINTER (tile));
    if (texture == NULL) {
      texture = make_tile (layout, item, focus, rows, scale_factor);
      g_hash_table_insert (table, GUINT_TO_POINTER (tile), texture);
    }
    double top = item->rect.y + (double)rows.first / scale_factor;
    double height = (double)(rows.end - rows.first) / scale_factor;
    gtk_snapshot_append_texture (snapshot, texture,
                                 &GRAPHENE_RECT_INIT ((float)item->rect.x, (float)top,
                                                      (float)item->rect.width, (float)height));
  }
}
