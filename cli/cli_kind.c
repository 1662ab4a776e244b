#include "cli_kind.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cb_nearest.h"
#include "cb_plural.h"
#include "cb_text.h"

#define MOST_KINDS 32
#define LIST_BYTES 2000

/* ---- the table in words ---- */

/* "show NAME" */
static void write_form(const cli_kind *k, char *out, size_t size) {
  (void)snprintf(out, size, "%s%s%s", k->name, k->takes ? " " : "", k->takes ? k->takes : "");
}

void cli_kind_add_forms(const cli_kind *kinds, size_t n, char *text, size_t size) {
  for (size_t i = 0; i < n; i++) {
    char form[100];
    write_form(&kinds[i], form, sizeof form);
    cb_text_add(text, size, i > 0 ? " | " : "", "%s", form);
  }
}

#define WIDEST 18 /* a longer form pushes its summary to the right */

void cli_kind_add_lines(const cli_kind *kinds, size_t n, char *text, size_t size) {
  char form[MOST_KINDS][100];
  int width = 0;
  assert(n <= MOST_KINDS);
  for (size_t i = 0; i < n; i++) {
    write_form(&kinds[i], form[i], sizeof form[i]);
    const int wide = (int)strlen(form[i]);
    if (wide <= WIDEST && wide > width) width = wide;
  }
  for (size_t i = 0; i < n; i++)
    cb_text_add(text, size, "\n", "  %-*s  %s", width, form[i], kinds[i].summary);
}

const char *cli_kind_marked(const cli_kind *kinds, size_t n, unsigned marks, char *out, size_t size) {
  const char *last = NULL;
  out[0] = '\0';
  for (size_t i = 0; i < n; i++) {
    if (!(kinds[i].marks & marks)) continue;
    if (last) cb_text_add(out, size, ", ", "%s", last);
    last = kinds[i].name;
  }
  if (last) cb_text_add(out, size, " and ", "%s", last);
  return out;
}

int cli_kind_help(const char *command, const cli_kind *kinds, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char name[32], word[] = "--help", *argv[] = {name, word, NULL};
    if (!kinds[i].run) continue;
    (void)snprintf(name, sizeof name, "%s", command);
    printf("\n");
    int code = kinds[i].run(2, argv);
    if (code != CLI_DONE) return code;
  }
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int help(const char *command, const cli_kind *kinds, size_t n) {
  char lines[LIST_BYTES] = "";
  cli_kind_add_lines(kinds, n, lines, sizeof lines);
  printf("usage: clothbench %s KIND ...\n%s\n", command, lines);
  return cli_kind_help(command, kinds, n);
}

/* ---- refusals ---- */

/* said: the word as the sentence has it. meant: index of the name, or -1. */
static int refuse(const char *command, const char *said, int meant, const char *const *names,
                  const char *wanted) {
  if (meant >= 0)
    cli_say(command, "%s: did you mean '%s'? %s was wanted", said, names[meant], wanted);
  else
    cli_say(command, "%s: %s was wanted", said, wanted);
  return CLI_USAGE;
}

int cli_kind_refuse(const char *command, const char *word, const char *const *names, size_t n) {
  char list[LIST_BYTES] = "", said[200];
  for (size_t i = 0; i < n; i++) cb_text_add(list, sizeof list, i + 1 < n ? ", " : " or ", "%s", names[i]);
  (void)snprintf(said, sizeof said, "'%s'", word);
  return refuse(command, said, cb_nearest(word, names, n), names, list);
}

static void list_names(const cli_kind *kinds, size_t n, const char *names[MOST_KINDS]) {
  assert(n <= MOST_KINDS);
  for (size_t i = 0; i < n; i++) names[i] = kinds[i].name;
}

int cli_kind_refuse_name(const char *command, const char *word, const cli_kind *kinds, size_t n) {
  const char *names[MOST_KINDS];
  list_names(kinds, n, names);
  return cli_kind_refuse(command, word, names, n);
}

int cli_kind_refuse_form(const char *command, const char *word, size_t n_arguments, const cli_kind *kinds,
                         size_t n) {
  char list[LIST_BYTES] = "", said[200], form[100];
  const char *names[MOST_KINDS];
  list_names(kinds, n, names);
  for (size_t i = 0; i < n; i++) {
    write_form(&kinds[i], form, sizeof form);
    cb_text_add(list, sizeof list, i + 1 < n ? ", " : " or ", "%s", form);
  }
  (void)snprintf(said, sizeof said, "'%s' with %zu argument%s", word, n_arguments, CB_S(n_arguments));
  return refuse(command, said, cli_kind_find(kinds, n, word) ? -1 : cb_nearest(word, names, n), names, list);
}

/* ---- which of them ---- */

const cli_kind *cli_kind_find(const cli_kind *kinds, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(name, kinds[i].name) == 0) return &kinds[i];
  return NULL;
}

int cli_kind_run_own(int argc, char **argv, const cli_kind *kinds, size_t n) {
  const cli_kind *kind = argc > 1 ? cli_kind_find(kinds, n, argv[1]) : NULL;
  if (!kind || !kind->run) return -1;
  argv[1] = argv[0];
  return kind->run(argc - 1, argv + 1);
}

int cli_kind_run(int argc, char **argv, const cli_kind *kinds, size_t n) {
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "--help") == 0) return help(argv[0], kinds, n);
  const int code = cli_kind_run_own(argc, argv, kinds, n);
  if (code >= 0) return code;
  return cli_kind_refuse_name(argv[0], word, kinds, n);
}
