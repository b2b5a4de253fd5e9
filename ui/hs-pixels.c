/* SPDX-License-Identifier: MIT */
/* As a texture, or as a node that is a recording of one image.
 *
 * GTK's Cairo renderer copies every texture in every frame, converting each channel through floats,
 * even where nothing of it is drawn. A recording costs it nothing outside of what is drawn anew,
 * and one that is kept counts as unchanged. */
#include "hs-pixels.h"

#include <gsk/gsk.h>

struct _HsPixels {
  gatomicrefcount ref_count;
  size_t width, height;
  cairo_surface_t *image; /* NULL once it is one of these: */
  GskRenderNode *node;
  GdkTexture *texture;
};

HsScreen
hs_screen_of (GtkWidget *widget)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GskRenderer *renderer = native != NULL ? gtk_native_get_renderer (native) : NULL;

  return (HsScreen){
      .scale_factor = gtk_widget_get_scale_factor (widget),
      .takes_textures = renderer != NULL && !GSK_IS_CAIRO_RENDERER (renderer),
  };
}

HsPixels *
hs_pixels_new (size_t width, size_t height)
{
  HsPixels *pixels = g_new0 (HsPixels, 1);

  g_atomic_ref_count_init (&pixels->ref_count);
  pixels->width = width;
  pixels->height = height;
  pixels->image = cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)width, (int)height);
  return pixels;
}

HsPixels *
hs_pixels_ref (HsPixels *pixels)
{
  g_atomic_ref_count_inc (&pixels->ref_count);
  return pixels;
}

void
hs_pixels_unref (HsPixels *pixels)
{
  if (pixels == NULL || !g_atomic_ref_count_dec (&pixels->ref_count))
    return;
  g_clear_pointer (&pixels->image, cairo_surface_destroy);
  g_clear_pointer (&pixels->node, gsk_render_node_unref);
  g_clear_object (&pixels->texture);
  g_free (pixels);
}

uint32_t *
hs_pixels_get_data (HsPixels *pixels, size_t *stride)
{
  g_return_val_if_fail (pixels->image != NULL, NULL);
  *stride = (size_t)cairo_image_surface_get_stride (pixels->image) / sizeof (uint32_t);
  return (uint32_t *)(void *)cairo_image_surface_get_data (pixels->image);
}

size_t
hs_pixels_get_width (HsPixels *pixels)
{
  return pixels->width;
}

size_t
hs_pixels_get_height (HsPixels *pixels)
{
  return pixels->height;
}

static GdkTexture *
make_texture (cairo_surface_t *image)
{
  gsize stride = (gsize)cairo_image_surface_get_stride (image);
  int height = cairo_image_surface_get_height (image);
  g_autoptr (GBytes) bytes =
      g_bytes_new_with_free_func (cairo_image_surface_get_data (image), stride * (gsize)height,
                                  (GDestroyNotify)cairo_surface_destroy, image);

  return gdk_memory_texture_new (cairo_image_surface_get_width (image), height, GDK_MEMORY_DEFAULT,
                                 bytes, stride);
}

/* Takes over the image. */
static GskRenderNode *
make_node (cairo_surface_t *image)
{
  graphene_rect_t bounds = GRAPHENE_RECT_INIT (0, 0, (float)cairo_image_surface_get_width (image),
                                               (float)cairo_image_surface_get_height (image));
  GskRenderNode *node = gsk_cairo_node_new (&bounds);
  cairo_t *cr = gsk_cairo_node_get_draw_context (node);

  cairo_set_source_surface (cr, image, 0, 0);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_paint (cr);
  cairo_destroy (cr);
  cairo_surface_destroy (image);
  return node;
}

static void
append_node (GtkSnapshot *snapshot, GskRenderNode *node, const graphene_rect_t *rect)
{
  graphene_rect_t bounds;

  gsk_render_node_get_bounds (node, &bounds);
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &rect->origin);
  gtk_snapshot_scale (snapshot, rect->size.width / bounds.size.width,
                      rect->size.height / bounds.size.height);
  gtk_snapshot_append_node (snapshot, node);
  gtk_snapshot_restore (snapshot);
}

void
hs_pixels_append (HsPixels *pixels,
                  GtkSnapshot *snapshot,
                  const HsScreen *screen,
                  const graphene_rect_t *rect)
{
  if (pixels->image != NULL) {
    cairo_surface_mark_dirty (pixels->image);
    if (screen->takes_textures)
      pixels->texture = make_texture (g_steal_pointer (&pixels->image));
    else
      pixels->node = make_node (g_steal_pointer (&pixels->image));
  }
  if (pixels->texture != NULL)
    gtk_snapshot_append_texture (snapshot, pixels->texture, rect);
  else
    append_node (snapshot, pixels->node, rect);
}
