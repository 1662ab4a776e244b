/* Shared by the files of a comparison, private to lab/: lab_slide_case.c reads, lab_slide_predict.c
 * simulates, lab_slide_judge.c compares, lab_slide_json.c writes and reads the verdict. */
#ifndef LAB_SLIDE_PARTS_H
#define LAB_SLIDE_PARTS_H

#include "lab_slide_impl.h"

typedef struct lab_slide_prediction {
  double static_N, kinetic_N, breakaway_m; /* NAN: none */
} lab_slide_prediction;

/* What the simulations of a case give. */
typedef struct lab_slide_simulated {
  lab_slide_prediction best, u; /* u: standard deviation over the draws */
  lab_slide_prediction U;       /* expanded, 95 % */
  lab_slide_prediction sled;    /* the rigid sled's; only if it is not the model */
  cb_trace trace, sled_trace;   /* owned; sled_trace is empty if the sled is the model */
} lab_slide_simulated;

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
  bool sled; /* with the rigid sled's prediction */
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

/* Finds the sheet of the case: the cloth's own mass, stretch, bending and permeability, as far as the store
 * has them. Error: CB_E_NOTFOUND if the cloth is held at its edge and has no law of stretch. */
CB_CHECKED cb_status lab_slide_sheet_load(cb_store *s, lab_slide_case *c, cb_err *err);

/* Fills what is known of a case before it is compared: no quantity. */
lab_slide_verdict lab_slide_describe(const lab_slide_case *c);
/* Fills the curve of a verdict from the predicted trace. */
void lab_slide_keep_curve(const lab_slide_case *c, const cb_trace *predicted, lab_slide_verdict *out);
/* Compares a case with a prediction that was made before. */
CB_CHECKED cb_status lab_slide_compare_with(const lab_slide_case *c, const lab_slide_simulated *r,
                                            lab_slide_verdict *out, cb_err *err);

/* Simulates the pull and reduces it like a measured one. The caller calls lab_slide_simulated_clear, even
 * after an error. */
CB_CHECKED cb_status lab_slide_predict(const lab_slide_case *c, lab_slide_simulated *out, cb_err *err);
void lab_slide_simulated_clear(lab_slide_simulated *r);

#endif
