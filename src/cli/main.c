/* SPDX-License-Identifier: MIT */
/* headscope-cli: everything Headscope does without a display. Finds the command and runs it. */
#include "bench-profile.h"
#include "cli.h"
#include "hs-build.h"
#include "interrupt.h"

#include "attn-hub/quiet.h"
#include "attn/error.h"
#include "attn/quote.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

typedef struct {
  const char *name, *summary;
  CliCommandBit bit;
  CliRun run;
  const char *notes;    /* nullable: more help, after the options */
  const char *argument; /* nullable: what is given before the options */
} Command;

static const Command commands[] = {
    {"info", "what a model is, as JSON", CLI_INFO, cli_info},
    {"tokenize", "a text as the model's tokens, as JSON", CLI_TOKENIZE, cli_tokenize},
    {"attention", "attention maps as JSON, CSV, NPY, NPZ or safetensors", CLI_ATTENTION,
     cli_attention},
    {"predict", "the best guesses at each [MASK], or for the next token (GPT-2), as JSON",
     CLI_PREDICT, cli_predict},
    {"render", "a picture as PNG, SVG or PDF", CLI_RENDER, cli_render},
    {"compare", "what differs between two texts, two heads or two models, as JSON or CSV",
     CLI_COMPARE, cli_compare,
     "\nWithout --text-b and --model-b, \"heads\" tells how much each head differs from A's.\n"},
    {"fetch", "fetch a model from the Hugging Face Hub into the cache", CLI_FETCH, cli_fetch,
     "\nOnly the files that are needed are fetched, and their hashes checked. What was interrupted "
     "is\n"
     "gone on with. HF_ENDPOINT, HF_TOKEN, HF_HUB_OFFLINE and HTTPS_PROXY are heeded. Answers as "
     "JSON.\n",
     "NAME[@REVISION]"},
    {"models", "the models in the cache that Hugging Face's libraries share, as JSON", CLI_MODELS,
     cli_models},
    {"remove", "remove a model, or one revision of it, from the cache", CLI_REMOVE, cli_remove,
     "\nWithout a revision all of them are removed; what another revision needs stays. On a "
     "terminal\n"
     "it asks first; elsewhere --yes must be given. Answers as JSON what was removed.\n",
     "NAME[@REVISION]"},
    {"verify", "compare a model's files in the cache with their hashes, as JSON", CLI_VERIFY,
     cli_verify,
     "\nWhere a file is wrong, missing, unreadable or none of the model's, the exit status is 1.\n",
     "NAME[@REVISION]"},
    {"ablate", "what breaks without a head: losses with heads switched off, as JSON", CLI_ABLATE,
     cli_ablate},
    {"importance", "how much the loss hangs on each head, by its gradient, as JSON", CLI_IMPORTANCE,
     cli_importance},
    {"prune-curve", "loss and accuracy while heads are removed, a tenth at a time, as JSON or CSV",
     CLI_PRUNE_CURVE, cli_prune_curve,
     "\nOnce the heads' order is fixed they are removed by it, with nothing measured again on the "
     "way.\n"
     "Of several texts (--batch) all numbers are means.\n"},
    {"atlas", "what every head does over one text or many, as JSON, CSV or a figure", CLI_ATLAS,
     cli_atlas,
     "\nWith -o FILE, what is done is kept in FILE.part until all is (with --shard in FILE "
     "itself), "
     "and the\n"
     "same command goes on from there. Under mpirun every rank does its part, and the first "
     "answers.\n",
     "[--merge FILE…]"},
    {"heads", "where each head looks, in numbers, as JSON or CSV", CLI_HEADS, cli_heads,
     "\nShares of weight (mass_…) are means over the tokens that have such a place: the first one "
     "has no\nprevious token. One key may count in several, so they need not sum to 1. confidence "
     "is the mean of\neach token's largest weight. class is the first of vertical (on what the "
     "template added), diagonal,\nvertical-diagonal, block (each text of a pair on itself), broad "
     "and mixed whose rule holds; atlas tells\nthe rule. diagonal says which it is: self, previous "
     "or next.\n"},
    {"lens", "the lenses: other numbers than the weights, and hidden states, as JSON", CLI_LENS,
     cli_lens},
    {"lab", "how multi-head attention is computed: head counts, steps, training, as JSON", CLI_LAB,
     cli_lab,
     "\nOne of --heads, --time, --measured, --step, --figure, --several, --code and --train says "
     "what "
     "is\n"
     "asked for (--several and --figure go together, and so do --step and --figure). An option "
     "that "
     "this\n"
     "has no use for is refused.\n"},
    {"bench", "time a forward pass on random weights, as JSON", CLI_BENCH, cli_bench,
     bench_profile_help},
};

