/* SPDX-License-Identifier: MIT */
/* What stands in a session file: every field with its type and bounds. */
#include "session-fields.h"

#include "attn-draw/session.h"

#define AT(type, member) offsetof (type, member)
#define MAX_BYTES 16777216 /* of a text */
#define MAX_PATH_BYTES 4096
#define MAX_COUNT 1e9 /* of any count: far above every use, far below every overflow */
#define MAX_SIDE_PX 100000

#define NAME(key, type, member, names) \
  { \
    key, ATTN_DRAW_FIELD_NAME, AT (type, member), 0, 0, names, NULL \
  }
#define STRING(key, type, member, min, max) \
  { \
    key, ATTN_DRAW_FIELD_STRING, AT (type, member), min, max, NULL, NULL \
  }
#define PATH(key, type, member, names) \
  { \
    key, ATTN_DRAW_FIELD_PATH, AT (type, member), 1, MAX_PATH_BYTES, names, NULL \
  }
#define COUNT(key, type, member, max) \
  { \
    key, ATTN_DRAW_FIELD_COUNT, AT (type, member), 0, max, NULL, NULL \
  }
#define ORDINAL(key, type, member) \
  { \
    key, ATTN_DRAW_FIELD_ORDINAL, AT (type, member), 1, MAX_COUNT, NULL, NULL \
  }
#define INDEX(key, type, member) \
  { \
    key, ATTN_DRAW_FIELD_INDEX, AT (type, member), 0, MAX_COUNT, NULL, NULL \
  }
#define NUMBER(key, type, member, min, max) \
  { \
    key, ATTN_DRAW_FIELD_NUMBER, AT (type, member), min, max, NULL, NULL \
  }
#define YES(key, type, member) \
  { \
    key, ATTN_DRAW_FIELD_YES, AT (type, member), 0, 0, NULL, NULL \
  }
#define NO(key, type, member) \
  { \
    key, ATTN_DRAW_FIELD_NO, AT (type, member), 0, 0, NULL, NULL \
  }
#define OBJECT(key, fields) \
  { \
    key, ATTN_DRAW_FIELD_OBJECT, 0, 0, 0, NULL, fields \
  }
#define FORMER(key) \
  { \
    key, ATTN_DRAW_FIELD_FORMER, 0, 0, 0, NULL, NULL \
  }
#define END \
  { \
    NULL, 0, 0, 0, 0, NULL, NULL \
  }

