/* SPDX-License-Identifier: MIT */
/* Numbers as files, samples of them, and a table for the clipboard. */
#include "hs-numbers.h"

#include "hs-export.h"
#include "hs-work.h"

#include "attn/error.h"
#include "attn/number.h"
#include "attn/output.h"

#include <string.h>

#define SAMPLE_BYTES 4096 /* of text that is shown */
#define SAMPLE_LINES 40
#define MOST_TOLD 0.99 /* of the estimated size, while the file is written */

enum { PANEL_A, PANEL_B, PANEL_DIFFERENCE };

struct _HsNumbers {
  gatomicrefcount ref_count;
  AttnDrawPanels *panels; /* that are shown */
  HsNumbersExtent extent;
  AttnMaps *maps; /* arranged; NULL for an A − B that cannot be */
  AttnArrangement arrangement;
  AttnExportChoice choice; /* its arrangement is the one above */
  AttnExportFormat format;
  HsExport *export; /* for the command and the name */
};

/* Whether there is something to write for a comparison only. */
static bool
is_compared (HsNumbersExtent extent)
{
  return extent == HS_NUMBERS_B || extent == HS_NUMBERS_DIFFERENCE;
}

/* Where the numbers are: in the maps that are shown, or behind a panel of its own. */
static void
choose_maps (HsNumbers *numbers, const AttnDrawView *view)
{
  const AttnDrawPanels *panels = numbers->panels;
  const size_t panel = numbers->extent == HS_NUMBERS_B ? PANEL_B : PANEL_DIFFERENCE;
  if (!is_compared (numbers->extent)) {
    numbers->maps = attn_maps_ref (attn_draw_panels_peek_maps (panels));
    numbers->choice.layer = MIN (view->layer, attn_maps_get_n_layers (numbers->maps) - 1);
    numbers->choice.head = MIN (view->head, attn_maps_get_n_heads (numbers->maps) - 1);
    return;
  }
  AttnMaps *maps = attn_draw_panels_peek_compared (panels, panel, NULL);
  if (maps == NULL)
    return;
  numbers->maps = attn_maps_ref (maps);
  numbers->choice.layer = attn_draw_panels_get_layer (panels, panel);
  numbers->choice.head = attn_draw_panels_get_head (panels, panel);
}

HsNumbers *
hs_numbers_new (HsSession *session, AttnExportFormat format, HsNumbersExtent extent)
{
  HsExportOptions options;
  hs_export_options_init (&options, NULL);
  HsExport *export = hs_export_new (session, &options);
  const AttnDrawView *view = hs_session_peek_view (session);
  AttnDrawPanels *panels = hs_session_peek_panels (session);
  if (export == NULL)
    return NULL;
  if (is_compared (extent) && attn_draw_panels_peek_source_b (panels) == NULL) {
    hs_export_unref (export);
    return NULL;
  }
  HsNumbers *numbers = g_new0 (HsNumbers, 1);
  g_atomic_ref_count_init (&numbers->ref_count);
  numbers->export = export;
  numbers->panels = attn_draw_panels_ref (panels);
  numbers->extent = extent;
  numbers->arrangement = view->arrangement;
  if (attn_draw_view_is_signed (view))
    numbers->arrangement.renormalise = false; /* as what is seen */
  numbers->format = format;
  numbers->choice = (AttnExportChoice){
      .all_layers = extent == HS_NUMBERS_ALL,
      .all_heads = extent == HS_NUMBERS_ALL || extent == HS_NUMBERS_LAYER,
      .arrangement = &numbers->arrangement,
      .lens = view->lens,
  };
  choose_maps (numbers, view);
  return numbers;
}

HsNumbers *
hs_numbers_ref (HsNumbers *numbers)
{
  g_atomic_ref_count_inc (&numbers->ref_count);
  return numbers;
}

void
hs_numbers_unref (HsNumbers *numbers)
{
  if (numbers == NULL || !g_atomic_ref_count_dec (&numbers->ref_count))
    return;
  g_clear_pointer (&numbers->maps, attn_maps_unref);
  attn_draw_panels_unref (numbers->panels);
  hs_export_unref (numbers->export);
  g_free (numbers);
}

