/* SPDX-License-Identifier: MIT */
/* Session files: everything needed to open the very same screen again.
 *
 * A session is a picture's whole question (model, text, view, how it is exported) without its
 * numbers, which are computed anew. The window writes one, the window and `headscope-cli render
 * --session` read it, and both then make the same bytes.
 *
 * The form is a JSON object; what is missing has the value that a new session has, what is unknown
 * is left out with a warning, in the part of the window an unknown word, too. Layers and heads
 * count from 1, tokens from 0:
 *
 *   format     "headscope-session"
 *   version    1
 *   program    who wrote it: "Headscope 0.1.0"
 *   a          what the picture is of:
 *     model          "demo" or a folder; one that is not absolute is looked for beside the file
 *     model_name     for titles
 *     weights_sha256 as attn_model_compute_sha256() gives it
 *     text, pair     no pair: one text
 *     max_tokens     0: the model's own limit
 *     attention      a file of arrays instead of model and text; beside the session likewise; of
 *                    one that is not there any more, and of its tokens, so is one of the same name
 *     array          which of its arrays
 *     tokens         a file of what its queries and keys are called, likewise,
 *     token_list     or these typed, with spaces between them or as a JSON array in the string, and
 *     key_list       the keys, where they are others
 *   view       AttnDrawView, field by field:
 *     kind           "heatmap", "heads", "layers", "lines", "text", "compare"
 *     layer, head
 *     layer_b, head_b  of B in the view compare
 *     range          "auto", "map", "layer", "model", or "fixed", which goes to
 *     range_max
 *     scale          "linear", "log", "rank"
 *     arrangement    combine ("none", "mean", "max"), combine_layers, heads (those combined; none:
 *                    all), unit ("tokens", "characters", "words"), part ("all", "a-a", "a-b",
 *                    "b-a", "b-b"), hide (some of "cls", "sep", "punctuation"), renormalise,
 *                    keep ("all", "above", "top"), threshold, n_top
 *     words          a word list's file; one that is not absolute stands beside the session
 *     crop           first_query, n_queries, first_key, n_keys; 0 numbers: all
 *     values         numbers in cells that have room
 *     color_map, palette, font, font_size_pt
 *     width_px, height_px (0: any height), columns (0: chosen)
 *     map_px: size of its maps; 0: by width and height
 *     pin            query, key; null: none
 *   export     format ("png", "svg", "pdf"), scale (as attn_draw_write() takes it), page
 *              ("picture", "a4", "a5", "letter"), landscape, language ("en", "zh_TW", "zh_CN")
 *   window     magnification (1 or more, of all layers in the window), lab (whether the lab is
 * open), lab_page ("pipeline", "heads", "head-count", "train", "code", "research", "ablation",
 *              "atlas"), and where in its pages one is:
 *     lab_step       as attn_step_peek_name() calls it
 *     lab_cell       row, column of the number that was picked in it; null: none
 *     lab_pair       "unlike", "alike", or "chosen", which are the
 *     lab_heads      a, b
 *     lab_code       "pseudo", "c", "pytorch"
 *     lab_example    whether the view's layer and head are the lab's example rather than a choice,
 *                    in place of
 *     lab_own_head   layer, head
 *     ablation       what is asked on the page "ablation": kind ("zero", "uniform", "mean",
 *                    "frozen", "patch"), off (heads that are off, "3-4,1-7"), labels (tokens that
 *                    are right at the masks), patch (the second text), draws, seed, each and
 *                    importance (whether they are shown), figure ("switches", "pruning") and
 *                    curves (whether its curves are shown)
 *     atlas          which heads are looked for on the page "atlas": class ("all", or as
 *                    attn_pattern_peek_name() calls it), layer (from 1; 0 for all)
 *
 * and where the view compare has another side B, whichever view the session shows
 *
 *   b          what it is compared with: as a; no model: a's, no text: a's texts; a file of arrays
 *              stands for itself alone. */
#pragma once

#include "attn-draw/atlas.h"
#include "attn-draw/picture.h"
#include "attn/ablation.h"
#include "attn/code.h"
#include "attn/steps.h"

#include <glib.h>

#include <stdbool.h>
#include <stddef.h>

G_BEGIN_DECLS

#define ATTN_DRAW_SESSION_SUFFIX ".headscope"

/* Pages of the lab. */
typedef enum {
  ATTN_DRAW_LAB_PIPELINE,   /* the way from a text to an output, with the model's numbers */
  ATTN_DRAW_LAB_HEADS,      /* why several heads */
  ATTN_DRAW_LAB_HEAD_COUNT, /* what the number of heads changes */
  ATTN_DRAW_LAB_TRAIN,      /* small layers trained with several numbers of heads */
  ATTN_DRAW_LAB_CODE,
  ATTN_DRAW_LAB_RESEARCH,
  ATTN_DRAW_LAB_ABLATION, /* a page of its own in the window: heads switched off */
  ATTN_DRAW_LAB_ATLAS,    /* likewise: what every head does */
} AttnDrawLabPage;

/* Which two heads of a layer stand side by side. */
typedef enum { ATTN_DRAW_LAB_UNLIKE, ATTN_DRAW_LAB_ALIKE, ATTN_DRAW_LAB_CHOSEN } AttnDrawLabPair;

