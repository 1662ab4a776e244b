/* A campaign by the test standard of its preset: static and kinetic coefficients of specimens, their means,
 * and what departs from the standard. Nothing here prints. docs/standards.md has the standards, docs/json.md,
 * `fit standard`, the document. */
#ifndef LAB_STANDARD_H
#define LAB_STANDARD_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_standard.h"

typedef struct lab_standard_specimen {
  int64_t run_id;
  int specimen; /* from 1 */
  fit_standard_outcome outcome;
  double static_mu, kinetic_mu; /* NAN: fit_standard.h */
} lab_standard_specimen;

/* What may be averaged: one direction, sense of the pull and load. */
typedef struct lab_standard_group {
  double angle_deg, normal_force_N;
  int direction; /* +1 forward, -1 backward */
  fit_standard_summary stat, kinetic;
  size_t n;
  lab_standard_specimen *specimens; /* owned */
} lab_standard_group;

typedef struct lab_standard {
  int64_t campaign_id;
  char standard[32], title[64];      /* "astm-d1894", "ASTM D1894" */
  int decimals;                      /* of the coefficients */
  double window_mm, without_peak_mm; /* the kinetic force is the mean over this much sliding, without this
                                        much after the peak */
  size_t n_groups, n_deviations;
  lab_standard_group *groups; /* owned; in the order of their first run */
  char (*deviations)[160];    /* owned; sentences; none is good */
} lab_standard;

void lab_standard_clear(lab_standard *e);

/* The same, and stores it. */
CB_CHECKED cb_status lab_standard_fit(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);
/* As it was stored last; CB_E_NOTFOUND: it was not evaluated. Caller: lab_standard_clear, also after a
 * failure. */
CB_CHECKED cb_status lab_standard_stored(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);

/* The document, as stored. NULL: no memory. */
json_t *lab_standard_json(const lab_standard *e);

#endif
