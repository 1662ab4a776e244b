/* Prediction of a cloth's drape from numbers or from its laws in the store, and comparison with measured
 * drapes. docs/method/drape-measured.md has the figures. Nothing here prints. */
#ifndef LAB_DRAPE_PREDICTION_H
#define LAB_DRAPE_PREDICTION_H

#include <jansson.h>

#include "cb_store.h"
#include "cb_store_shape.h"
#include "lab_seal.h"
#include "val_drape_foreseen.h"

/* ---- the cloth ---- */

/* Typed numbers of a cloth; NAN: not given. Pairs are warp, weft. Shear is the force per width over the
 * shear angle in radians. Bending is B of KES-FB2 per width, the slope of the moment. Uncertainties are
 * relative. */
typedef struct lab_drape_numbers {
  double areal_density_kg_per_m2, thickness_m, stretch_N_per_m[2], shear_N_per_m, bend_Nm[2];
  double hysteresis_N[2]; /* 2HB of KES-FB2 */
  /* The curvature at which the moment was measured; NAN or 0: bend_Nm was. Where it was, hysteresis_N only
   * divides it: u_bend_rel is the moment's. */
  double bend_known_at_per_m;
  /* NAN: 0.01, 0.1, 0.1, 0.1, or those of the laws; of 2HB and onset 0.1 and 0.4, or those of the prior */
  double u_mass_rel, u_stretch_rel, u_shear_rel, u_bend_rel, u_hysteresis_rel, u_onset_rel;
} lab_drape_numbers;

/* Source of the bending hysteresis. */
typedef enum lab_hysteresis_from {
  LAB_HYSTERESIS_NUMBERS,
  LAB_HYSTERESIS_LAW,
  LAB_HYSTERESIS_RELATION /* cb_bending_prior_at, from other fabrics */
} lab_hysteresis_from;
extern const char *const lab_hysteresis_from_names[]; /* "numbers", "law", "relation" */

/* A number of the cloth outside the range of published fabrics (docs/method/drape-prediction.md, "Numbers
 * that no fabric has").
 */
typedef struct lab_drape_odd {
  const char *what; /* with its unit */
  double value, low, high;
} lab_drape_odd;
#define LAB_DRAPE_ODD_MAX 5

typedef struct lab_drape_cloth {
  char name[64]; /* "": from numbers alone */
  sim_material material;
  val_drape_doubt doubt;
  lab_hysteresis_from hysteresis_from;
  int64_t stretch_law_id, bending_law_id; /* laws of the store; 0: numbers */
  cb_origin origin;                       /* of its laws; CB_IMPORTED without laws */
  size_t n_odd;
  lab_drape_odd odd[LAB_DRAPE_ODD_MAX];
  bool from_drapes; /* its bending was inferred from drapes, so a drape is no prediction */
} lab_drape_cloth;

/* Makes a cloth from numbers and, if name is not NULL, the laws of that cloth for all that is not given. s
 * may be NULL without a name. Errors: CB_E_RANGE for a real law beside a virtual one; CB_E_NOTFOUND without
 * such a cloth, or if neither numbers nor laws give a value; CB_E_RANGE, CB_E_NUM for values that are no
 * material. */
CB_CHECKED cb_status lab_drape_cloth_make(cb_store *s, const char *name, const lab_drape_numbers *numbers,
                                          lab_drape_cloth *out, cb_err *err);

/* ---- comparison with measured drapes ---- */

typedef struct lab_drape_measured {
  int n;                                    /* measured drapes; 0: nothing to compare, all else is 0 */
  double mean, sd, u_each, nodes, nodes_sd; /* sd NAN for one; nodes NAN: not counted */
  int inside;                               /* drapes within the predicted band */
  double difference, allowed;               /* predicted less measured mean; E_n is difference / allowed */
  bool agrees;
  int too_early; /* drapes that were stored before the prediction was sealed; they are not among the n */
} lab_drape_measured;

/* Compares with one typed coefficient. */
void lab_drape_compare_number(double coefficient, const val_drape_statistics *predicted,
                              lab_drape_measured *out);
/* ---- the result ---- */

typedef struct lab_drape_prediction {
  lab_drape_cloth cloth;
  double support_cm, specimen_cm; /* diameters */
  int seeds;                      /* drapes requested */
  val_drape_foreseen foreseen; /* not known: nobody asked (lab_drape_foresee), or the table does not tell */
  val_drape_statistics predicted;
  lab_drape_measured measured;
  int64_t validation_id; /* of the verdict's row; 0: it was not kept */
  const lab_seal *seal;  /* the sealed prediction that this was read from, not owned; NULL: made now. With a
                            seal `predicted` has no `each`, and of `cloth` only names, laws and origin are
                            known */
} lab_drape_prediction;

/* Fills p->foreseen from a table of simulated drapes, in a second. e: the drapes that are asked for. Errors:
 * those of the table. */
CB_CHECKED cb_status lab_drape_foresee(const char *table_file, const val_drape_many *e,
                                       lab_drape_prediction *p, cb_err *err);

/* Fills a prediction from a sealed one, which must live as long. Error: CB_E_DB if it lacks a number. */
CB_CHECKED cb_status lab_drape_unseal(const lab_seal *seal, lab_drape_prediction *out, cb_err *err);

/* Compares p->predicted with the drapes of the cloth on discs of that size in the store: real ones, if the
 * laws behind the prediction are real; else the others. A sealed prediction is compared with drapes that were
 * stored after it. Error: CB_E_NOTFOUND without such a cloth. */
CB_CHECKED cb_status lab_drape_compare_stored(cb_store *s, lab_drape_prediction *p, cb_err *err);

/* Returns "pass" or "fail"; NULL if not all drapes were made or none was measured. A drape that did not
 * settle fails. */
const char *lab_drape_verdict(const lab_drape_prediction *p);
/* Stores the verdict on drapes of the store (lab_drape_compare_stored) as a row of `validation` with its laws
 * and drapes, and sets p->validation_id. The draped shape is stored, too (lab_drape_shape_keep). */
CB_CHECKED cb_status lab_drape_keep(cb_store *s, lab_drape_prediction *p, cb_err *err);

/* ---- the draped shape ---- */

/* Stores the shape of the drape in the middle. *id is its number; 0: the prediction has none, as a sealed
 * one. Error: CB_E_NOTFOUND without such a cloth. */
CB_CHECKED cb_status lab_drape_shape_keep(cb_store *s, const lab_drape_prediction *p, int64_t *id,
                                          cb_err *err);

/* What stands behind a stored shape: "stretch S3, bending typed". */
typedef struct lab_drape_behind {
  char text[120];
  bool older; /* than a law that there is now */
} lab_drape_behind;
CB_CHECKED cb_status lab_drape_shape_behind(cb_store *s, const cb_material *cloth,
                                            const cb_drape_shape *shape, lab_drape_behind *out, cb_err *err);

/* What a stored verdict predicted. */
typedef struct lab_drape_predicted {
  double support_cm, specimen_cm; /* diameters; NAN: unknown, as all below */
  int seeds;                      /* drapes made */
  val_spread drape_coefficient, nodes, amplitude_m;
} lab_drape_predicted;
/* Reads it from the document of a row of `validation` for "drape". Error: CB_E_DB for another document. */
CB_CHECKED cb_status lab_drape_predicted_read(const char *text, lab_drape_predicted *out, cb_err *err);

/* Makes the document of docs/reference/json, "validate drape", for at least one drape. Returns NULL
 * without memory. The caller calls json_decref. */
json_t *lab_drape_prediction_json(const lab_drape_prediction *p);

#endif
