/* Rows and experiments of val_table.h, private to validate/. */
#ifndef VAL_TABLE_IMPL_H
#define VAL_TABLE_IMPL_H

#include "val_table.h"

/* Adds a row, whose what[] is formatted. More than VAL_TABLE_MAX rows are a bug. */
void val_table_add(val_table *t, val_row row, const char *fmt, ...) CB_PRINTF(3, 4);

/* The experiments that val_experiments lists. */
CB_CHECKED cb_status val_table_cantilever(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_buckling(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_stick_slip(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_tension(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_frame(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_incline(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_sled(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_capstan(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_stress_tests(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_sheet_slide(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_balloon(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_leak(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_chambers(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_wind(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_bounce(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_sag_particles(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_loops(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_of_strips(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_limit_swap(val_table *t, cb_err *err);

#endif
