/* SPDX-License-Identifier: MIT */
/* Breaking a picture into pages, and where it stands on each. */
#include "attn-draw/pages.h"

#include "layout-private.h"
#include "looked.h"
#include "text.h"

#include "attn-draw/paint.h"

#include <pango/pangocairo.h>

#include <math.h>

#define PT_PER_PX 0.75
#define PT_PER_MM (72 / 25.4)
#define MARGIN_MM 12.0
#define FOOT_MM 7.0    /* from the page's lower end to the middle of its number */
#define FOOT_SIZE 0.85 /* of the view's letters */
#define ONE_PAGE_SHARE \
  0.7 /* of the maps' size: that much smaller they may be to fit on one page \
       */

struct _AttnDrawPages {
  double width, height; /* pt */
  double margin;        /* pt */
  double scale;         /* pt of one px */
  AttnDrawView *view;   /* for the fonts */
  GPtrArray *layouts;   /* of AttnDrawLayout, owned */
};

typedef struct {
  const char *name;
  double width_pt, height_pt; /* 0 for the picture's own */
} Sheet;

static const Sheet sheets[] = {
    [ATTN_DRAW_PAGE_PICTURE] = {"picture", 0, 0},
    [ATTN_DRAW_PAGE_A4] = {"a4", 210 * PT_PER_MM, 297 * PT_PER_MM},
    [ATTN_DRAW_PAGE_A5] = {"a5", 148 * PT_PER_MM, 210 * PT_PER_MM},
    [ATTN_DRAW_PAGE_LETTER] = {"letter", 612, 792},
};

const char *
attn_draw_page_size_peek_name (AttnDrawPageSize size)
{
  g_return_val_if_fail ((size_t)size < G_N_ELEMENTS (sheets), sheets[0].name);
  return sheets[size].name;
}

bool
attn_draw_page_size_find (const char *name, AttnDrawPageSize *size)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sheets); i++)
    if (g_ascii_strcasecmp (name, sheets[i].name) == 0) {
      *size = (AttnDrawPageSize)i;
      return true;
    }
  return false;
}

/* A page's @side in pt, in px of @scale pt between the margins. */
static double
get_room (double side, double scale)
{
  return MAX (floor ((side - 2 * MARGIN_MM * PT_PER_MM) / scale), 1);
}

double
attn_draw_page_get_width_px (const AttnDrawPage *page, double scale)
{
  g_return_val_if_fail ((size_t)page->size < G_N_ELEMENTS (sheets), 0);
  const Sheet *sheet = &sheets[page->size];
  if (!(sheet->width_pt > 0))
    return 0;
  return get_room (page->landscape ? sheet->height_pt : sheet->width_pt, scale * PT_PER_PX);
}

/* ---- breaking ---- */

/* What is to be broken. */
typedef struct {
  AttnDrawView *view; /* as wide as a page */
  AttnDrawPanels *panels;
  double height; /* px there are on a page */
  AttnDrawName name;
  void *name_data;
} Whole;

static AttnDrawLayout *
make_layout (const Whole *whole)
{
  if (whole->name != NULL)
    whole->name (whole->view, whole->name_data);
  return attn_draw_layout_new (whole->view, whole->panels);
}

static AttnDrawLayout *
make_rows (const Whole *whole, size_t first, size_t n, size_t per_row)
{
  AttnDrawView *view = whole->view;
  if (view->kind == ATTN_DRAW_LAYERS) {
    view->first_layer = first;
    view->n_layers = n;
  } else {
    size_t n_panels = attn_draw_panels_get_n (whole->panels);
    view->first_head = first * per_row;
    view->n_heads = MIN (n * per_row, n_panels - view->first_head);
  }
  return make_layout (whole);
}

/* How the maps of a picture stand. */
typedef struct {
  size_t n_rows, per_row;
  double map;   /* px of a map's width */
  double pitch; /* px from one row to the next; 0 for one row */
} Rows;

