/* SPDX-License-Identifier: MIT */
/* The libraries tell in English what is wrong; here their most frequent sentences are said in the
 * window's language. */
#include "hs-told.h"

#include <glib/gi18n.h>

#include <stdbool.h>
#include <string.h>

#define MAX_DEPTH 4 /* sentences inside sentences */
#define MAX_NAMES 4 /* what stands before ": " in a sentence */

/* As they stand in the libraries, without the file or model they begin with, and with %s for every
 * number and text; the first that fits counts. tests/style/check-told.py finds those that have
 * changed there. */
static const char *const sentences[] = {
    /* where a model or a file is not */
    N_ ("no such folder, and it %s"),
    N_ ("no such folder; check whether it was moved or its disk is there"),
    N_ ("no such folder, and no model can have this name"),
    N_ ("no such folder; %s"),
    N_ ("%s is no longer there; \"headscope-cli fetch %s\" downloads it"),
    N_ ("is not among the models in %s; \"headscope-cli fetch %s%s%s\" downloads it"),
    N_ ("in the cache %s; \"headscope-cli fetch %s%s%s\" downloads what is not there"),
    N_ ("is a link to a folder that is not there; mend or remove the link"),
    N_ ("is a link to a file that is not there"),
    N_ ("is a file, a model is a folder with config.json and weights, or a weight file that ends "
        "in "
        ".safetensors, .bin, .pt or .pth beside its config.json"),
    N_ ("found no config.json, wanted the one that comes with the model; it stands beside weights "
        "and tokenizer"),
    N_ ("found no weights, wanted one of the files %s"),
    N_ ("found weights in %s%s, wanted one of the files %s%s"),
    N_ ("found neither tokenizer.json nor vocab.txt nor vocab.json nor a SentencePiece model, "
        "wanted "
        "one of them; the model's own tokenizer.json put there is enough"),
    /* why a model of the list cannot be opened */
    N_ ("models of the family %s cannot be run by this version"),
    N_ ("a family this version knows (%s)"),
    N_ ("a file is missing: %s"),
    N_ ("files are missing: %s"),
    N_ ("none of its files is complete"),
    N_ ("its folder cannot be opened: %s"),
    N_ ("the folder is not called after a model, as models--OWNER--NAME is"),
    N_ ("tensor %s is missing, also under its older spellings%s"),
    N_ ("tensor %s has dtype %s, wanted F32, F16, BF16 or F64"),
    N_ ("tensor %s has shape %s, wanted %s by %s of config.json"),
    /* what is odd in a model */
    N_ ("tensor %s holds %s"),
    N_ ("not-a-number (NaN) values"),
    N_ ("infinite values"),
    N_ ("values so large that results may overflow"),
    N_ ("the vocabulary has %s entries, config.json's vocab_size is %s: %s"),
    N_ ("the model's last rows stand for no token"),
    N_ ("texts with the last entries cannot be run"),
    N_ ("no tensor %s although config.json sets tie_word_embeddings to false: no predictions"),
    N_ ("tensor %s is missing, which a %s has; nothing that is shown here needs it"),
    N_ ("tensor %s is not used, for config.json's %s is %s: the model ends before that layer"),
    N_ ("tensor %s%s: parts of layers that are not used; the maps are those of the model without "
        "them"),
    N_ ("model_type is missing; \"%s\" is taken from architectures, which names %s"),
    N_ ("and %s more warnings"),
    /* what is odd in a file of weights */
    N_ ("%s of %s %s %s, the first in layer %s, head %s, query %s (counted from 0)%s"),
    N_ ("; the furthest from 1 is %s, in layer %s, head %s"),
    N_ ("; pictures cross such cells"),
    N_ (", which no softmax gives: are these scores?"),
    N_ ("weights"),
    N_ ("rows"),
    N_ ("is not a number (NaN)"),
    N_ ("are not numbers (NaN)"),
    N_ ("is infinite"),
    N_ ("are infinite"),
    N_ ("is negative"),
    N_ ("are negative"),
    N_ ("does not sum to 1"),
    N_ ("do not sum to 1"),
    N_ ("its tokens are for %s queries and %s keys, but the weights have %s and %s; they are left "
        "out"),
    N_ ("found %s arrays that could be attention, wanted the name of one: %s"),
    N_ ("found no array of floats of a usable shape, %s; there are: %s"),
    N_ ("shape: found %s, %s"),
    N_ ("wanted [layers, heads, query, key], [heads, query, key] or [query, key], with no batch "
        "but "
        "%s"),
    N_ ("found %s bytes behind the header, wanted %s for the shape %s of %s; the file is "
        "damaged%s"),
    N_ (" or cut short"),
    N_ ("an empty file"),
    N_ ("another kind of file"),
    N_ ("a PyTorch file"),
    N_ ("a web page, probably of a download that failed"),
    N_ ("a .npy, .npz or .safetensors file"),
    N_ ("a safetensors file"),
    N_ ("the file is cut short: found %s bytes behind the header, wanted %s"),
    N_ ("cannot be read as a zip archive (%s); the file is damaged or cut short"),
    N_ ("found no array of NumPy, wanted one"),
    N_ ("no memory for %s bytes of weights"),
    N_ ("the text has %s tokens, the model takes %s at most"),
    N_ ("not JSON: byte %s (0x%s) is not valid UTF-8"),
    N_ ("not valid JSON at line %s, column %s: %s, after '%s'"),
    /* what verifying finds */
    N_ ("none of its files is there"),
    N_ ("the file is missing: its link leads to nothing"),
    N_ ("the file is not what was downloaded: found %s %s, wanted %s"),
    N_ ("it cannot be read"),
    /* downloads */
    N_ ("there is no such model; check the name, which is owner/name"),
    N_ ("there is no such model; the usual one of this name is %s"),
    N_ ("%s answers that there is nothing of this name; check the name (owner/name)%s"),
    N_ ("is open only to those who accepted its terms: accept them at %s/%s, then give a token of "
        "your account in HF_TOKEN or in the file %s"),
    N_ ("the server wants fewer requests from this address; try again in five minutes"),
    N_ ("no connection to %s (%s); %s"),
    N_ ("no address is known of %s (%s); %s"),
    N_ ("nothing comes any more from %s (%s); %s"),
    N_ ("check the network, then try again: what has arrived is kept"),
    N_ ("check the connection, or HTTPS_PROXY and HF_ENDPOINT where they are needed"),
    N_ ("make room and try again: what has arrived is kept"),
    N_ ("found %s MB free, wanted %s MB for %s; make room, or name a folder on another disk in "
        "HF_HUB_CACHE"),
    N_ ("a program is just downloading it; stop that, or wait until it is done"),
    /* what the operating system answers */
    N_ ("No such file or directory"),
    N_ ("Permission denied"),
    N_ ("Not a directory"),
    N_ ("No space left on device"),
    N_ ("Read-only file system"),
    /* what many sentences are made of */
    N_ ("found %s, wanted %s"),
};