static void
unref_numbers (gpointer numbers)
{
  hs_numbers_unref (numbers);
}

char *
hs_numbers_dup_command (HsNumbers *numbers, const char *path)
{
  const AttnDrawPicture *picture = hs_export_peek_picture (numbers->export);
  if (numbers->extent == HS_NUMBERS_DIFFERENCE)
    return attn_draw_picture_dup_difference_command (picture, numbers->format, path);
  const AttnDrawPicture b = attn_draw_picture_get_b (picture);
  return attn_draw_picture_dup_numbers_command (numbers->extent == HS_NUMBERS_B ? &b : picture,
                                                &numbers->choice, numbers->format, path);
}

/* As a picture's, with what is in the file instead of what is on screen. */
char *
hs_numbers_dup_file_name (HsNumbers *numbers)
{
  const AttnExportChoice *choice = &numbers->choice;
  AttnDrawKind kind = numbers->extent == HS_NUMBERS_DIFFERENCE ? ATTN_DRAW_COMPARE
                      : choice->all_layers                     ? ATTN_DRAW_LAYERS
                      : choice->all_heads                      ? ATTN_DRAW_HEADS
                                                               : ATTN_DRAW_HEATMAP;
  return hs_export_dup_name (numbers->export, numbers->extent == HS_NUMBERS_B, kind,
                             attn_export_format_peek_name (numbers->format));
}

/* ---- a sample ---- */

void
hs_numbers_sample_free (HsNumbersSample *sample)
{
  if (sample == NULL)
    return;
  g_free (sample->text);
  g_free (sample);
}

static void
free_sample (gpointer sample)
{
  hs_numbers_sample_free (sample);
}

/* Keeps the beginning and counts the rest. */
typedef struct {
  GString *begin;
  guint64 n_bytes;
  HsReport *report;
} Counter;

static bool
count_cb (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  Counter *counter = data;
  gsize room = SAMPLE_BYTES - counter->begin->len;
  g_string_append_len (counter->begin, bytes, (gssize)MIN (n_bytes, room));
  counter->n_bytes += n_bytes;
  return attn_progress_tell (hs_report_tell, counter->report, 0, error);
}

/* Whole lines, as many as are looked at. */
static char *
dup_lines (const GString *text)
{
  g_autofree char *valid = g_utf8_make_valid (text->str, (gssize)text->len);
  const char *end = valid;
  for (int line = 0; line < SAMPLE_LINES; line++) {
    const char *next = strchr (end, '\n');
    if (next == NULL)
      return g_strconcat (valid, text->len < SAMPLE_BYTES ? "" : "…", NULL);
    end = next + 1;
  }
  return g_strndup (valid, (gsize)(end - valid));
}

/* What numpy.load() finds. */
static char *
dup_arrays (const HsNumbers *numbers, const HsNumbersSample *sample)
{
  const AttnExportChoice *choice = &numbers->choice;
  size_t n_layers = choice->all_layers ? attn_maps_get_n_layers (numbers->maps) : 1;
  size_t n_heads = choice->all_heads ? attn_maps_get_n_heads (numbers->maps) : 1;
  g_autofree char *before =
      choice->all_heads ? g_strdup_printf ("%zu, %zu, ", n_layers, n_heads) : g_strdup ("");
  return g_strdup_printf ("attentions  float32 (%s%zu, %zu)\n"
                          "queries     str (%zu,)\nkeys        str (%zu,)\n"
                          "layers      (%zu,)\nheads       (%zu,)\n"
                          "about       str (), as JSON\n",
                          before, sample->rows, sample->keys, sample->rows, sample->keys, n_layers,
                          n_heads);
}

static bool
is_archive (const HsNumbers *numbers)
{
  return numbers->format == ATTN_EXPORT_NPZ || numbers->format == ATTN_EXPORT_NPY;
}

/* Of texts the file is as many times as large as @n_bytes with one map, which is a little too much;
 * of arrays only the weights are more. */
static guint64
estimate_size (const HsNumbers *numbers, const HsNumbersSample *sample, guint64 n_bytes)
{
  guint64 weights = (guint64)sample->rows * sample->keys * sizeof (float);
  return is_archive (numbers) ? n_bytes + weights * (sample->n_maps - 1) : n_bytes * sample->n_maps;
}

