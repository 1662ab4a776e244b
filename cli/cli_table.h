/* What the commands of `validate` print: a table of experiments, a verdict. */
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

/* Ends `validate NAME`: with json prints the document, which it takes (NULL: there was no memory for it).
 * Returns the exit code. */
int cli_verdict(bool json, json_t *document, bool agrees);

#endif
