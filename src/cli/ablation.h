/* SPDX-License-Identifier: MIT */
/* Heads that are off, as options or a session ask for them: the numbers and the figure. */
#pragma once

#include "options.h"
#include "subject.h"
#include "texts.h"

#include "attn-draw/ablation.h"
#include "attn/ablation.h"

#include <glib.h>

#include <stdbool.h>

typedef struct {
  CliSubject subject;
  GPtrArray *texts;
  const CliText *text;      /* the texts' */
  AttnAblationAsked asked;  /* its strings are owned */
  AttnAblationClean *clean; /* owned, as what follows */
  AttnAblationOff *off;
  double *each;
  AttnImportance *importance;
} CliAblation;

/* Reads --kind, --off and the like into @asked. Returns: false with a CLI_USAGE @error. */
bool cli_ablation_read (const CliOptions *options, AttnAblationAsked *asked, GError **error);

/**
 * cli_ablation_init:
 * @forgives: heads that the model has not, and importance where there is none, are left out; else
 *            they are errors
 *
 * Computes what ablation->asked asks for. Returns: false with @error; clear @ablation in any case.
 */
bool
cli_ablation_init (CliAblation *ablation, const CliOptions *options, bool forgives, GError **error);

void cli_ablation_clear (CliAblation *ablation);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CliAblation, cli_ablation_clear)

/* Returns: all that is known; borrowed. */
AttnAblationNumbers cli_ablation_get_numbers (const CliAblation *ablation);

/* Fills in what @picture is of, and draws. @layer,@head: from 0. Returns: (transfer full): the
 * file, or NULL with @error. */
GBytes *cli_ablation_draw (const CliAblation *ablation,
                           const CliOptions *options,
                           size_t layer,
                           size_t head,
                           AttnDrawPicture *picture,
                           GError **error);
