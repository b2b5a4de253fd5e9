/* SPDX-License-Identifier: MIT */
/* The session's fields, for the files it is made of. */
#pragma once

#include "hs-find.h"
#include "hs-session.h"

struct _HsSession {
  GObject parent_instance;

  HsSide *side, *side_b;
  guint n_layers, n_heads, n_layers_b, n_heads_b;

  AttnDrawView *asked;     /* kind, layer, head, range, colours, pin */
  bool follows;            /* B's layer and head are what A's are */
  bool shows_file;         /* side A has a file's weights … */
  AttnArrangement of_text; /* … and this is how texts were arranged before … */
  AttnLens lens_of_text;   /* … and what they were seen through */
  bool dark;

  AttnDrawPanels *panels; /* nullable */
  AttnDrawView *view;     /* what the panels show */
  AttnDrawPanels *heads;  /* nullable: of the layer, for a strip of them */
  bool wants_heads;
  HsChanges *changes; /* nullable */
  AttnMap *map;       /* nullable: of the view's head, where the panels do not have it */

  gboolean in_lab;
  AttnDrawLabPage lab_page;
  AttnDrawLabPlace lab_place;
  AttnAblationAsked ablation;
  AttnDrawAtlasFilter atlas;
  gboolean head_chosen;
  bool head_lent;            /* the lab chose it for a while, and before … */
  guint own_layer, own_head; /* … it was this one, which nobody had chosen */

  double magnification, most_magnification;

  HsCell hovered;
  guint pinned_query, pinned_key;

  char *find;      /* nullable: what is looked for */
  GArray *matches; /* HsMatch */
  guint found;     /* index of the one that was stepped to, or HS_NONE */

  HsState state;
  double progress;
  char *message;
  char *detail;
};

typedef enum {
  HS_SESSION_PROP_0,
  HS_SESSION_PROP_SIDE,
  HS_SESSION_PROP_KIND,
  HS_SESSION_PROP_LAYER,
  HS_SESSION_PROP_HEAD,
  HS_SESSION_PROP_LAYER_B,
  HS_SESSION_PROP_HEAD_B,
  HS_SESSION_PROP_N_LAYERS,
  HS_SESSION_PROP_N_HEADS,
  HS_SESSION_PROP_N_LAYERS_B,
  HS_SESSION_PROP_N_HEADS_B,
  HS_SESSION_PROP_RANGE,
  HS_SESSION_PROP_RANGE_MAX,
  HS_SESSION_PROP_SCALE,
  HS_SESSION_PROP_ARRANGEMENT,
  HS_SESSION_PROP_WORDS,
  HS_SESSION_PROP_LENS,
  HS_SESSION_PROP_CROP,
  HS_SESSION_PROP_SHOWS_VALUES,
  HS_SESSION_PROP_MAGNIFICATION,
  HS_SESSION_PROP_COLOR_MAP,
  HS_SESSION_PROP_IN_LAB,
  HS_SESSION_PROP_LAB_PAGE,
  HS_SESSION_PROP_LAB_STEP,
  HS_SESSION_PROP_LAB_ROW,
  HS_SESSION_PROP_LAB_COLUMN,
  HS_SESSION_PROP_LAB_PAIR,
  HS_SESSION_PROP_LAB_HEAD_A,
  HS_SESSION_PROP_LAB_HEAD_B,
  HS_SESSION_PROP_LAB_CODE,
  HS_SESSION_PROP_ABLATION,
  HS_SESSION_PROP_ATLAS,
  HS_SESSION_PROP_HEAD_CHOSEN,
  HS_SESSION_PROP_DARK,
  HS_SESSION_PROP_PANELS,
  HS_SESSION_PROP_VIEW,
  HS_SESSION_PROP_HEADS,
  HS_SESSION_PROP_WANTS_HEADS,
  HS_SESSION_PROP_CHANGES,
  HS_SESSION_PROP_HOVERED,
  HS_SESSION_PROP_HOVERED_LAYER,
  HS_SESSION_PROP_HOVERED_HEAD,
  HS_SESSION_PROP_HOVERED_QUERY,
  HS_SESSION_PROP_HOVERED_KEY,
  HS_SESSION_PROP_PINNED_QUERY,
  HS_SESSION_PROP_PINNED_KEY,
  HS_SESSION_PROP_FIND,
  HS_SESSION_PROP_N_FOUND,
  HS_SESSION_PROP_FOUND,
  HS_SESSION_PROP_STATE,
  HS_SESSION_PROP_PROGRESS,
  HS_SESSION_PROP_MESSAGE,
  HS_SESSION_PROP_DETAIL,
  HS_SESSION_PROP_N_TRUNCATED,
  HS_SESSION_PROP_N_TOKENS,
  HS_SESSION_N_PROPS,
} HsSessionProp;

void hs_session_notify (HsSession *self, HsSessionProp prop);

/* One of HS_SESSION_PROP_LAB_STEP … HS_SESSION_PROP_LAB_CODE. */
guint hs_session_get_lab_number (HsSession *self, HsSessionProp prop);
void hs_session_set_lab_number (HsSession *self, HsSessionProp prop, guint number);

/* After layer, head or a model has changed: B's head is A's until it was made another one, and one
 * that B's model has. */
void hs_session_update_head_b (HsSession *self);

/* For the class: hs-session-properties.c. */
void hs_session_install_properties (GObjectClass *klass);
void hs_session_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec);
void hs_session_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec);

/* Looks again, when other tokens are shown. */
void hs_session_find_again (HsSession *self);

/* Returns: (transfer full): the way the window's language writes Han characters, "zh-TW"; "en"
 * where none is set. */
char *hs_session_dup_language (void);

/* What can change without new numbers goes from the asked view into the shown one at once. */
void hs_session_take_over_look (HsSession *self);
