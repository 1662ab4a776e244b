/* The tables of `validate`: experiments with a reference, as rows that are compared with the tolerance of
 * the experiment.
 *
 * An experiment runs its cases and adds a row for each number that is compared. A case that cannot run is an
 * error. A row outside its tolerance is no error; it does not pass. The same input gives the same bits,
 * except for the seconds. */
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
  double error, allowed; /* relative; 0 if the row does not compare two numbers */
  bool pass;
  double seconds; /* of the case; 0 for its further rows */
} val_row;

typedef struct val_table {
  int n;
  val_row row[VAL_TABLE_MAX];
} val_table;

/* Appends the rows of *more to *t, of VAL_TABLE_MAX at most. */
void val_table_append(val_table *t, const val_table *more);
/* Returns whether all rows pass; sums the seconds. */
bool val_table_passes(const val_table *t);
double val_table_seconds(const val_table *t);

/* ---- the experiments; the header of each describes it ---- */

/* Adds the rows of the experiment sheet-slide for another sheet, friction or step. e's angle, turn and body
 * are ignored. */
CB_CHECKED cb_status val_table_sheet(val_table *t, const val_sheet *e, cb_err *err);
/* The friction of the experiment sheet-slide: tau = c p^0.9 on 10 cm2, larger along the warp. */
extern const cb_friction_law val_table_sheet_law;

typedef struct val_experiment {
  const char *name;
  cb_status (*add)(val_table *t, cb_err *err);
} val_experiment;
/* The experiments, in their order. Without a name `validate all` runs the first VAL_OF_ALL. */
#define VAL_OF_ALL 18
#define VAL_EXPERIMENTS 19
extern const val_experiment val_experiments[VAL_EXPERIMENTS];

#endif
