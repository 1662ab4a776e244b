/* The list of papers.yaml: every figure, table and claimed number of the five papers, the command that
 * reproduces it, and how ours compares. docs/method/gallery.md is printed from it. */
#ifndef PAPER_LIST_H
#define PAPER_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_yaml.h"

#define PAPER_COMMANDS 8
#define PAPER_VALUES 16
#define PAPER_PICTURES 6

/* A number that a command prints. */
typedef struct paper_value {
  char what[160], paper[160]; /* with its unit; as printed in the paper, "": no number */
  /* "N /a/0/b": JSON pointer into the output of command N, from 1; "N ~REGEX": the regex's first group in its
   * output; "N >FILE REGEX": in a file that the command wrote; "N >FILE.csv most COLUMN" (least, range): over
   * a column of a table */
  char read[240];
  double least, most; /* wanted; NAN: no bound */
  double number;      /* when the row was last played (paper_played.h); NAN: not played */
} paper_value;

/* same: the paper's number, within what is wanted. better. worse, differs: because says why. A row that reads
 * nothing has none. */
typedef enum paper_verdict {
  PAPER_SAME,
  PAPER_BETTER,
  PAPER_WORSE,
  PAPER_DIFFERS,
  PAPER_NO_VERDICT
} paper_verdict;
extern const char *const paper_verdict_names[]; /* "same", "better", "worse", "differs", NULL */

typedef struct paper_row {
  char id[8], shows[320], because[900];
  char command[PAPER_COMMANDS][400];
  size_t n_commands;
  char full[400]; /* the command of the paper's own size, if `command` is a smaller twin; "": none */
  paper_value value[PAPER_VALUES];
  size_t n_values;
  char picture[PAPER_PICTURES][120]; /* in docs/ */
  size_t n_pictures;
  int verdict;    /* paper_verdict, if the numbers are as wanted */
  bool negative;  /* its commands may end with 3: a negative verdict is what the row shows */
  double minutes; /* on two cores */
  char commit[40], date[16], machine[80]; /* when it was last played; "": never */
} paper_row;

typedef struct paper {
  char id[4], title[160], cite[320], page[160];
  paper_row *row; /* owned */
  size_t n_rows;
} paper;

typedef struct paper_list {
  paper *paper; /* owned */
  size_t n;
} paper_list;

/* Reads papers.yaml. The caller calls paper_list_clear, even after an error. */
CB_CHECKED cb_status paper_list_read(const char *path, paper_list *out, cb_err *err);
void paper_list_clear(paper_list *list);
/* NULL: no such row. */
paper_row *paper_list_find(const paper_list *list, const char *id);

/* The word for a row: its verdict, or why it has none: "not played", "not as written", "nothing is read". */
const char *paper_row_word(const paper_row *row);
/* Writes what is wanted of a value: "0 to 1", "at most 1", "at least 0", "". */
void paper_value_wanted(const paper_value *value, char out[60]);

#endif
