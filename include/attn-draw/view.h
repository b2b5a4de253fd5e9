/* SPDX-License-Identifier: MIT */
/* Everything a picture depends on besides the maps. The window edits one, the command line builds
 * one; both hand it to the same layout. */
#pragma once

#include "attn-draw/color-map.h"
#include "attn/arrange.h"
#include "attn/lens.h"
#include "attn/maps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef enum {
  ATTN_DRAW_HEATMAP, /* one head, large, with all labels */
  ATTN_DRAW_HEADS,   /* every head of a layer, side by side */
  ATTN_DRAW_LAYERS,  /* every head of every layer, small: a row for each layer */
  ATTN_DRAW_LINES,   /* queries left, keys right, a line for each weight of the chosen heads */
  ATTN_DRAW_TEXT,    /* the text itself, shaded by the weights of one query */
  ATTN_DRAW_COMPARE, /* A, B and A − B of one head each */
} AttnDrawKind;

typedef enum {
  ATTN_DRAW_RANGE_AUTO,  /* the layer's for its heads and for lines, the model's for all layers,
                            the map's for every other kind; the default */
  ATTN_DRAW_RANGE_MAP,   /* 0 … largest weight of the map */
  ATTN_DRAW_RANGE_LAYER, /* … of the layer's heads */
  ATTN_DRAW_RANGE_MODEL, /* … of all heads */
  ATTN_DRAW_RANGE_FIXED, /* … range_max */
} AttnDrawRange;

/* How a weight becomes a colour; the numbers stay what they are. */
typedef enum {
  ATTN_DRAW_SCALE_LINEAR,
  ATTN_DRAW_SCALE_LOG,  /* four powers of ten below the range's end; less is the lightest */
  ATTN_DRAW_SCALE_RANK, /* the share of the map's other weights that are smaller, zeros left out */
} AttnDrawScale;

/* Rows and columns that are drawn; 0 numbers mean all. The others keep their numbers. */
typedef struct {
  size_t first_query, n_queries;
  size_t first_key, n_keys;
} AttnDrawCrop;

typedef enum {
  ATTN_DRAW_PALETTE_PAPER,       /* white, for print */
  ATTN_DRAW_PALETTE_SCREEN,      /* the window's light look */
  ATTN_DRAW_PALETTE_SCREEN_DARK, /* the window's dark look */
} AttnDrawPalette;

/* Translated, valid UTF-8; made by attn_draw_view_set_strings(), owned by the view. Some have one
 * place for what only the layout knows, for attn_draw_format_string(). */
typedef struct {
  char *title;       /* "Layer 3, head 5 · attention weights", and what the arrangement did */
  char *subject;     /* the same without the arrangement, for where all has no room on a line … */
  char *arranged;    /* … and that alone, for the next line; "" for nothing */
  char *subtitle;    /* "all-MiniLM-L6-v2 · The animal didn't cross …" */
  char *axes;        /* "rows: query (looks) · columns: key (is looked at)" */
  char *range;       /* "range: this map, 0 – %s" */
  char *head_format; /* "head %s", for the grid's small titles */
  char *layer_format; /* "layer %s", likewise for rows */
  char *strip;        /* "heads of layer 3", over a strip of them */
  char *two_lists;    /* "columns, from the left: %s", or what the two lists of the text are; "" for
                         nothing: for keys that are called otherwise than queries */
  char *thinned;      /* "1 label in %s shown", used when labels would overlap */
  char *pooled;       /* "each pixel shows the largest of several weights" */
  char *hidden;       /* "hatched: cannot be seen" */
  char *not_a_number; /* "crossed: not a number" */
  char *infinite;     /* "crossed: infinite" … */
  char *not_finite;   /* … "crossed: not a number, or infinite", where there are both */
  char *negative;     /* "negative weights have the colour of the smallest"; "" for nothing */
  char *polarity;     /* "purple: above 0 · green: below 0", of a lens that has both; else "" */
  char *mean_without; /* what the mean leaves out where some weights are no finite numbers */
  char *zero;         /* "dotted: exactly 0", where the scale has no place for it */
  char *part;         /* "part: rows %1$s – %2$s of %3$s, columns …", with six places */
  char *left_out;     /* "lines fainter than %s are left out" */
  char *too_many;     /* "too many lines to draw …", instead */
  char *heads;        /* "heads", before their colours */
  char *from;         /* "from “%s”": the pinned query of the text, in the title … */
  char *mean_range;   /* "range: the largest mean, 0 – %s", where none is pinned */
  char *mean;         /* … or "mean over all queries", where none is pinned */
  /* for the view compare; NULL in others */
  char *subtitle_b;                 /* "B: …", what B is; the subtitle tells what A is */
  char *difference_range;           /* "range of A − B: ± %s" */
  char *signs;                      /* which colour means more in A, and which in B */
  char *no_difference;              /* "every weight of A − B is exactly 0" */
  char *apart;                      /* "A and B have no token in common, so there is no A − B" */
  char *alone;                      /* "without a partner, so not in A − B: %s" */
  char *alone_queries, *alone_keys; /* the same where they are not the same tokens */
} AttnDrawStrings;

