/* SPDX-License-Identifier: MIT */
/* The window's shared state: what is asked, what is shown, what is pointed at.
 *
 * Views watch it and never talk to each other. Inputs are properties with explicit notify; a setter
 * is quiet when nothing changes. Two views of things:
 *  - asked: kind, layer, head, range … as the person set them, at once;
 *  - shown: panels and view, which always belong together, changed in one step when the numbers are
 *    there (the next moment for one head, later for long texts).
 * A picture draws hs_session_peek_view() with hs_session_peek_panels() and is told by
 * "notify::view" whenever either changed, colours and pin included. Layers, heads and tokens count
 * from 0 here. */
#pragma once

#include "hs-changes.h"
#include "hs-find.h"
#include "hs-side.h"
#include "hs-types.h"

#include "attn-draw/atlas.h"
#include "attn/ablation.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define HS_TYPE_SESSION (hs_session_get_type ())
G_DECLARE_FINAL_TYPE (HsSession, hs_session, HS, SESSION, GObject)

/* Returns: a session with one empty side, state EMPTY. */
HsSession *hs_session_new (void);

/* Property "side", never changes. Returns: (transfer none): model, text, answer of side A. */
HsSide *hs_session_peek_side (HsSession *self);

/* Returns: (transfer none): side B, which the view compare sets against side A: texts of its own,
 * and A's model while it has none. */
HsSide *hs_session_peek_side_b (HsSession *self);

/* ---- asked ---- */

/* Property "kind" (HS_TYPE_KIND). */
AttnDrawKind hs_session_get_kind (HsSession *self);
void hs_session_set_kind (HsSession *self, AttnDrawKind kind);

/* Properties "layer" and "head" (uint), clamped to the model once there is one. */
guint hs_session_get_layer (HsSession *self);
void hs_session_set_layer (HsSession *self, guint layer);
guint hs_session_get_head (HsSession *self);
void hs_session_set_head (HsSession *self, guint head);

/* Properties "layer-b" and "head-b" (uint): likewise of B, in the view compare. They follow "layer"
 * and "head" until they are set to others, and again once they are set to the same. */
guint hs_session_get_layer_b (HsSession *self);
void hs_session_set_layer_b (HsSession *self, guint layer);
guint hs_session_get_head_b (HsSession *self);
void hs_session_set_head_b (HsSession *self, guint head);

/* Properties "n-layers" and "n-heads" (uint, read-only): the model's, 0 while there is none. */
guint hs_session_get_n_layers (HsSession *self);
guint hs_session_get_n_heads (HsSession *self);

/* Properties "n-layers-b" and "n-heads-b" (uint, read-only): of the model that side B has; 0 while
 * that is not known. */
guint hs_session_get_n_layers_b (HsSession *self);
guint hs_session_get_n_heads_b (HsSession *self);

/* Property "range" (HS_TYPE_RANGE): what the strongest colour stands for. */
AttnDrawRange hs_session_get_range (HsSession *self);
void hs_session_set_range (HsSession *self, AttnDrawRange range);

/* Property "range-max" (double, > 0): for ATTN_DRAW_RANGE_FIXED. */
double hs_session_get_range_max (HsSession *self);
void hs_session_set_range_max (HsSession *self, double max);

/* Property "arrangement" (pointer to AttnArrangement): what maps go through before they are drawn.
 */
const AttnArrangement *hs_session_peek_arrangement (HsSession *self);
void hs_session_set_arrangement (HsSession *self, const AttnArrangement *arrangement);

/* Property "words" (pointer to AttnWordList, nullable): words of several Han characters. */
AttnWordList *hs_session_peek_words (HsSession *self);
void hs_session_set_words (HsSession *self, AttnWordList *words);

/* Property "lens" (uint, an AttnLens): what is looked at in place of the weights. */
AttnLens hs_session_get_lens (HsSession *self);
void hs_session_set_lens (HsSession *self, AttnLens lens);

/* Property "scale" (HS_TYPE_SCALE): how a weight becomes a colour. */
AttnDrawScale hs_session_get_scale (HsSession *self);
void hs_session_set_scale (HsSession *self, AttnDrawScale scale);

/* Property "crop" (pointer to AttnDrawCrop): the rows and columns that are drawn; NULL sets all. */
const AttnDrawCrop *hs_session_peek_crop (HsSession *self);
void hs_session_set_crop (HsSession *self, const AttnDrawCrop *crop);

