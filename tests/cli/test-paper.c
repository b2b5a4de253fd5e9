/* SPDX-License-Identifier: MIT */
/* headscope-cli render for print: dots per inch, sheets of paper, and where a picture comes from.
 */
#include "cli-run.h"
#include "test-util.h"

#include "attn-hub/store.h"

#include <math.h>
#include <string.h>

#define TEXT "The cat sat on the mat."

static guint32
read_be32 (const char *p)
{
  const guint8 *bytes = (const guint8 *)p;
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

/* Returns: the data of the first chunk of @type; @length is set. */
static const char *
find_chunk (const Run *run, const char *type, guint32 *length)
{
  for (gsize at = 8; at + 12 <= run->out_length; at += 12 + read_be32 (run->out + at)) {
    *length = read_be32 (run->out + at);
    if (memcmp (run->out + at + 4, type, 4) == 0)
      return run->out + at + 8;
  }
  g_error ("no chunk %s", type);
}

static void
test_dpi (void)
{
  static const struct {
    const char *words;
    double width_px, dpi;
  } cases[] = {
      {"--dpi 300 --width-mm 160", 160 / 25.4 * 96, 300},
      {"--dpi 72 --width-in 4", 384, 72},
      {"--dpi 192 --width-px 500", 500, 192},
      {"--width-px 500", 500, 192},
      {"--scale 3 --width-px 500", 500, 288},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words =
        g_strconcat ("render --text @ -o - --format png ", cases[i].words, NULL);
    g_auto (Run) run = RUN (words, TEXT);
    g_assert_cmpint (run.status, ==, 0);
    guint32 length = 0;
    const char *header = find_chunk (&run, "IHDR", &length);
    g_assert_cmpuint (read_be32 (header), ==,
                      (guint32)round (cases[i].width_px * cases[i].dpi / 96));
    const char *resolution = find_chunk (&run, "pHYs", &length);
    g_assert_cmpuint (length, ==, 9);
    g_assert_cmpint (resolution[8], ==, 1); /* the unit is the metre */
    for (int axis = 0; axis < 2; axis++)    /* rounded to whole dots a metre */
      g_assert_cmpfloat_with_epsilon (read_be32 (resolution + 4 * axis), cases[i].dpi / 0.0254,
                                      0.51);
  }
}

/* Returns: what pdfinfo says, for g_free(); NULL, with the test skipped, where there is none. */
static char *
ask_pdfinfo (const char *path)
{
  g_autofree char *program = g_find_program_in_path ("pdfinfo");
  if (program == NULL) {
    g_test_skip ("pdfinfo is not installed");
    return NULL;
  }
  char *command[] = {program, (char *)(gsize)path, NULL};
  char *out = NULL;
  int status = -1;
  g_assert_true (
      g_spawn_sync (NULL, command, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, NULL, &status, NULL));
  g_assert_cmpint (status, ==, 0);
  return out;
}

/* The value behind "KEY:" as a number; pdfinfo pads it with blanks. */
static double
get_number (const char *info, const char *key)
{
  const char *line = strstr (info, key);
  g_assert_nonnull (line);
  return g_ascii_strtod (line + strlen (key), NULL);
}

static void
test_pages (void)
{
  static const struct {
    const char *words;
    double pages, width, height;
  } cases[] = {
      {"--view heatmap --page a4", 1, 595.28, 841.89},
      {"--view heads --page a5 --landscape --columns 1", 8, 595.28, 419.53},
      {"--view layers --page letter --landscape", 1, 792, 612},
      {"--view layers --page a4 --scale 0.5", 1, 595.28, 841.89},
      {"--view heads --page picture --width-px 800", 1, 600, 0},
  };
  g_autofree char *path = in_folder ("pages.pdf");
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = g_strconcat ("render --text @ -o @ ", cases[i].words, NULL);
    g_auto (Run) run = RUN (words, TEXT, path);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_cmpint (run.status, ==, 0);
    g_autofree char *info = ask_pdfinfo (path);
    if (info == NULL)
      return;
    g_assert_cmpfloat (get_number (info, "Pages:"), ==, cases[i].pages);
    const char *by = strstr (strstr (info, "Page size:"), " x ");
    /* pdfinfo prints three digits behind the point at most */
    g_assert_cmpfloat_with_epsilon (get_number (info, "Page size:"), cases[i].width, 0.006);
    if (cases[i].height > 0)
      g_assert_cmpfloat_with_epsilon (g_ascii_strtod (by + 3, NULL), cases[i].height, 0.006);
  }
}

static char *
hash_of_model (void)
{
  g_autofree char *folder = attn_hub_find_model (NULL, NULL);
  g_autofree char *path = g_build_filename (folder, "model.safetensors", NULL);
  gsize size = 0;
  g_autofree char *content = test_read_file (path, &size);
  return g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)content, size);
}

static void
assert_holds (const char *bytes, gsize size, const char *const *words)
{
  for (; *words != NULL; words++)
    if (memmem (bytes, size, *words, strlen (*words)) == NULL)
      g_error ("\"%s\" is not inside", *words);
}

