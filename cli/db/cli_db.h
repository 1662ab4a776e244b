/* The words of `clothbench db` beside those of cmd_db.c. */
#ifndef CLI_DB_H
#define CLI_DB_H

#include <stdbool.h>

#include <jansson.h>

#include "cb_store_correction.h"
#include "cli_kind.h"

typedef struct cli_db_request {
  const char *db;
  const char *const *words; /* what follows the word of the command */
  size_t n;
  int which; /* of the row of the word */
  bool json;
  bool all;                           /* ls: every line */
  bool sql;                           /* query: its SQL */
  const char *reason, *operator_name; /* of a correction; NULL: not given */
  double keep;                        /* backup: so many newest copies in a folder; 0: one file */
  const char *set, *kind;             /* amend: FIELD=VALUE, as typed; rename, alias: of the material */
} cli_db_request;

/* Each obeys a word of the table in cmd_db.c; the request is a cli_db_request. cli_db_correct: `which` is a
 * cb_correction_kind; the last of the words may be the reason. cli_db_name: a cli_db_naming. */
typedef enum cli_db_naming { CLI_DB_RENAME, CLI_DB_ALIAS, CLI_DB_UNALIAS } cli_db_naming;
cli_kind_obey cli_db_list, cli_db_missing, cli_db_check, cli_db_backup, cli_db_merge, cli_db_pull,
    cli_db_correct, cli_db_corrections, cli_db_query, cli_db_name;

/* Prints what `db check` and `db backup` counted in a file. Returns a cli_exit. */
int cli_db_say_tally(const char *db, const cb_store_tally *t, bool json);

/* Prints an answer of cb_store_query, a line for each row. */
void cli_db_print_table(const json_t *doc);

int cli_db_refuse_set(void); /* --set of another word than amend */

/* Prints the line of the card that says what was not measured; nothing if the cloth has everything. */
CB_CHECKED cb_status cli_db_print_missing(cb_store *s, const char *cloth, cb_err *err);

/* Opens a database that is there for writing. Error: as cb_store_open for reading. */
CB_CHECKED cb_status cli_db_open_known(const char *db, cb_store **s, cb_err *err);
/* Closes s and prints the first error: st with err, or that of closing. Returns a cli_exit. */
int cli_db_finish(cb_store *s, cb_status st, cb_err *err);

#endif
