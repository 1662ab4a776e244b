/* Measured drapes for lab_drape_fit: rows of the store, files, or numbers. Private to lab/. */
#ifndef LAB_DRAPE_DATA_H
#define LAB_DRAPE_DATA_H

#include "cb_store_drape.h"
#include "lab_drape.h"

typedef struct lab_drape_data {
  val_drape_group group[VAL_DRAPE_SPECIMENS_MAX];
  int n_groups;
  int64_t *drape_id; /* owned; rows in the store */
  size_t n_ids;
  cb_origin origin;
  bool mass_known;
  double mass_kg_per_m2;
} lab_drape_data;

/* Gathers the drapes from the store if s is not NULL, else from files or numbers. Clear *out in any case. */
CB_CHECKED cb_status lab_drape_gather(const lab_drape_request *q, cb_store *s, const val_drape_model *m,
                                      lab_drape_data *out, cb_err *err);
void lab_drape_data_clear(lab_drape_data *d);

#endif
