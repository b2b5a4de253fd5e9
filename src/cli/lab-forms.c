/* SPDX-License-Identifier: MIT */
/* The forms of headscope-cli lab and their options, in two tables: an option that would be ignored
 * is refused. */
#include "lab-forms.h"

#include "attn-draw/write.h"

#define WANTED \
  "wanted is one of: --d-model with --heads or --time; --measured; --text with --step, --figure, " \
  "--code, --finding or --several; --train"

#define BIT(form) (1U << CLI_LAB_##form)
#define ALL (BIT (N_FORMS) - 1)
#define CHARTS (BIT (TIME_CHART) | BIT (MEASURED_CHART) | BIT (TRAIN_CHART))
#define TIMES (BIT (TIME) | BIT (TIME_CHART))
#define TRAININGS (BIT (TRAIN) | BIT (TRAIN_CHART))
#define FIGURES (BIT (FIGURE) | BIT (SEVERAL_FIGURE))
#define OF_TEXT (BIT (STEP) | BIT (SEVERAL) | BIT (CODE) | BIT (FINDING) | FIGURES)
#define OF_HEAD (BIT (STEP) | BIT (CODE) | FIGURES)

static const struct {
  const char *name;
  const char *formats; /* what --format may be */
} forms[CLI_LAB_N_FORMS] = {
    [CLI_LAB_COUNT] = {"--heads", "json"},
    [CLI_LAB_TIME] = {"--time", "json, csv, png, svg and pdf"},
    [CLI_LAB_TIME_CHART] = {"--time as a chart", NULL},
    [CLI_LAB_MEASURED] = {"--measured", "json, csv, png, svg and pdf"},
    [CLI_LAB_MEASURED_CHART] = {"--measured as a chart", NULL},
    [CLI_LAB_STEP] = {"--step", "json"},
    [CLI_LAB_FIGURE] = {"--figure", "png, svg and pdf"},
    [CLI_LAB_SEVERAL] = {"--several", "json and csv"},
    [CLI_LAB_SEVERAL_FIGURE] = {"--several with --figure", "png, svg and pdf"},
    [CLI_LAB_CODE] = {"--code", NULL},
    [CLI_LAB_FINDING] = {"--finding", "json"},
    [CLI_LAB_TRAIN] = {"--train", "json, csv, png, svg and pdf"},
    [CLI_LAB_TRAIN_CHART] = {"--train as a chart", NULL},
};

/* Pictures come right after the numbers they are of. */
G_STATIC_ASSERT (CLI_LAB_TIME_CHART == CLI_LAB_TIME + 1);
G_STATIC_ASSERT (CLI_LAB_MEASURED_CHART == CLI_LAB_MEASURED + 1);
G_STATIC_ASSERT (CLI_LAB_SEVERAL_FIGURE == CLI_LAB_SEVERAL + 1);
G_STATIC_ASSERT (CLI_LAB_TRAIN_CHART == CLI_LAB_TRAIN + 1);

static const struct {
  const char *option;
  unsigned forms;
} uses[] = {
    {"--model", OF_TEXT},
    {"--text", OF_TEXT},
    {"--file", OF_TEXT},
    {"--pair", OF_TEXT},
    {"--max-tokens", OF_TEXT},
    {"--layer", OF_TEXT & ~BIT (FINDING)},
    {"--head", OF_HEAD},
    {"--step", BIT (STEP) | BIT (FIGURE)},
    {"--cell", BIT (STEP) | BIT (FIGURE)},
    {"--figure", FIGURES},
    {"--follow", FIGURES},
    {"--several", BIT (SEVERAL) | BIT (SEVERAL_FIGURE)},
    {"--head-b", BIT (SEVERAL_FIGURE)},
    {"--mark", BIT (SEVERAL_FIGURE) | BIT (TIME_CHART) | BIT (MEASURED_CHART)},
    {"--code", BIT (CODE)},
    {"--finding", BIT (FINDING)},
    {"--lang", BIT (CODE) | BIT (FINDING) | FIGURES | CHARTS},
    {"--scale", FIGURES | CHARTS},
    {"--width-px", FIGURES | CHARTS},
    {"--font-size", FIGURES | CHARTS},
    {"--font", FIGURES | CHARTS},
    {"--palette", FIGURES | CHARTS},
    {"--colormap", FIGURES},
    {"--d-model", BIT (COUNT) | TIMES},
    {"--heads", BIT (COUNT)},
    {"--layers", BIT (COUNT)},
    {"--tokens", BIT (COUNT) | TIMES},
    {"--time", TIMES},
    {"--repeat", TIMES},
    {"--measured", BIT (MEASURED) | BIT (MEASURED_CHART)},
    {"--train", TRAININGS},
    {"--seeds", TRAININGS},
    {"--steps", TRAININGS},
    {"--points", TRAININGS},
    {"--format", ALL & ~BIT (CODE)},
    {"--threads", ALL},
    {"-o", ALL},
    {"--output", ALL},
};

