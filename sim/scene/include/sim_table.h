/* The values of a run as CSV, row by row as they come: what was added before is in the file, whatever becomes
 * of the program. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include "sim_play.h"

typedef struct sim_table sim_table;

/* One column for each of the play's, without rows. Errors: what cannot be written to (cb_out.h). Caller:
 * sim_table_close. */
CB_CHECKED cb_status sim_table_new(const sim_play *play, const char *path, sim_table **out, cb_err *err);
/* Goes on with the file of an earlier run: its rows up to the play's time stay. CB_E_PARSE: its columns are
 * others. */
CB_CHECKED cb_status sim_table_resume(const sim_play *play, const char *path, sim_table **out, cb_err *err);

/* The play as it is now. */
CB_CHECKED cb_status sim_table_add(sim_table *table, sim_play *play, cb_err *err);
/* All rows so far are on the disk: before a checkpoint that goes on behind them. */
CB_CHECKED cb_status sim_table_sync(sim_table *table, cb_err *err);
void sim_table_close(sim_table *table); /* NULL is allowed */

#endif
