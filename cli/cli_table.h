/* What the commands of `validate` print: a table of experiments, a verdict, a curve over its reference. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli.h"
#include "val_table.h"

/* As a table, in Markdown or not. */
void cli_table_print(const val_table *t, bool markdown);
/* As one document. finished: so many of the asked experiments ended; fewer than all: the verdict is null. */
json_t *cli_table_json(const val_table *t, const char *experiment, int finished, int asked);
/* Prints one experiment's table with its verdict; returns the exit code. */
int cli_table_show(const val_table *t, const char *experiment, bool json);

/* Ends `validate NAME`: with json prints the document, which it takes (NULL: there was no memory for it). Returns the exit code. */
int cli_verdict(bool json, json_t *document, bool agrees);

/* A curve of predictions (points) over its reference (line), into a .png or .svg file. */
typedef struct cli_curve {
  const char *title, *x_label, *y_label;
  int n;
  const double *x, *predicted, *reference;
} cli_curve;
CB_CHECKED cb_status cli_curve_draw(const cli_curve *c, const char *path, cb_err *err);

#endif