/* A complaint and where to read on. Returns the exit status. */
static int
complain (const char *message, const char *command)
{
  cli_warn ("%s", message);
  fprintf (stderr, "Try: headscope-cli %s%s--help\n", command != NULL ? command : "",
           command != NULL ? " " : "");
  return EXIT_USAGE;
}

static int
print (const GString *text)
{
  g_autoptr (GError) error = NULL;
  CliOptions to_stdout = {0};
  if (cli_answer (&to_stdout, text, &error))
    return EXIT_DONE;
  cli_warn ("%s", error->message);
  return EXIT_FAILED;
}

static int
print_help (void)
{
  g_autoptr (GString) text =
      g_string_new ("Usage: headscope-cli COMMAND [OPTIONS]\n\n"
                    "What every attention head of a transformer does with a text.\n\nCommands:\n");
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    g_string_append_printf (text, "  %-11s %s\n", commands[i].name, commands[i].summary);
  g_string_append (text, "\n\"headscope-cli COMMAND --help\" tells a command's options.\n"
                         "Exit status: 0 done, 1 failed, 2 wrong usage.\n");
  return print (text);
}

static int
print_command_help (const Command *command)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_string_append_printf (text, "Usage: headscope-cli %s%s%s [OPTIONS]\n\n%c%s.\n\nOptions:\n",
                          command->name, command->argument != NULL ? " " : "",
                          command->argument != NULL ? command->argument : "",
                          g_ascii_toupper (command->summary[0]), command->summary + 1);
  cli_options_append_help (text, command->bit);
  g_string_append (text, command->notes != NULL ? command->notes : "");
  return print (text);
}

static int
run (const Command *command, char **args, int n_args)
{
  CliOptions options;
  g_autoptr (GError) error = NULL;
  if (!cli_options_parse (&options, command->bit, args, n_args, &error))
    return complain (error->message, command->name);
  if (options.help)
    return print_command_help (command);
  if (command->run (&options, &error))
    return EXIT_DONE;
  if (error->domain == CLI_USAGE)
    return complain (error->message, command->name);
  cli_warn ("%s", error->message);
  if (g_error_matches (error, ATTN_ERROR, ATTN_ERROR_CANCELLED))
    cli_interrupt_end ();
  return EXIT_FAILED;
}

static int
refuse (const char *name)
{
  g_autofree char *shown = attn_file_dup_shown (name, strlen (name));
  g_autofree char *message = g_strdup_printf ("there is no command \"%s\"", shown);
  return complain (message, NULL);
}

/* Somebody may start us without one of the three: then the next file opened would get its number,
 * and messages would go into it. They are opened the wrong way round, so that to use them fails. */
static bool
open_standard_files (void)
{
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl (fd, F_GETFD) < 0 &&
        open ("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
      return false;
  return true;
}

int
main (int argc, char **argv)
{
  if (!open_standard_files ())
    return EXIT_FAILED;
  signal (SIGPIPE, SIG_IGN); /* a reader that left is then an error like others */
  signal (SIGXFSZ, SIG_IGN); /* and so is a file that may not grow */
  attn_hub_quiet_lengths ();
  if (argc < 2)
    return complain ("no command", NULL);
  const char *name = argv[1];
  if (strcmp (name, "--help") == 0 || strcmp (name, "-h") == 0 || strcmp (name, "help") == 0)
    return print_help ();
  if (strcmp (name, "--version") == 0) {
    g_autoptr (GString) version = g_string_new ("headscope-cli " HS_VERSION "\n");
    return print (version);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (commands); i++)
    if (strcmp (name, commands[i].name) == 0)
      return run (&commands[i], argv + 2, argc - 2);
  return refuse (name);
}
