/* Contents of a database: materials, campaigns, and the newest law of every kind. */
#ifndef LAB_CONTENTS_H
#define LAB_CONTENTS_H

#include <jansson.h>

#include "cb_store_specimen.h"

typedef struct lab_contents_material {
  cb_material facts;
  size_t tests, drapes;
} lab_contents_material;

typedef struct lab_contents_campaign {
  cb_campaign facts; /* without plan_text */
  size_t runs, runs_done, runs_voided, runs_flagged;
} lab_contents_campaign;

typedef struct lab_contents_law {
  int64_t id;
  const char *law;          /* "friction", "self-friction", or the name of a cb_material_law_kind */
  char cloth[64], body[64]; /* "": the law is of the other alone */
  bool is_friction;         /* kind, model, loads and their range are valid */
  cb_friction_kind kind;
  cb_friction_model model;
  size_t loads;
  double lowest_normal_force_N, highest_normal_force_N;
  char form[64];
  cb_origin origin;
  char created_at[32];
  size_t points, tests; /* that it was fitted to; 0: unknown */
} lab_contents_law;

typedef struct lab_contents {
  lab_contents_material *materials; /* owned; likewise the three below */
  lab_contents_campaign *campaigns; /* oldest first */
  lab_contents_law *laws;
  cb_specimen *specimens;
  size_t n_materials, n_campaigns, n_laws, n_specimens;
} lab_contents;

/* Reads the contents. most > 0: for a look at some of it; only so many friction laws are listed, and only the
 * runs of so many newest campaigns are counted. The caller calls lab_contents_clear, even after an error. */
CB_CHECKED cb_status lab_contents_read(cb_store *s, size_t most, lab_contents *out, cb_err *err);

/* What a database holds and what is due: an object of lists of {"of", "n"}. "totals" of cloths, bodies ...;
 * "runs" by status; "laws" that count, by kind; "laws_due": F12 is older than n of its runs. Without n:
 * "calibrations_due", that end within 30 days and have no successor; "campaigns_due", unfinished;
 * "alarms_due" (lab_alarm.h): "run 12 ewma point". The caller releases *out. Errors: those of
 * cb_store_query. */
#define LAB_SUMMARY_LISTS 7
extern const char *const lab_summary_lists[LAB_SUMMARY_LISTS];
/* Those calibrations as a question in SQL: calibration, rig, cell, certificate, valid_until. */
extern const char lab_calibrations_due[];
CB_CHECKED cb_status lab_summary_read(cb_store *s, json_t **out, cb_err *err);
void lab_contents_clear(lab_contents *c);

/* Makes the document of docs/reference/json, "db ls". db: the path that it names. NULL: no memory. */
json_t *lab_contents_json(const char *db, const lab_contents *c);

#endif
