/* The friction of one pair over time, or what is read of a weight: a point for every day, its control charts,
 * its alarms. */
#ifndef LAB_CHART_H
#define LAB_CHART_H

#include <jansson.h>

#include "cb_friction_law.h"
#include "cb_store.h"
#include "fit_chart.h"
#include "lab_selection.h"

typedef struct lab_chart_query {
  const char *cloth, *body;
  double weight_kg; /* 0: a pair is charted; else this weight as `rig live --record` reads it, on sel.rig */
  cb_friction_kind kind;
  double angle_deg, normal_force_N; /* NAN: those of most runs */
  bool by_campaign;                 /* a point for every campaign in place of every day */
  size_t baseline;                  /* first points that give the limits; 0: all */
  lab_selection sel;
} lab_chart_query;

typedef struct lab_chart_point {
  char day[11];                /* of its first run, UTC */
  int64_t campaign_id, run_id; /* of its first run */
  size_t n;
  /* Mean of n runs, of a weight the force that was read over its own; its standard uncertainty from their
   * scatter, of one run its own. */
  double mu, u;
} lab_chart_point;

typedef struct lab_chart {
  char cloth[64], body[64]; /* "the weight of 200 g" and the rig */
  double weight_kg;         /* 0: a pair */
  cb_friction_kind kind;
  cb_origin origin;
  double angle_deg, normal_force_N;
  double u_rel_shared; /* of the calibration and the load, which all points share */
  cb_run *runs;        /* owned; n_runs, in the order of the points */
  size_t n_runs;
  lab_chart_point *points; /* owned */
  size_t n;
  fit_chart chart; /* its indices are those of the points */
} lab_chart;

/* Makes the charts. Real runs count, or the virtual ones where there are no others. The caller calls
 * lab_chart_clear, even after an error. Errors: CB_E_NOTFOUND without such a material, or such runs; those of
 * lab_selection_check. */
CB_CHECKED cb_status lab_chart_make(cb_store *s, const lab_chart_query *q, lab_chart *out, cb_err *err);
void lab_chart_clear(lab_chart *c);

/* "Twill on Steel, kinetic friction at 0 deg, 2 N". */
void lab_chart_what(const lab_chart *c, char out[240]);

/* Returns whether an alarm (fit_chart.h; not a warning) holds the newest point. */
bool lab_chart_is_alarmed(const lab_chart *c);

/* Makes the document of docs/reference/json, "chart". Returns NULL without memory. */
json_t *lab_chart_json(const lab_chart *c);

#endif
