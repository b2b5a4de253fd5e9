/* SPDX-License-Identifier: MIT */
/* What the parts of an atlas's figure share. */
#pragma once

#include "attn-draw/atlas.h"

#include <glib.h>

#include <stdbool.h>

#define ATTN_DRAW_ATLAS_SMALL 0.85 /* of the font's size: names and what says less */
#define N_(english) (english)

/* A figure in the making. */
typedef struct {
  AttnDrawFigureBuilder *builder;
  const AttnDrawAtlas *asked;
  const AttnDrawFigureStyle *style;
  AttnPassport *passports; /* [n_layers, n_heads] */
  double em;
} AttnDrawAtlasMaking;

typedef AttnDrawAtlasMaking Making;

/* Returns: the sentence in the figure's language. */
const char *attn_draw_atlas_say (const AttnDrawAtlas *asked, const char *english);

/* Returns: (transfer full): the sentence with its arguments. */
char *attn_draw_atlas_fill (const AttnDrawAtlas *asked,
                            const char *english,
                            const char *const *arguments,
                            size_t n);

/* Returns: (transfer none): what a number of a passport is called, translated. */
const char *attn_draw_atlas_peek_field (const AttnDrawAtlas *asked, AttnPassportField field);

/* Adds a dot of @size px around (@x, @y). */
void attn_draw_atlas_dot (Making *making, AttnDrawColor color, double x, double y, double size);

/* Returns: whether the head is one of those that are looked for. */
bool attn_draw_atlas_is_wanted (const Making *making, size_t layer, size_t head);

/* Blocks; each returns its height. */
double attn_draw_atlas_add_map (Making *making, double x, double y, double width);
double attn_draw_atlas_add_passport (Making *making, double x, double y, double width);