/* Returns: (nullable): what stands in @message where @format has %s. Each takes as little as it
 * can, the last one all that is left. */
static GStrv
match (const char *format, const char *message)
{
  g_auto (GStrv) parts = g_strsplit (format, "%s", -1);
  g_autoptr (GStrvBuilder) holes = g_strv_builder_new ();
  const char *at = message + strlen (parts[0]);

  if (!g_str_has_prefix (message, parts[0]) || (parts[1] == NULL && *at != '\0'))
    return NULL;
  for (guint i = 1; parts[i] != NULL; i++) {
    const bool is_last = parts[i + 1] == NULL;
    const char *next = is_last && g_str_has_suffix (at, parts[i])
                           ? at + strlen (at) - strlen (parts[i])
                       : is_last ? NULL
                                 : strstr (at, parts[i]);
    g_autofree char *hole = next != NULL ? g_strndup (at, (gsize)(next - at)) : NULL;

    if (next == NULL)
      return NULL;
    g_strv_builder_add (holes, hole);
    at = next + strlen (parts[i]);
  }
  return g_strv_builder_end (holes);
}

/* @format: with %s in the order of @holes, or %1$s and so on. */
static char *
fill (const char *format, char **holes)
{
  GString *filled = g_string_new (NULL);
  const guint n_holes = g_strv_length (holes);
  guint n_plain = 0;

  while (*format != '\0') {
    const bool is_numbered =
        format[0] == '%' && g_ascii_isdigit (format[1]) && format[2] == '$' && format[3] == 's';
    const bool is_plain = format[0] == '%' && format[1] == 's';
    const guint index = is_numbered ? (guint)(format[1] - '1') : n_plain;

    if ((is_numbered || is_plain) && index < n_holes) {
      g_string_append (filled, holes[index]);
      n_plain += is_plain;
      format += is_numbered ? 4 : 2;
    } else {
      g_string_append_c (filled, *format++);
    }
  }
  return g_string_free (filled, FALSE);
}

/* Returns: (transfer full) (nullable): @message in other words, if it is a sentence of the table
 * that begins with a hole, or one that does not. */
static char *
say (const char *message, bool with_hole, HsToldFunc translate, guint depth)
{
  for (size_t i = 0; i < G_N_ELEMENTS (sentences); i++) {
    g_auto (GStrv) holes = NULL;

    if (g_str_has_prefix (sentences[i], "%s") == with_hole)
      holes = match (sentences[i], message);
    for (guint h = 0; holes != NULL && holes[h] != NULL; h++) {
      char *inner = hs_told_dup_with (holes[h], translate, depth + 1);
      g_free (holes[h]);
      holes[h] = inner;
    }
    if (holes != NULL)
      return fill (translate (sentences[i]), holes);
  }
  return NULL;
}

/* The whole of @message, and what follows the names in it, which may hold ": " themselves. */
static char *
say_rest (const char *message, bool with_hole, HsToldFunc translate, guint depth)
{
  const char *rest = message;

  for (guint n = 0; rest != NULL && n <= MAX_NAMES; n++) {
    /* a hole would take in the name, so that goes last */
    g_autofree char *said = n > 0 || !with_hole ? say (rest, with_hole, translate, depth) : NULL;

    if (said != NULL)
      return g_strdup_printf ("%.*s%s", (int)(rest - message), message, said);
    rest = strstr (rest, ": ");
    rest = rest != NULL ? rest + strlen (": ") : NULL;
  }
  return with_hole ? say (message, with_hole, translate, depth) : NULL;
}

char *
hs_told_dup_with (const char *message, HsToldFunc translate, guint depth)
{
  char *said = NULL;

  if (depth < MAX_DEPTH && *message != '\0')
    said = say_rest (message, false, translate, depth);
  if (said == NULL && depth < MAX_DEPTH && *message != '\0')
    said = say_rest (message, true, translate, depth);
  return said != NULL ? said : g_strdup (message);
}

static const char *
translate (const char *sentence)
{
  return _ (sentence);
}

char *
hs_told_dup (const char *message)
{
  return message != NULL ? hs_told_dup_with (message, translate, 0) : NULL;
}
