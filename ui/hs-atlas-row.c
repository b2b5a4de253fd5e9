/* SPDX-License-Identifier: MIT */
/* A head's texts and numbers for a table. */
#include "hs-atlas-row.h"

#include "attn/number.h"

#include <glib/gi18n.h>

#include <math.h>

#define DECIMALS 3

struct _HsAtlasRow {
  GObject parent_instance;

  guint layer, head;
  AttnPattern pattern;
  double values[HS_ATLAS_N_COLUMNS];
  char *texts[HS_ATLAS_N_COLUMNS]; /* owned */
};

G_DEFINE_FINAL_TYPE (HsAtlasRow, hs_atlas_row, G_TYPE_OBJECT)

enum { SIGNAL_CHANGED, N_SIGNALS };

static guint signals[N_SIGNALS];

/* @text: owned by the row from now on */
static void
set (HsAtlasRow *self, guint column, double value, char *text)
{
  self->values[column] = value;
  g_free (self->texts[column]);
  self->texts[column] = text;
}

static void
set_fields (HsAtlasRow *self, const AttnPassport *passport)
{
  for (AttnPassportField field = 0; field < ATTN_N_PASSPORT_FIELDS; field++) {
    char number[ATTN_NUMBER_SIZE];
    double value = (double)NAN;
    const bool has = attn_passport_get_field (passport, field, &value);
    set (self, HS_ATLAS_COLUMN_FIELDS + field, value,
         g_strdup (has ? attn_number_format_fixed (number, value, DECIMALS) : "–"));
  }
}

static void
set_nearest (HsAtlasRow *self, const AttnDrawAtlas *drawn, size_t index)
{
  const size_t H = drawn->atlas->n_heads;

  if (drawn->map == NULL) {
    set (self, HS_ATLAS_COLUMN_NEAREST, (double)NAN, g_strdup ("–"));
    return;
  }
  const size_t other = drawn->map->nearest[index];
  char number[ATTN_NUMBER_SIZE];
  const double distance = attn_atlas_get_distance (drawn->atlas, index, other);
  set (self, HS_ATLAS_COLUMN_NEAREST, distance,
       g_strdup_printf ("%zu-%zu (%s)", other / H + 1, other % H + 1,
                        attn_number_format_fixed (number, distance, DECIMALS)));
}

HsAtlasRow *
hs_atlas_row_new (const AttnDrawAtlas *drawn, size_t layer, size_t head)
{
  HsAtlasRow *self = g_object_new (HS_TYPE_ATLAS_ROW, NULL);

  self->layer = (guint)layer;
  self->head = (guint)head;
  hs_atlas_row_take (self, drawn);
  return self;
}

void
hs_atlas_row_take (HsAtlasRow *self, const AttnDrawAtlas *drawn)
{
  g_return_if_fail (HS_IS_ATLAS_ROW (self));
  const AttnPassport passport = attn_atlas_get_passport (drawn->atlas, self->layer, self->head);
  const size_t index = self->layer * drawn->atlas->n_heads + self->head;

  self->pattern = passport.pattern;
  set (self, HS_ATLAS_COLUMN_HEAD, (double)index,
       g_strdup_printf ("%u-%u", self->layer + 1, self->head + 1));
  set (self, HS_ATLAS_COLUMN_CLASS, passport.pattern, attn_draw_atlas_dup_label (drawn, &passport));
  set_fields (self, &passport);
  set_nearest (self, drawn, index);
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

guint
hs_atlas_row_get_layer (HsAtlasRow *self)
{
  g_return_val_if_fail (HS_IS_ATLAS_ROW (self), 0);
  return self->layer;
}

guint
hs_atlas_row_get_head (HsAtlasRow *self)
{
  g_return_val_if_fail (HS_IS_ATLAS_ROW (self), 0);
  return self->head;
}

AttnPattern
hs_atlas_row_get_pattern (HsAtlasRow *self)
{
  g_return_val_if_fail (HS_IS_ATLAS_ROW (self), ATTN_PATTERN_NONE);
  return self->pattern;
}

const char *
hs_atlas_row_peek_text (HsAtlasRow *self, guint column)
{
  g_return_val_if_fail (HS_IS_ATLAS_ROW (self) && column < HS_ATLAS_N_COLUMNS, "");
  return self->texts[column];
}

double
hs_atlas_row_get_value (HsAtlasRow *self, guint column)
{
  g_return_val_if_fail (HS_IS_ATLAS_ROW (self) && column < HS_ATLAS_N_COLUMNS, 0);
  return self->values[column];
}

const char *
hs_atlas_row_peek_heading (guint column)
{
  static const char *const headings[HS_ATLAS_N_COLUMNS] = {
      [HS_ATLAS_COLUMN_HEAD] = N_ ("Head"),
      [HS_ATLAS_COLUMN_CLASS] = N_ ("Pattern"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_ENTROPY] = N_ ("Entropy"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_ENTROPY_NORMALISED] = N_ ("Share of ln T"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_CONFIDENCE] = N_ ("Confidence"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_DISTANCE] = N_ ("Distance"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_SELF] = N_ ("Itself"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_PREVIOUS] = N_ ("Previous"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_NEXT] = N_ ("Next"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_CLS] = "[CLS]",
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_SEP] = "[SEP]",
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_PUNCTUATION] = N_ ("Punctuation"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_SAME] = N_ ("Same token"),
      [HS_ATLAS_COLUMN_FIELDS + ATTN_PASSPORT_OTHER] = N_ ("Other sentence"),
      [HS_ATLAS_COLUMN_NEAREST] = N_ ("Nearest"),
  };

  g_return_val_if_fail (column < HS_ATLAS_N_COLUMNS, "");
  return _ (headings[column]);
}

static void
hs_atlas_row_finalize (GObject *object)
{
  HsAtlasRow *self = HS_ATLAS_ROW (object);

  for (guint i = 0; i < HS_ATLAS_N_COLUMNS; i++)
    g_free (self->texts[i]);
  G_OBJECT_CLASS (hs_atlas_row_parent_class)->finalize (object);
}

static void
hs_atlas_row_class_init (HsAtlasRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = hs_atlas_row_finalize;
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", HS_TYPE_ATLAS_ROW, G_SIGNAL_RUN_LAST, 0, NULL,
                                          NULL, NULL, G_TYPE_NONE, 0);
}

static void
hs_atlas_row_init (HsAtlasRow *self G_GNUC_UNUSED)
{
}
