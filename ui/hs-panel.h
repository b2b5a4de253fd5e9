/* SPDX-License-Identifier: MIT */
/* The base of everything that shows a part of the session: holds it and watches it. */
#pragma once

#include "hs-session.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define HS_TYPE_PANEL (hs_panel_get_type ())
G_DECLARE_DERIVABLE_TYPE (HsPanel, hs_panel, HS, PANEL, GtkWidget)

/* Property "session" (HsSession, nullable). */
struct _HsPanelClass {
  GtkWidgetClass parent_class;

  /* Shows the session anew; called when one is set, never without one. */
  void (*update) (HsPanel *self);
};

/* Returns: (nullable) (transfer none). */
HsSession *hs_panel_peek_session (HsPanel *self);

/* From a subclass's init: calls @handler (self) whenever the session notifies @property. */
void hs_panel_watch (HsPanel *self, const char *property, void (*handler) (HsPanel *self));

G_END_DECLS
