/* SPDX-License-Identifier: MIT */
/* Every family against reference results. */
#include "family-check.h"
#include "kernel-choice.h"
#include "model-private.h"
#include "test-util.h"

#include "attn/diagnostics.h"
#include "attn/run.h"

#include <math.h>
#include <string.h>

#define MAX_FAMILIES 32

/* What was seen of each family. */
static AttnParity seen[MAX_FAMILIES];

static void
note (const char *family, const FamilyVerdict *verdict)
{
  AttnParity *row = seen;
  while (row->family != NULL && strcmp (row->family, family) != 0)
    row++;
  g_assert_true (row < seen + MAX_FAMILIES - 1);
  row->family = g_intern_string (family);
  row->n_models++;
  row->attention = fmax (row->attention, verdict->attentions);
  row->hidden_states = fmax (row->hidden_states, verdict->hidden_states);
  row->logits = fmax (row->logits, verdict->logits);
}

/* The differences are for README's table: tests/tools/list-differences.py reads them. */
static void
report (AttnModel *model, const Reference *reference, const char *name)
{
  g_auto (FamilyVerdict) verdict = {0};
  family_check (model, reference, name, &verdict);
  if (verdict.fault != NULL)
    g_test_fail_printf ("%s", verdict.fault);
  g_test_message ("differences of %s %s: attention %.1e, hidden states %.1e, logits %.1e",
                  attn_model_peek_config (model)->family, name, verdict.attentions,
                  verdict.hidden_states, verdict.logits);
  note (attn_model_peek_config (model)->family, &verdict);
}

static void
check_folder (const char *folder, const char *reference_folder, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (Reference) reference = reference_load (reference_folder);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 0);
  report (model, reference, name);
}

static void
test_golden (gconstpointer data)
{
  const char *name = data;
  g_autofree char *below = g_build_filename ("golden/models", name, NULL);
  g_autofree char *folder = test_data_path (below);
  check_folder (folder, folder, name);
}

/* Folders without a tokenizer, by ids. */
static void
test_variant (gconstpointer data)
{
  const char *name = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *below = g_build_filename ("family-variants", name, NULL);
  g_autofree char *folder = test_data_path (below);
  g_autoptr (Reference) reference = reference_load (folder);
  g_autoptr (AttnModel) model = attn_model_load_weights (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (attn_model_get_n_warnings (model), ==, 0);
  report (model, reference, name);
}

static void
test_demo_model (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("HEADSCOPE_DATA_DIR"), "demo-model", NULL);
  g_autofree char *reference_folder = test_data_path ("demo-model");
  check_folder (folder, reference_folder, "demo-model");
}

/* Real weights; only when the folder is there. Ids stand among the tensors, in I32. */
static void
test_minilm (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = test_minilm_path ();
  if (folder == NULL)
    return;
  g_autofree char *reference_folder = test_data_path ("golden/real/minilm");
  g_autoptr (Reference) reference = reference_load (reference_folder);
  g_autoptr (AttnModel) model = attn_model_load (folder, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  json_t *cases = json_object_get (reference_peek_json (reference), "cases");
  g_assert_cmpuint (json_array_size (cases), >, 0);
  g_auto (FamilyVerdict) verdict = {0};
  size_t L = attn_model_peek_config (model)->n_layers, D = attn_model_peek_config (model)->d_model;
  for (size_t i = 0; i < json_array_size (cases); i++) {
    size_t shape[8], stride;
    g_autofree float *ids = reference_dup_tensor (reference, i, "input_ids", shape);
    g_autofree int32_t *integers = g_new (int32_t, shape[0]);
    for (size_t t = 0; t < shape[0]; t++)
      integers[t] = (int32_t)ids[t];
    g_autoptr (AttnTokens) tokens =
        family_encode (model, json_array_get (cases, i), 0, integers, shape[0]);
    g_autoptr (AttnTrace) trace = attn_model_run (model, tokens, NULL, &error);
    g_assert_no_error (error);
    family_check_trace (trace, reference, i, "MiniLM", &verdict);
    g_assert_cmpstr (verdict.fault, ==, NULL);
    g_autofree float *last = reference_dup_tensor (reference, i, "last_hidden", NULL);
    const float *x = attn_trace_peek_tap (trace, ATTN_TAP_HIDDEN, L, &stride);
    g_assert_cmpuint (stride, ==, D);
    for (size_t j = 0; j < shape[0] * D; j++) /* sums over hundreds of products */
      g_assert_cmpfloat_with_epsilon (x[j], last[j], 1e-3F);
  }
}

/* Kernels of other CPUs add up in another order: what is told of a family is at most passed by a
 * factor of four, and was not made up: a tenth of it is seen. */
static bool
is_near (double told, double found)
{
  return found <= 4 * told && told <= 10 * found;
}

/* What the programs tell of every family is what was seen, of as many models. */
static void
test_told (void)
{
  size_t n;
  const AttnParity *told = attn_parity_peek (&n);
  for (size_t i = 0; i < n; i++) {
    const AttnParity *row = seen;
    while (row->family != NULL && strcmp (row->family, told[i].family) != 0)
      row++;
    if (row->family == NULL || row->n_models != told[i].n_models)
      g_test_fail_printf ("%s: %zu models were seen, %zu are told", told[i].family, row->n_models,
                          told[i].n_models);
    else if (!is_near (told[i].attention, row->attention) ||
             !is_near (told[i].hidden_states, row->hidden_states) ||
             !is_near (told[i].logits, row->logits))
      g_test_fail_printf ("%s: %.1e, %.1e, %.1e were seen", row->family, row->attention,
                          row->hidden_states, row->logits);
  }
  g_assert_cmpstr (seen[n].family, ==, NULL); /* none that is not told */
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

/* One test for each folder of references, with its own name. */
static void
add_all (const char *below, const char *prefix, GTestDataFunc test)
{
  g_autofree char *folder = test_data_path (below);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_assert_nonnull (dir);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    g_ptr_array_add (names, (char *)(guintptr)g_intern_string (name));
  g_ptr_array_sort (names, compare_names);
  g_assert_cmpuint (names->len, >=, 20); /* as many as there were */
  for (guint i = 0; i < names->len; i++) {
    const char *name = g_ptr_array_index (names, i);
    g_autofree char *path = g_strdup_printf ("%s/%s", prefix, name);
    g_test_add_data_func (path, name, test);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (!kernel_choice_read (argc, argv))
    return 0;
  add_all ("golden/models", "/families/golden", test_golden);
  add_all ("family-variants", "/families/variants", test_variant);
  g_test_add_func ("/families/demo-model", test_demo_model);
  g_test_add_func ("/families/minilm", test_minilm);
  g_test_add_func ("/told/families", test_told); /* another suite comes after this one */
  return g_test_run ();
}
