/* SPDX-License-Identifier: MIT */
/* Findings in a run: each count again from the tables it is of; models and texts that cannot. */
#include "test-util.h"
#include "text-run.h"

#include "attn/error.h"
#include "attn/finding.h"
#include "attn/importance.h"
#include "attn/maps.h"
#include "attn/prune.h"

#include <math.h>
#include <string.h>

#define TEXT "the old cat watched the river while we were reading about attention"

typedef struct {
  AttnModel *model;
  AttnTrace *trace;
  AttnFindingResult result;
  size_t n; /* heads in all */
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer folder)
{
  fixture->model = test_model_load (folder);
  fixture->trace = test_text_run (fixture->model, TEXT, NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  attn_trace_unref (fixture->trace);
  attn_model_unref (fixture->model);
}

static void
look (Fixture *fixture, AttnFinding finding)
{
  g_autoptr (GError) error = NULL;
  attn_finding_look (finding, fixture->trace, &(AttnFindingOptions){0}, &fixture->result, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fixture->result.finding, ==, finding);
  fixture->n = fixture->result.n_layers * fixture->result.n_heads;
}

static AttnPassport
get_passport (Fixture *fixture, size_t i)
{
  const size_t H = fixture->result.n_heads;
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (fixture->trace);
  g_autoptr (AttnMap) map = attn_maps_dup_map (maps, i / H, i % H, NULL);
  AttnPassport passport;
  attn_map_compute_passport (map, &passport);
  return passport;
}

static void
test_spare (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  look (fixture, ATTN_FINDING_SPARE);
  const AttnFindingResult *result = &fixture->result;
  g_autoptr (AttnTask) task = test_task_new (fixture->model, TEXT, &(AttnTaskOptions){.seed = 1});
  g_autofree double *losses = g_new (double, fixture->n);
  g_assert_true (
      attn_task_ablate_each (task, &(AttnAblation){.gate = ATTN_GATE_ZERO}, losses, NULL));
  size_t n_spare = 0, n_better = 0, worst = 0;
  const double most = task->kind == ATTN_TASK_VECTOR ? 0.01 : task->loss * 1.01;
  for (size_t i = 0; i < fixture->n; i++) {
    n_spare += losses[i] <= most;
    n_better += losses[i] < task->loss;
    worst = losses[i] > losses[worst] ? i : worst;
  }
  g_assert_cmpint (result->task, ==, task->kind);
  g_assert_cmpfloat (result->loss, ==, task->loss);
  g_assert_cmpuint (result->n_spare, ==, n_spare);
  g_assert_cmpuint (result->n_better, ==, n_better);
  g_assert_cmpuint (result->head.layer * result->n_heads + result->head.head, ==, worst);
  /* one subtraction and one sum */
  g_assert_cmpfloat_with_epsilon (result->without, losses[worst], 1e-12);
  g_assert_cmpint (result->is_shown, ==, 2 * n_spare >= fixture->n);
}

/* Each of the most important heads is no less important than any of the others. */
static void
test_roles (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  look (fixture, ATTN_FINDING_ROLES);
  const AttnFindingResult *result = &fixture->result;
  g_autoptr (AttnTask) task = test_task_new (fixture->model, TEXT, &(AttnTaskOptions){.seed = 1});
  g_autoptr (AttnImportance) importance =
      attn_importance_new (task, &(AttnImportanceOptions){0}, NULL);
  size_t n_roles = 0, n_top_roles = 0;
  for (size_t i = 0; i < fixture->n; i++) {
    const AttnPassport passport = get_passport (fixture, i);
    const bool has_role = passport.mass_previous >= 0.5 || passport.mass_next >= 0.5;
    size_t n_above = 0;
    for (size_t j = 0; j < fixture->n; j++)
      n_above += importance->importance[j] > importance->importance[i];
    n_roles += has_role;
    n_top_roles += has_role && n_above < result->n_top;
    if (n_above == 0)
      g_assert_cmpuint (result->head.layer * result->n_heads + result->head.head, ==, i);
  }
  g_assert_cmpuint (result->n_top, ==, (fixture->n + 3) / 4);
  g_assert_cmpuint (result->n_roles, ==, n_roles);
  g_assert_cmpuint (result->n_top_roles, ==, n_top_roles);
}

static void
test_relations (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  look (fixture, ATTN_FINDING_RELATIONS);
  const AttnFindingResult *result = &fixture->result;
  size_t n_sure[ATTN_N_RELATIONS] = {0};
  double most[ATTN_N_RELATIONS] = {-1, -1, -1};
  for (size_t i = 0; i < fixture->n; i++) {
    const AttnPassport passport = get_passport (fixture, i);
    const double masses[] = {passport.mass_previous, passport.mass_next, passport.mass_sep};
    const bool has[] = {true, true, passport.has_template};
    for (size_t relation = 0; relation < ATTN_N_RELATIONS; relation++)
      if (has[relation]) {
        n_sure[relation] += masses[relation] >= 0.5;
        most[relation] = MAX (most[relation], masses[relation]);
      }
  }
  for (size_t relation = 0; relation < ATTN_N_RELATIONS; relation++) {
    g_assert_cmpuint (result->n_sure[relation], ==, n_sure[relation]);
    if (most[relation] < 0)
      g_assert_true (isnan (result->surest[relation].value));
    else
      g_assert_cmpfloat (result->surest[relation].value, ==, most[relation]);
  }
  g_assert_cmpint (result->is_shown, ==, n_sure[0] + n_sure[1] + n_sure[2] > 0);
}

static void
test_kinds (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  look (fixture, ATTN_FINDING_KINDS);
  size_t n_kinds[ATTN_N_PATTERNS] = {0};
  for (size_t i = 0; i < fixture->n; i++)
    n_kinds[get_passport (fixture, i).pattern]++;
  g_assert_cmpmem (fixture->result.n_kinds, sizeof fixture->result.n_kinds, n_kinds,
                   sizeof n_kinds);
}

/* The map's own cells, in plain loops. */
static void
test_weights (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  look (fixture, ATTN_FINDING_WEIGHTS);
  const AttnFindingResult *result = &fixture->result;
  g_autoptr (AttnMaps) maps = attn_maps_new_from_trace (fixture->trace);
  g_autoptr (AttnMaps) products =
      attn_lens_new_maps (ATTN_LENS_GRADIENT, maps, &(AttnLensOptions){0}, NULL);
  double sum = 0, least = 2, most = -2;
  for (size_t i = 0; i < fixture->n; i++) {
    const size_t layer = i / result->n_heads, head = i % result->n_heads;
    g_autoptr (AttnMap) map = attn_maps_dup_map (maps, layer, head, NULL);
    g_autoptr (AttnMap) product = attn_maps_dup_map (products, layer, head, NULL);
    g_autofree double *a = g_new (double, map->n_queries * map->n_keys);
    g_autofree double *b = g_new (double, map->n_queries * map->n_keys);
    size_t n = 0;
    for (size_t query = 0; query < map->n_queries; query++) {
      size_t first, end;
      attn_trace_get_visible (fixture->trace, layer, query, &first, &end);
      for (size_t key = first; key < end; key++, n++) {
        a[n] = (double)map->weights[query * map->n_keys + key];
        b[n] = fabs ((double)product->weights[query * map->n_keys + key]);
      }
    }
    const double correlation = attn_rank_correlation (a, b, n);
    sum += correlation;
    least = MIN (least, correlation);
    most = MAX (most, correlation);
  }
  g_assert_cmpuint (result->n_compared, ==, fixture->n);
  g_assert_cmpfloat (result->least.value, ==, least);
  g_assert_cmpfloat (result->most.value, ==, most);
  g_assert_cmpfloat (result->mean, ==, sum / (double)fixture->n); /* the same sum */
  g_assert_cmpint (result->is_shown, ==, result->mean < 0.5);
}

/* Without an LM head there is nothing to go back from; the vector is what removals change. */
static void
test_no_head (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  static const AttnFinding back[] = {ATTN_FINDING_ROLES, ATTN_FINDING_WEIGHTS};
  for (size_t i = 0; i < G_N_ELEMENTS (back); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (attn_finding_get_reason (back[i], fixture->model), ==, ATTN_LENS_NEEDS_HEAD);
    g_assert_false (attn_finding_look (back[i], fixture->trace, &(AttnFindingOptions){0},
                                       &fixture->result, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_UNSUPPORTED);
  }
  g_assert_cmpint (attn_finding_get_reason (ATTN_FINDING_SPARE, fixture->model), ==,
                   ATTN_LENS_FITS);
  look (fixture, ATTN_FINDING_SPARE);
  g_assert_cmpint (fixture->result.task, ==, ATTN_TASK_VECTOR);
  g_assert_cmpfloat (fixture->result.loss, ==, 0);
}

static bool
stop_cb (double fraction, void *last)
{
  g_assert_cmpfloat (fraction, >=, *(double *)last);
  g_assert_cmpfloat (fraction, <=, 1);
  *(double *)last = fraction;
  return fraction < 0.5;
}

/* Progress never falls, and whoever says stop is heard. */
static void
test_stop (Fixture *fixture, gconstpointer folder)
{
  (void)folder;
  for (AttnFinding finding = 0; finding < ATTN_N_FINDINGS; finding++) {
    g_autoptr (GError) error = NULL;
    double last = 0;
    const AttnFindingOptions options = {NULL, stop_cb, &last};
    g_assert_false (
        attn_finding_look (finding, fixture->trace, &options, &fixture->result, &error));
    g_assert_error (error, ATTN_ERROR, ATTN_ERROR_CANCELLED);
    g_assert_cmpfloat (last, >=, 0.5);
  }
}

int
main (int argc, char **argv)
{
  static const struct {
    const char *name;
    void (*test) (Fixture *fixture, gconstpointer folder);
  } tests[] = {{"spare", test_spare}, {"roles", test_roles},     {"relations", test_relations},
               {"kinds", test_kinds}, {"weights", test_weights}, {"stop", test_stop}};
  static const char *const folders[] = {"bert-mlm", "gpt2"};
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (tests); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (folders); j++) {
      g_autofree char *path = g_strdup_printf ("/finding/%s/%s", tests[i].name, folders[j]);
      g_autofree char *folder = g_strconcat ("golden/models/", folders[j], NULL);
      g_test_add (path, Fixture, g_intern_string (folder), set_up, tests[i].test, tear_down);
    }
  g_test_add ("/finding/no-head", Fixture, "golden/models/bert", set_up, test_no_head, tear_down);
  return g_test_run ();
}
