/* tests/papers/played.csv: the numbers of each row when it was last played, with commit, day and machine.
 * `./run paper ID` writes its row. */
#ifndef PAPER_PLAYED_H
#define PAPER_PLAYED_H

#include "paper_list.h"

/* Fills in numbers, commit, date and machine; without a file nothing was played. Errors: CB_E_PARSE for a row
 * or a value that papers.yaml does not have, with its line. */
CB_CHECKED cb_status paper_played_read(const char *path, paper_list *list, cb_err *err);
/* Writes all that was played. */
CB_CHECKED cb_status paper_played_write(const char *path, const paper_list *list, cb_err *err);
/* Marks a row as played now: commit of the tree at `top`, day, machine. */
void paper_played_mark(const char *top, paper_row *row);

#endif