typedef struct {
  AttnDrawKind kind;
  size_t layer, head;     /* from 0 */
  size_t layer_b, head_b; /* of B, in the view compare */
  AttnDrawRange range;
  double range_max; /* > 0; for ATTN_DRAW_RANGE_FIXED */
  AttnDrawScale scale;
  AttnLens lens;               /* what is looked at, before maps are arranged */
  const AttnTarget *target;    /* (nullable): borrowed: the L of ATTN_LENS_GRADIENT where somebody
                                  knows what is right; sessions do not keep it */
  AttnArrangement arrangement; /* what the maps go through before they are drawn */
  AttnWordList *words;         /* (nullable): for words of several Han characters; referenced */
  AttnDrawCrop crop;           /* idle where attn_draw_kind_has_cells() says no */
  bool hides_values;           /* weights are not written into cells that have room for them */
  AttnDrawColorMap color_map;
  AttnDrawPalette palette;
  char *font_family;    /* Pango family, default "Sans"; owned */
  char *language;       /* BCP 47, default "en"; chooses the forms of Han characters; owned */
  double font_size_pt;  /* default 10; 1 pt = 96/72 px */
  double width_px;      /* of the whole picture; its height follows from the content … */
  double max_height_px; /* … unless this is above 0: then the maps are as large as both allow, the
                           picture is as wide as they and the texts need, at most width_px, and
                           higher than this only where no useful map fits */
  size_t n_columns;     /* of ATTN_DRAW_HEADS; 0 chooses: four, more when the picture is wide */
  /* What a page of attn_draw_pages_new() has of the whole; 0 layers and heads mean all. Sessions do
     not keep it. */
  size_t first_layer, n_layers; /* rows of ATTN_DRAW_LAYERS */
  size_t first_head, n_heads;   /* maps of ATTN_DRAW_HEADS */
  double map_px; /* longer side of the maps of ATTN_DRAW_LAYERS; the picture is then as wide and
                    high as they need. 0: maps are as large as width and height allow */
  bool has_pin;  /* the pinned query's row (and key's column) is marked, also in files */
  size_t pin_query, pin_key; /* G_MAXSIZE for none; as panels.h numbers them together */
  char *cls_name, *sep_name; /* (nullable): see attn_draw_view_name_tokens(); "" for none; owned */
  AttnDrawStrings strings;
} AttnDrawView;

/* Returns: a view of layer 1, head 1 with the defaults above, for attn_draw_view_free(). */
AttnDrawView *attn_draw_view_new (void);

AttnDrawView *attn_draw_view_copy (const AttnDrawView *view);

void attn_draw_view_free (AttnDrawView *view);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawView, attn_draw_view_free)

/* Returns: a translation of an English string of this library, valid for good; never NULL. */
typedef const char *(*AttnDrawTranslate) (const char *english, void *data);

/* What @maps' model calls what it adds in front of a text and elsewhere, for titles that leave it
 * out: without this they are "[CLS]" and "[SEP]". To be called before the strings are made. */
void attn_draw_view_name_tokens (AttnDrawView *view, AttnMaps *maps);

/**
 * attn_draw_view_set_strings:
 * @model_name: for the subtitle; ATTN_MODEL_BUILT_IN is translated
 * @text,@pair: what was typed; @pair NULL for none. Shown on one line and cut at a character
 * @translate:  (nullable): none means English
 *
 * Makes all strings for what the view now shows; the only place where they are made.
 */
void attn_draw_view_set_strings (AttnDrawView *view,
                                 const char *model_name,
                                 const char *text,
                                 const char *pair,
                                 AttnDrawTranslate translate,
                                 void *data);

/* What one side of a comparison is; as the arguments above. */
typedef struct {
  const char *model_name, *text, *pair;
} AttnDrawSubject;

/* The same for the view compare. */
void attn_draw_view_set_compared_strings (AttnDrawView *view,
                                          const AttnDrawSubject *a,
                                          const AttnDrawSubject *b,
                                          AttnDrawTranslate translate,
                                          void *data);

/**
 * attn_draw_format_string:
 * @format:   one of the strings with a place for a number; never read by printf
 * @argument: takes the place's place
 *
 * Returns: (transfer full): the finished text, for g_free().
 */
char *attn_draw_format_string (const char *format, const char *argument);

/* Returns: whether the panels of such a view are all heads of the layer. */
bool attn_draw_kind_has_layer (AttnDrawKind kind);

/* Returns: whether weights are cells of maps, which a crop shows a part of; not lines or shades. */
bool attn_draw_kind_has_cells (AttnDrawKind kind);

/* Returns: whether the view has one map for all heads of a layer: they were combined, or the lens
 * is of whole layers. */
bool attn_draw_view_is_joint (const AttnDrawView *view);

/* Returns: whether what the view's lens shows may be below 0: then colours diverge from 0, the
 * range is from −max to max, and the scale is linear whatever the view's is. */
bool attn_draw_view_is_signed (const AttnDrawView *view);

/* Returns: (transfer none): attn_draw_diverging_peek_lut() for the view's palette. */
const uint32_t *attn_draw_view_peek_diverging (const AttnDrawView *view);

/* Returns: whether the view's colour map runs the other way on its palette. Most weights are small,
 * and a map that begins light would make a bright area of them on a dark ground: there it begins
 * with its dark end. */
bool attn_draw_view_reverses_map (const AttnDrawView *view);

/* Names as the command line takes and gives them; find answers false for an unknown one. */
const char *attn_draw_kind_peek_name (AttnDrawKind kind);
bool attn_draw_kind_find (const char *name, AttnDrawKind *kind);
const char *attn_draw_scale_peek_name (AttnDrawScale scale); /* "linear", "log", "rank" */
bool attn_draw_scale_find (const char *name, AttnDrawScale *scale);
const char *attn_draw_palette_peek_name (AttnDrawPalette palette);
bool attn_draw_palette_find (const char *name, AttnDrawPalette *palette);

G_END_DECLS
