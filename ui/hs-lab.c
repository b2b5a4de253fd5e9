/* SPDX-License-Identifier: MIT */
/* Strips, and pages of which one is seen, made one by one; the switch between them likewise when
 * needed. What is over the page stays where it is: only the page is scrolled. */
#include "hs-lab.h"

#include "hs-lab-pages.h"
#include "hs-load-strip.h"
#include "hs-nested-scroll.h"
#include "hs-switch.h"
#include "hs-terms-row.h"
#include "hs-warning-strip.h"

#include <glib/gi18n.h>

#define SPACING 10
#define LEAST_PAGE_PX \
  380 /* that are seen of a page; where the window has less it is scrolled, too */

struct _HsLab {
  HsPanel parent_instance;

  GtkWidget *scrolled; /* nullable until it is filled */
  GtkWidget *content;  /* of it */
  /* not in a GtkStack, which would ask a page for its width by its height, and then take that */
  GtkWidget *pages[ATTN_DRAW_LAB_ATLAS + 1]; /* NULL until they are needed */
  GtkWidget *page;                           /* nullable: the one that is seen */
  HsTermsRow *terms;                         /* of it, under it; nullable until it is filled */
};

G_DEFINE_FINAL_TYPE (HsLab, hs_lab, HS_TYPE_PANEL)

GtkWidget *
hs_lab_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB, "session", session, NULL);
}

GtkWidget *
hs_lab_peek_page (HsLab *self)
{
  g_return_val_if_fail (HS_IS_LAB (self), NULL);
  return self->page;
}

static void
make_scrolled (HsLab *self)
{
  self->content = gtk_box_new (GTK_ORIENTATION_VERTICAL, SPACING);
  self->scrolled = gtk_scrolled_window_new ();
  g_object_set (self->scrolled, "child", self->content, "vexpand", TRUE, "hscrollbar-policy",
                GTK_POLICY_NEVER, "min-content-height", LEAST_PAGE_PX, NULL);
  hs_nested_scroll_join (self->scrolled);
  gtk_widget_set_parent (self->scrolled, GTK_WIDGET (self));
}

static void
fill (HsLab *self, HsSession *session)
{
  GtkWidget *strips[] = {
      g_object_new (HS_TYPE_LOAD_STRIP, "session", session, NULL),
      g_object_new (HS_TYPE_WARNING_STRIP, "session", session, NULL),
  };

  for (size_t i = 0; i < G_N_ELEMENTS (strips); i++)
    gtk_widget_set_parent (strips[i], GTK_WIDGET (self));
  make_scrolled (self);
  self->terms = HS_TERMS_ROW (hs_terms_row_new ());
  gtk_box_append (GTK_BOX (self->content), GTK_WIDGET (self->terms));
}

/* GTK looks for another widget to focus once the window is next drawn, and keeps a reference to the
 * hidden one until then; one that is hidden before that it forgets to give back. */
static void
leave_page (HsLab *self)
{
  GtkRoot *root = gtk_widget_get_root (self->page);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus != NULL && gtk_widget_is_ancestor (focus, self->page))
    gtk_root_set_focus (root, NULL);
  gtk_widget_set_visible (self->page, FALSE);
}

static void
open_page (HsLab *self, HsSession *session)
{
  const HsLabPageInfo *info = hs_lab_pages_find (hs_session_get_lab_page (session));
  GtkWidget **page = &self->pages[info->page];

  if (*page == NULL) {
    *page = info->create (session);
    gtk_widget_set_vexpand (*page, TRUE);
    gtk_widget_insert_before (*page, self->content, GTK_WIDGET (self->terms));
  }
  if (self->page != NULL && self->page != *page) {
    leave_page (self);
    gtk_adjustment_set_value (
        gtk_scrolled_window_get_vadjustment (GTK_SCROLLED_WINDOW (self->scrolled)), 0);
  }
  self->page = *page;
  gtk_widget_set_visible (self->page, TRUE);
  hs_terms_row_set_terms (self->terms, info->terms);
}

/* Who opens a page with a figure wants its keys, not those of the text or the button they come
 * from. Pages of fields keep out of it: GTK would look for a field even inside of lists that are
 * not popped up. */