/* What the file says of its maps. */
typedef struct {
  AttnExportAbout file, b; /* the latter of a difference */
} About;

/* A difference is told by A, and by B within it. */
static bool
get_about_compared (const HsNumbers *numbers, About *about, HsReport *report, GError **error)
{
  const AttnDrawPanels *panels = numbers->panels;
  AttnExportAbout *b = &about->b;
  if (!hs_export_get_about (numbers->export, false, &about->file, report, error) ||
      !hs_export_get_about (numbers->export, true, b, report, error))
    return false;
  b->max_tokens = 0; /* A's is B's */
  b->maps = attn_draw_panels_peek_compared (panels, PANEL_B, NULL);
  b->layer = attn_draw_panels_get_layer (panels, PANEL_B);
  b->head = attn_draw_panels_get_head (panels, PANEL_B);
  about->file.maps = attn_draw_panels_peek_compared (panels, PANEL_A, NULL);
  about->file.b = b;
  return true;
}

/* Returns: false with @error: CANCELLED; SHAPE where there are no numbers. */
static bool
get_about (const HsNumbers *numbers, About *about, HsReport *report, GError **error)
{
  *about = (About){0};
  if (numbers->maps == NULL)
    return attn_draw_panels_peek_compared (numbers->panels, PANEL_DIFFERENCE, error) != NULL;
  if (!attn_export_format_has_about (numbers->format))
    return true;
  return numbers->extent == HS_NUMBERS_DIFFERENCE
             ? get_about_compared (numbers, about, report, error)
             : hs_export_get_about (numbers->export, numbers->extent == HS_NUMBERS_B, &about->file,
                                    report, error);
}

static HsNumbersSample *
make_sample (const HsNumbers *numbers, const About *about, HsReport *report, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  AttnExportChoice one = numbers->choice;
  one.all_layers = one.all_heads = false;
  one.about = &about->file;
  g_autoptr (GString) begin = g_string_new (NULL);
  Counter counter = {begin, 0, report};
  if (!attn_export (numbers->maps, &one, numbers->format, count_cb, &counter, error))
    return NULL;
  HsNumbersSample *sample = g_new0 (HsNumbersSample, 1);
  sample->n_maps = (numbers->choice.all_layers ? attn_maps_get_n_layers (numbers->maps) : 1) *
                   (numbers->choice.all_heads ? attn_maps_get_n_heads (numbers->maps) : 1);
  sample->rows = attn_maps_get_n (numbers->maps, ATTN_SIDE_QUERY);
  sample->keys = attn_maps_get_n (numbers->maps, ATTN_SIDE_KEY);
  sample->n_bytes = estimate_size (numbers, sample, counter.n_bytes);
  sample->seconds = (double)(g_get_monotonic_time () - start) / G_USEC_PER_SEC;
  sample->seconds *= (double)sample->n_maps;
  sample->text = is_archive (numbers) ? dup_arrays (numbers, sample) : dup_lines (begin);
  return sample;
}

static gpointer
sample_in_thread (gpointer numbers, HsReport *report, GError **error)
{
  About about;
  return get_about (numbers, &about, report, error) ? make_sample (numbers, &about, report, error)
                                                    : NULL;
}

void
hs_numbers_sample_async (HsNumbers *numbers,
                         GCancellable *cancellable,
                         GAsyncReadyCallback callback,
                         gpointer user_data)
{
  static const HsWorkClass klass = {sample_in_thread, unref_numbers, free_sample};
  hs_work_start (&klass, hs_numbers_ref (numbers), cancellable, NULL, NULL, callback, user_data);
}

HsNumbersSample *
hs_numbers_sample_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}

/* ---- the file ---- */

typedef struct {
  HsNumbers *numbers;
  char *path;
} Saving;

static void
saving_free (gpointer data)
{
  Saving *saving = data;
  hs_numbers_unref (saving->numbers);
  g_free (saving->path);
  g_free (saving);
}

typedef struct {
  AttnOutput *output;
  guint64 n_written, n_wanted;
  HsReport *report;
} Writer;

