/* SPDX-License-Identifier: MIT */
/* A list of names and values, and the table of differences. */
#include "attn/diagnostics.h"

#include "kernels.h"

#include "attn/number.h"
#include "attn/quote.h"

#include <jansson.h>
#include <zip.h>

#include <string.h>

typedef struct {
  char *name, *value;
} Fact;

struct _AttnDiagnostics {
  GArray *facts; /* Fact */
};

/* As tests/tools/list-differences.py prints it. */
static const AttnParity parity[] = {
    {"albert", 3, 2.6e-06, 1.8e-05, 1.1e-05},      {"bert", 13, 1.8e-06, 4.1e-06, 1.4e-05},
    {"camembert", 1, 2.7e-07, 1.9e-06, 3.6e-06},   {"deberta-v2", 8, 1.5e-06, 3.4e-06, 1.1e-05},
    {"distilbert", 3, 1.5e-06, 1.9e-06, 6.7e-06},  {"electra", 3, 2.1e-06, 4.4e-06, 7.3e-06},
    {"gpt2", 4, 1.6e-06, 4.8e-06, 7.6e-06},        {"modernbert", 4, 7.8e-06, 5.2e-05, 7.0e-05},
    {"mpnet", 2, 1.3e-06, 2.1e-06, 8.8e-06},       {"roberta", 2, 1.5e-06, 2.1e-06, 8.1e-06},
    {"xlm-roberta", 2, 1.3e-06, 2.2e-06, 2.8e-06},
};

const AttnParity *
attn_parity_peek (size_t *n)
{
  *n = G_N_ELEMENTS (parity);
  return parity;
}

/* ---- facts ---- */

static void
fact_clear (gpointer data)
{
  Fact *fact = data;
  g_free (fact->name);
  g_free (fact->value);
}

void
attn_diagnostics_add (AttnDiagnostics *self, const char *name, const char *value, ...)
{
  va_list arguments;
  va_start (arguments, value);
  g_autofree char *text = g_strdup_vprintf (value, arguments);
  va_end (arguments);
  const Fact fact = {g_strdup (name), attn_file_dup_shown (text, strlen (text))};
  g_array_append_val (self->facts, fact);
}

static void
add_cpu (AttnDiagnostics *self)
{
  g_autofree char *all = NULL;
  if (!g_file_get_contents ("/proc/cpuinfo", &all, NULL, NULL))
    return;
  const char *line = strstr (all, "model name");
  const char *colon = line == NULL ? NULL : strchr (line, ':');
  if (colon == NULL)
    return;
  const size_t length = strcspn (colon + 1, "\n");
  g_autofree char *name = g_strndup (colon + 1, length);
  attn_diagnostics_add (self, "cpu", "%s", g_strstrip (name));
}

static void
add_model (AttnDiagnostics *self, const AttnModel *model, const char *name)
{
  const AttnConfig *config = attn_model_peek_config (model);
  attn_diagnostics_add (self, "model", "%s (%s)",
                        name != NULL ? name : attn_model_peek_name (model), config->family);
  attn_diagnostics_add (self, "model sizes",
                        "%zu layers, %zu heads, d_model %zu, d_ff %zu, vocabulary %zu, %s",
                        config->n_layers, config->n_heads, config->d_model, config->d_ff,
                        config->vocab_size, attn_model_peek_dtype_name (model));
  attn_diagnostics_add (self, "model warnings", "%zu", attn_model_get_n_warnings (model));
}

AttnDiagnostics *
attn_diagnostics_new (const char *program,
                      size_t n_threads,
                      const AttnModel *model,
                      const char *name)
{
  g_autofree char *blas = attn_openblas_dup_version ();
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  AttnDiagnostics *self = g_new (AttnDiagnostics, 1);
  self->facts = g_array_new (FALSE, FALSE, sizeof (Fact));
  g_array_set_clear_func (self->facts, fact_clear);
  attn_diagnostics_add (self, "program", "%s", program);
  if (system != NULL)
    attn_diagnostics_add (self, "system", "%s", system);
  add_cpu (self);
  attn_diagnostics_add (self, "kernel", "%s", attn_kernel_peek_name ());
  attn_diagnostics_add (self, "openblas", "%s", blas);
  attn_diagnostics_add (self, "threads", "%zu", n_threads);
  attn_diagnostics_add (self, "glib", "%u.%u.%u", glib_major_version, glib_minor_version,
                        glib_micro_version);
  attn_diagnostics_add (self, "jansson", "%s", jansson_version_str ());
  attn_diagnostics_add (self, "libzip", "%s", zip_libzip_version ());
  if (model != NULL)
    add_model (self, model, name);
  return self;
}

void
attn_diagnostics_free (AttnDiagnostics *self)
{
  g_array_unref (self->facts);
  g_free (self);
}

/* ---- written down ---- */

/* Whatever the locale, a point and two digits. */
static void
append_parity_line (GString *text, const AttnParity *row)
{
  char attention[ATTN_NUMBER_SIZE], hidden_states[ATTN_NUMBER_SIZE], logits[ATTN_NUMBER_SIZE];
  g_ascii_formatd (attention, sizeof attention, "%.1e", row->attention);
  g_ascii_formatd (hidden_states, sizeof hidden_states, "%.1e", row->hidden_states);
  g_ascii_formatd (logits, sizeof logits, "%.1e", row->logits);
  g_string_append_printf (text, "%-11s %7zu %10s %14s %8s\n", row->family, row->n_models, attention,
                          hidden_states, logits);
}

char *
attn_diagnostics_dup_text (const AttnDiagnostics *self)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < self->facts->len; i++) {
    const Fact *fact = &g_array_index (self->facts, Fact, i);
    g_string_append_printf (text, "%s: %s\n", fact->name, fact->value);
  }
  g_string_append (text, "\nlargest differences from the reference, in the tests\n"
                         "family       models  attention  hidden states   logits\n");
  for (size_t i = 0; i < G_N_ELEMENTS (parity); i++)
    append_parity_line (text, &parity[i]);
  return g_string_free (text, FALSE);
}

static void
append_string (GString *json, const char *text)
{
  attn_quote_json (json, text, strlen (text));
}

static void
append_number (GString *json, const char *name, double value)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append_printf (json, ",\"%s\":%s", name,
                          attn_number_format (number, value, ATTN_NUMBER_JSON));
}

void
attn_diagnostics_append_json (const AttnDiagnostics *self, GString *json)
{
  g_string_append (json, "\"diagnostics\":{");
  for (guint i = 0; i < self->facts->len; i++) {
    const Fact *fact = &g_array_index (self->facts, Fact, i);
    if (i > 0)
      g_string_append_c (json, ',');
    append_string (json, fact->name);
    g_string_append_c (json, ':');
    append_string (json, fact->value);
  }
  g_string_append (json, "},\"parity\":[");
  for (size_t i = 0; i < G_N_ELEMENTS (parity); i++) {
    g_string_append (json, i > 0 ? ",{\"family\":" : "{\"family\":");
    append_string (json, parity[i].family);
    g_string_append_printf (json, ",\"models\":%zu", parity[i].n_models);
    append_number (json, "attention", parity[i].attention);
    append_number (json, "hidden_states", parity[i].hidden_states);
    append_number (json, "logits", parity[i].logits);
    g_string_append_c (json, '}');
  }
  g_string_append_c (json, ']');
}
