/* The subcommands of `clothbench db` on whole files: list, check, backup, merge. Each returns a cli_exit. */
#ifndef CLI_DB_H
#define CLI_DB_H

#include <stdbool.h>

#include "cb_store_correction.h"

/* Prints materials, campaigns and the newest law of every kind, and how many there are. A terminal gets a few
 * of each kind where there are many, unless all is set. */
int cli_db_list(const char *db, bool json, bool all);
/* Prints the line of the card that says what was not measured; nothing if the cloth has everything. */
CB_CHECKED cb_status cli_db_print_missing(cb_store *s, const char *cloth, cb_err *err);
/* Prints what the cloth lacks for a scene; cloth NULL: every cloth. */
int cli_db_missing(const char *db, const char *cloth, bool json);
/* Checks a database; copies it to `file`; merges `other` into it. */
int cli_db_check(const char *db, bool json);
int cli_db_backup(const char *db, const char *file, bool json);
int cli_db_merge(const char *db, const char *other, bool json);
/* Fetches HOST:PATH (lab_pull.h) and merges it. */
int cli_db_pull(const char *db, const char *source, bool json);

/* db void | unvoid | note | amend */
typedef struct cli_db_correction {
  cb_correction_kind kind;
  const char *reason, *operator_name; /* reason NULL: the last of runs; operator_name NULL: who is logged in
                                       */
  const char *const *runs;            /* numbers, as typed */
  size_t n_runs;
  const char *set; /* amend: FIELD=VALUE, as typed; else NULL */
} cli_db_correction;
/* Adds the correction to each run, or to none. */
int cli_db_correct(const char *db, const cli_db_correction *q);
/* Prints the corrections of a run; NULL: all. */
int cli_db_corrections(const char *db, const char *run, bool json);

/* Answers a question in words or SQL; sql: prints the SQL of the words instead. */
int cli_db_query(const char *db, const char *text, bool sql, bool json);

/* db rename | alias | unalias */
typedef struct cli_db_naming {
  const char *word; /* which of them */
  const char *name, *other, *kind;
  const char *reason, *operator_name; /* operator_name NULL: who is logged in */
} cli_db_naming;
int cli_db_name(const char *db, const cli_db_naming *q);

/* Opens a database that is there for writing. Error: as cb_store_open for reading. */
CB_CHECKED cb_status cli_db_open_known(const char *db, cb_store **s, cb_err *err);
/* Closes s and prints the first error: st with err, or that of closing. Returns a cli_exit. */
int cli_db_finish(cb_store *s, cb_status st, cb_err *err);

#endif
