/* All that is in one run's record: its point with names, mu and detail. Computed from the raw samples;
 * nothing is stored or printed. */
#ifndef LAB_RECORD_H
#define LAB_RECORD_H

#include "lab_point.h"

typedef struct lab_record {
  cb_run run;
  char cloth[64], body[64];
  cb_friction_point point;
  lab_point_detail detail; /* owned */
  double normal_force_N;   /* NAN: not known, and then mu is neither */
  double mu, u_mu;         /* kinetic force over load, with its standard uncertainty, without calibration */
} lab_record;

/* CB_E_NOTFOUND: no such run. Caller: lab_record_clear, also after a failure. */
CB_CHECKED cb_status lab_record_read(cb_store *s, int64_t run_id, lab_record *r, cb_err *err);
void lab_record_clear(lab_record *r);
/* docs/json.md, `fit trace`. NULL: no memory. */
json_t *lab_record_json(const lab_record *r);

#endif