static void
take_keys (HsLab *self, HsSession *session)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (root != NULL && gtk_widget_get_mapped (GTK_WIDGET (root)) &&
      hs_lab_pages_find (hs_session_get_lab_page (session))->takes_keys)
    gtk_widget_grab_focus (self->page);
}

static void
hs_lab_update (HsPanel *panel)
{
  HsLab *self = HS_LAB (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const gboolean is_open = hs_session_get_in_lab (session);
  GtkWidget *before = gtk_widget_get_visible (GTK_WIDGET (self)) ? self->page : NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), is_open);
  if (!is_open)
    return;
  if (self->scrolled == NULL)
    fill (self, session);
  open_page (self, session);
  if (self->page != before)
    take_keys (self, session);
}

static gboolean
hs_lab_grab_focus (GtkWidget *widget)
{
  GtkWidget *page = hs_lab_peek_page (HS_LAB (widget));

  return page != NULL && gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static void
hs_lab_dispose (GObject *object)
{
  HS_LAB (object)->page = NULL;
  G_OBJECT_CLASS (hs_lab_parent_class)->dispose (object);
}

static void
hs_lab_class_init (HsLabClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = hs_lab_dispose;
  HS_PANEL_CLASS (klass)->update = hs_lab_update;
  GTK_WIDGET_CLASS (klass)->grab_focus = hs_lab_grab_focus;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "lab");
}

static void
hs_lab_init (HsLab *self)
{
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (GTK_WIDGET (self));

  gtk_orientable_set_orientation (GTK_ORIENTABLE (layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (layout), SPACING);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  gtk_widget_set_vexpand (GTK_WIDGET (self), TRUE);
  hs_panel_watch (HS_PANEL (self), "in-lab", hs_lab_update);
  hs_panel_watch (HS_PANEL (self), "lab-page", hs_lab_update);
}

/* ---- the switch ---- */

struct _HsLabSwitch {
  HsPanel parent_instance;
};

G_DEFINE_FINAL_TYPE (HsLabSwitch, hs_lab_switch, HS_TYPE_PANEL)

GtkWidget *
hs_lab_switch_new (HsSession *session)
{
  return g_object_new (HS_TYPE_LAB_SWITCH, "session", session, NULL);
}

static GtkWidget *
make_row (void)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
  size_t n;
  const HsLabPageInfo *pages = hs_lab_pages_peek (&n);

  gtk_widget_add_css_class (row, "linked");
  for (size_t i = 0; i < n; i++)
    if (!pages[i].stands_alone)
      gtk_box_append (GTK_BOX (row), hs_switch_new_toggle (_ (pages[i].title), _ (pages[i].tooltip),
                                                           "view.lab-page", pages[i].name));
  return row;
}

/* A page that there is not has opened another one, whose button is to be seen pressed. */
static void
hs_lab_switch_update (HsPanel *panel)
{
  HsSession *session = hs_panel_peek_session (panel);
  const gboolean is_open = hs_session_get_in_lab (session);
  const AttnDrawLabPage asked = hs_session_get_lab_page (session);

  gtk_widget_set_visible (GTK_WIDGET (panel), is_open && !hs_lab_pages_find (asked)->stands_alone);
  if (!is_open)
    return;
  if (gtk_widget_get_first_child (GTK_WIDGET (panel)) == NULL) {
    GtkWidget *pages = hs_switch_new (make_row ());

    gtk_accessible_update_property (GTK_ACCESSIBLE (pages), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    _ ("Page of the lab"), -1);
    gtk_widget_set_parent (pages, GTK_WIDGET (panel));
  }
  hs_session_set_lab_page (session, hs_lab_pages_find (asked)->page);
}

static void
hs_lab_switch_class_init (HsLabSwitchClass *klass)
{
  HS_PANEL_CLASS (klass)->update = hs_lab_switch_update;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
hs_lab_switch_init (HsLabSwitch *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  hs_panel_watch (HS_PANEL (self), "in-lab", hs_lab_switch_update);
  hs_panel_watch (HS_PANEL (self), "lab-page", hs_lab_switch_update);
}