static Rows
find_rows (const AttnDrawLayout *layout)
{
  size_t n = attn_draw_panels_get_n (layout->panels);
  AttnDrawRect first = attn_draw_layout_get_panel_rect (layout, 0);
  Rows rows = {.n_rows = 1, .map = first.width};
  while (rows.per_row < n && attn_draw_layout_get_panel_rect (layout, rows.per_row).y == first.y)
    rows.per_row++;
  rows.n_rows = (n + rows.per_row - 1) / rows.per_row;
  if (rows.n_rows > 1)
    rows.pitch = attn_draw_layout_get_panel_rect (layout, rows.per_row).y - first.y;
  return rows;
}

static bool
is_broken (const AttnDrawView *view)
{
  bool whole = view->n_layers == 0 && view->n_heads == 0; /* a part was asked for otherwise */
  return whole && (view->kind == ATTN_DRAW_LAYERS || view->kind == ATTN_DRAW_HEADS) &&
         !attn_draw_view_is_joint (view);
}

/* The most rows that fit on a page, but one at least; then its maps are made to fit. */
static size_t
find_rows_per_page (const Whole *whole, const AttnDrawLayout *all, const Rows *rows)
{
  double around = attn_draw_layout_get_height (all) - (double)rows->n_rows * rows->pitch;
  double guess = floor ((whole->height - around) / rows->pitch) + 1;
  size_t n = (size_t)CLAMP (guess, 1, (double)rows->n_rows);
  for (; n > 0; n--) {
    g_autoptr (AttnDrawLayout) page = make_rows (whole, 0, n, rows->per_row);
    if (attn_draw_layout_get_height (page) <= whole->height)
      return n;
  }
  whole->view->max_height_px = whole->height;
  return 1;
}

static void
break_rows (GPtrArray *layouts, const Whole *whole, const AttnDrawLayout *all, const Rows *rows)
{
  whole->view->n_columns = rows->per_row;
  size_t most = find_rows_per_page (whole, all, rows);
  size_t n_pages = (rows->n_rows + most - 1) / most;
  for (size_t page = 0, first = 0; page < n_pages; page++) {
    size_t end = rows->n_rows * (page + 1) / n_pages;
    g_ptr_array_add (layouts, make_rows (whole, first, end - first, rows->per_row));
    first = end;
  }
}

static void
lay_out (GPtrArray *layouts, const Whole *whole)
{
  AttnDrawView *view = whole->view;
  view->max_height_px = whole->height;
  g_autoptr (AttnDrawLayout) fitted = make_layout (whole);
  if (!is_broken (view)) {
    g_ptr_array_add (layouts, g_steal_pointer (&fitted));
    return;
  }
  view->max_height_px = 0;
  g_autoptr (AttnDrawLayout) all = make_layout (whole);
  Rows rows = find_rows (all);
  double fitted_map = attn_draw_layout_get_panel_rect (fitted, 0).width;
  bool fits = attn_draw_layout_get_height (fitted) <= whole->height;
  if ((fits && fitted_map >= ONE_PAGE_SHARE * rows.map) || rows.n_rows == 1)
    g_ptr_array_add (layouts, g_steal_pointer (&fitted));
  else
    break_rows (layouts, whole, all, &rows);
}

static void
free_layout (void *layout)
{
  attn_draw_layout_free (layout);
}

AttnDrawPages *
attn_draw_pages_new (const AttnDrawView *view,
                     AttnDrawPanels *panels,
                     const AttnDrawPage *page,
                     double scale,
                     AttnDrawName name,
                     void *name_data)
{
  g_return_val_if_fail ((size_t)page->size < G_N_ELEMENTS (sheets), NULL);
  g_return_val_if_fail (isfinite (scale) && scale > 0, NULL);
  const Sheet *sheet = &sheets[page->size];
  AttnDrawPages *pages = g_new0 (AttnDrawPages, 1);
  pages->scale = scale * PT_PER_PX;
  pages->layouts = g_ptr_array_new_with_free_func (free_layout);
  g_autoptr (AttnDrawView) whole_view = attn_draw_view_copy (view);
  Whole whole = {whole_view, panels, 0, name, name_data};
  if (sheet->width_pt > 0) {
    pages->margin = MARGIN_MM * PT_PER_MM;
    pages->width = page->landscape ? sheet->height_pt : sheet->width_pt;
    pages->height = page->landscape ? sheet->width_pt : sheet->height_pt;
    whole_view->map_px = 0;
    whole_view->width_px = get_room (pages->width, pages->scale);
    whole.height = get_room (pages->height, pages->scale);
    lay_out (pages->layouts, &whole);
  } else {
    AttnDrawLayout *layout = make_layout (&whole);
    pages->width = attn_draw_layout_get_width (layout) * pages->scale;
    pages->height = attn_draw_layout_get_height (layout) * pages->scale;
    g_ptr_array_add (pages->layouts, layout);
  }
  pages->view = g_steal_pointer (&whole_view);
  return pages;
}

