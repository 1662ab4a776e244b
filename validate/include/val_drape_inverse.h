/* The other way round: what of the cloth follows from measured drapes.
 *
 * Bayes on a lattice of cloths. Prior: B = sqrt(B_warp B_weft), the ratio of the two, shear G and the areal
 * mass, each log-normal and by itself (the logarithm of the ratio is normal about 0). Likelihood: the means
 * of the signs over n drapes, normal on their even scales about what the table expects (val_drape_table.h);
 * variance: scatter between layings / n, what the table is in doubt by, what the measurement is. Nothing is
 * drawn by chance: same input, same bits, for any number of threads.
 *
 * What is found is the bending that a drape sees, friction within the cloth included: M = B K + HB where it
 * holds. B and 2HB cannot be told apart by drapes alone. */
#ifndef VAL_DRAPE_INVERSE_H
#define VAL_DRAPE_INVERSE_H

#include "val_drape_table.h"

/* ---- what was measured ---- */

/* One drape; NAN: not known. u: standard uncertainty, taken to be shared by all drapes (a scale is). */
typedef struct val_drape_seen {
  double support_m, specimen_m; /* diameters */
  double sign[VAL_DRAPE_SIGNS], u[VAL_DRAPE_SIGNS];
} val_drape_seen;

/* Drapes on the same two discs, on the even scales. */
typedef struct val_drape_group {
  int specimen; /* of the model */
  int n;
  double mean[VAL_DRAPE_SIGNS]; /* NAN: not known */
  double sd[VAL_DRAPE_SIGNS];   /* between the drapes; NAN of one */
  double u[VAL_DRAPE_SIGNS];
} val_drape_group;

/* CB_E_RANGE: the table has none on such discs (it says which it has). */
CB_CHECKED cb_status val_drape_gather(const val_drape_model *m, const val_drape_seen *seen, size_t n,
                                      val_drape_group *groups, int *n_groups, cb_err *err);

/* ---- what is known before ---- */

typedef struct val_drape_prior {
  double B_Nm, sd_ln_B; /* median and standard deviation of the logarithm */
  double sd_ln_ratio;   /* about 0 */
  double G_N_per_m, sd_ln_G;
  double mass_kg_per_m2, sd_ln_mass;
} val_drape_prior;
/* Median and factor of KES tables, widened; the areal mass of apparel: to be replaced where it was weighed.
 * docs/drape.md. */
val_drape_prior val_drape_prior_default(void);

/* ---- the lattice ---- */

typedef struct val_drape_lattice val_drape_lattice; /* opaque: what every cloth of it is expected to do; some
                                                       10 MB */
CB_CHECKED cb_status val_drape_lattice_make(const val_drape_model *m, val_drape_lattice **out, cb_err *err);
void val_drape_lattice_free(val_drape_lattice *l);

/* ---- what comes of it ---- */

typedef enum val_drape_outcome {
  VAL_DRAPE_TOLD,
  VAL_DRAPE_TOO_LIMP,     /* limper than any cloth of the table, perhaps */
  VAL_DRAPE_TOO_STIFF,    /* stiffer than any, perhaps */
  VAL_DRAPE_CONTRADICTED, /* no cloth of the table drapes like that */
  VAL_DRAPE_OUTCOMES
} val_drape_outcome;
extern const char *const val_drape_outcome_text[];

/* The first three: unknowns; the others are made of them and the areal mass. */
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
  double prior_lo95, prior_hi95, prior_mean_ln, prior_sd_ln; /* within what the table spans */
} val_drape_estimate;

/* How much of what was not known before is left: by the drapes' standard deviation over the prior's. */
typedef enum val_drape_telling { VAL_DRAPE_BY_DATA, VAL_DRAPE_BY_BOTH, VAL_DRAPE_BY_PRIOR } val_drape_telling;
extern const char *const val_drape_telling_text[]; /* "told by the drapes", "told by drapes and prior", "told
                                                      by the prior" */
val_drape_telling val_drape_tells(double sd_over_prior); /* up to 0.5, up to 0.9, above */

/* A combination of the unknowns' logarithms, each over its prior standard deviation, and how well it is
 * known. */
typedef struct val_drape_direction {
  double share[VAL_DRAPE_FREE]; /* of unit length */
  double sd_over_prior;
} val_drape_direction;

/* A sign that was measured, against where it was expected: before, and by what was then found. Natural
 * scales. */
typedef struct val_drape_check {
  bool known;
  double measured;
  double prior_lo95, prior_hi95, mean, lo95, hi95; /* of the mean over the n drapes */
  bool inside;
} val_drape_check;

typedef struct val_drape_inverse {
  val_drape_outcome outcome;
  val_drape_estimate estimate[VAL_DRAPE_UNKNOWNS];
  double covariance[VAL_DRAPE_FREE][VAL_DRAPE_FREE]; /* of the logarithms of B, ratio, G */
  double mean_square_ln_ratio;
  val_drape_direction direction[VAL_DRAPE_FREE]; /* best known first */
  int signs;                                     /* that went in */
  double p; /* that such a cloth's drapes differ as much from what is expected of it: posterior predictive */
  double at_limp_end, at_stiff_end; /* probability in the outermost twentieth of the table */
  val_drape_check check[VAL_DRAPE_SPECIMENS_MAX][VAL_DRAPE_SIGNS];
} val_drape_inverse;

CB_CHECKED cb_status val_drape_infer(const val_drape_lattice *l, const val_drape_group *groups, int n_groups,
                                     const val_drape_prior *prior, val_drape_inverse *out, cb_err *err);

#endif
