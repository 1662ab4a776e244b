/* Output of `validate`: a table of experiments, a verdict. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "cli.h"
#include "val_table.h"

/* Prints a table as text or Markdown. */
void cli_table_print(const val_table *t, bool markdown);
/* Makes the document of a table. finished: number of experiments that ended, of `asked`. If not all ended,
 * the verdict is null. */
json_t *cli_table_json(const val_table *t, const char *experiment, int finished, int asked);
/* Prints the table of one experiment with its verdict. Returns a cli_exit. */
int cli_table_show(const val_table *t, const char *experiment, bool json);

/* Ends `validate NAME`. With json it prints the document and releases it; document NULL means that memory
 * ran out. Returns a cli_exit. */
int cli_verdict(bool json, json_t *document, bool agrees);

#endif