/* Model, weights, text, settings and program stand in every format where their readers look. */
static void
test_provenance (void)
{
  g_autofree char *hash = hash_of_model ();
  g_autofree char *weights = g_strconcat ("weights: SHA-256 ", hash, NULL);
  const char *const wanted[] = {"Headscope 0",       "model: Built-in model", weights,
                                "text: " TEXT,       "view: heads, layer 2",  "range: 0.5",
                                "colour map: magma", "palette: screen",       NULL};
  const char *words = "render --text @ --view heads --layer 2 --range 0.5 --colormap magma "
                      "--palette screen -o - --format ";
  g_autofree char *png_words = g_strconcat (words, "png", NULL);
  g_auto (Run) png = RUN (png_words, TEXT);
  guint32 length = 0;
  find_chunk (&png, "iTXt", &length);
  const char *text = memmem (png.out, png.out_length, "Description\0", 12);
  g_assert_nonnull (text);
  assert_holds (text, (gsize)(png.out + png.out_length - text), wanted);
  g_autofree char *svg_words = g_strconcat (words, "svg", NULL);
  g_auto (Run) svg = RUN (svg_words, TEXT);
  const char *metadata = strstr (svg.out, "<metadata>");
  g_assert_nonnull (metadata);
  assert_holds (metadata, (gsize)(strstr (metadata, "</metadata>") - metadata), wanted);
  g_autofree char *path = in_folder ("provenance.pdf");
  g_autofree char *pdf_words = g_strconcat (words, "pdf", NULL);
  g_auto (Run) pdf = RUN (pdf_words, TEXT);
  g_assert_true (g_file_set_contents (path, pdf.out, (gssize)pdf.out_length, NULL));
  g_autofree char *info = ask_pdfinfo (path);
  if (info == NULL)
    return;
  const char *keywords = strstr (info, "Keywords:");
  g_assert_nonnull (keywords);
  assert_holds (keywords, strcspn (keywords, "\n"), wanted);
}

static json_t *
read_json (const char *text, gsize length)
{
  json_t *root = json_loadb (text, length, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (root);
  return root;
}

static void
assert_about (json_t *about, const char *hash)
{
  assert_keys (
      about, "program,model,weights_sha256,text,pair,max_tokens,truncated,layer,head,arrangement");
  g_assert_true (
      g_str_has_prefix (json_string_value (json_object_get (about, "program")), "Headscope 0"));
  g_assert_cmpstr (json_string_value (json_object_get (about, "model")), ==, "Built-in model");
  g_assert_cmpstr (json_string_value (json_object_get (about, "weights_sha256")), ==, hash);
  g_assert_cmpstr (json_string_value (json_object_get (about, "text")), ==, TEXT);
  g_assert_cmpstr (json_string_value (json_object_get (about, "pair")), ==, "A second one");
  g_assert_cmpint (get_int (about, "max_tokens"), ==, 6);
  g_assert_cmpint (get_int (about, "truncated"), >, 0);
  g_assert_true (
      json_is_true (json_object_get (json_object_get (about, "arrangement"), "renormalise")));
}

/* The one string of an archive's array "about", which is its last. */
static json_t *
read_npz_about (const Run *run)
{
  const char *descr = NULL, *end = run->out + run->out_length;
  for (const char *p = run->out; p < end && descr == NULL; p++)
    if ((size_t)(end - p) > 128 && memcmp (p, "about.npy", 9) == 0)
      descr = memmem (p, 128, "'<U", 3);
  g_assert_nonnull (descr);
  gint64 n = g_ascii_strtoll (descr + 3, NULL, 10);
  const char *values = strchr (descr, '\n') + 1; /* UCS-4, and all of it is ASCII here */
  g_assert_nonnull (strstr (descr, "'shape': ()"));
  g_assert_cmpint (4 * n, <, end - values);
  g_autoptr (GString) text = g_string_new (NULL);
  for (gint64 i = 0; i < n; i++)
    g_string_append_c (text, values[4 * i]);
  return read_json (text->str, text->len);
}

/* The same object in every format that has a place for it; bare numbers have none. */
static void
test_numbers (void)
{
  static const char *const plain[] = {"csv", "npy"};
  const char *words = "attention --text @ --pair @ --max-tokens 6 --renormalise --layer 1 --head 2 "
                      "-o - --format ";
  g_autofree char *hash = hash_of_model ();
  g_autofree char *json_words = g_strconcat (words, "json", NULL);
  g_auto (Run) run = RUN (json_words, TEXT, "A second one");
  json_t *root = read_json (run.out, run.out_length);
  assert_about (json_object_get (root, "about"), hash);
  json_decref (root);
  g_autofree char *npz_words = g_strconcat (words, "npz", NULL);
  g_auto (Run) npz = RUN (npz_words, TEXT, "A second one");
  root = read_npz_about (&npz);
  assert_about (root, hash);
  json_decref (root);
  g_autofree char *st_words = g_strconcat (words, "safetensors", NULL);
  g_auto (Run) st = RUN (st_words, TEXT, "A second one");
  guint64 length = 0;
  memcpy (&length, st.out, sizeof length);
  root = read_json (st.out + 8, GUINT64_FROM_LE (length));
  const char *about =
      json_string_value (json_object_get (json_object_get (root, "__metadata__"), "about"));
  json_t *told = read_json (about, strlen (about));
  assert_about (told, hash);
  json_decref (told);
  json_decref (root);
  for (size_t i = 0; i < G_N_ELEMENTS (plain); i++) {
    g_autofree char *plain_words = g_strconcat (words, plain[i], NULL);
    g_auto (Run) bare = RUN (plain_words, TEXT, "A second one");
    g_assert_cmpint (bare.status, ==, 0);
    g_assert_null (memmem (bare.out, bare.out_length, "Headscope", 9));
  }
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/paper/dpi", test_dpi);
  g_test_add_func ("/cli/paper/pages", test_pages);
  g_test_add_func ("/cli/paper/provenance", test_provenance);
  g_test_add_func ("/cli/paper/numbers", test_numbers);
  return cli_test_run ();
}
