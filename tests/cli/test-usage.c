/* SPDX-License-Identifier: MIT */
/* headscope-cli asked wrongly, or unable to do what it was asked: exit codes and sentences. */
#include "cli-run.h"
#include "test-util.h"

#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void
test_help (void)
{
  static const char *const commands[] = {"info",   "tokenize", "attention", "predict",
                                         "render", "bench",    "compare",   "lab"};
  g_auto (Run) overall = RUN ("--help");
  g_assert_cmpint (overall.status, ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_assert_nonnull (strstr (overall.out, commands[i]));
    g_autofree char *words = g_strconcat (commands[i], " --help", NULL);
    g_auto (Run) run = RUN (words);
    g_assert_cmpint (run.status, ==, 0);
    g_assert_cmpstr (run.err, ==, "");
    g_assert_nonnull (strstr (run.out, "--threads N"));
  }
  g_auto (Run) version = RUN ("--version");
  g_assert_true (g_str_has_prefix (version.out, "headscope-cli "));
}

static const struct {
  const char *words, *sentence;
} wrong[] = {
    {"nonsense", "there is no command"},
    {"lab", "wanted is one of: --d-model"},
    {"lab --d-model 512", "both are needed"},
    {"lab --d-model 512 --heads 8 --text a --step scores", "--d-model is not for --step"},
    {"lab --d-model 70000 --heads 8", "--d-model 70000: wanted is at most 65536"},
    {"lab --text a", "--text needs --step, --figure, --code or --several"},
    {"lab --file x.txt", "--file needs --step"},
    {"lab --d-model 512 --heads 8 --text a", "--d-model is not for --text;"},
    {"lab --d-model 512 --pair a", "--pair is not for --d-model;"},
    {"lab --text a --several --code c", "--several and --code exclude each other\n"},
    {"lab --heads 8 --train 1", "--train and --heads exclude each other\n"},
    {"models x", "\"x\" is not an option, and nothing is named here"},
    {"bench x", "\"x\" is not an option, and nothing is named here"},
    {"info x", "\"x\" is not an option; a model is named by --model"},
    {"predict --text a --file b", "--text and --file exclude each other"},
    {"predict --file a --batch b", "--file and --batch exclude each other"},
    {"lab --text a --step softmaxes", "known are input, normed"},
    {"lab --text a --step normed", "so see"},
    {"lab --text a --step scores --head 9", "heads 1 to 8"},
    {"lab --text a --step scores --cell 1", "wanted is ROW,COLUMN"},
    {"lab --text a --step scores --cell 3,0", "rows 0 to 2, columns 0 to 2"},
    {"lab --train 1,3", "that divide 32"},
    {"lab --train 1, --seeds 2", "wanted are numbers of heads"},
    {"attention", "--text or --file"},
    {"attention --text a --file b", "exclude each other"},
    {"attention --text a --layer 0", "--layer 0"},
    {"attention --text a --layer 5", "layers 1 to 4"},
    {"attention --text a --head 9", "heads 1 to 8"},
    {"attention --text a --head -1", "--head -1"},
    {"attention --text a --head 1.5", "--head 1.5"},
    {"attention --text a --head 99999999999999999999", "--head 99999"},
    {"attention --text a --head", "--head needs a value"},
    {"attention --text a --hats=2", "no option --hats"},
    {"attention --text a --heads=2", "--heads says what is combined; say how by --combine"},
    {"attention --text a --all-layers", "--all-layers says what is combined"},
    {"attention --text a --combine sum", "--combine sum: known are mean, max and none"},
    {"attention --text a --combine mean --heads 0", "--heads 0: wanted are heads counted from 1"},
    {"attention --text a --combine mean --heads 1,,2", "--heads 1,,2: wanted are heads"},
    {"attention --text a --combine mean --heads 3-2", "--heads 3-2: wanted are heads"},
    {"attention --text a --combine mean --heads 1-9", "--heads 9: the model has heads 1 to 8"},
    {"attention --text a --combine mean --head 2", "--head and --combine exclude each other"},
    {"attention --text a --combine max --all-layers --layer 2", "--layer and --all-layers"},
    {"attention --text a --unit sentences", "known are tokens, characters and words"},
    {"attention --text a --hide cls,stop", "--hide cls,stop: known are cls, sep"},
    {"attention --text a --part a-c", "--part a-c: known are all, a-a, a-b"},
    {"attention --text a --threshold 1.5", "a weight is at most 1"},
    {"attention --text a --threshold 0.1 --top-keys 3", "exclude each other"},
    {"attention --text a --top-keys 0", "--top-keys 0"},
    {"attention --text a --words-file x.txt", "--words-file needs --unit words"},
    {"attention --batch a.txt --format safetensors --unit words", "--batch writes maps as they"},
    {"render --text a -o x.png --combine mean --heads 1-9", "the model has heads 1 to 8"},
    {"render --text a -o x.png --hide cls,sep --pin-query 1", "the picture has rows 0 to 0"},
    {"render --text a -o x.png --unit words --pin-key 3", "the picture has columns 0 to 2"},
    {"attention --text a b", "\"b\" is not an option"},
    {"attention --text a --text b", "--text is given twice"},
    {"attention --text a --layer 1 --head 2 --layer=all", "--layer is given twice"},
    {"info --tensors --tensors", "--tensors is given twice"},
    {"attention --text a --format xml", "--format xml"},
    {"attention --text a --with hidden", "safetensors"},
    {"attention --text a --with magic --format safetensors", "--with magic"},
    {"attention --text a --lens magic", "--lens magic: known are raw, "},
    {"attention --text a --lens rollout --head 2", "the lens rollout is of whole layers"},
    {"attention --batch a.txt --format safetensors --lens norm", "it excludes --lens"},
    {"render --text a -o x.png --lens rollout --head 2", "the lens rollout is of whole layers"},
    {"render --text a -o x.png --lens magic", "--lens magic: known are raw, "},
    {"render --attention x.npy --text hello -o -", "--attention and --text exclude each other"},
    {"render --attention x.npy --model demo -o -", "--attention and --model exclude each other"},
    {"attention --attention x.npy --max-tokens 4", "--max-tokens exclude each other"},
    {"attention --tokens t.json --text hello", "--tokens goes with --attention"},
    {"info --tokens t.json", "--tokens goes with --attention"},
    {"attention --attention x.npy --key-list a", "--key-list goes with --token-list"},
    {"info --attention x.npy --tokens t.json --token-list a", "exclude each other"},
    {"info --attention x.npy --tensors", "needs a model"},
    {"compare --attention x.npy", "compare with what?"},
    {"compare --attention x.npy --attention-b y.npy --text-b a", "exclude each other"},
    {"compare --attention x.npy --tokens-b t.json --layer-b 2", "--tokens-b goes with"},
    {"predict --attention x.npy", "guessing needs a model"},
    {"tokenize --attention x.npy", "making tokens needs a model"},
    {"attention --batch a.txt", "safetensors"},
    {"tokenize --batch a.csv", ".txt or .jsonl"},
    {"tokenize --batch a.jsonl --pair b", "--pair"},
    {"tokenize --text a --threads 0", "--threads 0"},
    {"tokenize --text a --help=1", "takes no value"},
    {"tokenize --text a -o @", "-o: the value is empty"},
    {"tokenize --file @", "--file: the value is empty"},
    {"tokenize --batch @", "--batch: the value is empty"},
    {"info --model @", "--model: the value is empty"},
    {"bench --shape @", "--shape: the value is empty"},
    {"bench --tokens @", "--tokens: the value is empty"},
    {"attention --text a --layer @", "--layer: the value is empty"},
    {"render --text a -o x.png --scale=", "--scale: the value is empty"},
    {"attention --text a --format safetensors --with @", "--with: the value is empty"},
    {"attention --text a --format safetensors --with hidden,", "--with hidden,: known are"},
    {"attention --text a --format safetensors --with hidden,hidden", "hidden stands there twice"},
    {"render --text a -o x.png --range 1e300", "a number from 1e-09 to 1e+09"},
    {"render --text a -o x.png --range 1e39", "a number from 1e-09 to 1e+09"},
    {"render --text a -o x.png --range 1e-300", "a number from 1e-09 to 1e+09"},
    {"render --text a -o x.png --range nan", "a number from 1e-09 to 1e+09"},
    {"render --text a -o x.png --font-size 1e-300", "wanted is 1 to 200 pt"},
    {"render --text a -o x.png --font-size 201", "wanted is 1 to 200 pt"},
    {"render --text a -o x.png --font-size 200", "letters of 200 pt need at least 1467"},
    {"render --text a -o x.png --width-px 64", "letters of 10 pt need at least 74"},
    {"render --text a -o x.png --scale 1e-300", "--scale: wanted is 0.01 to 1000"},
    {"render --text a -o x.png --scale 1e300", "--scale: wanted is 0.01 to 1000"},
    {"render --text a -o x.png --width-px 1e300", "wanted are"},
    {"render --text a -o x.png --width-mm 1e-300", "wanted are"},
    {"render --text a -o x.png --view heads --columns 9", "wanted are 1 to 8"},
    {"render --text a", "-o"},
    {"render --text a -o x.jpeg", "x.jpeg"},
    {"render --text a -o x.png --view pie", "--view pie"},
    {"render --text a -o x.png --scale 0", "--scale 0"},
    {"render --text a -o x.png --scale nan", "--scale nan"},
    {"render --text a -o x.png --scale 1e9", "0.01 to 1000"},
    {"render --text a -o x.png --layer all", "--layer all"},
    {"render --text a -o x.png --range -1", "--range -1"},
    {"render --text a -o x.png --colormap jet", "--colormap jet"},
    {"render --text a -o x.png --palette neon", "--palette neon"},
    {"render --text a -o x.png --lang xx", "--lang xx"},
    {"render --text a -o x.png --width-px 2", "2 px wide"},
    {"render --text a -o x.png --view lines --head 2 --heads 3", "--head and --heads exclude"},
    {"render --text a -o x.png --view lines --head 9", "the model has heads 1 to"},
    {"render --text a -o x.png --width-px 500 --width-mm 80", "exclude each other"},
    {"render --text a -o x.pdf --width-mm 80 --scale 2", "printed size"},
    {"render --text a -o x.pdf --width-in 3 --scale 2", "--width-in and --scale"},
    {"render --text a -o x.png --width-mm 80 --width-in 3", "exclude each other"},
    {"render --text a -o x.png --width-in 3 --height-px 300", "exclude each other"},
    {"render --text a -o x.png --width-in 0.5", "48 px wide"},
    {"render --text a -o x.png --height-px 20", "20 px high"},
    {"render --text a -o x.png --pin-query 3", "tokens 0 to 2"},
    {"render --text a -o x.png --dpi 300 --scale 2", "--dpi and --scale exclude each other"},
    {"render --text a -o x.svg --dpi 300", "--dpi is for PNG"},
    {"render --text a -o x.png --dpi 1e-9", "--dpi: wanted is 1 to 96000"},
    {"render --text a -o x.png --page a4", "--page is for PDF"},
    {"render --text a -o x.pdf --page a0", "known are picture, a4, a5 and letter"},
    {"render --text a -o x.pdf --landscape", "--landscape needs --page"},
    {"render --text a -o x.pdf --page a4 --width-mm 80",
     "--page and --width-mm exclude each other"},
    {"render --text a -o x.pdf --page a4 --height-px 800", "--page and --height-px exclude"},
    {"render --text a -o x.pdf --page a5 --scale 9", "letters of 10 pt need at least 74"},
    {"render --text a -o x.png --layer-b 2", "go with --view compare"},
    {"render --text a -o x.png --view compare", "compare with what?"},
    {"render --text a -o x.png --view compare --text-b b --columns 2", "--columns is for"},
    {"render --text a -o x.png --view layers --columns 2", "--columns is for the view heads"},
    {"render --text a -o x.png --map-px 40", "--map-px is for the view layers"},
    {"render --text a -o x.png --view lines --crop 0:1,:", "--crop is for views of maps"},
    {"compare --text a", "compare with what?"},
    {"compare --text-b a", "--text or --file"},
    {"compare --text a --pair-b b", "--pair-b goes with --text-b"},
    {"compare --text a --pair-b b --model-b demo", "--pair-b goes with --text-b"},
    {"compare --text a --layer-b 5", "--layer-b 5: the model has layers 1 to 4"},
    {"compare --text a --text-b b --head 9", "--head 9: the model has heads 1 to 8"},
    {"compare --text a --text-b b --format npy", "known are json and csv"},
    {"compare --text a --text-b b --top 0", "--top 0"},
    {"bench --shape 2x64x5x128", "multiple of heads"},
    {"bench --shape 2x64", "--shape 2x64"},
    {"bench --tokens 16,x", "--tokens 16,x"},
    {"bench --text a", "no option --text"},
};

