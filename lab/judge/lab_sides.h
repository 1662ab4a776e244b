/* Measurements of one pair by several sides, and where they can be compared. */
#ifndef LAB_SIDES_H
#define LAB_SIDES_H

#include "cb_friction_obs.h"
#include "lab_compare.h"

/* The runs of a side, and the law that fits them. */
typedef struct lab_side {
  cb_friction_obs *obs; /* owned */
  size_t n;
  cb_friction_law law;
} lab_side;

/* Fits the runs of a side. The caller frees out->obs, also on failure.
 * Errors: as lab_compare_pair. */
CB_CHECKED cb_status lab_side_measure(const lab_compare_side *side, const char *cloth, const char *body,
                                      cb_friction_kind kind, lab_side *out, cb_err *err);

/* Lists every angle and load that a side measured, and that lies within the measured loads of all, by angle
 * and load. The caller frees *cells. Errors: CB_E_RANGE if there is none; CB_E_NOMEM. */
CB_CHECKED cb_status lab_side_cells(const lab_side *sides, size_t n_sides, lab_compare_cell **cells,
                                    size_t *n, cb_err *err);

/* What a law says at a cell: mu, and the effects of its uncertainty's sources on ln mu (rel, as of
 * cb_friction_law_effects). one_calibration: without the calibration's. */
typedef struct lab_side_value {
  double mu, dof;
  double rel[CB_LAW_MAX_EFFECTS];
  size_t n;
} lab_side_value;
void lab_side_evaluate(const cb_friction_law *law, const lab_compare_cell *cell, bool one_calibration,
                       lab_side_value *out);

/* Returns the root of the sum of squares. */
double lab_root_of_squares(const double *v, size_t n);

#endif
