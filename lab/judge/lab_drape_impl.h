/* The law and the stored document of lab_drape.h, and judged numbers of lab_drape_prediction.h, private to
 * lab/. */
#ifndef LAB_DRAPE_IMPL_H
#define LAB_DRAPE_IMPL_H

#include "cb_store_drape.h"
#include "lab_drape.h"
#include "lab_drape_prediction.h"

/* Reads the text of a column. The caller calls lab_drape_clear, even after an error. Errors: CB_E_PARSE,
 * CB_E_RANGE for a wrong law; CB_E_DB for another document. */
CB_CHECKED cb_status lab_drape_read(const char *text, lab_drape *out, cb_err *err);

/* Fills c->odd from the material. */
void lab_drape_judge_numbers(lab_drape_cloth *c);

/* Measured drapes for lab_drape_fit: rows of the store, files, or numbers. */

typedef struct lab_drape_data {
  val_drape_group group[VAL_DRAPE_SPECIMENS_MAX];
  int n_groups;
  int64_t *drape_id; /* owned; rows in the store */
  size_t n_ids;
  cb_origin origin;
  bool mass_known;
  double mass_kg_per_m2;
  double stretch_N_per_m; /* NAN: not known */
} lab_drape_data;

/* Gathers the drapes from the store if s is not NULL, else from files or numbers. Clear *out in any case. */
CB_CHECKED cb_status lab_drape_gather(const lab_drape_request *q, cb_store *s, const val_drape_model *m,
                                      lab_drape_data *out, cb_err *err);
void lab_drape_data_clear(lab_drape_data *d);

#endif