static void
assert_no_file (const char *name)
{
  g_autofree char *path = in_folder (name);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Wrong usage: exit 2, a sentence that holds a word, and where to read on; nothing on stdout. */
static void
test_usage (void)
{
  for (size_t i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_auto (Run) run = RUN (wrong[i].words, "");
    if (run.status != 2 || strstr (run.err, wrong[i].sentence) == NULL ||
        strstr (run.err, "--help") == NULL || run.out_length > 0)
      g_error ("%s: exit %d, stdout %zu bytes, stderr: %s", wrong[i].words, run.status,
               (size_t)run.out_length, run.err);
  }
  assert_no_file ("x.png");
}

/* Failures: exit 1 and a sentence. */
static void
test_failures (void)
{
  g_autofree char *broken = in_folder ("broken.txt");
  g_autofree char *wide = in_folder ("wide.txt");
  g_autofree char *nowhere = in_folder ("no/such/file");
  g_assert_true (g_file_set_contents (wide,
                                      "\xff\xfe"
                                      "a\0",
                                      4, NULL));
  g_assert_true (g_file_set_contents (broken,
                                      "a\xff"
                                      "b",
                                      -1, NULL));
  const struct {
    const char *words, *value, *sentence;
  } cases[] = {
      {"tokenize --text @", "a\xe7\x8c", "UTF-8"},
      {"tokenize --file @", broken, "broken.txt: "},
      {"tokenize --file @", wide, "wide.txt: found text in UTF-16, wanted UTF-8"},
      {"tokenize --batch @", wide, "wide.txt, line 1: found text in UTF-16, wanted UTF-8"},
      {"tokenize --file @", nowhere, "no/such/file: No such file or directory"},
      {"tokenize --file @", peek_folder (), "found a folder, wanted a regular file"},
      {"info --model @", nowhere, "no/such/file"},
      {"info --model @", broken, "is a file"},
      {"info --model @", peek_folder (), "config.json"},
      {"tokenize --text a -o @", nowhere, "no/such/file: cannot write into the folder "},
      {"tokenize --text a -o @", "/dev/full", "No space left"},
      {"attention --text a --format npy -o @", "/dev/full", "No space left"},
      {"render --text a --format pdf -o @", "/dev/full", "No space left"},
      {"render --text a --scale 90 -o @", "x.png", "32,767"},
      {"attention --text ! --hide cls,sep,punctuation -o @", "x.json", "nothing is left to show"},
      {"render --text ! --hide cls,sep,punctuation -o @", "x.png", "nothing is left to show"},
      {"render --text a --part a-b -o @", "x.png", "there is no second text"},
      {"render --text a --unit words -o x.png --words-file @", nowhere, "no/such/file"},
  };
  for (size_t i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_auto (Run) run = RUN (cases[i].words, cases[i].value);
    if (run.status != 1 || strstr (run.err, cases[i].sentence) == NULL || run.out_length > 0)
      g_error ("%s %s: exit %d, stdout %zu bytes, stderr: %s", cases[i].words, cases[i].value,
               run.status, (size_t)run.out_length, run.err);
  }
  assert_no_file ("x.png");
}

/* What others wrote comes back on one line, as text: it moves no cursor and is cut when long. */
static void
test_shown_values (void)
{
  static const char odd[] = "a\nb\x1b[2J\xff\u202E.txt";
  static const char shown[] = "a b\uFFFD[2J\uFFFD\uFFFD.txt";
  static const char *const words[] = {
      "@",
      "info @",
      "info --model @",
      "tokenize --file @",
      "tokenize --batch @",
      "tokenize --text a --threads @",
      "tokenize --text a --layer=@",
      "attention --text a --layer @",
      "attention --text a --format @",
      "attention --text a --format safetensors --with @",
      "render --text a -o @",
      "render --text a -o x.png --view @",
      "render --text a -o x.png --range @",
      "render --text a -o x.png --scale @",
      "render --text a -o x.png --palette @",
      "render --text a -o x.png --colormap @",
      "render --text a -o x.png --lang @",
      "render --text a -o x.png --format @",
      "attention --text a --combine @",
      "attention --text a --combine mean --heads @",
      "attention --text a --unit @",
      "attention --text a --part @",
      "attention --text a --hide @",
      "attention --text a --unit words --words-file @",
      "bench --shape @",
      "bench --tokens @",
      "bench --kernel @",
      "compare --text a --text-b b --format @",
      "compare --text a --model-b @",
  };
  g_autofree char *option = g_strconcat ("--", odd, NULL);
  g_autofree char *shown_option = g_strconcat ("no option --", shown, NULL);
  g_auto (Run) unknown = RUN ("info @", option);
  g_assert_nonnull (strstr (unknown.err, shown_option));
  for (size_t i = 0; i < G_N_ELEMENTS (words); i++) {
    g_auto (Run) run = RUN (words[i], odd);
    g_auto (GStrv) lines = g_strsplit (run.err, "\n", -1);
    bool usage = run.status == 2;
    if (run.status == 0 || !g_utf8_validate (run.err, -1, NULL) ||
        g_strv_length (lines) != (usage ? 3 : 2) ||
        (strchr (words[i], '=') == NULL && strstr (run.err, shown) == NULL))
      g_error ("%s: exit %d, stderr: %s", words[i], run.status, run.err);
  }
  g_autofree char *long_value = g_strnfill (100000, 'x');
  g_auto (Run) cut = RUN ("attention --text a --format @", long_value);
  g_assert_cmpuint (strlen (cut.err), <, 1000);
}

/* Runs a shell line in the test's folder, in which $CLI is the program. Returns: its stderr. */
static char *
run_shell (const char *line, int *exit_status)
{
  g_autofree char *quoted = g_shell_quote (peek_program ());
  g_autofree char *script = g_strdup_printf ("CLI=%s; %s", quoted, line);
  char shell[] = "/bin/sh", option[] = "-c";
  char *command[] = {shell, option, script, NULL};
  char *err = NULL;
  int status = -1;
  g_assert_true (g_spawn_sync (peek_folder (), command, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
                               &err, &status, NULL));
  *exit_status = WIFEXITED (status) ? WEXITSTATUS (status) : 256 + WTERMSIG (status);
  return err;
}

/* What would be written to a file that is closed goes nowhere, not into the next one opened. */
static void
test_closed_files (void)
{
  g_autofree char *texts = in_folder ("no-mask.txt");
  g_autofree char *out = in_folder ("closed.jsonl");
  g_assert_true (g_file_set_contents (texts, "no mask\nand none\n", -1, NULL));
  static const char *const closed[] = {"2>&-", "0<&- 2>&-", "0<&- 1>&- 2>&-", "0<&-", "1>&-"};
  for (size_t i = 0; i < G_N_ELEMENTS (closed); i++) {
    g_autofree char *line =
        g_strdup_printf ("\"$CLI\" predict --batch no-mask.txt -o closed.jsonl %s", closed[i]);
    int status = -1;
    g_autofree char *err = run_shell (line, &status);
    g_assert_cmpint (status, ==, 0);
    g_autofree char *content = test_read_file (out, NULL);
    g_assert_cmpstr (content, ==, "{\"masks\":[]}\n{\"masks\":[]}\n");
  }
  int status = -1;
  g_autofree char *no_answer = run_shell ("\"$CLI\" info >&-", &status);
  g_assert_cmpint (status, ==, 1);
  g_assert_nonnull (strstr (no_answer, "standard output: cannot write"));
  g_autofree char *no_text = run_shell ("\"$CLI\" tokenize --file - <&-", &status);
  g_assert_cmpint (status, ==, 1);
  g_assert_nonnull (strstr (no_text, "standard input: cannot read"));
}

/* A pipe with a name would be waited for; one that the shell makes is read like a file. */
static void
test_pipes (void)
{
  static const char *const commands[] = {
      "tokenize --file",
      "tokenize --batch",
      "lab --measured",
      "attention --attention",
  };
  g_autofree char *path = in_folder ("pipe.txt");
  int status = -1;
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++) {
    g_autofree char *line = g_strdup_printf ("timeout 20 \"$CLI\" %s %s", commands[i], path);
    g_autofree char *err = run_shell (line, &status);
    g_assert_cmpint (status, ==, 1);
    g_assert_nonnull (strstr (err, "pipe.txt: found a pipe, wanted a regular file"));
  }
  g_assert_cmpint (unlink (path), ==, 0);
  g_autofree char *err =
      run_shell ("{ sleep 0.2; echo a; } | timeout 20 \"$CLI\" tokenize --file /dev/fd/0 "
                 ">/dev/null",
                 &status);
  g_assert_cmpstr (err, ==, "");
  g_assert_cmpint (status, ==, 0);
}

