/* SPDX-License-Identifier: MIT */
/* A stack with strips above, filled page by page; the switch between them likewise when needed. */
#include "hs-lab.h"

#include "hs-lab-pages.h"
#include "hs-load-strip.h"
#include "hs-switch.h"
#include "hs-warning-strip.h"

#include <glib/gi18n.h>

#define SPACING 10

struct _HsLab {
  HsPanel parent_instance;

  GtkStack *stack; /* NULL until it is needed */
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
  return self->stack != NULL ? gtk_stack_get_visible_child (self->stack) : NULL;
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
  self->stack = g_object_new (GTK_TYPE_STACK, "hhomogeneous", FALSE, "vhomogeneous", FALSE,
                              "vexpand", TRUE, NULL);
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

static void
hs_lab_update (HsPanel *panel)
{
  HsLab *self = HS_LAB (panel);
  HsSession *session = hs_panel_peek_session (panel);
  const gboolean is_open = hs_session_get_in_lab (session);

  gtk_widget_set_visible (GTK_WIDGET (self), is_open);
  if (!is_open)
    return;
  const HsLabPageInfo *info = hs_lab_pages_find (hs_session_get_lab_page (session));
  if (self->stack == NULL)
    fill (self, session);
  if (gtk_stack_get_child_by_name (self->stack, info->name) == NULL)
    gtk_stack_add_named (self->stack, info->create (session), info->name);
  gtk_stack_set_visible_child_name (self->stack, info->name);
}

static gboolean
hs_lab_grab_focus (GtkWidget *widget)
{
  GtkWidget *page = hs_lab_peek_page (HS_LAB (widget));

  return page != NULL && gtk_widget_child_focus (page, GTK_DIR_TAB_FORWARD);
}

static void
hs_lab_class_init (HsLabClass *klass)
{
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

  gtk_widget_set_visible (GTK_WIDGET (panel), is_open);
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