static const char *const kinds[] = {
    [ATTN_DRAW_HEATMAP] = "heatmap", [ATTN_DRAW_HEADS] = "heads", [ATTN_DRAW_LAYERS] = "layers",
    [ATTN_DRAW_LINES] = "lines",     [ATTN_DRAW_TEXT] = "text",   [ATTN_DRAW_COMPARE] = "compare",
    [ATTN_DRAW_COMPARE + 1] = NULL,
};
static const char *const ranges[] = {
    [ATTN_DRAW_RANGE_AUTO] = "auto",   [ATTN_DRAW_RANGE_MAP] = "map",
    [ATTN_DRAW_RANGE_LAYER] = "layer", [ATTN_DRAW_RANGE_MODEL] = "model",
    [ATTN_DRAW_RANGE_FIXED] = "fixed", [ATTN_DRAW_RANGE_FIXED + 1] = NULL,
};
static const char *const scales[] = {
    [ATTN_DRAW_SCALE_LINEAR] = "linear",
    [ATTN_DRAW_SCALE_LOG] = "log",
    [ATTN_DRAW_SCALE_RANK] = "rank",
    [ATTN_DRAW_SCALE_RANK + 1] = NULL,
};
static const char *const color_maps[] = {
    [ATTN_DRAW_COLOR_MAP_YLGNBU] = "YlGnBu",   [ATTN_DRAW_COLOR_MAP_VIRIDIS] = "viridis",
    [ATTN_DRAW_COLOR_MAP_CIVIDIS] = "cividis", [ATTN_DRAW_COLOR_MAP_MAGMA] = "magma",
    [ATTN_DRAW_COLOR_MAP_GREY] = "grey",       [ATTN_DRAW_N_COLOR_MAPS] = NULL,
};
static const char *const palettes[] = {
    [ATTN_DRAW_PALETTE_PAPER] = "paper",
    [ATTN_DRAW_PALETTE_SCREEN] = "screen",
    [ATTN_DRAW_PALETTE_SCREEN_DARK] = "screen-dark",
    [ATTN_DRAW_PALETTE_SCREEN_DARK + 1] = NULL,
};
static const char *const combines[] = {
    [ATTN_COMBINE_NONE] = "none",
    [ATTN_COMBINE_MEAN] = "mean",
    [ATTN_COMBINE_MAX] = "max",
    [ATTN_COMBINE_MAX + 1] = NULL,
};
static const char *const units[] = {
    [ATTN_UNIT_TOKENS] = "tokens",
    [ATTN_UNIT_CHARACTERS] = "characters",
    [ATTN_UNIT_WORDS] = "words",
    [ATTN_UNIT_WORDS + 1] = NULL,
};
static const char *const parts[] = {
    [ATTN_PART_ALL] = "all",    [ATTN_PART_A_TO_A] = "a-a", [ATTN_PART_A_TO_B] = "a-b",
    [ATTN_PART_B_TO_A] = "b-a", [ATTN_PART_B_TO_B] = "b-b", [ATTN_PART_B_TO_B + 1] = NULL,
};
static const char *const keeps[] = {
    [ATTN_KEEP_ALL] = "all",
    [ATTN_KEEP_ABOVE] = "above",
    [ATTN_KEEP_TOP] = "top",
    [ATTN_KEEP_TOP + 1] = NULL,
};
static const char *const hidings[] = {"cls", "sep", "punctuation", NULL}; /* AttnHide's bits */
static const char *const formats[] = {
    [ATTN_DRAW_PNG] = "png",
    [ATTN_DRAW_SVG] = "svg",
    [ATTN_DRAW_PDF] = "pdf",
    [ATTN_DRAW_PDF + 1] = NULL,
};
static const char *const pages[] = {
    [ATTN_DRAW_PAGE_PICTURE] = "picture", [ATTN_DRAW_PAGE_A4] = "a4",
    [ATTN_DRAW_PAGE_A5] = "a5",           [ATTN_DRAW_PAGE_LETTER] = "letter",
    [ATTN_DRAW_N_PAGE_SIZES] = NULL,
};
static const char *const lab_pages[] = {
    [ATTN_DRAW_LAB_PIPELINE] = "pipeline",
    [ATTN_DRAW_LAB_HEADS] = "heads",
    [ATTN_DRAW_LAB_HEAD_COUNT] = "head-count",
    [ATTN_DRAW_LAB_TRAIN] = "train",
    [ATTN_DRAW_LAB_CODE] = "code",
    [ATTN_DRAW_LAB_RESEARCH] = "research",
    [ATTN_DRAW_LAB_ABLATION] = "ablation",
    [ATTN_DRAW_LAB_ATLAS] = "atlas",
    [ATTN_DRAW_LAB_ATLAS + 1] = NULL,
};
static const char *const lab_pairs[] = {
    [ATTN_DRAW_LAB_UNLIKE] = "unlike",
    [ATTN_DRAW_LAB_ALIKE] = "alike",
    [ATTN_DRAW_LAB_CHOSEN] = "chosen",
    [ATTN_DRAW_LAB_CHOSEN + 1] = NULL,
};
static const char *const lab_codes[] = {
    [ATTN_CODE_PSEUDO] = "pseudo",
    [ATTN_CODE_C] = "c",
    [ATTN_CODE_PYTORCH] = "pytorch",
    [ATTN_N_CODES] = NULL,
};
/* One more than the pattern: 0 is all. */
static const char *const atlas_classes[] = {
    "all",
    [ATTN_PATTERN_VERTICAL + 1] = "vertical",
    [ATTN_PATTERN_DIAGONAL + 1] = "diagonal",
    [ATTN_PATTERN_VERTICAL_DIAGONAL + 1] = "vertical-diagonal",
    [ATTN_PATTERN_BLOCK + 1] = "block",
    [ATTN_PATTERN_BROAD + 1] = "broad",
    [ATTN_PATTERN_MIXED + 1] = "mixed",
    [ATTN_PATTERN_NONE + 1] = "none",
    [ATTN_N_PATTERNS + 1] = NULL,
};
static const char *const models[] = {"demo", NULL};
static const char *const no_names[] = {NULL};
static const char *const languages[] = {"en", "zh_TW", "zh_CN", NULL};

