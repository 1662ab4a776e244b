/* One campaign with its conditions, its runs and their points. */
#ifndef LAB_CAMPAIGN_H
#define LAB_CAMPAIGN_H

#include "cb_store.h"

typedef struct lab_campaign_run {
  cb_run run;
  bool has_point; /* the run was reduced */
  cb_friction_point point;
} lab_campaign_run;

typedef struct lab_campaign {
  cb_campaign facts;
  cb_conditions conditions;
  char preset[32];        /* of the campaign file */
  lab_campaign_run *runs; /* owned; in order of their ids */
  size_t n_runs;
} lab_campaign;

/* Loads a campaign. The caller calls lab_campaign_clear, even after an error. Error: CB_E_NOTFOUND without
 * this id. */
CB_CHECKED cb_status lab_campaign_load(cb_store *s, int64_t id, lab_campaign *out, cb_err *err);
void lab_campaign_clear(lab_campaign *c);

#endif
