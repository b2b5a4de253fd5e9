/* SPDX-License-Identifier: MIT */
/* Makes a text of tokens' names, by the marks that tokenizers put on them. */
#include "named-tokens.h"

#include "byte-level.h"
#include "tokens.h"
#include "unicode.h"

#include "attn/names.h"

#include <string.h>

#define CONTINUES "##"
#define BYTE_BLANK "Ġ"
#define BLANK "▁"

enum { N_SIDES = 2 };

/* What the names say of words. */
typedef enum {
  MARKS_NONE,
  MARKS_CONTINUES, /* of WordPiece: what goes on with a word is marked */
  MARKS_BLANKS,    /* of SentencePiece and byte-level BPE: blanks are written */
} Marks;

typedef struct {
  Marks marks;
  bool by_bytes; /* names are written in the alphabet of bytes */
  GString *text;
  bool after_name; /* the text ends with a name of it, not with what stands alone */
} Maker;

static const char *const special_names[] = {
    "[CLS]",        "[SEP]",      "[PAD]",           "[BOS]",           "[EOS]",
    "<cls>",        "<sep>",      "<pad>",           "<bos>",           "<eos>",
    "<s>",          "</s>",       "<|endoftext|>",   "<|startoftext|>", "<|begin_of_text|>",
    "<|im_start|>", "<|im_end|>", "<|end_of_text|>", "<|eot_id|>",
};

static const char *const mask_names[] = {"[MASK]", "<mask>"};

static bool
is_one_of (const char *name, const char *const *names, size_t n)
{
  return attn_name_find (name, names, n) < n;
}

static bool
is_special (const char *name)
{
  return is_one_of (name, special_names, G_N_ELEMENTS (special_names));
}

static bool
is_mask (const char *name)
{
  return is_one_of (name, mask_names, G_N_ELEMENTS (mask_names));
}

/* "##" and "###" are signs of a text. */
static bool
goes_on (const char *name)
{
  return g_str_has_prefix (name, CONTINUES) && name[strlen (CONTINUES)] != '\0' &&
         name[strlen (CONTINUES)] != '#';
}

static bool
begins_blank (const char *name)
{
  return g_str_has_prefix (name, BYTE_BLANK) || g_str_has_prefix (name, BLANK) || name[0] == ' ';
}

/* Of both sides, since one tokenizer cut them. */
static Marks
find_marks (const AttnLabels *labels)
{
  Marks marks = MARKS_NONE;
  for (size_t side = 0; side < N_SIDES; side++)
    for (size_t i = 0; i < attn_labels_get_n (labels, (AttnSide)side); i++) {
      const char *name = attn_labels_peek (labels, (AttnSide)side, i);
      if (goes_on (name))
        return MARKS_CONTINUES;
      if (begins_blank (name))
        marks = MARKS_BLANKS;
    }
  return marks;
}

bool
attn_labels_has_marks (const AttnLabels *labels)
{
  g_return_val_if_fail (labels != NULL, false);
  return find_marks (labels) != MARKS_NONE;
}

/* ---- text ---- */

static bool
is_han (gunichar c)
{
  return g_unichar_get_script (c) == G_UNICODE_SCRIPT_HAN;
}

/* Han characters stand side by side, and a list may join them. */
static bool
is_between_han (const Maker *maker, const char *name)
{
  const char *end = maker->text->str + maker->text->len;
  return maker->after_name && is_han (g_utf8_get_char (name)) &&
         is_han (g_utf8_get_char (g_utf8_prev_char (end)));
}

static void
append_blank (Maker *maker)
{
  if (maker->text->len > 0)
    g_string_append_c (maker->text, ' ');
}

/* Each character is a byte. */
static void
append_bytes (GString *text, const char *name)
{
  for (; *name != '\0'; name += g_utf8_skip[(guchar)*name])
    g_string_append_c (text, (char)attn_byte_level_get_byte (g_utf8_get_char (name)));
}

