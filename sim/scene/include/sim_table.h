/* The values of a run as CSV, one row per step. Every row is handed to the system at once, so a crash of the
 * program does not lose it. */
#ifndef SIM_TABLE_H
#define SIM_TABLE_H

#include "sim_play.h"

typedef struct sim_table sim_table;

/* Makes the file, with a column for each of the play's and no rows. The caller closes *out with
 * sim_table_close. Errors: those of writing a file (cb_out.h); memory. */
CB_CHECKED cb_status sim_table_new(const sim_play *play, const char *path, sim_table **out, cb_err *err);
/* Continues the file of an earlier run. Rows up to the play's time stay, later ones are dropped. Errors:
 * CB_E_PARSE if the columns differ; those of reading and writing the file; memory. */
CB_CHECKED cb_status sim_table_resume(const sim_play *play, const char *path, sim_table **out, cb_err *err);

/* Adds a row of the present values. Error: CB_E_IO. */
CB_CHECKED cb_status sim_table_add(sim_table *table, sim_play *play, cb_err *err);
/* Forces all rows to the disk. Call it before a checkpoint, so that a resumed run finds them. Error:
 * CB_E_IO. */
CB_CHECKED cb_status sim_table_sync(sim_table *table, cb_err *err);
void sim_table_close(sim_table *table); /* NULL is allowed */

#endif
