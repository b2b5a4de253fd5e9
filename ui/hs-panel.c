/* SPDX-License-Identifier: MIT */
/* The base of everything that shows a part of the session: holds it and watches it. */
#include "hs-panel.h"

#include "hs-children.h"

typedef struct {
  HsSession *session;
  GSignalGroup *signals;
} HsPanelPrivate;

enum { PROP_0, PROP_SESSION, N_PROPS };

static GParamSpec *props[N_PROPS];

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (HsPanel, hs_panel, GTK_TYPE_WIDGET)

static HsPanelPrivate *
get_private (HsPanel *self)
{
  return hs_panel_get_instance_private (self);
}

HsSession *
hs_panel_peek_session (HsPanel *self)
{
  g_return_val_if_fail (HS_IS_PANEL (self), NULL);
  return get_private (self)->session;
}

void
hs_panel_watch (HsPanel *self, const char *property, void (*handler) (HsPanel *self))
{
  g_autofree char *signal = g_strconcat ("notify::", property, NULL);
  g_signal_group_connect_swapped (get_private (self)->signals, signal, G_CALLBACK (handler), self);
}

static void
set_session (HsPanel *self, HsSession *session)
{
  HsPanelPrivate *private = get_private (self);
  if (!g_set_object (&private->session, session))
    return;
  g_signal_group_set_target (private->signals, session);
  if (session != NULL)
    HS_PANEL_GET_CLASS (self)->update (self);
  g_object_notify_by_pspec (G_OBJECT (self), props[PROP_SESSION]);
}

static void
hs_panel_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    g_value_set_object (value, get_private (HS_PANEL (object))->session);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_panel_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_SESSION)
    set_session (HS_PANEL (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_panel_dispose (GObject *object)
{
  HsPanelPrivate *private = get_private (HS_PANEL (object));
  g_signal_group_set_target (private->signals, NULL);
  hs_children_unparent (GTK_WIDGET (object));
  g_clear_object (&private->session);
  G_OBJECT_CLASS (hs_panel_parent_class)->dispose (object);
}

static void
hs_panel_finalize (GObject *object)
{
  g_object_unref (get_private (HS_PANEL (object))->signals);
  G_OBJECT_CLASS (hs_panel_parent_class)->finalize (object);
}

static void
hs_panel_class_init (HsPanelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = hs_panel_get_property;
  object_class->set_property = hs_panel_set_property;
  object_class->dispose = hs_panel_dispose;
  object_class->finalize = hs_panel_finalize;

  props[PROP_SESSION] =
      g_param_spec_object ("session", NULL, NULL, HS_TYPE_SESSION,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_panel_init (HsPanel *self)
{
  get_private (self)->signals = g_signal_group_new (HS_TYPE_SESSION);
}