/* A limit on files is a sentence, and leaves nothing behind (which the folder's removal checks). */
static void
test_size_limit (void)
{
  int status = -1;
  g_autofree char *err =
      run_shell ("ulimit -f 1; \"$CLI\" attention --text 'a few words' -o limited.json", &status);
  g_assert_cmpint (status, ==, 1);
  g_assert_nonnull (strstr (err, "limited.json: cannot write: File too large"));
  assert_no_file ("limited.json");
}

/* With little address space it ends as well, by itself: with an answer or a sentence that names
 * the file. */
static void
test_little_address_space (void)
{
#ifdef __SANITIZE_ADDRESS__
  g_test_skip ("the address sanitizer needs more of it");
#else
  static const int kilobytes[] = {50000, 100000, 200000, 300000};
  for (size_t i = 0; i < G_N_ELEMENTS (kilobytes); i++) {
    g_autofree char *line = g_strdup_printf (
        "ulimit -v %d; exec timeout 60 \"$CLI\" attention --text a >/dev/null", kilobytes[i]);
    int status = -1;
    g_autofree char *err = run_shell (line, &status);
    g_test_message ("%d kB: status %d %s", kilobytes[i], status, err);
    if (status != 0 && status != 1 && status != 127) /* 127: the libraries find no room */
      g_error ("with %d kB: exit %d, stderr: %s", kilobytes[i], status, err);
    g_assert_true (status == 0 || *err != '\0');
    if (strstr (err, "weights: no memory") != NULL)
      g_assert_nonnull (strstr (err, "model.safetensors: "));
  }
#endif
}

