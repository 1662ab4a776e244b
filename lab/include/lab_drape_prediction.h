/* How a cloth is expected to drape, from numbers or from its laws in the store, and how it draped.
 * docs/drape.md. */
#ifndef LAB_DRAPE_PREDICTION_H
#define LAB_DRAPE_PREDICTION_H

#include <jansson.h>

#include "cb_store.h"
#include "val_drape.h"

/* ---- the cloth ---- */

/* Numbers that somebody typed; NAN: not given. Shear: force per width over the shear angle in radians.
 * Bending: B per width. Two numbers: warp, weft. Uncertainties are relative. */
typedef struct lab_drape_numbers {
  double areal_density_kg_per_m2, thickness_m, stretch_N_per_m[2], shear_N_per_m, bend_Nm[2];
  double hysteresis_N[2]; /* 2HB of KES-FB2 */
  /* of the numbers; NAN: 0.01, 0.1, 0.1, 0.1, or the law's own; of the onset 0.7 */
  double u_mass_rel, u_stretch_rel, u_shear_rel, u_bend_rel, u_hysteresis_rel, u_onset_rel;
} lab_drape_numbers;

typedef enum lab_hysteresis_from {
  LAB_HYSTERESIS_NUMBERS,
  LAB_HYSTERESIS_LAW,
  LAB_HYSTERESIS_RELATION /* cb_bending_hysteresis_relation: other fabrics' */
} lab_hysteresis_from;
extern const char *const lab_hysteresis_from_names[]; /* "numbers", "law", "relation" */

typedef struct lab_drape_cloth {
  char name[64]; /* "": numbers alone */
  sim_material material;
  val_drape_doubt doubt;
  lab_hysteresis_from hysteresis_from;
  int64_t stretch_law_id, bending_law_id; /* of the store; 0: numbers */
  bool from_drapes; /* its bending was found by lab_drape_fit: drapes of it are no prediction */
} lab_drape_cloth;

/* A cloth of numbers and, where name is not NULL, of the laws of that cloth for what was not given. s: may be
 * NULL without a name. CB_E_NOTFOUND: no such cloth, or neither numbers nor laws give something. CB_E_RANGE,
 * CB_E_NUM: it is no material. */
CB_CHECKED cb_status lab_drape_cloth_make(cb_store *s, const char *name, const lab_drape_numbers *numbers,
                                          lab_drape_cloth *out, cb_err *err);
/* The first slope of a curve [N/m]. */
double lab_first_slope(const sim_curve *c);

/* ---- against what was measured ---- */

typedef struct lab_drape_measured {
  int n;                                    /* 0: nothing to compare with, and all else is 0 */
  double mean, sd, u_each, nodes, nodes_sd; /* sd NAN of one; nodes NAN: not counted */
  int inside;                               /* of the predicted band */
  double difference, allowed;               /* predicted less measured mean; E_n is their quotient */
  bool agrees;
} lab_drape_measured;

/* With one typed coefficient. */
void lab_drape_compare_number(double coefficient, const val_drape_statistics *predicted,
                              lab_drape_measured *out);
/* With the drapes of the cloth on discs of that size, but for virtual and simulated ones. CB_E_NOTFOUND: no
 * such cloth. */
CB_CHECKED cb_status lab_drape_compare_stored(cb_store *s, const char *cloth, const fit_drape_setup *size,
                                              const val_drape_statistics *predicted, lab_drape_measured *out,
                                              cb_err *err);

/* ---- the whole ---- */

typedef struct lab_drape_prediction {
  lab_drape_cloth cloth;
  double support_cm, specimen_cm; /* diameters */
  int seeds;                      /* drapes that were asked for */
  val_drape_statistics predicted;
  lab_drape_measured measured;
  int64_t validation_id; /* of the verdict's row; 0: it was not kept */
} lab_drape_prediction;

/* "pass", "fail"; NULL: not all drapes were made, or nothing was measured. A drape that did not settle
   fails. */
const char *lab_drape_verdict(const lab_drape_prediction *p);
/* Keeps the verdict on drapes of the store (lab_drape_compare_stored) as a row of `validation` with the laws
 * and drapes behind it, and sets p->validation_id. */
CB_CHECKED cb_status lab_drape_keep(cb_store *s, lab_drape_prediction *p, cb_err *err);
/* docs/json.md, "validate drape". At least one drape was made. NULL: no memory. Caller: json_decref. */
json_t *lab_drape_prediction_json(const lab_drape_prediction *p);

#endif
