/* SPDX-License-Identifier: MIT */
/* What headscope-cli lab can be asked for, and which options each of that has. */
#pragma once

#include "options.h"

#include <glib.h>

#include <stdbool.h>

typedef enum {
  CLI_LAB_COUNT,
  CLI_LAB_TIME,
  CLI_LAB_TIME_CHART,
  CLI_LAB_MEASURED,
  CLI_LAB_MEASURED_CHART,
  CLI_LAB_STEP,
  CLI_LAB_FIGURE,
  CLI_LAB_SEVERAL,
  CLI_LAB_SEVERAL_FIGURE,
  CLI_LAB_CODE,
  CLI_LAB_FINDING,
  CLI_LAB_TRAIN,
  CLI_LAB_TRAIN_CHART,
  CLI_LAB_N_FORMS,
} CliLabForm;

/**
 * cli_lab_find_form:
 * @form: written
 *
 * Returns: false with a CLI_USAGE @error: nothing is asked for, an option that the form has no use
 * for, or a --format it has not.
 * Test: tests/cli/test-lab-forms.c
 */
bool cli_lab_find_form (const CliOptions *options, CliLabForm *form, GError **error);
