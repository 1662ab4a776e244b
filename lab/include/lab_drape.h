/* From measured drapes back to the bending of the cloth: drapes of the store, files or numbers ->
 * val_drape_infer -> a law in the store, and back. docs/drape.md says what follows from drapes and what does
 * not.
 */
#ifndef LAB_DRAPE_H
#define LAB_DRAPE_H

#include <jansson.h>

#include "cb_bending_law.h"
#include "cb_store.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */
#include "val_drape_inverse.h"

/* How the method of such a law begins. */
#define LAB_DRAPE_METHOD "drape/1"

/* One of three: a cloth of the store, files, or typed numbers. NAN: not given. */
typedef struct lab_drape_request {
  const char *table_file; /* of simulated drapes: val_drape_table.h */
  const char *cloth;      /* of the store; NULL: files or numbers */
  int origin; /* only its drapes of that cb_origin; LAB_ANY_ORIGIN: all but virtual and simulated ones */
  const char *const *files;
  size_t n_files;
  /* typed: a coefficient and means of so many drapes */
  double measured, u_measured, sd_measured, nodes, amplitude_m, drapes;
  double specimen_m, support_m, scale_m_per_px; /* of files and of what was typed */
  double areal_mass_kg_per_m2, u_mass_rel;      /* NAN: the cloth's in the store; 0.01 */
  int stiffer;                                  /* 1: warp is the stiffer direction, -1: weft, 0: not known */
} lab_drape_request;

/* A sign of the drapes of one size, on its natural scale. */
typedef struct lab_drape_sign {
  bool known; /* false: all else 0 */
  double measured;
  double sd; /* between the drapes; NAN of one */
  double u;
  double prior_lo95, prior_hi95, expected, lo95, hi95; /* of the mean: before, and by what was found */
  bool inside;
} lab_drape_sign;

typedef struct lab_drape_group {
  double support_cm, specimen_cm; /* diameters */
  int drapes;
  lab_drape_sign sign[VAL_DRAPE_SIGNS];
} lab_drape_group;

/* From a text, estimate[].prior_mean_ln is NAN: the document does not hold it. */
typedef struct lab_drape {
  char cloth[64]; /* "": files or numbers */
  val_drape_outcome outcome;
  cb_origin origin;
  bool has_law; /* false: the outcome is another, or the areal mass is not known */
  cb_bending_law law;
  int64_t law_id; /* row in the store; 0: none */
  lab_drape_group group[VAL_DRAPE_SPECIMENS_MAX];
  size_t n_groups;
  val_drape_estimate estimate[VAL_DRAPE_UNKNOWNS];
  double covariance[VAL_DRAPE_FREE][VAL_DRAPE_FREE]; /* of ln B, ln ratio, ln G */
  val_drape_direction direction[VAL_DRAPE_FREE];     /* best known first */
  double p, at_limp_end, at_stiff_end;
  val_drape_prior prior;
  bool mass_known;
  int64_t *drape_id; /* owned; of the store */
  size_t n_drapes;
} lab_drape;

/* s NULL: files or numbers, and nothing is stored. Any outcome is no error; a law is stored where there is
 * one. CB_E_NOTFOUND: no such cloth or drapes. CB_E_RANGE: the table has no such discs. Caller:
 * lab_drape_clear, also after a failure. */
CB_CHECKED cb_status lab_drape_fit(cb_store *s, const lab_drape_request *q, lab_drape *out, cb_err *err);

/* The newest law of the cloth, if it is one of drapes, with what its fit said. CB_E_DB: it is another.
 * Caller: lab_drape_clear, also after a failure. */
CB_CHECKED cb_status lab_drape_stored(cb_store *s, const char *cloth, lab_drape *out, cb_err *err);
void lab_drape_clear(lab_drape *d);

/* The document of docs/json.md, "fit drape": of the column, where law_id is null, and of --json. NULL: no
 * memory. Caller: json_decref. */
json_t *lab_drape_json(const lab_drape *d);

#endif
