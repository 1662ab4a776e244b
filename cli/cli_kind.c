#include "cli_kind.h"

#include <assert.h>
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

int cli_kind_refuse(const char *command, const char *word, const char *const *names, size_t n) {
  char list[300] = "";
  for (size_t i = 0; i < n; i++) {
    size_t used = strlen(list);
    (void)snprintf(list + used, sizeof list - used, "%s%s",
                   i == 0      ? ""
                   : i + 1 < n ? ", "
                               : " or ",
                   names[i]);
  }
  const int meant = cb_nearest(word, names, n);
  if (meant >= 0)
    cli_say(command, "'%s': did you mean '%s'? %s was wanted", word, names[meant], list);
  else
    cli_say(command, "'%s': %s was wanted", word, list);
  return CLI_USAGE;
}

#define MOST_KINDS 32

static int refuse(const char *command, const char *word, const cli_kind *kinds, size_t n) {
  const char *names[MOST_KINDS];
  assert(n <= MOST_KINDS);
  for (size_t i = 0; i < n; i++) names[i] = kinds[i].name;
  return cli_kind_refuse(command, word, names, n);
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
