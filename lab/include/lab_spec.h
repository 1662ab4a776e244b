/* A specification file: limits of friction coefficients, and whether a pair keeps them. */
#ifndef LAB_SPEC_H
#define LAB_SPEC_H

#include "fit_decision.h"
#include "lab_chart.h"

#define LAB_SPEC_MAX 32

/* A line of the file, and what is measured of it. */
typedef struct lab_spec {
  int kind; /* cb_friction_kind */
  double angle_deg, normal_force_N;
  double lower, upper; /* infinite: none */
  size_t n;            /* points (lab_chart.h) behind the mean */
  double mu, u, dof;   /* u: scatter of the points, calibration and load */
  fit_decision decision;
  double cp, cpk, u_cpk; /* NAN: fewer than FIT_CAPABILITY_LEAST points */
} lab_spec;

/* Reads a specification, and judges every line by all selected runs of the pair (q: cloth, body, by_campaign
 * and sel). Errors: those of cb_yaml_bind and lab_chart_make. */
CB_CHECKED cb_status lab_spec_judge(cb_store *s, const char *path, const lab_chart_query *q,
                                    lab_spec list[LAB_SPEC_MAX], size_t *n, cb_err *err);

/* Makes the document of docs/reference/json, "chart SPEC". Returns NULL without memory. */
json_t *lab_spec_json(const lab_chart_query *q, const lab_spec *list, size_t n);

#endif