static bool
is_chart (const CliOptions *options)
{
  AttnDrawFormat format;
  return options->format != NULL && attn_draw_format_find (options->format, &format);
}

/* Returns: what the options ask for, by the one that says most; CLI_LAB_N_FORMS for nothing. */
static CliLabForm
choose (const CliOptions *options)
{
  if (options->train != NULL)
    return is_chart (options) ? CLI_LAB_TRAIN_CHART : CLI_LAB_TRAIN;
  if (options->time != NULL)
    return is_chart (options) ? CLI_LAB_TIME_CHART : CLI_LAB_TIME;
  if (options->measured != NULL)
    return is_chart (options) ? CLI_LAB_MEASURED_CHART : CLI_LAB_MEASURED;
  if (options->finding != NULL)
    return CLI_LAB_FINDING;
  if (options->several)
    return options->figure != NULL ? CLI_LAB_SEVERAL_FIGURE : CLI_LAB_SEVERAL;
  if (options->code != NULL)
    return CLI_LAB_CODE;
  if (options->figure != NULL)
    return CLI_LAB_FIGURE;
  if (options->step != NULL || options->text != NULL || options->file != NULL)
    return CLI_LAB_STEP;
  return options->d_model > 0 || options->n_heads > 0 ? CLI_LAB_COUNT : CLI_LAB_N_FORMS;
}

static unsigned
find_uses (const char *option)
{
  for (size_t i = 0; i < G_N_ELEMENTS (uses); i++)
    if (g_str_equal (uses[i].option, option))
      return uses[i].forms;
  return 0;
}

/* What to call the form in a complaint: by nothing that was not typed. */
static const char *
name_form (const CliOptions *options, CliLabForm form)
{
  if (form == CLI_LAB_STEP && options->step == NULL)
    return options->text != NULL ? "--text" : "--file";
  if (form == CLI_LAB_COUNT && options->n_heads == 0)
    return "--d-model";
  return forms[form].name;
}

/* "--step, --figure and --code"; a picture is not told where the numbers have the option, too. */
static char *
dup_names (unsigned wanted)
{
  static const CliLabForm plain[] = {CLI_LAB_TIME, CLI_LAB_MEASURED, CLI_LAB_SEVERAL,
                                     CLI_LAB_TRAIN};
  for (size_t i = 0; i < G_N_ELEMENTS (plain); i++)
    if (wanted & 1U << plain[i])
      wanted &= ~(1U << (plain[i] + 1));
  GString *names = g_string_new (NULL);
  for (unsigned form = 0; form < CLI_LAB_N_FORMS; form++) {
    if (!(wanted & 1U << form))
      continue;
    const bool is_last = wanted >> form == 1;
    g_string_append_printf (names, "%s%s",
                            names->len == 0 ? ""
                            : is_last       ? " and "
                                            : ", ",
                            forms[form].name);
  }
  return g_string_free (names, FALSE);
}

static bool
check_options (const CliOptions *options, CliLabForm form, GError **error)
{
  for (size_t i = 0; i < options->n_given; i++) {
    const char *option = options->given[i];
    const unsigned wanted = find_uses (option);
    if (wanted & 1U << form)
      continue;
    g_autofree char *names = dup_names (wanted);
    const char *name = name_form (options, form);
    return g_str_equal (names, option)
               ? cli_usage (error, "%s and %s exclude each other", name, option)
               : cli_usage (error, "%s is not for %s; it goes with %s", option, name, names);
  }
  return true;
}

static bool
check_format (const CliOptions *options, CliLabForm form, GError **error)
{
  const char *known = forms[form].formats;
  if (options->format == NULL || known == NULL)
    return true;
  g_auto (GStrv) words = g_strsplit_set (known, " ,;", -1);
  return g_strv_contains ((const char *const *)words, options->format) ||
         cli_usage_value (error, "--format", options->format, "known for %s: %s",
                          name_form (options, form), known);
}

bool
cli_lab_find_form (const CliOptions *options, CliLabForm *form, GError **error)
{
  const CliLabForm chosen = choose (options);
  if (chosen == CLI_LAB_N_FORMS)
    return cli_usage (error, WANTED);
  *form = chosen;
  return check_options (options, chosen, error) && check_format (options, chosen, error);
}
