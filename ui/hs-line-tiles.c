/* SPDX-License-Identifier: MIT */
/* Bands of lines, made when first seen; few lines at once, many on a thread. */
#include "hs-line-tiles.h"

#include "hs-work.h"

#include <math.h>

#define TILE_ROWS 256    /* device px */
#define MAX_TILES 24     /* of the picture's own lines that are kept: some screens' height */
#define MOST_AT_ONCE 2e5 /* device px of lines that are painted within a frame: about 2 ms */

/* Bands [first, end). */
typedef struct {
  guint first, end;
} Bands;

/* Lines, and what is painted of them. */
typedef struct {
  AttnDrawStrokes *strokes;
  AttnDrawFocus focus; /* what they are, where they are not the picture's own */
  size_t n_rows;       /* device px */
  GHashTable *bands;   /* index from the top → HsPixels */
  bool is_drawn;       /* all that was on screen of them has been */
} Set;

struct _HsLineTiles {
  int ref_count;          /* main thread only: the owner and the work under way */
  HsLineTilesReady ready; /* NULL once the owner has gone */
  gpointer data;
  Set *own;
  Set *focused; /* the lines that are left while something is pointed at */
  Set *before;  /* drawn while those are being painted; NULL for the picture's own */
  int scale_factor;
  GCancellable *work;       /* identity of the work under way; NULL for none */
  AttnDrawStrokes *working; /* borrowed from it: what it paints */
};

static void
unref_pixels (gpointer pixels)
{
  hs_pixels_unref (pixels);
}

static void
set_free (Set *set)
{
  if (set == NULL)
    return;
  attn_draw_strokes_unref (set->strokes);
  g_hash_table_unref (set->bands);
  g_free (set);
}

static Set *
set_new (const AttnDrawLayout *layout,
         const AttnDrawItem *item,
         const AttnDrawFocus *focus,
         int scale_factor)
{
  Set *set = g_new0 (Set, 1);
  set->strokes = attn_draw_strokes_new (layout, focus, scale_factor);
  if (focus != NULL)
    set->focus = *focus;
  set->n_rows = (size_t)lround (item->rect.height * scale_factor);
  set->bands = g_hash_table_new_full (NULL, NULL, NULL, unref_pixels);
  return set;
}

HsLineTiles *
hs_line_tiles_new (HsLineTilesReady ready, gpointer data)
{
  HsLineTiles *tiles = g_new0 (HsLineTiles, 1);
  tiles->ref_count = 1;
  tiles->ready = ready;
  tiles->data = data;
  return tiles;
}

static void
tiles_unref (HsLineTiles *tiles)
{
  if (--tiles->ref_count == 0)
    g_free (tiles);
}

static void
stop_work (HsLineTiles *tiles)
{
  if (tiles->work != NULL)
    g_cancellable_cancel (tiles->work);
  g_clear_object (&tiles->work);
}

void
hs_line_tiles_clear (HsLineTiles *tiles)
{
  stop_work (tiles);
  g_clear_pointer (&tiles->own, set_free);
  g_clear_pointer (&tiles->focused, set_free);
  g_clear_pointer (&tiles->before, set_free);
}

void
hs_line_tiles_free (HsLineTiles *tiles)
{
  if (tiles == NULL)
    return;
  hs_line_tiles_clear (tiles);
  tiles->ready = NULL;
  tiles_unref (tiles);
}

/* ---- painting ---- */

static HsPixels *
paint_band (AttnDrawStrokes *strokes, guint band, size_t n_rows)
{
  size_t first = (size_t)band * TILE_ROWS, height = MIN (TILE_ROWS, n_rows - first), stride = 0;
  HsPixels *painted = hs_pixels_new (attn_draw_strokes_get_width (strokes), height);
  uint32_t *pixels = hs_pixels_get_data (painted, &stride);
  attn_draw_strokes_raster (strokes, first, height, pixels, stride);
  return painted;
}

/* For the thread: some bands of some lines. */
typedef struct {
  AttnDrawStrokes *strokes;
  size_t n_rows;
  GArray *bands; /* guint */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;
  attn_draw_strokes_unref (job->strokes);
  g_array_unref (job->bands);
  g_free (job);
}

