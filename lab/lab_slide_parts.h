/* Shared by the files of a comparison, private to lab/: lab_slide_case.c reads, lab_slide_predict.c
 * simulates, lab_slide_judge.c compares, lab_slide_json.c writes and reads the verdict. */
#ifndef LAB_SLIDE_PARTS_H
#define LAB_SLIDE_PARTS_H

#include "lab_slide.h"

typedef struct lab_slide_prediction {
  double static_N, kinetic_N, breakaway_m; /* NAN: none */
} lab_slide_prediction;

extern const lab_slide_quantity lab_slide_not_compared;

/* Reads the names of a run's pair. */
CB_CHECKED cb_status lab_slide_pair(cb_store *s, const cb_run *run, char cloth[64], char body[64],
                                    cb_err *err);
/* Reads the scatter that the fit documented with the law; 0: none. */
CB_CHECKED cb_status lab_slide_law_scatter(cb_store *s, const cb_friction_law *law, lab_slide_scatter *out,
                                           cb_err *err);
/* Sets `compared` and E_n from the other members. */
lab_slide_quantity lab_slide_score(lab_slide_quantity q);

/* The quantities of a verdict by their names and units: {"quantities": [...], "not_compared": [...]}, and
 * back. */
typedef struct lab_slide_words {
  const char *const *names, *const *units; /* n each */
  size_t n;
} lab_slide_words;
json_t *lab_slide_quantities_json(const lab_slide_quantity *q, lab_slide_words words);
CB_CHECKED cb_status lab_slide_quantities_read(const json_t *doc, lab_slide_words words,
                                               lab_slide_quantity *q, cb_err *err);
json_t *lab_slide_scatter_json(const lab_slide_scatter *s);
CB_CHECKED cb_status lab_slide_scatter_read(const json_t *o, const char *key, lab_slide_scatter *out,
                                            cb_err *err);

/* Standard deviation of draws about the best estimate. Draws without a value are left out. */
double lab_slide_spread(const double *x, size_t n, double best);

/* Returns the combined scatter of repeats and placement, relative. */
double lab_slide_scatter_rel(const lab_slide_scatter *s);
/* Evaluates the law on the pull's contact area. The uncertainty of the calibration is left out if it
 * cancels. */
cb_friction_value lab_slide_law_value(const lab_slide_case *c, const cb_friction_law *law, double angle_rad,
                                      double normal_N);

/* Simulates the pull and reduces it like a measured one. u is the standard deviation over the draws. The
 * caller clears *trace. */
CB_CHECKED cb_status lab_slide_predict(const lab_slide_case *c, lab_slide_prediction *best,
                                       lab_slide_prediction *u, cb_trace *trace, cb_err *err);

#endif
