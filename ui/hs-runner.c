/* SPDX-License-Identifier: MIT */
/* Runs in the engine with an identity each: its cancellable. */
#include "hs-runner.h"

struct _HsRunner {
  GObject parent_instance;

  HsEngine *engine;
  GCancellable *current; /* the newest run; NULL when none is under way */
};

G_DEFINE_FINAL_TYPE (HsRunner, hs_runner, G_TYPE_OBJECT)

enum { PROP_0, PROP_RUNNING, N_PROPS };
enum { ANSWERED, FAILED, PROGRESS, N_SIGNALS };

static GParamSpec *props[N_PROPS];
static guint signals[N_SIGNALS];

/* What a run's callback needs to know whether it is still the newest. */
typedef struct {
  HsRunner *self; /* referenced */
  GCancellable *identity;
} Run;

HsRunner *
hs_runner_new (HsEngine *engine)
{
  HsRunner *self = g_object_new (HS_TYPE_RUNNER, NULL);

  self->engine = g_object_ref (engine);
  return self;
}

bool
hs_runner_get_running (HsRunner *self)
{
  g_return_val_if_fail (HS_IS_RUNNER (self), false);
  return self->current != NULL;
}

static void
set_current (HsRunner *self, GCancellable *cancellable)
{
  const bool before = self->current != NULL;

  if (self->current != NULL)
    g_cancellable_cancel (self->current);
  g_set_object (&self->current, cancellable);
  if (before != (self->current != NULL))
    g_object_notify_by_pspec (G_OBJECT (self), props[PROP_RUNNING]);
}

static void
run_free (Run *run)
{
  g_object_unref (run->identity);
  g_object_unref (run->self);
  g_free (run);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Run, run_free)

static void
done_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (Run) run = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (HsAnswer) answer = hs_engine_run_finish (HS_ENGINE (source), result, &error);

  if (run->identity != run->self->current)
    return; /* a newer run, or a stop, has taken over */
  g_clear_object (&run->self->current);
  g_object_freeze_notify (G_OBJECT (run->self));
  g_object_notify_by_pspec (G_OBJECT (run->self), props[PROP_RUNNING]);
  if (answer != NULL)
    g_signal_emit (run->self, signals[ANSWERED], 0, answer);
  else
    g_signal_emit (run->self, signals[FAILED], 0, error);
  g_object_thaw_notify (G_OBJECT (run->self));
}

static void
progress_cb (double fraction, gpointer data)
{
  Run *run = data;

  if (run->identity == run->self->current)
    g_signal_emit (run->self, signals[PROGRESS], 0, fraction);
}

void
hs_runner_start (HsRunner *self, const HsRequest *request)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Run *run;

  g_return_if_fail (HS_IS_RUNNER (self));

  set_current (self, cancellable);
  run = g_new0 (Run, 1);
  run->self = g_object_ref (self);
  run->identity = g_object_ref (cancellable);
  hs_engine_run_async (self->engine, request, cancellable, progress_cb, run, done_cb, run);
}

void
hs_runner_stop (HsRunner *self)
{
  g_return_if_fail (HS_IS_RUNNER (self));

  set_current (self, NULL);
}

static void
hs_runner_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_RUNNING)
    g_value_set_boolean (value, hs_runner_get_running (HS_RUNNER (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
hs_runner_finalize (GObject *object)
{
  HsRunner *self = HS_RUNNER (object);

  g_clear_object (&self->current);
  g_clear_object (&self->engine);
  G_OBJECT_CLASS (hs_runner_parent_class)->finalize (object);
}

static void
hs_runner_class_init (HsRunnerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = hs_runner_get_property;
  object_class->finalize = hs_runner_finalize;

  props[PROP_RUNNING] =
      g_param_spec_boolean ("running", NULL, NULL, FALSE,
                            G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, props);

  signals[ANSWERED] = g_signal_new ("answered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, HS_TYPE_ANSWER);
  signals[FAILED] = g_signal_new ("failed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[PROGRESS] = g_signal_new ("progress", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_DOUBLE);
}

static void
hs_runner_init (HsRunner *self G_GNUC_UNUSED)
{
}
