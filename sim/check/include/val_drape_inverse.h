/* Inference of a cloth's bending and shear from measured drapes. docs/method/drape-inverse.md has the method
 * and its tests.
 *
 * The method is Bayesian, on a lattice of cloths. Prior: B = sqrt(B_warp B_weft), the ratio B_warp / B_weft,
 * shear G and areal mass are independent and log-normal (the median of the ratio is 1). Likelihood: the
 * means of the signs over n drapes are normal on their even scales, about what the table expects
 * (val_drape_table.h). Their variance is the scatter between layings / n, plus the uncertainty of the table,
 * plus that of the measurement. There is no random sampling: the same input gives the same bits, for any
 * number of threads.
 *
 * The bending that is found includes friction within the cloth: M = B K + HB where it acts. Drapes alone
 * cannot separate B from 2HB. */
#ifndef VAL_DRAPE_INVERSE_H
#define VAL_DRAPE_INVERSE_H

#include "val_drape_table.h"

/* ---- measured drapes ---- */

/* One drape. A sign that is NAN is unknown. u: standard uncertainty, assumed common to all drapes (as that
 * of a scale is). */
typedef struct val_drape_seen {
  double support_m, specimen_m; /* diameters */
  double sign[VAL_DRAPE_SIGNS], u[VAL_DRAPE_SIGNS];
} val_drape_seen;

/* All drapes on the same two discs, on the even scales. */
typedef struct val_drape_group {
  int specimen; /* index in the model */
  int n;
  double mean[VAL_DRAPE_SIGNS]; /* NAN: unknown */
  double sd[VAL_DRAPE_SIGNS];   /* between the drapes; NAN for one */
  double u[VAL_DRAPE_SIGNS];
} val_drape_group;

/* Groups n drapes by their discs. groups has room for VAL_DRAPE_SPECIMENS_MAX. Errors: CB_E_RANGE for discs
 * that the table lacks (the message lists those it has). */
CB_CHECKED cb_status val_drape_gather(const val_drape_model *m, const val_drape_seen *seen, size_t n,
                                      val_drape_group *groups, int *n_groups, cb_err *err);

/* ---- prior ---- */

typedef struct val_drape_prior {
  double B_Nm, sd_ln_B; /* median and standard deviation of the logarithm */
  double sd_ln_ratio;   /* about 0, the ratio 1 */
  double G_N_per_m, sd_ln_G;
  double mass_kg_per_m2, sd_ln_mass;
  double stretch_N_per_m, sd_ln_stretch; /* of both directions; used where the table's cloths differ in it */
} val_drape_prior;
/* Returns medians and scatter of published KES tables, widened. The areal mass is that of apparel: replace
 * it where the cloth was weighed, and the stretch where it was measured. docs/method/drape-inverse.md. */
val_drape_prior val_drape_prior_default(void);

/* ---- the lattice ---- */

typedef struct val_drape_lattice val_drape_lattice; /* the signs that every cloth of the lattice is expected
                                                       to have; some 10 MB */
/* Makes the lattice of a model, for the discs of these groups; NULL: for all discs of the model. Its
 * stretches are those that the prior has. The caller frees *out with val_drape_lattice_free. Error: memory.
 */
CB_CHECKED cb_status val_drape_lattice_make(const val_drape_model *m, const val_drape_prior *prior,
                                            const val_drape_group *groups, int n_groups,
                                            val_drape_lattice **out, cb_err *err);
void val_drape_lattice_free(val_drape_lattice *l);

/* ---- result ---- */

typedef enum val_drape_outcome {
  VAL_DRAPE_TOLD,         /* the drapes fit a cloth of the table */
  VAL_DRAPE_TOO_LIMP,     /* perhaps limper than any cloth of the table */
  VAL_DRAPE_TOO_STIFF,    /* perhaps stiffer than any cloth of the table */
  VAL_DRAPE_CONTRADICTED, /* no cloth of the table fits the drapes */
  VAL_DRAPE_OUTCOMES
} val_drape_outcome;
extern const char *const val_drape_outcome_text[];

/* The quantities that are inferred: three unknowns, then two that follow from them and the areal mass. */
typedef enum val_drape_unknown {
  VAL_DRAPE_B,      /* [N m] */
  VAL_DRAPE_RATIO,  /* of the stiffer to the limper direction, >= 1 */
  VAL_DRAPE_G,      /* [N/m] */
  VAL_DRAPE_LENGTH, /* bending length [m] */
  VAL_DRAPE_SHEAR,  /* G / w [m] */
  VAL_DRAPE_UNKNOWNS
} val_drape_unknown;
#define VAL_DRAPE_FREE 3
extern const char *const val_drape_unknown_names[]; /* "B_Nm", "ratio", "G_N_per_m", "bending_length_m",
                                                       "shear_length_m", NULL */

typedef struct val_drape_estimate {
  double median, lo95, hi95;
  double mean_ln, sd_ln;
  double prior_lo95, prior_hi95, prior_mean_ln, prior_sd_ln; /* prior within the range of the table */
} val_drape_estimate;

/* How much the drapes tell: by the standard deviation of the posterior over that of the prior. */
typedef enum val_drape_telling { VAL_DRAPE_BY_DATA, VAL_DRAPE_BY_BOTH, VAL_DRAPE_BY_PRIOR } val_drape_telling;
extern const char *const val_drape_telling_text[]; /* "told by the drapes", "told by drapes and prior", "told
                                                      by the prior" */
val_drape_telling val_drape_tells(double sd_over_prior); /* <= 0.5: data; <= 0.9: both; else: prior */

/* A combination of the unknowns' logarithms, each over its prior standard deviation, and the standard
 * deviation of the combination over its prior one. */
typedef struct val_drape_direction {
  double share[VAL_DRAPE_FREE]; /* of unit length */
  double sd_over_prior;
} val_drape_direction;

/* Posterior check of one sign, on its natural scale: the measured mean over n drapes, and the 95 % intervals
 * in which the prior and the posterior expect it. */
typedef struct val_drape_check {
  bool known;
  double measured;
  double prior_lo95, prior_hi95, mean, lo95, hi95; /* mean: by the posterior */
  bool inside;                                     /* measured is within lo95 to hi95 */
} val_drape_check;

typedef struct val_drape_inverse {
  val_drape_outcome outcome;
  val_drape_estimate estimate[VAL_DRAPE_UNKNOWNS];
  double covariance[VAL_DRAPE_FREE][VAL_DRAPE_FREE]; /* of the logarithms of B, ratio, G */
  double mean_square_ln_ratio;
  val_drape_direction direction[VAL_DRAPE_FREE]; /* best known first */
  int signs;                                     /* number of signs used */
  double p;                         /* posterior predictive probability of a misfit at least as large */
  double at_limp_end, at_stiff_end; /* probability in the outermost twentieth of the table */
  val_drape_check check[VAL_DRAPE_SPECIMENS_MAX][VAL_DRAPE_SIGNS];
} val_drape_inverse;

/* Infers the cloth from the groups. Errors: groups or prior out of range, memory; a contradiction is an
 * outcome. */
CB_CHECKED cb_status val_drape_infer(const val_drape_lattice *l, const val_drape_group *groups, int n_groups,
                                     const val_drape_prior *prior, val_drape_inverse *out, cb_err *err);

#endif
