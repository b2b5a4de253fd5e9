/* SPDX-License-Identifier: MIT */
/* Guesses as JSON. */
#include "attn/number.h"
#include "attn/predict.h"
#include "attn/quote.h"

#include <string.h>

static void
append_guess (GString *json, const AttnGuess *guess)
{
  char number[ATTN_NUMBER_SIZE];
  g_string_append (json, "{\"token\":");
  attn_quote_json (json, guess->piece, strlen (guess->piece));
  g_string_append_printf (json, ",\"id\":%d,\"p\":", guess->id);
  g_string_append (json, attn_number_format (number, (double)guess->p, ATTN_NUMBER_JSON));
  g_string_append_c (json, '}');
}

void
attn_predictions_append_json (GString *json, const AttnPredictions *predictions)
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