void
attn_draw_pages_free (AttnDrawPages *pages)
{
  if (pages == NULL)
    return;
  g_ptr_array_unref (pages->layouts);
  attn_draw_view_free (pages->view);
  g_free (pages);
}

size_t
attn_draw_pages_get_n (const AttnDrawPages *pages)
{
  return pages->layouts->len;
}

double
attn_draw_pages_get_width_pt (const AttnDrawPages *pages)
{
  return pages->width;
}

double
attn_draw_pages_get_height_pt (const AttnDrawPages *pages)
{
  return pages->height;
}

const AttnDrawLayout *
attn_draw_pages_peek_layout (const AttnDrawPages *pages, size_t index)
{
  g_return_val_if_fail (index < pages->layouts->len, NULL);
  return g_ptr_array_index (pages->layouts, index);
}

/* ---- painting ---- */

/* "2 / 5", which every language reads. */
static void
paint_number (const AttnDrawPages *pages, size_t index, cairo_t *cr)
{
  const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, index);
  AttnDrawFonts *fonts = attn_draw_fonts_new (pages->view);
  AttnDrawStyle style = {.size_px = FOOT_SIZE * attn_draw_fonts_get_em (fonts)};
  g_autofree char *number = g_strdup_printf ("%zu / %u", index + 1, pages->layouts->len);
  PangoLayout *text = attn_draw_fonts_shape (fonts, number, &style);
  AttnDrawExtents extents = attn_draw_text_measure (text);
  AttnDrawColor color = layout->ink->dim;
  double scale = MIN (pages->scale, PT_PER_PX); /* large letters do not make a large number */

  cairo_save (cr);
  cairo_set_source_rgb (cr, color.red, color.green, color.blue);
  cairo_translate (cr, pages->width / 2 - extents.width / 2 * scale,
                   pages->height - FOOT_MM * PT_PER_MM - extents.height / 2 * scale);
  cairo_scale (cr, scale, scale);
  cairo_move_to (cr, -extents.left, 0);
  pango_cairo_show_layout (cr, text);
  cairo_restore (cr);
  attn_draw_fonts_free (fonts);
}

/* In the middle of the page's width, and smaller where it would not fit. */
static void
place (const AttnDrawPages *pages, const AttnDrawLayout *layout, cairo_t *cr)
{
  double width = attn_draw_layout_get_width (layout) * pages->scale;
  double height = attn_draw_layout_get_height (layout) * pages->scale;
  double room = pages->height - 2 * pages->margin;
  double shrunk = MIN (1, MAX (room, 1) / height);
  cairo_translate (cr, (pages->width - width * shrunk) / 2, pages->margin);
  cairo_scale (cr, pages->scale * shrunk, pages->scale * shrunk);
}

void
attn_draw_pages_paint (const AttnDrawPages *pages, size_t index, cairo_t *cr)
{
  const AttnDrawLayout *layout = attn_draw_pages_peek_layout (pages, index);
  if (pages->margin > 0) {
    AttnDrawColor ground = attn_draw_layout_get_background (layout);
    cairo_set_source_rgb (cr, ground.red, ground.green, ground.blue);
    cairo_rectangle (cr, 0, 0, pages->width, pages->height);
    cairo_fill (cr);
    if (pages->layouts->len > 1)
      paint_number (pages, index, cr);
  }
  cairo_save (cr);
  place (pages, layout, cr);
  attn_draw_paint (layout, cr);
  cairo_restore (cr);
}
