/* Everything in the record of one run: point, names, coefficient and details. It is computed from the raw
 * samples; nothing is stored or printed. */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "lab_point.h"

typedef struct lab_record {
  cb_run run;
  char cloth[64], body[64];
  cb_friction_point point;
  lab_point_detail detail; /* owned */
  double normal_force_N;   /* NAN: unknown, and so is mu */
  double mu, u_mu;         /* kinetic force over load; u_mu without the uncertainty of the calibration */
} lab_record;

/* Reads and reduces a run. The caller calls lab_record_clear, even after an error. Error: CB_E_NOTFOUND
 * without such a run. */
CB_CHECKED cb_status lab_record_read(cb_store *s, int64_t run_id, lab_record *r, cb_err *err);
/* Reads a run with the point that was stored of it, if any, and without details: of an imported point, which
 * has no samples. Error: as above. */
CB_CHECKED cb_status lab_record_stored(cb_store *s, int64_t run_id, lab_record *r, cb_err *err);
void lab_record_clear(lab_record *r);
/* Makes the document of docs/reference/json, `fit trace`. Returns NULL without memory. The caller calls
 * json_decref. */
json_t *lab_record_json(const lab_record *r);

#endif