typedef struct {
  AttnDrawStrokes *strokes;
  GArray *bands;     /* guint */
  GPtrArray *pixels; /* HsPixels, of each band */
} Painted;

static void
painted_free (gpointer data)
{
  Painted *painted = data;
  attn_draw_strokes_unref (painted->strokes);
  g_array_unref (painted->bands);
  g_ptr_array_unref (painted->pixels);
  g_free (painted);
}

/* Nobody waits for what was stopped: its task answers so by itself. */
static gpointer
paint_in_thread (gpointer data, HsReport *report, GError **error G_GNUC_UNUSED)
{
  const Job *job = data;
  Painted *painted = g_new0 (Painted, 1);
  painted->strokes = attn_draw_strokes_ref (job->strokes);
  painted->bands = g_array_ref (job->bands);
  painted->pixels = g_ptr_array_new_with_free_func (unref_pixels);
  for (guint i = 0; i < job->bands->len && hs_report_tell (0, report); i++)
    g_ptr_array_add (painted->pixels,
                     paint_band (job->strokes, g_array_index (job->bands, guint, i), job->n_rows));
  return painted;
}

typedef struct {
  HsLineTiles *tiles; /* referenced */
  GCancellable *work;
} Call;

static void
keep_painted (HsLineTiles *tiles, const Painted *painted)
{
  Set *sets[] = {tiles->own, tiles->focused};
  for (size_t s = 0; s < G_N_ELEMENTS (sets); s++)
    for (guint i = 0; i < painted->pixels->len; i++)
      if (sets[s] != NULL && sets[s]->strokes == painted->strokes)
        g_hash_table_insert (sets[s]->bands,
                             GUINT_TO_POINTER (g_array_index (painted->bands, guint, i)),
                             hs_pixels_ref (g_ptr_array_index (painted->pixels, i)));
}

static void
painted_cb (GObject *source G_GNUC_UNUSED, GAsyncResult *result, gpointer data)
{
  Call *call = data;
  HsLineTiles *tiles = call->tiles;
  Painted *painted = hs_work_finish (result, NULL);
  if (call->work == tiles->work && painted != NULL) {
    g_clear_object (&tiles->work);
    keep_painted (tiles, painted);
    tiles->ready (tiles->data);
  }
  g_clear_pointer (&painted, painted_free);
  g_object_unref (call->work);
  tiles_unref (tiles);
  g_free (call);
}

static void
start_work (HsLineTiles *tiles, const Set *set, GArray *bands)
{
  static const HsWorkClass klass = {paint_in_thread, job_free, painted_free};
  Job *job = g_new (Job, 1);
  Call *call = g_new (Call, 1);

  stop_work (tiles);
  tiles->work = g_cancellable_new ();
  tiles->working = set->strokes;
  *job = (Job){attn_draw_strokes_ref (set->strokes), set->n_rows, g_array_ref (bands)};
  *call = (Call){tiles, g_object_ref (tiles->work)};
  tiles->ref_count++;
  hs_work_start (&klass, job, tiles->work, NULL, NULL, painted_cb, call);
}

/* Paints at once what takes no more than a moment. Returns: the bands that are still missing. */
static GArray *
paint_missing (const Set *set, const Bands *bands)
{
  GArray *missing = g_array_new (FALSE, FALSE, sizeof (guint));
  double budget = MOST_AT_ONCE;

  for (guint band = bands->first; band < bands->end; band++) {
    if (g_hash_table_contains (set->bands, GUINT_TO_POINTER (band)))
      continue;
    budget -= attn_draw_strokes_estimate (set->strokes, (size_t)band * TILE_ROWS, TILE_ROWS);
    if (budget >= 0)
      g_hash_table_insert (set->bands, GUINT_TO_POINTER (band),
                           paint_band (set->strokes, band, set->n_rows));
    else
      g_array_append_val (missing, band);
  }
  return missing;
}

/* The bands on screen come first, then those next to them, for when the picture is scrolled.
 * Returns: whether all that are on screen are there. */