static void
test_notes (void)
{
  g_auto (Run) run = RUN ("tokenize --text a --threads 1000000");
  g_assert_cmpint (run.status, ==, 0);
  g_auto (Run) predict = RUN ("predict --text a --threads 1000000");
  g_assert_cmpint (predict.status, ==, 0);
  g_assert_nonnull (strstr (predict.err, "note: --threads 1000000: only "));
}

/* A reader that leaves: exit 1 with words, not an end by signal. */
static void
test_broken_pipe (void)
{
  int status = -1;
  g_autofree char *err =
      run_shell ("{ \"$CLI\" attention --text 'a long enough text for more than one pipe of bytes' "
                 "--format csv; echo $? >&2; } | head -n 1 >/dev/null",
                 &status);
  g_assert_nonnull (strstr (err, "Broken pipe"));
  g_assert_true (g_str_has_suffix (err, "\n1\n"));
}

int
main (int argc, char **argv)
{
  cli_test_init (&argc, &argv);
  g_test_add_func ("/cli/help", test_help);
  g_test_add_func ("/cli/usage", test_usage);
  g_test_add_func ("/cli/failures", test_failures);
  g_test_add_func ("/cli/shown-values", test_shown_values);
  g_test_add_func ("/cli/closed-files", test_closed_files);
  g_test_add_func ("/cli/size-limit", test_size_limit);
  g_test_add_func ("/cli/little-address-space", test_little_address_space);
  g_test_add_func ("/cli/notes", test_notes);
  g_test_add_func ("/cli/broken-pipe", test_broken_pipe);
  g_test_add_func ("/cli/pipes", test_pipes);
  return cli_test_run ();
}
