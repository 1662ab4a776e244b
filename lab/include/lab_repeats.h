/* How many repeats of a pair a wanted band takes, by what the database knows of the pair. */
#ifndef LAB_REPEATS_H
#define LAB_REPEATS_H

#include <stdbool.h>

#include "cb_store.h"
#include "fit_repeats.h"

typedef struct lab_repeats_wish {
  const char *cloth, *body;
  bool is_real;         /* real runs count, for a real bench; else virtual ones */
  double u_shared_rel;  /* standard uncertainty that repeats share: calibration, load */
  int pulls_per_repeat; /* 2 with both ways */
  double band_rel;      /* half width at 95 % */
} lab_repeats_wish;

/* s NULL: no database. *n_runs: of the pair, 0 where none is known. It only reads. */
CB_CHECKED cb_status lab_repeats_for(cb_store *s, const lab_repeats_wish *w, fit_repeats *out, size_t *n_runs,
                                     cb_err *err);
/* Says what a number of repeats comes to, and why, in one sentence. */
void lab_repeats_say(const fit_repeats *r, size_t n_runs, char out[400]);

#endif
