/* SPDX-License-Identifier: MIT */
/* Pure functions that templates bind with: from properties to what a widget shows.
 *
 * The first argument is the widget whose template it is, and is not looked at. Strings are new, for
 * the binding to free. Test: tests/ui/test-closures.c */
#pragma once

#include "hs-answer.h"
#include "hs-types.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Returns: the name of the stack page for a state: the last picture stays while busy. */
char *hs_closure_face (gpointer widget, HsState state, AttnDrawPanels *panels);

/* Returns: the opposite. */
gboolean hs_closure_not (gpointer widget, gboolean yes);

/* Returns: whether @number is > 0. */
gboolean hs_closure_positive (gpointer widget, guint number);

/* Returns: whether a view is one of the page Explore, or the page Compare itself; not in the lab.
 */
gboolean hs_closure_explores (gpointer widget, AttnDrawKind kind, gboolean in_lab);
gboolean hs_closure_compares (gpointer widget, AttnDrawKind kind, gboolean in_lab);

/* Returns: how many times as high as wide the picture should be where it has the whole width: three
 * maps side by side need less height than one. */
double hs_closure_folded_aspect (gpointer widget, AttnDrawKind kind);

/* Returns: px that the picture needs at least: maps side by side have more text around them. */
int hs_closure_face_height (gpointer widget, AttnDrawKind kind);

/* Returns: whether there are layers (heads) to choose from, and they are not combined, by an
 * arrangement or a lens; the lab is about one head of a model whatever is combined elsewhere, and
 * about nothing of a file's.
 * @arrangement: an AttnArrangement; NULL while there is no session */
gboolean hs_closure_layer_matters (
    gpointer widget, guint n_layers, gpointer arrangement, gboolean in_lab, HsAttention *attention);
gboolean hs_closure_head_matters (gpointer widget,
                                  guint n_heads,
                                  gpointer arrangement,
                                  guint lens,
                                  gboolean in_lab,
                                  HsAttention *attention);

/* Returns: what rows and columns stand for. */
char *hs_closure_unit_name (gpointer widget, gpointer arrangement, guint lens);

/* Returns: whether a failure is that of an arrangement alone: the text was run. */
gboolean hs_closure_is_refused (gpointer widget, HsAnswer *answer);
gboolean hs_closure_is_not_refused (gpointer widget, HsAnswer *answer);

/* Returns: whether @text is there and not empty. */
gboolean hs_closure_has_text (gpointer widget, const char *text);

/* Returns: whether there is one. */
gboolean hs_closure_has_attention (gpointer widget, HsAttention *attention);

/* Returns: "12 of 524 tokens left out …", "" for none. */
char *hs_closure_truncated (gpointer widget, guint n_truncated, guint n_tokens);

/* Returns: name and size of the file that is shown, or else of the model, as markup; the program's
 * name while there is neither. Both nullable. */
char *hs_closure_source_title (gpointer widget, AttnModel *model, HsAttention *attention);

/* Returns: that, and below it where the file or the model is, but for the one that comes with the
 * program. */
char *hs_closure_source_tip (gpointer widget, AttnModel *model, HsAttention *attention);

/* Returns: what is being waited for. @message: (nullable): that says it. */
char *hs_closure_busy (gpointer widget, guint n_layers, const char *message);

/* Returns: @fraction where it is known, else 0. */
double hs_closure_fraction (gpointer widget, double fraction);

G_END_DECLS
