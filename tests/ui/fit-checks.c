/* SPDX-License-Identifier: MIT */
/* Everything is measured again from what is on the screen, not from what was asked for. */
#include "fit-checks.h"

#include "hs-fold.h"
#include "hs-picture.h"
#include "hs-wrap-layout.h"

#include <string.h>

#define SLACK_PX 1.0f /* rounding of text widths to whole pixels; a theme's margin of -1 */

G_GNUC_PRINTF (3, 4)
static void
complain (GPtrArray *complaints, GtkWidget *widget, const char *format, ...)
{
  const char *id = gtk_buildable_get_buildable_id (GTK_BUILDABLE (widget));
  GtkWidget *parent = gtk_widget_get_parent (widget);
  g_autofree char *what = NULL;
  va_list arguments;

  va_start (arguments, format);
  what = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_ptr_array_add (
      complaints,
      g_strdup_printf ("%s %s in %s: %s", G_OBJECT_TYPE_NAME (widget), id != NULL ? id : "",
                       parent != NULL ? G_OBJECT_TYPE_NAME (parent) : "nothing", what));
}

/* Whether a label has a tooltip of its own text, which is made when asked for. */
static bool
tells_itself (GtkWidget *widget)
{
  g_autoptr (GtkTooltip) tooltip = NULL;
  gboolean is_shown = FALSE;

  if (!GTK_IS_LABEL (widget) || !gtk_widget_get_has_tooltip (widget) ||
      gtk_widget_get_tooltip_markup (widget) != NULL)
    return false;
  tooltip = g_object_new (GTK_TYPE_TOOLTIP, NULL);
  g_signal_emit_by_name (widget, "query-tooltip", 0, 0, FALSE, tooltip, &is_shown);
  return is_shown;
}

/* Whether a tooltip of the widget, or of what it is in, has the whole text. */
static bool
is_told (GtkWidget *widget, const char *text)
{
  if (tells_itself (widget))
    return true;
  for (; widget != NULL; widget = gtk_widget_get_parent (widget)) {
    const char *tooltip = gtk_widget_get_tooltip_text (widget);
    const char *markup = gtk_widget_get_tooltip_markup (widget);
    g_autofree char *plain = NULL;

    if (markup != NULL && pango_parse_markup (markup, -1, 0, NULL, &plain, NULL, NULL))
      tooltip = plain;
    if (tooltip != NULL && strstr (tooltip, text) != NULL)
      return true;
  }
  return false;
}

static void
check_label (GtkLabel *label, GPtrArray *complaints)
{
  GtkWidget *widget = GTK_WIDGET (label);
  PangoLayout *layout = gtk_label_get_layout (label);
  const char *text = gtk_label_get_text (label);
  int width, height;

  pango_layout_get_pixel_size (layout, &width, &height);
  if (pango_layout_is_ellipsized (layout)) {
    if (!is_told (widget, text))
      complain (complaints, widget, "“%s” is shortened to %d px", text, width);
  } else if (width > gtk_widget_get_width (widget) + SLACK_PX ||
             height > gtk_widget_get_height (widget) + SLACK_PX) {
    complain (complaints, widget, "“%s” is %d × %d px in %d × %d", text, width, height,
              gtk_widget_get_width (widget), gtk_widget_get_height (widget));
  }
}

static void
check_line (GtkWidget *field, const char *text, GPtrArray *complaints)
{
  g_autoptr (PangoLayout) layout = gtk_widget_create_pango_layout (field, text);
  int width;

  pango_layout_get_pixel_size (layout, &width, NULL);
  if (width > gtk_widget_get_width (field) + SLACK_PX)
    complain (complaints, field, "“%s” is %d px in %d", text, width, gtk_widget_get_width (field));
}

/* A person's own text may be longer than its field and scrolls; what we write there has to fit. */
static void
check_field (GtkText *field, GPtrArray *complaints)
{
  GtkWidget *widget = GTK_WIDGET (field);
  const char *placeholder = gtk_text_get_placeholder_text (field);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (field));

  if (GTK_IS_SPIN_BUTTON (gtk_widget_get_parent (widget)))
    check_line (widget, text, complaints);
  else if (*text == '\0' && placeholder != NULL)
    check_line (widget, placeholder, complaints);
}