/* Where one is in the lab's pages. */
typedef struct {
  AttnStep step;         /* of the pipeline … */
  size_t row, column;    /* … and the number of it that was picked; G_MAXSIZE for none */
  AttnDrawLabPair pair;  /* of several heads … */
  size_t head_a, head_b; /* … those that were chosen */
  AttnCode code;
} AttnDrawLabPlace;

/* Whether the view's layer and head are the lab's example, and those it stands in for. */
typedef struct {
  bool is_example;
  size_t own_layer, own_head; /* from 0; where it is one */
} AttnDrawLabExample;

/* What one side of the screen is of. */
typedef struct {
  char *model;          /* "demo" or a folder, absolute; owned. (nullable) where it is of arrays */
  char *model_name;     /* (nullable): owned */
  char *weights_sha256; /* (nullable): 64 hexadecimal digits; owned */
  char *text;           /* UTF-8; owned */
  char *pair;           /* (nullable): owned */
  size_t max_tokens;    /* 0 for the model's own limit */
  char *attention; /* (nullable): absolute; owned: then this side is of arrays, not of a model */
  char *array, *tokens, *token_list, *key_list; /* (nullable): as AttnDrawArrays; owned */
} AttnDrawSessionSide;

typedef struct {
  AttnDrawSessionSide a;
  AttnDrawSessionSide b; /* of the view compare; no model or no text: A's */
  AttnDrawView *view;    /* owned; its word list is loaded, its strings are not made */
  AttnDrawFormat format;
  double scale; /* as attn_draw_write() takes it */
  AttnDrawPage page;
  const char *language; /* of the picture's words, as --lang takes it; static */
  double magnification; /* of all layers in the window, ≥ 1; pictures have it in view->map_px */
  bool in_lab;          /* the window shows the lab … */
  AttnDrawLabPage lab_page; /* … or would open it with this page */
  AttnDrawLabPlace lab_place;
  AttnDrawLabExample lab_example;
  AttnAblationAsked ablation; /* its strings are owned */
  AttnDrawAtlasFilter atlas;
  GPtrArray *warnings; /* of char *, owned: what was read and left out */
} AttnDrawSession;

/* Returns: a session of the shipped model, an empty text, a new view and a PNG, for
 * attn_draw_session_free(). */
AttnDrawSession *attn_draw_session_new (void);

/* Returns: a session of everything @picture says, likewise; nothing is borrowed. */
AttnDrawSession *attn_draw_session_new_from_picture (const AttnDrawPicture *picture);

void attn_draw_session_free (AttnDrawSession *session);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (AttnDrawSession, attn_draw_session_free)

/**
 * attn_draw_session_load:
 * @path: of the file
 *
 * Reads a file that anybody may have written: at most 16 MiB, no deeper than JSON files of models.
 *
 * Returns: a new session for attn_draw_session_free(), or NULL with @error: IO, TOO_LARGE, FORMAT
 * (a field of the wrong type), SHAPE (a value out of its range), UNSUPPORTED (a newer version); it
 *   names file and field, what was found and what was wanted. Also where its word list cannot be
 *   read. Whether the model is there is not looked at.
 * Test: tests/draw/test-session.c
 */
AttnDrawSession *attn_draw_session_load (const char *path, GError **error);

/* attn_draw_session_load() of bytes in memory; @path is for messages and for names beside it. */
AttnDrawSession *
attn_draw_session_load_bytes (const char *bytes, size_t n_bytes, const char *path, GError **error);

/* Returns: (transfer full): the file's text, the same for the same session; for g_free(). */
char *attn_draw_session_dup_json (const AttnDrawSession *session);

/* Writes a file beside @path that takes its place when complete. Returns: false with @error: IO. */
bool attn_draw_session_save (const AttnDrawSession *session, const char *path, GError **error);

/**
 * attn_draw_session_fit:
 * @field:    the index's name in the file, for the sentence: "layer"
 * @n:        how many there are now, > 0
 * @index:    from 0, read and written
 * @warnings: (element-type utf8): a sentence is added where @index is not among them
 *
 * A file or model that a session names may have changed since: where it has fewer layers or heads,
 * the last one stands for those that are gone.
 *
 * Test: tests/draw/test-session.c
 */
void attn_draw_session_fit (const char *field, size_t n, size_t *index, GPtrArray *warnings);

/**
 * attn_draw_session_fit_heads:
 * @n:           heads of a layer there are now, > 0
 * @arrangement: whose chosen heads are read and written
 * @warnings:    (element-type utf8): a sentence is added where some are dropped
 *
 * Likewise for the heads that are combined, or have lines: those that are gone are left out, and
 * where none is left, all are taken.
 *
 * Test: tests/draw/test-session.c
 */
void attn_draw_session_fit_heads (size_t n, AttnArrangement *arrangement, GPtrArray *warnings);

/**
 * attn_draw_session_fit_place:
 * @n_queries,@n_keys: rows and columns of the picture there are now
 * @view:              whose pins and crop are read and written
 * @warnings:          (element-type utf8): a sentence is added for each that is dropped
 *
 * Likewise for what is pinned and zoomed to: what is no longer there is forgotten.
 *
 * Test: tests/draw/test-session.c
 */
void attn_draw_session_fit_place (size_t n_queries,
                                  size_t n_keys,
                                  AttnDrawView *view,
                                  GPtrArray *warnings);

/* Returns: the picture the session asks for, without a translation; everything is borrowed from
 * @session. */
AttnDrawPicture attn_draw_session_to_picture (const AttnDrawSession *session);

G_END_DECLS