static bool
write_cb (const void *bytes, size_t n_bytes, void *data, GError **error)
{
  Writer *writer = data;
  writer->n_written += n_bytes;
  double fraction = (double)writer->n_written / (double)MAX (writer->n_wanted, 1);
  return attn_progress_tell (hs_report_tell, writer->report, MIN (fraction, MOST_TOLD), error) &&
         attn_output_write (writer->output, bytes, n_bytes, error);
}

static gpointer
save_in_thread (gpointer data, HsReport *report, GError **error)
{
  const Saving *saving = data;
  HsNumbers *numbers = saving->numbers;
  About about;
  if (!get_about (numbers, &about, report, error))
    return NULL;
  g_autoptr (HsNumbersSample) sample = make_sample (numbers, &about, report, error);
  g_autoptr (AttnOutput) output = sample == NULL ? NULL : attn_output_open (saving->path, error);
  if (output == NULL)
    return NULL;
  AttnExportChoice choice = numbers->choice;
  choice.about = &about.file;
  Writer writer = {output, 0, sample->n_bytes, report};
  hs_report_begin_rest (report);
  if (!attn_export (numbers->maps, &choice, numbers->format, write_cb, &writer, error) ||
      !attn_output_commit (output, error))
    return NULL;
  return g_strdup (saving->path);
}

void
hs_numbers_save_async (HsNumbers *numbers,
                       const char *path,
                       GCancellable *cancellable,
                       HsReportFunc progress,
                       gpointer progress_data,
                       GAsyncReadyCallback callback,
                       gpointer user_data)
{
  static const HsWorkClass klass = {save_in_thread, saving_free, g_free, .writes = true};
  Saving *saving = g_new (Saving, 1);
  *saving = (Saving){hs_numbers_ref (numbers), g_strdup (path)};
  hs_work_start (&klass, saving, cancellable, progress, progress_data, callback, user_data);
}

char *
hs_numbers_save_finish (GAsyncResult *result, GError **error)
{
  return hs_work_finish (result, error);
}

/* ---- a table ---- */

/* A token that holds a tab or a line end would break the table. */
static void
append_field (GString *table, const char *label)
{
  g_autofree char *clean = g_strdelimit (g_strdup (label), "\t\n\r", ' ');
  g_string_append (table, clean);
}

static void
append_map (GString *table, const AttnMap *map)
{
  char number[ATTN_NUMBER_SIZE];
  for (size_t key = 0; key < map->n_keys; key++) {
    g_string_append_c (table, '\t');
    append_field (table, attn_maps_peek_piece (map->maps, ATTN_SIDE_KEY, key));
  }
  g_string_append_c (table, '\n');
  for (size_t query = 0; query < map->n_queries; query++) {
    append_field (table, attn_maps_peek_piece (map->maps, ATTN_SIDE_QUERY, query));
    for (size_t key = 0; key < map->n_keys; key++) {
      double weight = (double)map->weights[query * map->n_keys + key];
      g_string_append_c (table, '\t');
      g_string_append (table, attn_number_format (number, weight, ATTN_NUMBER_CSV));
    }
    g_string_append_c (table, '\n');
  }
}

/* All that is shown. */
static char *
dup_compared_table (const AttnDrawPanels *panels)
{
  static const char *const names[] = {"A", "B", "A − B"};
  GString *table = g_string_new (NULL);
  for (size_t panel = 0; panel < attn_draw_panels_get_n (panels); panel++) {
    g_string_append_printf (table, "%s%s\n", panel > 0 ? "\n" : "", names[panel]);
    append_map (table, attn_draw_panels_peek (panels, panel));
  }
  return g_string_free (table, FALSE);
}

char *
hs_numbers_dup_table (HsNumbers *numbers, GError **error)
{
  if (attn_draw_panels_peek_source_b (numbers->panels) != NULL)
    return dup_compared_table (numbers->panels);
  g_autoptr (AttnMap) map =
      attn_maps_dup_map (numbers->maps, numbers->choice.layer, numbers->choice.head, error);
  if (map == NULL)
    return NULL;
  GString *table = g_string_new (NULL);
  append_map (table, map);
  return g_string_free (table, FALSE);
}
