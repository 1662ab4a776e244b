/* Parts of a package for notebooks, private to report/. */
#ifndef REPORT_ELN_PARTS_H
#define REPORT_ELN_PARTS_H

#include "report_crate.h"
#include "report_data.h"

#define REPORT_ID_BYTES 200

typedef struct report_eln {
  report_crate *crate;
  report_data data;
  json_t *specimens; /* of the store: id -> "#specimen-MARK"; owned */
} report_eln;

/* Each adds an entity, once, and gives its @id: a person (an empty name: nobody was recorded), this program.
 */
void report_eln_person(report_eln *e, const char *name, char id[REPORT_ID_BYTES]);
/* The program as it was when it wrote the row of "run" or "friction_law". */
CB_CHECKED cb_status report_eln_program(report_eln *e, const char *table, int64_t row,
                                        char id[REPORT_ID_BYTES], cb_err *err);

/* Adds every specimen with its log. */
CB_CHECKED cb_status report_eln_specimens(report_eln *e, cb_err *err);

/* Adds a run: who pulled what on what, with which instruments, into which files. */
CB_CHECKED cb_status report_eln_run(report_eln *e, const cb_run *run, const char *person, const char *file,
                                    cb_err *err);
void report_eln_run_id(const cb_run *run, char id[REPORT_ID_BYTES]);

#endif
