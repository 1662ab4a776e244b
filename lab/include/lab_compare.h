/* Two measurements of one pair against each other: two lots, campaigns, rigs or laboratories. */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include <jansson.h>

#include "cb_store.h"

/* The runs of one side. The store stays the caller's. */
typedef struct lab_compare_side {
  cb_store *s;
  const char *lot;     /* of the cloth, as its campaigns recorded it; NULL: any */
  int64_t campaign_id; /* 0: any */
} lab_compare_side;

/* An angle and load that one of the sides measured, within the measured loads of both. */
typedef struct lab_compare_cell {
  double angle_deg, normal_force_N;
  double mu[2], u[2], u95[2]; /* u: standard, u95: expanded */
  double en;                  /* (mu[0] - mu[1]) / (u95[0]^2 + u95[1]^2)^1/2 */
} lab_compare_cell;

typedef struct lab_compare {
  char cloth[64], body[64];
  cb_friction_kind kind;
  size_t n_runs[2];
  bool one_calibration; /* all runs of both sides have the same one: its uncertainty cancels and is left out
                         */
  lab_compare_cell *cells; /* owned */
  size_t n_cells;
  double worst_en;       /* largest |en| of a cell */
  double worst_limit;    /* which as many cells of equal laws pass in 95 % of all comparisons (Sidak 1967) */
  double difference_rel; /* of the laws: mean over the cells of ln(mu[0] / mu[1]) */
  double u95_rel;        /* of this mean, with what the cells of one law share */
  double en;             /* of the laws as a whole: difference_rel / u95_rel */
  bool agree;            /* |en| <= 1 and worst_en <= worst_limit; equal laws fail in at most one of ten */
} lab_compare;

/* Fits each side in memory and compares the laws. Nothing is stored. The caller calls lab_compare_clear, even
 * after an error.
 * Errors: CB_E_NOTFOUND without such a material, without runs on a side, or where no law can be fitted;
 * CB_E_RANGE where the measured loads do not meet. */
CB_CHECKED cb_status lab_compare_pair(const lab_compare_side side[2], const char *cloth, const char *body,
                                      cb_friction_kind kind, lab_compare *out, cb_err *err);
void lab_compare_clear(lab_compare *c);

/* Makes the document of docs/reference/json, "compare". Returns NULL without memory. */
json_t *lab_compare_json(const lab_compare *c);

#endif
