/* Verdicts by kind: how many predictions were judged by measurements, how many passed. */
#ifndef LAB_JUDGED_H
#define LAB_JUDGED_H

#include "cb_store.h"

/* How virtual/lab makes its drapes. */
#define LAB_JUDGED_APART "hung by finite differences, apart from the simulator"

typedef struct lab_judged {
  const char *experiment, *words, *note; /* note: how virtual ones are measured; "" */
  bool told; /* not counted: beyond the loads of the law, or of a kind that is not known */
  size_t n, passed;
  double worst_en; /* largest difference over what both uncertainties allow */
  bool holds;      /* at most one in five failed: by chance one in twenty does */
} lab_judged;

#define LAB_JUDGED_KINDS 8
/* Counts the verdicts on a cloth of that origin; 0: on all. */
void lab_judged_of(const cb_validation *list, size_t n, int64_t cloth_id, cb_origin origin,
                   lab_judged out[LAB_JUDGED_KINDS]);

#endif
