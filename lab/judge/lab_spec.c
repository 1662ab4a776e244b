#include "lab_spec_parts.h"

#include <math.h>
#include <stdlib.h>

#include "cb_json.h"
#include "cb_stats.h"

/* ---- the file ---- */

typedef struct line {
  lab_spec spec;
  double mu, tolerance;
} line;

static const cb_yfield fields[] = {
    {"kind", CB_Y_ENUM, offsetof(line, spec.kind), .choices = cb_friction_kind_names},
    {"angle_deg", CB_Y_NUM, offsetof(line, spec.angle_deg), .min = -360, .max = 360},
    {"normal_force_N", CB_Y_NUM, offsetof(line, spec.normal_force_N), .required = true, .min = 1e-6,
     .max = 1e6},
    {"at_least", CB_Y_NUM, offsetof(line, spec.lower), .min = 0, .max = 1000},
    {"at_most", CB_Y_NUM, offsetof(line, spec.upper), .min = 0, .max = 1000},
    {"mu", CB_Y_NUM, offsetof(line, mu), .min = 0, .max = 1000},
    {"tolerance", CB_Y_NUM, offsetof(line, tolerance), .min = 1e-9, .max = 1000},
};

static cb_status read_line(cb_ynode at, lab_spec *out, cb_err *err) {
  line l = {{.kind = CB_FRICTION_KINETIC, .lower = -INFINITY, .upper = INFINITY}, NAN, NAN};
  CB_TRY(cb_yaml_bind(at, fields, sizeof fields / sizeof fields[0], &l, err));
  const bool limits = isfinite(l.spec.lower) || isfinite(l.spec.upper);
  if (isfinite(l.mu) != isfinite(l.tolerance) || isfinite(l.mu) == limits)
    return cb_yaml_fail(at, err, CB_E_PARSE, "'mu' with 'tolerance', or 'at_least' or 'at_most' was wanted");
  if (!limits) l.spec.lower = l.mu - l.tolerance;
  if (!limits) l.spec.upper = l.mu + l.tolerance;
  *out = l.spec;
  return l.spec.lower < l.spec.upper
             ? CB_OK
             : cb_yaml_fail(at, err, CB_E_RANGE, "at_least = %g: must be < at_most = %g", l.spec.lower,
                            l.spec.upper);
}

typedef struct root_nodes {
  cb_ynode lines, head;
} root_nodes;

cb_status lab_spec_read(const cb_yaml *doc, lab_spec list[LAB_SPEC_MAX], size_t *n, cb_ynode *head,
                        cb_err *err) {
  static const cb_yfield root[] = {
      {"spec", CB_Y_NODE, offsetof(root_nodes, lines), .required = true},
      {"certificate", CB_Y_NODE, offsetof(root_nodes, head)},
  };
  root_nodes nodes = {0};
  CB_TRY(cb_yaml_bind(cb_yaml_root(doc), root, 2, &nodes, err));
  const cb_ynode lines = nodes.lines;
  if (head) *head = nodes.head;
  *n = cb_yaml_count(lines);
  if (!cb_yaml_is_list(lines) || *n == 0 || *n > LAB_SPEC_MAX)
    return cb_yaml_fail(lines, err, CB_E_PARSE, "spec: a list of 1 to %d lines was wanted", LAB_SPEC_MAX);
  for (size_t i = 0; i < *n; i++) CB_TRY(read_line(cb_yaml_item(lines, i), &list[i], err));
  return CB_OK;
}

/* ---- the verdict ---- */

/* Of the mean: scatter from point to point, or of one point its own; with what all points share. */
static void measure(const lab_chart *c, const double *mu, lab_spec *out) {
  double n_eff = (double)c->points[0].n, own = c->points[0].u;
  if (c->n > 1) own = cb_mean_uncertainty(mu, c->n, &n_eff);
  const double dof = n_eff > 1 ? fmax(1, n_eff - 1) : INFINITY;
  out->n = c->n;
  out->mu = cb_mean(mu, c->n);
  out->u = hypot(own, out->mu * c->u_rel_shared);
  out->dof = own > 0 ? dof * pow(out->u / own, 4) : INFINITY; /* GUM, G.4; the shared part is known well */
}

cb_status lab_spec_judge_line(cb_store *s, const lab_chart_query *query, lab_spec *out, lab_chart *c,
                              cb_err *err) {
  lab_chart_query q = *query;
  q.kind = (cb_friction_kind)out->kind;
  q.angle_deg = out->angle_deg;
  q.normal_force_N = out->normal_force_N;
  q.baseline = 0;
  CB_TRY(lab_chart_make(s, &q, c, err));
  double *mu = calloc(c->n, sizeof *mu);
  if (!mu) return cb_no_memory(err, "%zu points", c->n);
  for (size_t i = 0; i < c->n; i++) mu[i] = c->points[i].mu;
  measure(c, mu, out);
  free(mu);
  out->decision = (fit_decision){FIT_UNDECIDED, NAN, NAN}; /* nothing says how uncertain it is */
  if (out->u > 0) out->decision = fit_decide(out->mu, out->u, out->dof, out->lower, out->upper);
  out->cp = out->cpk = out->u_cpk = NAN;
  if (c->n >= FIT_CAPABILITY_LEAST && c->chart.limits.n > 0)
    out->cpk = fit_capability(out->mu, c->chart.limits.sigma, (double)c->n, out->lower, out->upper, &out->cp,
                              &out->u_cpk);
  return CB_OK;
}

cb_status lab_spec_judge(cb_store *s, const char *path, const lab_chart_query *q, lab_spec list[LAB_SPEC_MAX],
                         size_t *n, cb_err *err) {
  cb_yaml *doc;
  *n = 0;
  CB_TRY(cb_yaml_load(path, &doc, err));
  cb_status st = lab_spec_read(doc, list, n, NULL, err);
  cb_yaml_free(doc);
  for (size_t i = 0; st == CB_OK && i < *n; i++) {
    lab_chart c;
    st = lab_spec_judge_line(s, q, &list[i], &c, err);
    lab_chart_clear(&c);
  }
  return st;
}

json_t *lab_spec_json(const lab_chart_query *q, const lab_spec *list, size_t n) {
  json_t *lines = json_array();
  for (size_t i = 0; i < n; i++) {
    const lab_spec *l = &list[i];
    (void)json_array_append_new(
        lines,
        json_pack("{s:s, s:o, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o}", "kind",
                  cb_friction_kind_names[l->kind], "angle_deg", cb_json_real(l->angle_deg), "normal_force_N",
                  cb_json_real(l->normal_force_N), "at_least", cb_json_real(l->lower), "at_most",
                  cb_json_real(l->upper), "points", (json_int_t)l->n, "mu", cb_json_real(l->mu), "u_mu",
                  cb_json_real(l->u), "u95_mu", cb_json_real(l->decision.U), "dof", cb_json_real(l->dof),
                  "verdict", fit_decision_names[l->decision.verdict], "p_outside",
                  cb_json_real(l->decision.p_outside), "cp", cb_json_real(l->cp), "cpk", cb_json_real(l->cpk),
                  "u_cpk", cb_json_real(l->u_cpk)));
  }
  return json_pack("{s:s, s:s, s:o}", "cloth", q->cloth, "body", q->body, "lines", lines);
}
