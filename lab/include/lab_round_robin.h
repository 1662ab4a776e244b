/* One pair, measured by three or more laboratories: what they agree on, and who is off.
 *
 * A laboratory's figure is the mean of ln mu over the cells that all laboratories measured. The reference is
 * the weighted mean of the largest subset of laboratories that is consistent: chi squared about their mean is
 * passed by 5 % of subsets without a fault (Cox, Metrologia 44:187, 2007). A laboratory outside the subset is
 * off. So at most 5 % of round robins whose laboratories state their uncertainties rightly name one.
 *
 * E_n of a laboratory is its deviation over the expanded uncertainty of the deviation (ISO 13528:2022, 9.7;
 * Cox, Metrologia 39:589, 2002): the reference's part is subtracted inside the subset, as both share an
 * error, and added outside. */
#ifndef LAB_ROUND_ROBIN_H
#define LAB_ROUND_ROBIN_H

#include <jansson.h>

#include "lab_compare.h"

#define LAB_ROUND_ROBIN_MAX 16

typedef struct lab_participant {
  char name[200]; /* the path of its database */
  size_t n_runs;
  double deviation_rel; /* of its figure from the reference */
  double u95_rel;       /* of its figure alone */
  double en;
  bool consistent;    /* in the subset */
  double youden[2];   /* deviations in two parts of the cells (below) */
  double u95_part[2]; /* of its figure in each part alone */
} lab_participant;

typedef struct lab_round_robin {
  char cloth[64], body[64];
  cb_friction_kind kind;
  lab_participant lab[LAB_ROUND_ROBIN_MAX];
  size_t n_labs, n_cells, n_consistent;
  double mu;          /* the reference: geometric mean over the cells */
  double u95_rel;     /* of it */
  double chi_squared; /* of all laboratories about their mean, with n_labs - 1 degrees of freedom */
  double p_value;     /* of that */
  char part[2][48];   /* the parts of Youden's plot: the first and the last angle, or load */
} lab_round_robin;

/* Fits the runs of each side in memory. Nothing is stored. 3 <= n <= LAB_ROUND_ROBIN_MAX.
 * Errors: as lab_compare_pair. */
CB_CHECKED cb_status lab_round_robin_make(const lab_compare_side *sides, size_t n, const char *cloth,
                                          const char *body, cb_friction_kind kind, lab_round_robin *out,
                                          cb_err *err);

/* Makes the document of docs/reference/json, "compare LABS". Returns NULL without memory. */
json_t *lab_round_robin_json(const lab_round_robin *r);

#endif
