/* SPDX-License-Identifier: MIT */
/* One line at the bottom that says in words what the pointer is on, and how large the text is. */
#include "hs-status-line.h"

#include "hs-lab-pages.h"
#include "hs-lab-reading.h"
#include "hs-label-tip.h"
#include "hs-reading.h"

#include <glib/gi18n.h>

#define US_PER_MS 1000
#define SAY_MS 5000 /* long enough to read a path */

struct _HsStatusLine {
  HsPanel parent_instance;

  char *message;      /* being said; nullable */
  bool more_may_come; /* to be said behind it */
  guint timeout;      /* until it has been said long enough */
  GtkLabel *readout;
  GtkLabel *size;
};

G_DEFINE_FINAL_TYPE (HsStatusLine, hs_status_line, HS_TYPE_PANEL)

/* Of a file of attention there are no steps, so there is nothing to click. */
static const char *
peek_lab_hint (HsSession *session)
{
  const HsLabPageInfo *page = hs_lab_pages_find (hs_session_get_lab_page (session));
  const bool is_of_file = hs_side_peek_attention (hs_session_peek_side (session)) != NULL;

  if (page->needs_model && is_of_file)
    return "";
  if (page->page == ATTN_DRAW_LAB_ABLATION &&
      hs_session_peek_ablation (session)->figure == ATTN_ABLATION_PRUNING)
    return _ (
        "Point at a curve or a dot for its numbers; a click on a head’s dot chooses the head");
  return _ (page->hint);
}

static const char *
peek_hint (HsSession *session)
{
  if (hs_session_get_in_lab (session))
    return peek_lab_hint (session);
  if (hs_session_peek_panels (session) == NULL)
    return "";
  const AttnDrawView *view = hs_session_peek_view (session);
  bool is_grid = view->kind == ATTN_DRAW_HEADS || view->kind == ATTN_DRAW_LAYERS;
  if (is_grid && !attn_draw_view_is_joint (view))
    return _ ("Click selects a head; double-click or Return opens it large");
  if (view->kind == ATTN_DRAW_LINES)
    return _ ("Point at a token for its lines alone, click pins it; a click on a head’s colour "
              "shows or hides it");
  if (view->kind == ATTN_DRAW_TEXT)
    return _ ("Point at a piece of the text to see where it looks; click pins it");
  return _ ("Point at a cell to read it; click pins it; arrow keys move");
}

/* Returns: (nullable) (transfer full): what is pointed at, else what is picked. */
static char *
dup_reading (HsSession *session)
{
  char *text;

  if (hs_session_get_in_lab (session))
    return hs_lab_dup_reading (session);
  text = hs_reading_dup_hovered (session);
  return text != NULL ? text : hs_reading_dup_pinned (session);
}

static void
update_readout (HsPanel *panel)
{
  HsStatusLine *self = HS_STATUS_LINE (panel);
  HsSession *session = hs_panel_peek_session (panel);
  g_autofree char *text = self->message != NULL ? g_strdup (self->message) : dup_reading (session);
  gtk_label_set_text (self->readout, text != NULL ? text : peek_hint (session));
}

static char *
dup_size (HsSession *session)
{
  guint n_tokens = hs_session_get_n_tokens (session);
  guint n_truncated = hs_session_get_n_truncated (session);
  HsAnswer *answer = hs_side_peek_answer (hs_session_peek_side (session));
  if (answer != NULL && answer->attention != NULL)
    return g_strdup_printf (_ ("%zu queries × %zu keys"),
                            attn_maps_get_n (answer->maps, ATTN_SIDE_QUERY),
                            attn_maps_get_n (answer->maps, ATTN_SIDE_KEY));
  if (answer == NULL || n_tokens == 0)
    return g_strdup ("");
  bool is_shorter = answer->elapsed_us < US_PER_MS;
  if (n_truncated > 0 && is_shorter)
    return g_strdup_printf (_ ("%u tokens used, %u left out · < 1 ms"), n_tokens, n_truncated);
  if (n_truncated > 0)
    return g_strdup_printf (_ ("%u tokens used, %u left out · %.0f ms"), n_tokens, n_truncated,
                            (double)answer->elapsed_us / US_PER_MS);
  if (is_shorter)
    return g_strdup_printf (ngettext ("%u token · < 1 ms", "%u tokens · < 1 ms", n_tokens),
                            n_tokens);
  return g_strdup_printf (ngettext ("%u token · %.0f ms", "%u tokens · %.0f ms", n_tokens),
                          n_tokens, (double)answer->elapsed_us / US_PER_MS);
}