const AttnDrawField attn_draw_side_fields[] = {
    PATH ("model", AttnDrawSessionSide, model, models),
    STRING ("model_name", AttnDrawSessionSide, model_name, 1, MAX_PATH_BYTES),
    STRING ("weights_sha256", AttnDrawSessionSide, weights_sha256, 64, 64),
    STRING ("text", AttnDrawSessionSide, text, 0, MAX_BYTES),
    STRING ("pair", AttnDrawSessionSide, pair, 0, MAX_BYTES),
    COUNT ("max_tokens", AttnDrawSessionSide, max_tokens, MAX_COUNT),
    PATH ("attention", AttnDrawSessionSide, attention, no_names),
    STRING ("array", AttnDrawSessionSide, array, 1, MAX_PATH_BYTES),
    PATH ("tokens", AttnDrawSessionSide, tokens, no_names),
    STRING ("token_list", AttnDrawSessionSide, token_list, 1, MAX_BYTES),
    STRING ("key_list", AttnDrawSessionSide, key_list, 1, MAX_BYTES),
    END,
};

static const AttnDrawField arrangement[] = {
    NAME ("combine", AttnDrawView, arrangement.combine, combines),
    YES ("combine_layers", AttnDrawView, arrangement.combine_layers),
    {"heads", ATTN_DRAW_FIELD_HEADS, AT (AttnDrawView, arrangement.heads), 1, ATTN_HEAD_SET_MAX,
     NULL, NULL},
    NAME ("unit", AttnDrawView, arrangement.unit, units),
    NAME ("part", AttnDrawView, arrangement.part, parts),
    {"hide", ATTN_DRAW_FIELD_FLAGS, AT (AttnDrawView, arrangement.hide), 0, 0, hidings, NULL},
    YES ("renormalise", AttnDrawView, arrangement.renormalise),
    NAME ("keep", AttnDrawView, arrangement.keep, keeps),
    NUMBER ("threshold", AttnDrawView, arrangement.threshold, 0, 1),
    COUNT ("n_top", AttnDrawView, arrangement.n_top, MAX_COUNT),
    END,
};

static const AttnDrawField crop[] = {
    COUNT ("first_query", AttnDrawView, crop.first_query, MAX_COUNT),
    COUNT ("n_queries", AttnDrawView, crop.n_queries, MAX_COUNT),
    COUNT ("first_key", AttnDrawView, crop.first_key, MAX_COUNT),
    COUNT ("n_keys", AttnDrawView, crop.n_keys, MAX_COUNT),
    END,
};

static const AttnDrawField pin[] = {
    INDEX ("query", AttnDrawView, pin_query),
    INDEX ("key", AttnDrawView, pin_key),
    END,
};

