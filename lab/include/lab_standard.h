/* Evaluation of a campaign by the test standard of its preset: static and kinetic coefficients of the
 * specimens, their means, and deviations from the standard. docs/reference/standards.md has the standards;
 * docs/reference/json, `fit standard`, has the document. Nothing here prints. */
#ifndef LAB_STANDARD_H
#define LAB_STANDARD_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_standard.h"

/* One pull of a specimen. */
typedef struct lab_standard_specimen {
  int64_t run_id;
  int specimen; /* from 1 */
  fit_standard_outcome outcome;
  double static_mu, kinetic_mu, deviation_mu; /* NAN: see fit_standard.h */
} lab_standard_specimen;

/* Pulls that may be averaged: of one direction, sense of the pull and load. */
typedef struct lab_standard_group {
  double angle_deg, normal_force_N;
  int direction; /* +1 forward, -1 backward */
  fit_standard_summary stat, kinetic, deviation;
  size_t n;
  lab_standard_specimen *specimens; /* owned */
} lab_standard_group;

typedef struct lab_standard {
  int64_t campaign_id;
  char standard[32], title[64]; /* "astm-d1894", "ASTM D1894" */
  bool surface;                 /* MIU (kinetic) and MMD (deviation) in place of static and kinetic */
  double sled_g, area_cm2, speed_mm_per_min, travel_mm; /* of its first pull; NAN: an older evaluation */
  int decimals;                                         /* decimals of the coefficients */
  double window_mm, without_peak_mm; /* the kinetic force is the mean over window_mm of sliding, of which
                                        without_peak_mm after the peak are left out */
  size_t n_groups, n_deviations;
  lab_standard_group *groups; /* owned; in the order of their first run */
  char (*deviations)[160];    /* owned; sentences; empty if the standard was met */
} lab_standard;

void lab_standard_clear(lab_standard *e);

/* Evaluates every finished pull of the campaign and stores the result. The caller calls lab_standard_clear,
 * even after an error. Error: CB_E_NOTFOUND if the preset has no such evaluation, or no pull is finished. */
CB_CHECKED cb_status lab_standard_fit(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);
/* Reads the last stored result. The caller calls lab_standard_clear, even after an error. Error:
 * CB_E_NOTFOUND if the campaign was not evaluated. */
CB_CHECKED cb_status lab_standard_stored(cb_store *s, int64_t campaign_id, lab_standard *out, cb_err *err);

/* Makes the document that is stored. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_standard_json(const lab_standard *e);

#endif