static void
append_with_blanks (GString *text, const char *name)
{
  static const char *const blanks[] = {BYTE_BLANK, BLANK};
  while (*name != '\0') {
    size_t n_bytes = 0;
    for (size_t i = 0; i < G_N_ELEMENTS (blanks); i++)
      if (g_str_has_prefix (name, blanks[i]))
        n_bytes = strlen (blanks[i]);
    if (n_bytes > 0) {
      g_string_append_c (text, ' ');
    } else {
      n_bytes = g_utf8_skip[(guchar)*name];
      g_string_append_len (text, name, (gssize)n_bytes);
    }
    name += n_bytes;
  }
}

/* Appends a name to the text; its span gets no blanks that were put between names. */
static void
append_name (Maker *maker, AttnToken *token)
{
  const char *name = token->piece;
  bool is_word = token->mask;
  if (maker->marks == MARKS_CONTINUES && goes_on (name))
    name += strlen (CONTINUES);
  else
    is_word |= maker->marks != MARKS_BLANKS && !is_between_han (maker, name);
  if (is_word || !maker->after_name)
    append_blank (maker);
  token->start = maker->text->len;
  if (maker->by_bytes && !token->mask)
    append_bytes (maker->text, name);
  else if (maker->marks == MARKS_BLANKS)
    append_with_blanks (maker->text, name);
  else
    g_string_append (maker->text, name);
  token->end = maker->text->len;
  maker->after_name = !token->mask && token->end > token->start;
}

/* Writes the spans of @tokens, [n]; where bytes are asked for, false if they are no text. */
static bool
make_text (Maker *maker, AttnToken *tokens, size_t n)
{
  g_string_truncate (maker->text, 0);
  maker->after_name = false;
  for (size_t i = 0; i < n; i++) {
    if (tokens[i].special)
      maker->after_name = false;
    else
      append_name (maker, &tokens[i]);
  }
  return !maker->by_bytes || g_utf8_validate_len (maker->text->str, maker->text->len, NULL);
}

/* Tokens that are bytes of one character reach over all of it. */
static void
widen (const Maker *maker, AttnToken *token)
{
  const char *text = maker->text->str;
  if (token->start >= token->end)
    return;
  while (((guchar)text[token->start] & 0xc0) == 0x80)
    token->start--;
  while (((guchar)text[token->end] & 0xc0) == 0x80)
    token->end++;
}

static bool
is_of_bytes (const char *name)
{
  for (; *name != '\0'; name += g_utf8_skip[(guchar)*name])
    if (attn_byte_level_get_byte (g_utf8_get_char (name)) < 0)
      return false;
  return true;
}

static void
init_tokens (Maker *maker, const AttnLabels *labels, AttnSide side, AttnToken *tokens, size_t n)
{
  bool has_blank = false, of_bytes = true;
  for (size_t i = 0; i < n; i++) {
    const char *name = attn_labels_peek (labels, side, i);
    bool special = is_special (name);
    tokens[i] = (AttnToken){
        .piece = name,
        .sequence = special ? -1 : 0,
        .word = special ? -1 : 0,
        .special = special,
        .mask = is_mask (name),
    };
    if (special || tokens[i].mask)
      continue;
    has_blank |= g_str_has_prefix (name, BYTE_BLANK);
    of_bytes &= is_of_bytes (name);
  }
  maker->by_bytes = maker->marks == MARKS_BLANKS && has_blank && of_bytes;
}

AttnTokens *
attn_named_tokens_new (const AttnLabels *labels, AttnSide side, GError **error)
{
  size_t n = attn_labels_get_n (labels, side);
  g_autofree AttnToken *tokens = g_new0 (AttnToken, n);
  g_autoptr (GString) text = g_string_new (NULL);
  Maker maker = {.marks = find_marks (labels), .text = text};
  init_tokens (&maker, labels, side, tokens, n);
  if (!make_text (&maker, tokens, n)) {
    maker.by_bytes = false;
    make_text (&maker, tokens, n);
  }
  for (size_t i = 0; i < n && maker.by_bytes; i++)
    widen (&maker, &tokens[i]);
  const AttnTokensText texts[] = {{text->str, text->len}, {NULL, 0}};
  return attn_tokens_new (tokens, n, 0, texts, NULL, error);
}