const AttnDrawField attn_draw_view_fields[] = {
    NAME ("kind", AttnDrawView, kind, kinds),
    ORDINAL ("layer", AttnDrawView, layer),
    ORDINAL ("head", AttnDrawView, head),
    ORDINAL ("layer_b", AttnDrawView, layer_b),
    ORDINAL ("head_b", AttnDrawView, head_b),
    NAME ("range", AttnDrawView, range, ranges),
    NUMBER ("range_max", AttnDrawView, range_max, 1e-9, 1e9),
    NAME ("scale", AttnDrawView, scale, scales),
    NAME ("lens", AttnDrawView, lens, attn_lens_names),
    OBJECT ("arrangement", arrangement),
    {"words", ATTN_DRAW_FIELD_LIST, AT (AttnDrawView, words), 1, MAX_PATH_BYTES, NULL, NULL},
    OBJECT ("crop", crop),
    NO ("values", AttnDrawView, hides_values),
    NAME ("color_map", AttnDrawView, color_map, color_maps),
    NAME ("palette", AttnDrawView, palette, palettes),
    STRING ("font", AttnDrawView, font_family, 1, MAX_PATH_BYTES),
    NUMBER ("font_size_pt", AttnDrawView, font_size_pt, 1, 200),
    NUMBER ("width_px", AttnDrawView, width_px, 1, MAX_SIDE_PX),
    NUMBER ("height_px", AttnDrawView, max_height_px, 0, MAX_SIDE_PX),
    COUNT ("columns", AttnDrawView, n_columns, MAX_COUNT),
    NUMBER ("map_px", AttnDrawView, map_px, 0, MAX_SIDE_PX),
    FORMER ("first_layer"),
    FORMER ("n_layers"),
    FORMER ("first_head"),
    FORMER ("n_heads"),
    OBJECT ("pin", pin),
    END,
};

const AttnDrawField attn_draw_session_fields[] = {
    NAME ("format", AttnDrawSession, format, formats),
    NUMBER ("scale", AttnDrawSession, scale, 0.01, 1000),
    NAME ("page", AttnDrawSession, page.size, pages),
    YES ("landscape", AttnDrawSession, page.landscape),
    {"language", ATTN_DRAW_FIELD_WORD, AT (AttnDrawSession, language), 0, 0, languages, NULL},
    END,
};

static const AttnDrawField lab_cell[] = {
    INDEX ("row", AttnDrawSession, lab_place.row),
    INDEX ("column", AttnDrawSession, lab_place.column),
    END,
};

static const AttnDrawField lab_heads[] = {
    ORDINAL ("a", AttnDrawSession, lab_place.head_a),
    ORDINAL ("b", AttnDrawSession, lab_place.head_b),
    END,
};

static const AttnDrawField lab_own_head[] = {
    ORDINAL ("layer", AttnDrawSession, lab_example.own_layer),
    ORDINAL ("head", AttnDrawSession, lab_example.own_head),
    END,
};

static const AttnDrawField ablation[] = {
    NAME ("kind", AttnDrawSession, ablation.kind, attn_ablate_kind_names),
    STRING ("off", AttnDrawSession, ablation.off, 0, MAX_BYTES),
    STRING ("labels", AttnDrawSession, ablation.labels, 0, MAX_BYTES),
    STRING ("patch", AttnDrawSession, ablation.patch, 0, MAX_BYTES),
    COUNT ("draws", AttnDrawSession, ablation.n_draws, MAX_COUNT),
    COUNT ("seed", AttnDrawSession, ablation.seed, MAX_COUNT),
    YES ("each", AttnDrawSession, ablation.each),
    YES ("importance", AttnDrawSession, ablation.importance),
    NAME ("figure", AttnDrawSession, ablation.figure, attn_ablation_figure_names),
    YES ("curves", AttnDrawSession, ablation.curves),
    END,
};

static const AttnDrawField atlas[] = {
    NAME ("class", AttnDrawSession, atlas.pattern, atlas_classes),
    COUNT ("layer", AttnDrawSession, atlas.layer, MAX_COUNT),
    END,
};

const AttnDrawField attn_draw_window_fields[] = {
    NUMBER ("magnification", AttnDrawSession, magnification, 1, 1e6),
    YES ("lab", AttnDrawSession, in_lab),
    NAME ("lab_page", AttnDrawSession, lab_page, lab_pages),
    NAME ("lab_step", AttnDrawSession, lab_place.step, attn_step_names),
    OBJECT ("lab_cell", lab_cell),
    NAME ("lab_pair", AttnDrawSession, lab_place.pair, lab_pairs),
    OBJECT ("lab_heads", lab_heads),
    NAME ("lab_code", AttnDrawSession, lab_place.code, lab_codes),
    YES ("lab_example", AttnDrawSession, lab_example.is_example),
    OBJECT ("lab_own_head", lab_own_head),
    OBJECT ("ablation", ablation),
    OBJECT ("atlas", atlas),
    END,
};
