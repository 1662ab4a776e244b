/* One campaign with its conditions, its runs, and what they come to. */
#ifndef LAB_CAMPAIGN_H
#define LAB_CAMPAIGN_H

#include "cb_store.h"

typedef struct lab_campaign_run {
  cb_run run;
  bool has_point; /* it was reduced */
  cb_friction_point point;
} lab_campaign_run;

typedef struct lab_campaign {
  cb_campaign facts;
  cb_conditions conditions;
  char preset[32];
  lab_campaign_run *runs; /* owned; by id */
  size_t n_runs;
} lab_campaign;

/* CB_E_NOTFOUND: there is none with this number. Caller: lab_campaign_clear, also after a failure. */
CB_CHECKED cb_status lab_campaign_load(cb_store *s, int64_t id, lab_campaign *out, cb_err *err);
void lab_campaign_clear(lab_campaign *c);

#endif