static void
hs_status_line_update (HsPanel *panel)
{
  g_autofree char *size = dup_size (hs_panel_peek_session (panel));
  gtk_label_set_text (HS_STATUS_LINE (panel)->size, size);
  update_readout (panel);
}

static void
said_enough_cb (gpointer data)
{
  HsStatusLine *self = data;
  self->timeout = 0;
  g_clear_pointer (&self->message, g_free);
  update_readout (HS_PANEL (self));
}

void
hs_status_line_say (HsStatusLine *self, const char *message)
{
  g_return_if_fail (HS_IS_STATUS_LINE (self));
  g_free (self->message);
  self->message = g_strdup (message);
  self->more_may_come = false;
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add_once (SAY_MS, said_enough_cb, self);
  update_readout (HS_PANEL (self));
}

void
hs_status_line_say_also (HsStatusLine *self, const char *message)
{
  g_autofree char *both = NULL;

  g_return_if_fail (HS_IS_STATUS_LINE (self));
  if (self->message != NULL && self->more_may_come)
    both = g_strconcat (self->message, " · ", message, NULL);
  hs_status_line_say (self, both != NULL ? both : message);
  self->more_may_come = true;
}

static void
hs_status_line_dispose (GObject *object)
{
  g_clear_handle_id (&HS_STATUS_LINE (object)->timeout, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (object), HS_TYPE_STATUS_LINE);
  G_OBJECT_CLASS (hs_status_line_parent_class)->dispose (object);
}

static void
hs_status_line_finalize (GObject *object)
{
  g_free (HS_STATUS_LINE (object)->message);
  G_OBJECT_CLASS (hs_status_line_parent_class)->finalize (object);
}

static void
hs_status_line_class_init (HsStatusLineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = hs_status_line_dispose;
  object_class->finalize = hs_status_line_finalize;
  HS_PANEL_CLASS (klass)->update = hs_status_line_update;

  gtk_widget_class_set_template_from_resource (
      widget_class, "/io/github/headscope/Headscope/ui/hs-status-line.ui");
  gtk_widget_class_bind_template_child (widget_class, HsStatusLine, readout);
  gtk_widget_class_bind_template_child (widget_class, HsStatusLine, size);
}

static void
hs_status_line_init (HsStatusLine *self)
{
  HsPanel *panel = HS_PANEL (self);

  gtk_widget_init_template (GTK_WIDGET (self));
  hs_label_tip_add (self->readout);
  hs_label_tip_add (self->size);
  hs_panel_watch (panel, "view", hs_status_line_update);
  hs_panel_watch (panel, "n-tokens", hs_status_line_update);
  hs_panel_watch (panel, "hovered-layer", update_readout);
  hs_panel_watch (panel, "hovered-head", update_readout);
  hs_panel_watch (panel, "hovered-query", update_readout);
  hs_panel_watch (panel, "hovered-key", update_readout);
  hs_panel_watch (panel, "pinned-query", update_readout);
  hs_panel_watch (panel, "pinned-key", update_readout);
  hs_panel_watch (panel, "in-lab", update_readout);
  hs_panel_watch (panel, "lab-page", update_readout);
  hs_panel_watch (panel, "ablation", update_readout);
}

GtkWidget *
hs_status_line_new (HsSession *session)
{
  return g_object_new (HS_TYPE_STATUS_LINE, "session", session, NULL);
}
