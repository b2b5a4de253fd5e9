/* SPDX-License-Identifier: MIT */
/* Reading and running the two sides of a comparison. */
#include "compared.h"

#include "cli.h"
#include "elsewhere.h"

#include "attn-draw/session.h"

#include <string.h>

bool
cli_compared_is_of_heads (const CliOptions *options)
{
  return options->text_b == NULL && options->model_b == NULL && options->attention_b == NULL;
}

static bool
check_options (const CliOptions *options, GError **error)
{
  if (options->pair_b != NULL && options->text_b == NULL)
    return cli_usage (error, "--pair-b goes with --text-b");
  if (cli_compared_is_of_heads (options) && options->layer_b == 0 && options->head_b == 0)
    return cli_usage (error, "compare with what? Tell B by --text-b, --model-b, --attention-b, "
                             "--layer-b or --head-b");
  if (options->attention != NULL && options->model_b != NULL && options->text_b == NULL)
    return cli_usage (error, "--model-b: A is a file and has no text; give one by --text-b");
  return cli_arrays_check (options, error);
}

/* From 1 as given to from 0; what is not given of B is as A's. */
static void
choose_heads (CliCompared *compared, const CliOptions *options)
{
  size_t layer = MAX (options->layer, 1), head = MAX (options->head, 1);

  compared->layer[0] = layer - 1;
  compared->head[0] = head - 1;
  compared->layer[1] = (options->layer_b > 0 ? options->layer_b : layer) - 1;
  compared->head[1] = (options->head_b > 0 ? options->head_b : head) - 1;
}

static bool
check_heads (const CliCompared *compared, GError **error)
{
  for (int of = 0; of < 2; of++) {
    const CliSubject *subject = &compared->subjects[of];
    const char *suffix = of == 1 ? "-b" : "";
    const char *whole = subject->arrays != NULL ? subject->name : "the model";
    size_t n_layers = cli_subject_get_n_layers (subject);
    size_t n_heads = cli_subject_get_n_heads (subject);
    if (compared->layer[of] >= n_layers)
      return cli_usage (error, "--layer%s %zu: %s has layers 1 to %zu", suffix,
                        compared->layer[of] + 1, whole, n_layers);
    if (compared->head[of] >= n_heads)
      return cli_usage (error, "--head%s %zu: %s has heads 1 to %zu", suffix,
                        compared->head[of] + 1, whole, n_heads);
  }
  return true;
}

/* Those of a session, whose files may have fewer now. */
static void
fit_heads (CliCompared *compared, const CliOptions *options)
{
  static const char *const names[][2] = {{"layer", "head"}, {"layer_b", "head_b"}};
  g_autoptr (GPtrArray) warnings = g_ptr_array_new_with_free_func (g_free);
  for (int of = 0; of < 2; of++) {
    const CliSubject *subject = &compared->subjects[of];
    if (options->fits_layer[of])
      attn_draw_session_fit (names[of][0], cli_subject_get_n_layers (subject), &compared->layer[of],
                             warnings);
    if (options->fits_head[of])
      attn_draw_session_fit (names[of][1], cli_subject_get_n_heads (subject), &compared->head[of],
                             warnings);
  }
  cli_warn_of_session (options, warnings);
}

static AttnMaps *
run (const CliCompared *compared, bool of_b, GError **error)
{
  return cli_subject_new_maps (&compared->subjects[of_b], cli_compared_peek_text (compared, of_b),
                               error);
}

bool
cli_compared_init (CliCompared *compared, const CliOptions *options, GError **error)
{
  *compared = (CliCompared){0};
  if (!check_options (options, error))
    return false;
  compared->texts = cli_texts_read (options, error);
  if (compared->texts == NULL)
    return false;
  if (options->text_b != NULL)
    g_ptr_array_add (compared->texts, cli_text_new (options->text_b, options->pair_b));
  choose_heads (compared, options);
  if (!cli_subject_init (&compared->subjects[0], options, error) ||
      !cli_subject_init_second (&compared->subjects[1], &compared->subjects[0], options, error))
    return false;
  fit_heads (compared, options);
  if (!check_heads (compared, error))
    return false;
  compared->maps[0] = run (compared, false, error);
  if (compared->maps[0] == NULL)
    return false;
  compared->maps[1] = cli_compared_is_of_heads (options) ? attn_maps_ref (compared->maps[0])
                                                         : run (compared, true, error);
  return compared->maps[1] != NULL;
}

void
cli_compared_clear (CliCompared *compared)
{
  for (int of = 2; of-- > 0;) {
    g_clear_pointer (&compared->maps[of], attn_maps_unref);
    cli_subject_clear (&compared->subjects[of]);
  }
  g_clear_pointer (&compared->texts, g_ptr_array_unref);
}

const CliText *
cli_compared_peek_text (const CliCompared *compared, bool of_b)
{
  return g_ptr_array_index (compared->texts, MIN ((guint)of_b, compared->texts->len - 1));
}
