/* Tables of `validate`: every experiment with a reference as rows, each held against the tolerance of its
 * experiment.
 *
 * An experiment plays its cases one after the other and adds a row for each number that is compared. A case
 * that cannot be played is an error; a row that is off is not, it fails. Same input, same bits, but for the
 * seconds. */
#ifndef VAL_TABLE_H
#define VAL_TABLE_H

#include <stdbool.h>

#include "cb_err.h"
#include "val_sheet.h"

#define VAL_TABLE_MAX 192

typedef struct val_row {
  const char *experiment; /* a constant of the program */
  char what[80];          /* the case and the unit of the two numbers */
  double predicted, reference;
  double error, allowed; /* relative; 0 where the row is no comparison of two numbers */
  bool pass;
  double seconds; /* of the play; 0 of further rows of the same */
} val_row;

typedef struct val_table {
  int n;
  val_row row[VAL_TABLE_MAX];
} val_table;

/* The rows of *more behind those of *t. */
void val_table_append(val_table *t, const val_table *more);
/* Every row passes. */
bool val_table_passes(const val_table *t);
double val_table_seconds(const val_table *t);

/* ---- the experiments, as each one's header describes them ---- */

CB_CHECKED cb_status val_table_balloon(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_leak(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_chambers(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_wind(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_bounce(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_sag_particles(val_table *t, cb_err *err);
CB_CHECKED cb_status val_table_limit_swap(val_table *t, cb_err *err);

/* The rows of val_table_sheet_slide for another sheet, friction or step; e's angle, turn and body do not
 * count. */
CB_CHECKED cb_status val_table_sheet(val_table *t, const val_sheet *e, cb_err *err);
/* Friction of val_table_sheet_slide: tau = c p^0.9 on 10 cm2, more along the warp. */
extern const cb_friction_law val_table_sheet_law;

typedef struct val_experiment {
  const char *name;
  cb_status (*add)(val_table *t, cb_err *err);
} val_experiment;
/* What `validate all` plays, in this order; the limit swap is no part of it. */
#define VAL_EXPERIMENTS 16
extern const val_experiment val_experiments[VAL_EXPERIMENTS];

#endif
