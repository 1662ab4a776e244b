/* The friction to expect of a pair before it is measured. Private to lab/. */
#ifndef LAB_EXPECTED_H
#define LAB_EXPECTED_H

#include "lab_forecast.h"

#define LAB_EXPECTED_SIDES 2 /* kinetic, static */

typedef struct lab_expected {
  lab_expected_from from;
  size_t n_others;
  bool has_static;
  cb_friction_law *own[LAB_EXPECTED_SIDES];         /* of the pair, owned; NULL: none */
  const cb_friction_law **laws[LAB_EXPECTED_SIDES]; /* those that count, by cb_friction_kind; the lists are
                                                       owned */
  size_t n[LAB_EXPECTED_SIDES];
} lab_expected;

/* Looks for the pair's law, else in `known` for laws of other pairs with this cloth or body. s may be NULL.
 * *e refers to the known laws. The caller calls lab_expected_clear, also after an error. */
CB_CHECKED cb_status lab_expected_find(cb_store *s, const lab_known_laws *known, const char *cloth,
                                       const char *body, bool is_real, lab_expected *e, cb_err *err);
void lab_expected_clear(lab_expected *e);

/* The force at an angle and load on an area. */
lab_expected_force lab_expected_at(const lab_expected *e, cb_friction_kind kind, double angle_deg,
                                   double normal_force_N, double area_m2);

#endif
