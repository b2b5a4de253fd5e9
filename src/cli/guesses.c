/* SPDX-License-Identifier: MIT */
/* Guesses as JSON. */
#include "guesses.h"

#include "cli.h"

static void
append_guess (GString *json, const AttnGuess *guess)
{
  g_string_append (json, "{\"token\":");
  cli_append_string (json, guess->piece);
  g_string_append_printf (json, ",\"id\":%d,\"p\":", guess->id);
  cli_append_number (json, (double)guess->p);
  g_string_append_c (json, '}');
}

void
cli_append_predictions (GString *json, const AttnPredictions *predictions)
{
  g_string_append_c (json, '[');
  for (size_t i = 0; i < predictions->n; i++) {
    const AttnPrediction *prediction = &predictions->items[i];
    g_string_append_printf (json, "%s{\"position\":%zu,%s\"top\":[", i > 0 ? "," : "",
                            prediction->position, prediction->next ? "\"next\":true," : "");
    for (size_t g = 0; g < prediction->n_guesses; g++) {
      if (g > 0)
        g_string_append_c (json, ',');
      append_guess (json, &prediction->guesses[g]);
    }
    g_string_append (json, "]}");
  }
  g_string_append_c (json, ']');
}
