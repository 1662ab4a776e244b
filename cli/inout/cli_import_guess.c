/* clothbench import --guess: the mapping of a table that the program has never seen, to be checked by a
 * person. */
#include <stdio.h>
#include <string.h>

#include "cb_file.h"
#include "cb_plural.h"
#include "cli_import.h"
#include "lab_guess.h"

static cb_status deliver(const fit_guess *g, const char *file, const char *path, cb_err *err) {
  if (path) CB_TRY(cb_file_write(path, g->mapping, strlen(g->mapping), err));
  if (path)
    printf("%s\n", path);
  else
    fputs(g->mapping, stdout);
  cli_say(
      "import",
      "%s: %d row%s of '%s'; check every line, fill in what is \"?\" (%s), then 'import %s --mapping %s %s'",
      file, g->rows, CB_S(g->rows), g->kind, g->fills, g->kind, path ? path : "MAP.yaml", file);
  return fflush(stdout) == 0 ? CB_OK : cb_fail(err, CB_E_IO, "standard output: cannot be written");
}

static bool is_kind(const char *word) {
  for (int i = 0; fit_guess_kinds[i]; i++)
    if (strcmp(word, fit_guess_kinds[i]) == 0) return true;
  cli_say("import", "'%s': cannot be guessed; docs/guide/import.md lists the kinds", word);
  return false;
}

int cli_import_guess(int argc, char **argv) {
  const char *file = NULL, *path = NULL, *sheet = NULL, *words[1] = {NULL};
  const cli_opt opts[] = {
      {"guess", CLI_TEXT, &file, "the table", .required = true},
      {"sheet", CLI_TEXT, &sheet, "of a workbook with several"},
      {"out", CLI_OUT_NEW, &path, "the mapping, a new file; else standard output"},
  };
  const int stop = cli_parse(argc, argv, "import [KIND] --guess FILE [--sheet NAME] [--out MAP.yaml]", opts,
                             sizeof opts / sizeof opts[0], words, 0, 1, NULL);
  if (stop >= 0) return stop;
  if (words[0] && !is_kind(words[0])) return CLI_USAGE;
  cb_err err = {""};
  fit_guess g;
  cb_status st = lab_guess(file, sheet, words[0], &g, &err);
  if (st == CB_OK) st = deliver(&g, file, path, &err);
  fit_guess_clear(&g);
  return st == CB_OK ? CLI_DONE : cli_fail("import", st, &err);
}
