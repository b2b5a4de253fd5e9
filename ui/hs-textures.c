/* SPDX-License-Identifier: MIT */
/* Textures by panel, with what they were made for. */
#include "hs-textures.h"

#include "attn-draw/paint.h"

#include <math.h>
#include <stdint.h>

#define BAR_KEY G_MAXUINT /* panels are keyed by index, the bar by this */
#define SURE_TEXTURES 16  /* are made in every frame, so that all are in the end; the others … */
#define BUDGET_US 8000    /* … in this much of its time */
#define MAX_PIXELS (16 << 20) /* kept besides what the frame shows: 64 MB */

typedef struct {
  HsPixels *pixels;
  guint64 look;  /* number of the look it was made for */
  guint64 frame; /* in which it was drawn last */
} Entry;

struct _HsTextures {
  GHashTable *by_panel;   /* panel index → Entry */
  AttnDrawPanels *panels; /* nullable; what the textures show */
  AttnDrawView *look;     /* nullable; colours and what else the pixels depend on */
  guint64 n_looks, n_frames;

  /* of the frame that is drawn */
  const AttnDrawLayout *layout;
  HsScreen screen;
  gint64 deadline; /* us */
  size_t n_made;
  bool is_behind;
};

static void
entry_free (gpointer data)
{
  Entry *entry = data;
  hs_pixels_unref (entry->pixels);
  g_free (entry);
}

HsTextures *
hs_textures_new (void)
{
  HsTextures *textures = g_new0 (HsTextures, 1);
  textures->by_panel = g_hash_table_new_full (NULL, NULL, NULL, entry_free);
  return textures;
}

void
hs_textures_free (HsTextures *textures)
{
  if (textures == NULL)
    return;
  g_hash_table_unref (textures->by_panel);
  g_clear_pointer (&textures->panels, attn_draw_panels_unref);
  g_clear_pointer (&textures->look, attn_draw_view_free);
  g_free (textures);
}

static bool
looks_same (const AttnDrawView *a, const AttnDrawView *b)
{
  return a->kind == b->kind && a->color_map == b->color_map && a->palette == b->palette &&
         a->scale == b->scale && a->hides_values == b->hides_values &&
         a->crop.first_query == b->crop.first_query && a->crop.n_queries == b->crop.n_queries &&
         a->crop.first_key == b->crop.first_key && a->crop.n_keys == b->crop.n_keys &&
         attn_head_set_equal (&a->arrangement.heads, &b->arrangement.heads);
}

void
hs_textures_begin (HsTextures *textures, const AttnDrawLayout *layout, const HsScreen *screen)
{
  AttnDrawPanels *panels = attn_draw_layout_peek_panels (layout);
  const AttnDrawView *view = attn_draw_layout_peek_view (layout);
  if (panels != textures->panels) {
    g_hash_table_remove_all (textures->by_panel);
    attn_draw_panels_ref (panels);
    g_clear_pointer (&textures->panels, attn_draw_panels_unref);
    textures->panels = panels;
  }
  if (textures->look == NULL || !looks_same (textures->look, view)) {
    g_clear_pointer (&textures->look, attn_draw_view_free);
    textures->look = attn_draw_view_copy (view);
    textures->n_looks++;
  }
  textures->layout = layout;
  textures->screen = *screen;
  textures->deadline = g_get_monotonic_time () + BUDGET_US;
  textures->n_made = 0;
  textures->is_behind = false;
  textures->n_frames++;
}

static HsPixels *
make_pixels (const HsTextures *textures, const AttnDrawItem *item, size_t width, size_t height)
{
  HsPixels *made = hs_pixels_new (width, height);
  double scale = textures->screen.scale_factor;
  size_t stride = 0;
  uint32_t *pixels = hs_pixels_get_data (made, &stride);
  if (item->kind == ATTN_DRAW_ITEM_BAR)
    attn_draw_raster_bar (textures->layout, item, scale, pixels, stride);
  else
    attn_draw_raster (textures->layout, item->panel, scale, pixels, stride);
  return made;
}

static guint
find_key (const AttnDrawItem *item)
{
  if (item->kind != ATTN_DRAW_ITEM_BAR)
    return (guint)item->panel;
  return item->panel == G_MAXSIZE ? BAR_KEY : BAR_KEY - 1 - (guint)item->panel;
}

static bool
has_time (const HsTextures *textures)
{
  return textures->n_made < SURE_TEXTURES || g_get_monotonic_time () < textures->deadline;
}

void
hs_textures_append (HsTextures *textures, GtkSnapshot *snapshot, const AttnDrawItem *item)
{
  guint key = find_key (item);
  Entry *entry = g_hash_table_lookup (textures->by_panel, GUINT_TO_POINTER (key));
  int scale = textures->screen.scale_factor;
  size_t width = (size_t)MAX (1, lround (item->rect.width * scale));
  size_t height = (size_t)MAX (1, lround (item->rect.height * scale));
  bool is_right = entry != NULL && entry->look == textures->n_looks &&
                  hs_pixels_get_width (entry->pixels) == width &&
                  hs_pixels_get_height (entry->pixels) == height;
  if (!is_right && has_time (textures)) {
    entry = g_new (Entry, 1);
    entry->pixels = make_pixels (textures, item, width, height);
    entry->look = textures->n_looks;
    g_hash_table_insert (textures->by_panel, GUINT_TO_POINTER (key), entry);
    textures->n_made++;
    is_right = true;
  }
  textures->is_behind |= !is_right;
  if (entry == NULL)
    return;
  entry->frame = textures->n_frames;
  hs_pixels_append (entry->pixels, snapshot, &textures->screen,
                    &GRAPHENE_RECT_INIT ((float)item->rect.x, (float)item->rect.y,
                                         (float)item->rect.width, (float)item->rect.height));
}

static gboolean
is_unused_cb (gpointer key G_GNUC_UNUSED, gpointer value, gpointer textures)
{
  return ((const Entry *)value)->frame != ((const HsTextures *)textures)->n_frames;
}

static size_t
count_pixels (const HsTextures *textures)
{
  GHashTableIter iter;
  gpointer value;
  size_t n = 0;
  g_hash_table_iter_init (&iter, textures->by_panel);
  while (g_hash_table_iter_next (&iter, NULL, &value)) {
    HsPixels *pixels = ((const Entry *)value)->pixels;
    n += hs_pixels_get_width (pixels) * hs_pixels_get_height (pixels);
  }
  return n;
}

bool
hs_textures_end (HsTextures *textures)
{
  if (count_pixels (textures) > MAX_PIXELS)
    g_hash_table_foreach_remove (textures->by_panel, is_unused_cb, textures);
  textures->layout = NULL;
  return !textures->is_behind;
}