/* Property "shows-values" (boolean): numbers in cells that have room for them. */
bool hs_session_get_shows_values (HsSession *self);
void hs_session_set_shows_values (HsSession *self, bool shows);

/* Property "magnification" (double, ≥ 1): how much larger than fits the maps of all layers are on
 * screen; of the window, not of the picture's files. What is useful the picture knows. */
double hs_session_get_magnification (HsSession *self);
void hs_session_set_magnification (HsSession *self, double magnification);
void hs_session_limit_magnification (HsSession *self, double most);

/* Property "color-map" (HS_TYPE_COLOR_MAP). */
AttnDrawColorMap hs_session_get_color_map (HsSession *self);
void hs_session_set_color_map (HsSession *self, AttnDrawColorMap color_map);

/* Letters of pictures on the screen: a family as Pango names it, and their size in points. */
void hs_session_set_font (HsSession *self, const char *family, double size_pt);

/* Says everything again, after the program's language has changed. */
void hs_session_renew_language (HsSession *self);

/* Property "in-lab" (boolean): the lab is open instead of the picture; and "lab-page"
 * (HS_TYPE_LAB_PAGE): the page of it that is, or was, open. */
gboolean hs_session_get_in_lab (HsSession *self);
void hs_session_set_in_lab (HsSession *self, gboolean in_lab);
AttnDrawLabPage hs_session_get_lab_page (HsSession *self);
void hs_session_set_lab_page (HsSession *self, AttnDrawLabPage page);

/* Where one is in the lab's pages: properties "lab-step", "lab-row", "lab-column" (HS_NONE for
 * none), "lab-pair", "lab-head-a", "lab-head-b" and "lab-code", all uint. Not every place is one
 * that this text and model have. */
const AttnDrawLabPlace *hs_session_peek_lab_place (HsSession *self);
void hs_session_set_lab_place (HsSession *self, const AttnDrawLabPlace *place);

/* Property "ablation" (pointer to AttnAblationAsked): what is asked on the page where heads are
 * switched off. Returns: (transfer none). */
const AttnAblationAsked *hs_session_peek_ablation (HsSession *self);
void hs_session_set_ablation (HsSession *self, const AttnAblationAsked *ablation);

/* Property "atlas" (pointer to AttnDrawAtlasFilter): which heads are looked for on the page where
 * all are. */
const AttnDrawAtlasFilter *hs_session_peek_atlas (HsSession *self);
void hs_session_set_atlas (HsSession *self, const AttnDrawAtlasFilter *filter);

/* Property "head-chosen" (boolean): a layer or a head was chosen, by a person, a file or the lab:
 * the lab does not look for one to begin with. */
gboolean hs_session_get_head_chosen (HsSession *self);
void hs_session_set_head_chosen (HsSession *self, gboolean chosen);

/* The lab shows a head that nobody has chosen, as an example: what is kept for the next time is the
 * one that was there before. Whoever sets another layer or head has chosen; with the return, unless
 * that has happened, all is as before. */
void hs_session_lend_head (HsSession *self, guint layer, guint head);
void hs_session_return_head (HsSession *self);
bool hs_session_is_head_lent (HsSession *self);

/* Returns: the same for a session's file. */
AttnDrawLabExample hs_session_get_lab_example (HsSession *self);

/* Layer, head and whether they were chosen, without what is lent. */
void hs_session_get_own_head (HsSession *self, guint *layer, guint *head, gboolean *chosen);

/* Property "dark" (boolean): the window's look, not a choice of the picture's. */
bool hs_session_get_dark (HsSession *self);
void hs_session_set_dark (HsSession *self, bool dark);

/* Returns: (transfer none): the view as it is asked for; strings are not made in it. */
const AttnDrawView *hs_session_peek_asked (HsSession *self);

/* ---- shown ---- */

/* Property "panels" (HS_TYPE_PANELS, read-only). Returns: (nullable) (transfer none). */
AttnDrawPanels *hs_session_peek_panels (HsSession *self);

/* Property "view" (pointer, read-only): notified when the panels, or anything of the view they are
 * shown with, changed. Returns: (transfer none): complete with strings, valid until then. */
const AttnDrawView *hs_session_peek_view (HsSession *self);

/* Returns: (nullable) (transfer none): the map of the head in the view, weight by weight: that of
 * its panel, or computed for this where the panels keep none. Valid until the view changes. */
