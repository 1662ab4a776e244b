#include "cli_kind.h"

#include <stdio.h>
#include <string.h>

#include "cb_nearest.h"

static int help(const char *command, const cli_kind *kinds, size_t n) {
  printf("usage: clothbench %s KIND ...\n", command);
  for (size_t i = 0; i < n; i++) printf("  %-14s %s\n", kinds[i].name, kinds[i].summary);
  return cli_kind_help(command, kinds, n);
}

int cli_kind_help(const char *command, const cli_kind *kinds, size_t n) {
  for (size_t i = 0; i < n; i++) {
    char name[32], word[] = "--help", *argv[] = {name, word, NULL};
    (void)snprintf(name, sizeof name, "%s", command);
    printf("\n");
    int code = kinds[i].run(2, argv);
    if (code != CLI_DONE) return code;
  }
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

#define MOST_KINDS 32

static int refuse(const char *command, const char *word, const cli_kind *kinds, size_t n) {
  char names[300] = "";
  const char *words[MOST_KINDS];
  for (size_t i = 0; i < n; i++) {
    size_t used = strlen(names);
    if (i < MOST_KINDS) words[i] = kinds[i].name;
    (void)snprintf(names + used, sizeof names - used, "%s%s",
                   i == 0      ? ""
                   : i + 1 < n ? ", "
                               : " or ",
                   kinds[i].name);
  }
  const int meant = cb_nearest(word, words, n < MOST_KINDS ? n : MOST_KINDS);
  if (meant >= 0)
    cli_say(command, "'%s': did you mean '%s'? %s was wanted", word, words[meant], names);
  else
    cli_say(command, "'%s': %s was wanted", word, names);
  return CLI_USAGE;
}

int cli_kind_run(int argc, char **argv, const cli_kind *kinds, size_t n) {
  const char *word = argc > 1 ? argv[1] : "";
  if (strcmp(word, "--help") == 0) return help(argv[0], kinds, n);
  for (size_t i = 0; i < n; i++) {
    if (strcmp(word, kinds[i].name) != 0) continue;
    argv[1] = argv[0];
    return kinds[i].run(argc - 1, argv + 1);
  }
  return refuse(argv[0], word, kinds, n);
}
