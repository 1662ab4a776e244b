/* From measured drapes to the bending of the cloth: drapes of the store, files or numbers, by
 * val_drape_infer, to a law in the store. docs/method/drape-inverse.md has what follows from drapes and what
 * does not. Nothing here prints. */
#ifndef LAB_DRAPE_H
#define LAB_DRAPE_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_drape_test.h"
#include "cb_store.h"
#include "fit_drape.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */
#include "val_drape_inverse.h"

/* The method of such a law starts with this. */
#define LAB_DRAPE_METHOD "drape/1"

/* The drapes: of a cloth in the store, of files, or typed numbers. NAN: not given. */
typedef struct lab_drape_request {
  const char *table_file; /* the table of simulated drapes (val_drape_table.h) */
  const char *cloth;      /* in the store; NULL: files or numbers */
  int origin; /* a cb_origin, to use only its drapes; LAB_ANY_ORIGIN: all but virtual and simulated ones */
  const char *const *files;
  size_t n_files;
  /* typed: coefficient, its uncertainty and scatter, means of nodes and amplitude, number of drapes */
  double measured, u_measured, sd_measured, nodes, amplitude_m, drapes;
  double specimen_m, support_m, scale_m_per_px; /* of files and typed numbers; diameters */
  double areal_mass_kg_per_m2, u_mass_rel;      /* NAN: that of the cloth in the store; 0.01 */
  double stretch_N_per_m; /* root of warp x weft; NAN: by the law of the cloth in the store */
  int stiffer;            /* the stiffer direction: 1 warp, -1 weft, 0 unknown */
} lab_drape_request;

/* One sign (val_drape_cloth.h) of the drapes of one size, on its natural scale. */
typedef struct lab_drape_sign {
  bool known; /* false: all else 0 */
  double measured;
  double sd; /* between the drapes; NAN for one */
  double u;
  double prior_lo95, prior_hi95, expected, lo95, hi95; /* of the mean: by the prior, by the posterior */
  bool inside;
} lab_drape_sign;

typedef struct lab_drape_group {
  double support_cm, specimen_cm; /* diameters */
  int drapes;
  lab_drape_sign sign[VAL_DRAPE_SIGNS];
} lab_drape_group;

/* The result. Read from the store, estimate[].prior_mean_ln is NAN: the document lacks it. */
typedef struct lab_drape {
  char cloth[64]; /* "": files or numbers */
  val_drape_outcome outcome;
  cb_origin origin;
  bool has_law; /* false: the outcome gives none, or the areal mass is unknown */
  cb_bending_law law;
  int64_t law_id; /* row in the store; 0: not stored */
  lab_drape_group group[VAL_DRAPE_SPECIMENS_MAX];
  size_t n_groups;
  val_drape_estimate estimate[VAL_DRAPE_UNKNOWNS];
  double covariance[VAL_DRAPE_FREE][VAL_DRAPE_FREE]; /* of ln B, ln ratio, ln G */
  val_drape_direction direction[VAL_DRAPE_FREE];     /* best known first */
  double p, at_limp_end, at_stiff_end;
  val_drape_prior prior;
  bool mass_known, stretch_known;
  int64_t *drape_id; /* owned; rows in the store */
  size_t n_drapes;
} lab_drape;

/* Infers the cloth, and stores a law if there is one. s NULL: files or numbers only, and nothing is stored.
 * No outcome is an error. The caller calls lab_drape_clear, even after an error. Errors: CB_E_NOTFOUND
 * without such a cloth or drapes; CB_E_RANGE for discs that the table lacks; those of files and store. */
CB_CHECKED cb_status lab_drape_fit(cb_store *s, const lab_drape_request *q, lab_drape *out, cb_err *err);

/* Reads the newest law of the cloth with what its inference found. The caller calls lab_drape_clear, even
 * after an error. Errors: CB_E_NOTFOUND without a law; CB_E_DB if the newest law is not from drapes. */
CB_CHECKED cb_status lab_drape_stored(cb_store *s, const char *cloth, lab_drape *out, cb_err *err);
void lab_drape_clear(lab_drape *d);

/* Makes the document of docs/reference/json, "fit drape", which is stored (with law_id null) and printed
 * by --json. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_drape_json(const lab_drape *d);

/* Reads the outline of a stored drape: radii [m] about the centroid, at 0, 1 ... degrees. *known is false for
 * a typed coefficient. Error: CB_E_PARSE for another outline. */
CB_CHECKED cb_status lab_drape_outline(cb_store *s, const cb_drape_test *t, double radius_m[FIT_DRAPE_ANGLES],
                                       bool *known, cb_err *err);

#endif
