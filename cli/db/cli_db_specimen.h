/* clothbench db specimen: pieces of cloth and what was done to them. */
#ifndef CLI_DB_SPECIMEN_H
#define CLI_DB_SPECIMEN_H

#include "lab_specimen.h"

int cli_db_specimen(int argc, char **argv);
int cli_db_labels(int argc, char **argv);

/* Prints the card of a specimen, or its document. */
CB_CHECKED cb_status cli_specimen_show(cb_store *s, const char *name, bool json, cb_err *err);

#endif