/* ---- places ---- */

/* To the side only pictures and tables of many numbers scroll: reading texts line by line would be
 * tiring. */
static bool
is_scrolled (GtkScrolledWindow *scrolled, GtkOrientation orientation)
{
  GtkWidget *child = gtk_scrolled_window_get_child (scrolled);
  GtkPolicyType across, down;

  if (orientation == GTK_ORIENTATION_HORIZONTAL && !HS_IS_PICTURE (child) &&
      !GTK_IS_COLUMN_VIEW (child))
    return false;
  gtk_scrolled_window_get_policy (scrolled, &across, &down);
  return (orientation == GTK_ORIENTATION_HORIZONTAL ? across : down) != GTK_POLICY_NEVER;
}

static bool
reaches_over (GtkWidget *widget, GtkWidget *frame, GtkOrientation orientation)
{
  graphene_rect_t bounds;
  float start, end, length;

  if (!gtk_widget_compute_bounds (widget, frame, &bounds))
    return false;
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    start = bounds.origin.x;
    end = start + bounds.size.width;
    length = (float)gtk_widget_get_width (frame);
  } else {
    start = bounds.origin.y;
    end = start + bounds.size.height;
    length = (float)gtk_widget_get_height (frame);
  }
  return start < -SLACK_PX || end > length + SLACK_PX;
}

/* Within the window, or within what would have to scroll to show it and does not. */
static void
check_place (GtkWidget *widget, GtkWidget *window, GPtrArray *complaints)
{
  for (int orientation = 0; orientation < 2; orientation++) {
    GtkWidget *frame = gtk_widget_get_parent (widget);

    while (frame != window && !GTK_IS_SCROLLED_WINDOW (frame))
      frame = gtk_widget_get_parent (frame);
    if (frame != window && is_scrolled (GTK_SCROLLED_WINDOW (frame), (GtkOrientation)orientation))
      continue;
    if (reaches_over (widget, frame, (GtkOrientation)orientation)) {
      graphene_rect_t bounds;
      g_assert_true (gtk_widget_compute_bounds (widget, frame, &bounds));
      complain (complaints, widget, "%g, %g, %g × %g px leaves %s of %d × %d",
                (double)bounds.origin.x, (double)bounds.origin.y, (double)bounds.size.width,
                (double)bounds.size.height, G_OBJECT_TYPE_NAME (frame),
                gtk_widget_get_width (frame), gtk_widget_get_height (frame));
    }
  }
}

static bool
puts_apart (GtkWidget *parent)
{
  GtkLayoutManager *manager = gtk_widget_get_layout_manager (parent);

  return HS_IS_FOLD (parent) || HS_IS_WRAP_LAYOUT (manager) || GTK_IS_BOX_LAYOUT (manager) ||
         GTK_IS_GRID_LAYOUT (manager) || GTK_IS_CENTER_LAYOUT (manager);
}

static bool
is_placed (GtkWidget *widget)
{
  return widget != NULL && gtk_widget_get_mapped (widget) && !GTK_IS_NATIVE (widget);
}

static void
check_apart (GtkWidget *parent, GPtrArray *complaints)
{
  if (!puts_apart (parent))
    return;
  for (GtkWidget *one = gtk_widget_get_first_child (parent); one != NULL;
       one = gtk_widget_get_next_sibling (one)) {
    for (GtkWidget *other = gtk_widget_get_next_sibling (one); other != NULL && is_placed (one);
         other = gtk_widget_get_next_sibling (other)) {
      graphene_rect_t first, second, shared;
      if (!is_placed (other) || !gtk_widget_compute_bounds (one, parent, &first) ||
          !gtk_widget_compute_bounds (other, parent, &second))
        continue;
      if (graphene_rect_intersection (&first, &second, &shared) &&
          shared.size.width > 2 * SLACK_PX && shared.size.height > 2 * SLACK_PX)
        complain (complaints, one, "shares %g × %g px with %s", (double)shared.size.width,
                  (double)shared.size.height, G_OBJECT_TYPE_NAME (other));
    }
  }
}

