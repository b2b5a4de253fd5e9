/* SPDX-License-Identifier: MIT */
/* Running the built headscope-cli from a test, as a script would. */
#pragma once

#include <glib.h>
#include <jansson.h>

#include <stddef.h>

G_BEGIN_DECLS

typedef struct {
  int status; /* exit status, or 256 + signal */
  char *out, *err;
  gsize out_length;
  long peak_kb; /* most memory it ever held */
} Run;

void run_clear (Run *run);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* g_test_init(), the program's path from the command line, and a folder of the test's own, in which
 * the program runs. */
void cli_test_init (int *argc, char ***argv);

/* g_test_run(), and the folder is removed. Returns: the exit status. */
int cli_test_run (void);

/* Returns: (transfer full): a path in the test's folder. */
char *in_folder (const char *name);

const char *peek_folder (void);
const char *peek_program (void);

/**
 * run_with:
 * @words:  split at blanks; a word that is @ stands for the next of @values
 * @values: as many as there are such words
 */
Run run_with (const char *words, const char *const *values);

#define RUN(words, ...) run_with (words, (const char *const[]){__VA_ARGS__ __VA_OPT__ (, ) NULL})

/* The answer of a command that must go well and say nothing on stderr, as JSON for json_decref().
 */
json_t *ask_with (const char *words, const char *const *values);

#define ASK(words, ...) ask_with (words, (const char *const[]){__VA_ARGS__ __VA_OPT__ (, ) NULL})

/* @object has exactly these keys, "a,b,c", in this order. */
void assert_keys (json_t *object, const char *wanted);

/* Returns: a member that must be a whole number. */
gint64 get_int (json_t *object, const char *key);

G_END_DECLS