const AttnMap *hs_session_peek_map (HsSession *self);

/* Returns: (nullable) (transfer none): the file that maps of a side, as it is or as it is still
 * shown, are of; NULL for a model's. */
HsAttention *hs_session_find_attention (HsSession *self, AttnMaps *maps);

/* Property "heads" (HS_TYPE_PANELS): every head of the shown layer, beside a heat map that somebody
 * wants them with; kept up to date by HsHeadsFeeder, soon after the panels.
 *
 * Returns: (nullable) (transfer none). */
AttnDrawPanels *hs_session_peek_heads (HsSession *self);
void hs_session_set_heads (HsSession *self, AttnDrawPanels *heads);

/* Property "wants-heads" (boolean): there is room for them. */
bool hs_session_get_wants_heads (HsSession *self);
void hs_session_set_wants_heads (HsSession *self, bool wants);

/* Property "changes" (HS_TYPE_CHANGES, read-only): what the view compare shows, for all heads; kept
 * up to date by HsRanker, soon after the panels.
 *
 * Returns: (nullable) (transfer none). */
HsChanges *hs_session_peek_changes (HsSession *self);
void hs_session_set_changes (HsSession *self, HsChanges *changes);

/* Returns: whether the shown panels are what is asked for (colours and pin do not matter). */
bool hs_session_is_current (HsSession *self);

/**
 * hs_session_show:
 * @panels: (nullable): referenced; NULL clears the picture
 * @asked:  (nullable): a copy of hs_session_peek_asked() from when @panels were asked for
 *
 * Publishes panels in one step. Only HsUpdater and tests call it.
 */
void hs_session_show (HsSession *self, AttnDrawPanels *panels, const AttnDrawView *asked);

/* Publishes a run's answer: the side's answer, its panels, state READY; hover is forgotten and the
 * pin too, unless the same token stands at the same place. */
void hs_session_publish (HsSession *self, HsAnswer *answer);

/* ---- pointed at ---- */

/* Property "hovered" (pointer to HsCell), and its parts "hovered-layer", "hovered-head",
 * "hovered-query" and "hovered-key" (uint, HS_NONE for none). */
const HsCell *hs_session_peek_hovered (HsSession *self);
void hs_session_set_hovered (HsSession *self, const HsCell *cell);

/* Properties "pinned-query" and "pinned-key" (uint, HS_NONE for none): the query whose row is
 * followed, and the key whose column is; both are in the shown view as well. */
guint hs_session_get_pinned_query (HsSession *self);
guint hs_session_get_pinned_key (HsSession *self);
void hs_session_set_pinned (HsSession *self, guint query, guint key);

/* ---- looked for ---- */

/* Property "find" (string, nullable): what is looked for among the shown tokens. Setting it steps
 * to the first match from the pinned query on. */
const char *hs_session_peek_find (HsSession *self);
void hs_session_set_find (HsSession *self, const char *find);

/* Property "n-found" (uint, read-only): how many matches there are. Returns: (transfer none):
 * HsMatch, never NULL. */
const GArray *hs_session_peek_matches (HsSession *self);

/* Property "found" (uint, read-only): index of the match that is stepped to, or HS_NONE. It is
 * notified at every step, also to the same match: who shows it brings it into view. */
guint hs_session_get_found (HsSession *self);

/* Steps @by matches on, from the last to the first, and pins the first token of the new one. */
void hs_session_step_found (HsSession *self, int by);

/* ---- how it goes ---- */

/* Properties "state" (HS_TYPE_STATE), "progress" (double, 0 … 1 while BUSY, -1 when not known),
 * "message" and "detail" (string, nullable): message is translated, detail the core's sentence. */
HsState hs_session_get_state (HsSession *self);
double hs_session_get_progress (HsSession *self);
const char *hs_session_peek_message (HsSession *self);
const char *hs_session_peek_detail (HsSession *self);
void hs_session_set_state (HsSession *self, HsState state, const char *message, const char *detail);
void hs_session_set_progress (HsSession *self, double fraction);

/* Property "n-truncated" (uint, read-only): tokens of the shown text that were left out. */
guint hs_session_get_n_truncated (HsSession *self);

/* Property "n-tokens" (uint, read-only): tokens of the shown text, 0 when there is none. */
guint hs_session_get_n_tokens (HsSession *self);

G_END_DECLS
