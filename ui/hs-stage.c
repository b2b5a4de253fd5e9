/* SPDX-License-Identifier: MIT */
/* Shares its width: first the picture as large as it can be, then the strip. */
#include "hs-stage.h"

struct _HsStage {
  GtkWidget parent_instance;

  GtkWidget *main;
  HsPicture *picture; /* in main */
  HsHeadStrip *strip;
  GSignalGroup *signals;
};

G_DEFINE_FINAL_TYPE (HsStage, hs_stage, GTK_TYPE_WIDGET)

enum { PROP_0, PROP_MAIN, N_PROPS };

static GParamSpec *props[N_PROPS];

GtkWidget *
hs_stage_new (void)
{
  return g_object_new (HS_TYPE_STAGE, NULL);
}

HsHeadStrip *
hs_stage_peek_strip (HsStage *self)
{
  g_return_val_if_fail (HS_IS_STAGE (self), NULL);
  return self->strip;
}

void
hs_stage_set_picture (HsStage *self, HsPicture *picture)
{
  GtkWidget *strip;

  g_return_if_fail (HS_IS_STAGE (self));

  self->picture = picture;
  if (self->strip != NULL) {
    gtk_widget_unparent (GTK_WIDGET (self->strip));
    self->strip = NULL;
  }
  if (picture != NULL) {
    strip = hs_head_strip_new (hs_picture_peek_session (picture));
    gtk_widget_set_parent (strip, GTK_WIDGET (self));
    self->strip = HS_HEAD_STRIP (strip);
  }
  g_signal_group_set_target (self->signals,
                             picture != NULL ? hs_picture_peek_session (picture) : NULL);
}

static GtkSizeRequestMode
hs_stage_get_request_mode (GtkWidget *widget)
{
  HsStage *self = HS_STAGE (widget);
  return self->main != NULL ? gtk_widget_get_request_mode (self->main)
                            : GTK_SIZE_REQUEST_CONSTANT_SIZE;
}

static void
hs_stage_measure (GtkWidget *widget,
                  GtkOrientation orientation,
                  int for_size,
                  int *minimum,
                  int *natural,
                  int *minimum_baseline,
                  int *natural_baseline)
{
  HsStage *self = HS_STAGE (widget);

  *minimum_baseline = *natural_baseline = -1;
  if (self->main != NULL)
    gtk_widget_measure (self->main, orientation, for_size, minimum, natural, NULL, NULL);
}

static void
hs_stage_size_allocate (GtkWidget *widget, int width, int height, int baseline G_GNUC_UNUSED)
{
  HsStage *self = HS_STAGE (widget);
  const bool rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  int strip = 0;

  if (self->strip != NULL) {
    int needed = hs_picture_measure_width (self->picture, width, height);
    strip = hs_head_strip_fit (self->strip, width - needed, height);
    gtk_widget_set_child_visible (GTK_WIDGET (self->strip), strip > 0);
  }
  if (strip > 0)
    gtk_widget_size_allocate (GTK_WIDGET (self->strip),
                              &(GtkAllocation){rtl ? 0 : width - strip, 0, strip, height}, -1);
  if (self->main != NULL)
    gtk_widget_size_allocate (self->main,
                              &(GtkAllocation){rtl ? strip : 0, 0, width - strip, height}, -1);
}

static void
hs_stage_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAIN)
    g_value_set_object (value, HS_STAGE (object)->main);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_stage_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  HsStage *self = HS_STAGE (object);

  if (id != PROP_MAIN) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  g_clear_pointer (&self->main, gtk_widget_unparent);
  self->main = g_value_get_object (value);
  if (self->main != NULL)
    gtk_widget_set_parent (self->main, GTK_WIDGET (self));
  g_object_notify_by_pspec (object, pspec);
}

static void
hs_stage_dispose (GObject *object)
{
  HsStage *self = HS_STAGE (object);

  hs_stage_set_picture (self, NULL);
  g_clear_pointer (&self->main, gtk_widget_unparent);
  G_OBJECT_CLASS (hs_stage_parent_class)->dispose (object);
}

static void
hs_stage_finalize (GObject *object)
{
  g_object_unref (HS_STAGE (object)->signals);
  G_OBJECT_CLASS (hs_stage_parent_class)->finalize (object);
}

static void
hs_stage_class_init (HsStageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = hs_stage_get_property;
  object_class->set_property = hs_stage_set_property;
  object_class->dispose = hs_stage_dispose;
  object_class->finalize = hs_stage_finalize;
  widget_class->get_request_mode = hs_stage_get_request_mode;
  widget_class->measure = hs_stage_measure;
  widget_class->size_allocate = hs_stage_size_allocate;

  props[PROP_MAIN] =
      g_param_spec_object ("main", NULL, NULL, GTK_TYPE_WIDGET,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);
}

static void
hs_stage_init (HsStage *self)
{
  static const char *const signals[] = {"notify::view", "notify::panels", "notify::heads"};

  self->signals = g_signal_group_new (HS_TYPE_SESSION);
  /* a resize, so that all above are allocated as well: see hs_face_init() */
  for (size_t i = 0; i < G_N_ELEMENTS (signals); i++)
    g_signal_group_connect_swapped (self->signals, signals[i], G_CALLBACK (gtk_widget_queue_resize),
                                    self);
}