static bool
provide (HsLineTiles *tiles, const Set *set, const Bands *bands)
{
  guint n_bands = (guint)((set->n_rows + TILE_ROWS - 1) / TILE_ROWS);
  Bands near = {bands->first > 0 ? bands->first - 1 : 0, MIN (bands->end + 1, n_bands)};
  g_autoptr (GArray) missing = paint_missing (set, bands);
  bool is_complete = missing->len == 0;

  for (guint band = near.first; is_complete && set == tiles->own && band < near.end; band++)
    if (!g_hash_table_contains (set->bands, GUINT_TO_POINTER (band)))
      g_array_append_val (missing, band);
  if (missing->len > 0 && (tiles->work == NULL || tiles->working != set->strokes))
    start_work (tiles, set, missing);
  return is_complete;
}

/* ---- drawing ---- */

static bool
is_same (const AttnDrawFocus *a, const AttnDrawFocus *b)
{
  return a->panel == b->panel && a->query == b->query && a->key == b->key;
}

/* The lines for @focus, new ones where those are of another; these are kept for a moment if they
 * were ever drawn. */
static Set *
choose_set (HsLineTiles *tiles,
            const AttnDrawLayout *layout,
            const AttnDrawItem *item,
            const AttnDrawFocus *focus,
            int scale_factor)
{
  if (scale_factor != tiles->scale_factor)
    hs_line_tiles_clear (tiles);
  tiles->scale_factor = scale_factor;
  if (tiles->own == NULL)
    tiles->own = set_new (layout, item, NULL, scale_factor);
  if (focus == NULL)
    return tiles->own;
  if (tiles->focused != NULL && is_same (&tiles->focused->focus, focus))
    return tiles->focused;
  if (tiles->focused != NULL && tiles->focused->is_drawn) {
    g_clear_pointer (&tiles->before, set_free);
    tiles->before = g_steal_pointer (&tiles->focused);
  }
  g_clear_pointer (&tiles->focused, set_free);
  tiles->focused = set_new (layout, item, focus, scale_factor);
  return tiles->focused;
}

static gboolean
is_elsewhere_cb (gpointer key, gpointer value G_GNUC_UNUSED, gpointer data)
{
  const Bands *bands = data;
  guint band = GPOINTER_TO_UINT (key);
  return band + 1 < bands->first || band > bands->end;
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

static void
append_bands (GtkSnapshot *snapshot,
              const Set *set,
              const AttnDrawItem *item,
              const Bands *bands,
              const HsScreen *screen)
{
  for (guint band = bands->first; band < bands->end; band++) {
    HsPixels *pixels = g_hash_table_lookup (set->bands, GUINT_TO_POINTER (band));
    if (pixels == NULL)
      continue; /* on its way */
    double top = item->rect.y + (double)band * TILE_ROWS / screen->scale_factor;
    double height = (double)hs_pixels_get_height (pixels) / screen->scale_factor;
    hs_pixels_append (pixels, snapshot, screen,
                      &GRAPHENE_RECT_INIT ((float)item->rect.x, (float)top, (float)item->rect.width,
                                           (float)height));
  }
}

bool
hs_line_tiles_append (HsLineTiles *tiles,
                      GtkSnapshot *snapshot,
                      const AttnDrawLayout *layout,
                      const AttnDrawItem *item,
                      const AttnDrawFocus *focus,
                      const graphene_rect_t *visible,
                      const HsScreen *screen)
{
  Set *set = choose_set (tiles, layout, item, focus, screen->scale_factor);
  Bands bands = find_bands (item, visible, screen->scale_factor);
  bool is_complete = provide (tiles, set, &bands);
  if (is_complete || set == tiles->own) {
    if (set == tiles->own)
      g_clear_pointer (&tiles->focused, set_free);
    g_clear_pointer (&tiles->before, set_free);
  }
  set->is_drawn |= is_complete;
  if (g_hash_table_size (set->bands) > MAX_TILES)
    g_hash_table_foreach_remove (set->bands, is_elsewhere_cb, &bands);
  if (!set->is_drawn)
    set = tiles->before != NULL ? tiles->before : tiles->own;
  append_bands (snapshot, set, item, &bands, screen);
  return is_complete;
}
