/* The kinds of `clothbench export` beside materials. */
#ifndef CLI_EXPORT_H
#define CLI_EXPORT_H

#include "lab_tidy.h"

typedef struct cli_export_tidy {
  lab_tidy what;
  const char *out; /* "-": standard output */
  const int64_t *runs;
  size_t n_runs; /* 0: all */
} cli_export_tidy;

/* Writes the table, and what its columns mean beside it. Returns a cli_exit. */
int cli_export_tidy_table(const char *db, const cli_export_tidy *q);

#endif
