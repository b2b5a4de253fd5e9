/* SPDX-License-Identifier: MIT */
/* A passport's numbers by name: one table for everything that lists them. */
#include "attn/passport.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char *name;
  size_t offset;    /* of a double in AttnPassport */
  size_t condition; /* of the bool that tells whether it is there; 0 where it always is */
} Field;

#define FIELD(name, member) \
  { \
    name, offsetof (AttnPassport, member), 0 \
  }
#define FIELD_IF(name, member, condition) \
  { \
    name, offsetof (AttnPassport, member), offsetof (AttnPassport, condition) \
  }

static const Field fields[ATTN_N_PASSPORT_FIELDS] = {
    [ATTN_PASSPORT_ENTROPY] = FIELD ("entropy", entropy),
    [ATTN_PASSPORT_ENTROPY_NORMALISED] =
        FIELD_IF ("entropy_normalised", entropy_normalised, has_choice),
    [ATTN_PASSPORT_CONFIDENCE] = FIELD ("confidence", confidence),
    [ATTN_PASSPORT_DISTANCE] = FIELD ("mean_distance", mean_distance),
    [ATTN_PASSPORT_SELF] = FIELD ("mass_self", mass_self),
    [ATTN_PASSPORT_PREVIOUS] = FIELD_IF ("mass_prev", mass_previous, has_neighbours),
    [ATTN_PASSPORT_NEXT] = FIELD_IF ("mass_next", mass_next, has_neighbours),
    [ATTN_PASSPORT_CLS] = FIELD_IF ("mass_cls", mass_cls, has_template),
    [ATTN_PASSPORT_SEP] = FIELD_IF ("mass_sep", mass_sep, has_template),
    [ATTN_PASSPORT_PUNCTUATION] = FIELD_IF ("mass_punctuation", mass_punctuation, has_template),
    [ATTN_PASSPORT_SAME] = FIELD ("mass_same_token", mass_same),
    [ATTN_PASSPORT_OTHER] = FIELD_IF ("mass_other_sentence", mass_other, has_pair),
};

const char *
attn_passport_field_peek_name (AttnPassportField field)
{
  g_return_val_if_fail (field < ATTN_N_PASSPORT_FIELDS, NULL);
  return fields[field].name;
}

bool
attn_passport_get_field (const AttnPassport *passport, AttnPassportField field, double *value)
{
  g_return_val_if_fail (field < ATTN_N_PASSPORT_FIELDS, false);
  const char *bytes = (const char *)passport;
  if (fields[field].condition != 0 && !*(const bool *)(bytes + fields[field].condition))
    return false;
  memcpy (value, bytes + fields[field].offset, sizeof *value);
  return true;
}

void
attn_passport_set_field (AttnPassport *passport, AttnPassportField field, double value)
{
  g_return_if_fail (field < ATTN_N_PASSPORT_FIELDS);
  char *bytes = (char *)passport;
  memcpy (bytes + fields[field].offset, &value, sizeof value);
  if (fields[field].condition != 0)
    *(bool *)(bytes + fields[field].condition) = true;
}

AttnPassport
attn_passport_make_empty (void)
{
  AttnPassport passport = {.pattern = ATTN_PATTERN_NONE};
  for (size_t i = 0; i < ATTN_N_PASSPORT_FIELDS; i++) {
    const double nothing = (double)NAN;
    memcpy ((char *)&passport + fields[i].offset, &nothing, sizeof nothing);
  }
  return passport;
}