static void
check_tree (GtkWidget *widget, GtkWidget *window, GPtrArray *complaints)
{
  if (widget != window && !is_placed (widget))
    return;
  if (widget != window)
    check_place (widget, window, complaints);
  if (GTK_IS_LABEL (widget))
    check_label (GTK_LABEL (widget), complaints);
  else if (GTK_IS_TEXT (widget))
    check_field (GTK_TEXT (widget), complaints);
  check_apart (widget, complaints);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    check_tree (child, window, complaints);
}

void
fit_check_widgets (GtkWidget *window, GPtrArray *complaints)
{
  check_tree (window, window, complaints);
}

/* ---- pictures ---- */

/* Names of tokens may be shortened: the whole is in the line under the picture. */
static bool
has_to_be_whole (const AttnDrawItem *item)
{
  return item->role != ATTN_DRAW_ROLE_QUERY_LABEL && item->role != ATTN_DRAW_ROLE_KEY_LABEL &&
         item->role != ATTN_DRAW_ROLE_SUBTITLE && item->role != ATTN_DRAW_ROLE_TOKEN;
}

static bool
shares_pixels (const AttnDrawItem *a, const AttnDrawItem *b)
{
  double across =
      MIN (a->rect.x + a->rect.width, b->rect.x + b->rect.width) - MAX (a->rect.x, b->rect.x);
  double down =
      MIN (a->rect.y + a->rect.height, b->rect.y + b->rect.height) - MAX (a->rect.y, b->rect.y);

  return across > (double)SLACK_PX && down > (double)SLACK_PX;
}

static bool
is_flat_text (const AttnDrawItem *item)
{
  return item->kind == ATTN_DRAW_ITEM_TEXT && item->angle == 0 &&
         item->role != ATTN_DRAW_ROLE_TOKEN && item->role != ATTN_DRAW_ROLE_PASSAGE;
}

static void
check_text (const AttnDrawLayout *layout, const AttnDrawItem *item, GPtrArray *complaints)
{
  double width = attn_draw_layout_get_width (layout);
  double height = attn_draw_layout_get_height (layout);
  const AttnDrawRect *rect = &item->rect;

  if (rect->x < -0.5 || rect->y < -0.5 || rect->x + rect->width > width + 0.5 ||
      rect->y + rect->height > height + 0.5)
    g_ptr_array_add (complaints, g_strdup_printf ("picture of %g × %g px: “%s” reaches to %g, %g",
                                                  width, height, pango_layout_get_text (item->text),
                                                  rect->x + rect->width, rect->y + rect->height));
  if (has_to_be_whole (item) && pango_layout_is_ellipsized (item->text))
    g_ptr_array_add (complaints, g_strdup_printf ("picture of %g × %g px: “%s” is shortened", width,
                                                  height, pango_layout_get_text (item->text)));
}

void
fit_check_picture (const AttnDrawLayout *layout, GPtrArray *complaints)
{
  size_t n = attn_draw_layout_get_n_items (layout);

  for (size_t i = 0; i < n; i++) {
    const AttnDrawItem *item = attn_draw_layout_peek_item (layout, i);
    if (item->kind == ATTN_DRAW_ITEM_TEXT)
      check_text (layout, item, complaints);
    for (size_t other = 0; other < i && is_flat_text (item); other++) {
      const AttnDrawItem *before = attn_draw_layout_peek_item (layout, other);
      if (is_flat_text (before) && shares_pixels (item, before))
        g_ptr_array_add (complaints, g_strdup_printf ("picture: “%s” and “%s” lie on each other",
                                                      pango_layout_get_text (before->text),
                                                      pango_layout_get_text (item->text)));
    }
  }
}
