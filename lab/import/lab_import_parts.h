/* The steps of imports: opening the database, storing what was read. Private to lab/. `file` is the name of
 * the file, for messages and for the campaign that it becomes. */
#ifndef LAB_IMPORT_PARTS_H
#define LAB_IMPORT_PARTS_H

#include "lab_fab.h"
#include "lab_import.h"
#include "lab_kes.h"
#include "lab_material_tests.h"
#include "lab_typed.h"

/* Opens the database of a request. */
CB_CHECKED cb_status lab_import_open(const lab_import *q, cb_store **s, cb_err *err);

/* Returns the name of the campaign that a file becomes: "FILE#FINGERPRINT". */
void lab_import_name(const char *file, const char *fingerprint, char out[64]);
/* Error: CB_E_RANGE if a campaign of that fingerprint, the same file, is in the store. */
CB_CHECKED cb_status lab_import_refuse_again(cb_store *s, const char *file, const char *fingerprint,
                                             cb_err *err);

/* Makes a run with one point out of the coefficient on t->body and its conditions, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_put_pull(cb_store *s, const lab_typed *t, int64_t campaign_id,
                                        int64_t cloth_id, cb_err *err);

/* Checks and stores a bending length or a flexural rigidity, if one is typed, within the caller's
 * transaction. */
CB_CHECKED cb_status lab_typed_check_bending(const lab_typed *t, cb_err *err);
CB_CHECKED cb_status lab_typed_put_bending(cb_store *s, const lab_typed *t, int64_t cloth_id, cb_err *err);

/* ---- a file that was read, into a store that is open ---- */

/* mapping, file: paths. Errors say file:line, column, value, what was wanted. Caller: lab_kes_clear, also
 * after a failure. */
CB_CHECKED cb_status lab_kes_read(const char *mapping, const char *file, lab_kes *out, cb_err *err);
/* Each cloth in one transaction. What another fact or source contradicts is refused
 * (cb_store_material_learn). CB_E_RANGE: this very table was imported already. */
CB_CHECKED cb_status lab_kes_store(cb_store *s, const char *file, lab_kes *k, cb_err *err);

/* Reads a table. mapping and file are paths. The caller calls lab_material_tests_clear, even after an error.
 * Errors name file:line, column, value and what was wanted; CB_E_RANGE also if all rows lack numbers. */
CB_CHECKED cb_status lab_material_tests_read(const char *mapping, const char *file, cb_test_kind kind,
                                             lab_material_tests *out, cb_err *err);
/* Stores all tests in one transaction, under cloths of their names; sets their ids. file is for messages. The
 * thickness T0 of compression tests becomes that of a cloth that has none.
 * Error: CB_E_RANGE if the same table was imported before. */
CB_CHECKED cb_status lab_material_tests_store(cb_store *s, const char *file, lab_material_tests *t,
                                              cb_err *err);

/* Reads a file. The caller calls lab_fab_clear, even after an error. Errors: those of exch_fab_read and of
 * the file. */
CB_CHECKED cb_status lab_fab_read(const char *path, lab_fab *out, cb_err *err);
/* Fits its strips (seconds). A strip that cannot be fitted is an outcome. Errors: those of fit_buckled. */
CB_CHECKED cb_status lab_fab_work_out(lab_fab *f, cb_err *err);
/* Makes the test of a buckled strip as it is stored, without its cloth and source. The caller frees *points,
 * as many as the strip's readings. */
CB_CHECKED cb_status lab_fab_buckled(const lab_fab *f, exch_fab_direction d, exch_fab_kind k,
                                     cb_material_test *row, cb_test_point **points, cb_err *err);
/* Stores the runs and points of a table as one campaign; sets their ids. */
CB_CHECKED cb_status lab_friction_store(cb_store *s, const char *file, fit_import *im,
                                        lab_friction_import *out, cb_err *err);
/* Stores one run with its raw samples as a campaign of its own; sets the ids of t->run. */
CB_CHECKED cb_status lab_trace_store(cb_store *s, const char *file, fit_trace *t, cb_err *err);
CB_CHECKED cb_status lab_elasticity_store(cb_store *s, const char *body, const cb_elasticity_law *law,
                                          const char *source, const char *method, int64_t *law_id,
                                          cb_err *err);
CB_CHECKED cb_status lab_drapes_store(cb_store *s, const lab_drape_import *q, const fit_drape_file *f,
                                      cb_err *err);

#endif
