/* clothbench fit self-friction: pulls of cloth on cloth, both angles known -> a law of two tensors. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cli_friction.h"
#include "cli_kind.h"
#include "cli_pooled.h"
#include "cb_law_json.h"
#include "fit_self_friction.h"

#define SAME_SPEED 1.02 /* speeds this close are one, as in fit_friction */

typedef struct request {
  const char *cloth, *body, *db, *origin;
  bool json;
} request;

/* ---- the runs ---- */

typedef struct pulls {
  cb_friction_obs *obs; /* owned */
  size_t n, n_unknown, n_without, n_other_speed;
} pulls;

static size_t keep_origin(cb_friction_obs *obs, size_t n, const char *origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (!origin || strcmp(cb_origin_names[obs[i].run.origin], origin) == 0) obs[kept++] = obs[i];
  return kept;
}

static bool same_speed(const cb_run *a, const cb_run *b) {
  double low = fmin(a->speed_m_per_s, b->speed_m_per_s), high = fmax(a->speed_m_per_s, b->speed_m_per_s);
  return high <= SAME_SPEED * low || high == low;
}

/* Those that can say something: both angles, and a force. */
static void keep_usable(pulls *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++) {
    bool known = isfinite(p->obs[i].run.body_angle_deg), force = p->obs[i].point.kinetic_N > 0;
    p->n_unknown += !known;
    p->n_without += known && !force;
    if (known && force) p->obs[kept++] = p->obs[i];
  }
  p->n = cb_friction_obs_keep_most(p->obs, kept, same_speed);
  p->n_other_speed = kept - p->n;
}

static cb_status check_alike(const request *q, const cb_store *s, const pulls *p, cb_err *err) {
  const cb_run *first = &p->obs[0].run;
  for (size_t i = 1; i < p->n; i++) {
    const cb_run *r = &p->obs[i].run;
    if (r->origin != first->origin)
      return cb_fail(err, CB_E_RANGE,
                     "%s: runs of '%s' on '%s' are %s and %s: a law comes from one of them, --origin measured, imported or virtual "
                     "chooses",
                     cb_store_path(s), q->cloth, q->body, cb_origin_names[first->origin], cb_origin_names[r->origin]);
    if (fabs(r->contact_area_m2 / first->contact_area_m2 - 1) > 1e-6)
      return cb_fail(err, CB_E_RANGE, "%s: runs of '%s' on '%s' were made on %g and %g cm2: one contact area was wanted", cb_store_path(s),
                     q->cloth, q->body, 1e4 * first->contact_area_m2, 1e4 * r->contact_area_m2);
  }
  return CB_OK;
}

static cb_status gather(const request *q, cb_store *s, pulls *p, cb_err *err) {
  cb_material cloth, body;
  size_t reduced;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, q->body, &body, err));
  CB_TRY(cli_friction_reduce(s, 0, &reduced, err));
  if (reduced) cli_say("fit", "%zu run%s reduced to friction points", reduced, reduced == 1 ? " was" : "s were");
  CB_TRY(cli_friction_observations(s, cloth.id, body.id, &p->obs, &p->n, err));
  p->n = keep_origin(p->obs, p->n, q->origin);
  keep_usable(p);
  if (p->n > 0) return check_alike(q, s, p, err);
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no finished %s%sruns of '%s' on '%s' with the body's angle known: body_angles_deg in a campaign file, or "
                 "the column body_angle_deg of 'import friction', says it",
                 cb_store_path(s), q->origin ? q->origin : "", q->origin ? " " : "", q->cloth, q->body);
}

/* ---- the fit ---- */

/* Where the pulls were made under one load: the slope of the pair's own law there, or 1. */
static cb_status exponent_of(const request *q, cb_store *s, const pulls *p, fit_self_options *opt, cb_err *err) {
  cb_friction_law law;
  double N = p->obs[0].run.normal_force_N, low[3], high[3];
  opt->exponent = 1;
  opt->u_exponent = FIT_SELF_U_EXPONENT;
  opt->exponent_from = CB_SELF_EXPONENT_ASSUMED;
  cb_status st = cb_store_law_find(s, q->cloth, q->body, CB_FRICTION_KINETIC, &law, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  if (law.n_knots < 2 || cb_origin_is_real(law.origin) != cb_origin_is_real(p->obs[0].run.origin)) return CB_OK;
  cb_friction_law_matrix(&law, N / 1.1, low);
  cb_friction_law_matrix(&law, N * 1.1, high);
  opt->exponent = log((high[0] + high[2]) / (low[0] + low[2])) / (2 * log(1.1));
  opt->u_exponent = cb_friction_law_u_exponent(&law, 1);
  opt->exponent_from = CB_SELF_EXPONENT_PAIR;
  return CB_OK;
}

/* What all forces share: the calibration, and the cart, which is under every load. */
static void share(const pulls *p, cb_self_friction_law *law) {
  double calibration = 0, load = 0;
  for (size_t i = 0; i < p->n; i++) {
    const cb_friction_obs *o = &p->obs[i];
    calibration = fmax(calibration, o->u_rel_calibration);
    load = fmax(load, o->run.u_normal_force_N / o->run.normal_force_N);
    law->u_floor_N = fmax(law->u_floor_N, o->u_floor_calibration_N);
  }
  law->u_rel_common = hypot(calibration, law->form.p[1] * load);
}

static cb_status fit(const request *q, cb_store *s, const pulls *p, fit_self_friction *out, cb_err *err) {
  fit_self_options opt = {.same = strcmp(q->cloth, q->body) == 0};
  fit_self_obs *obs = malloc((p->n + 1) * sizeof *obs);
  if (!obs) return cb_fail(err, CB_E_NOMEM, "no memory for %zu pulls", p->n);
  for (size_t i = 0; i < p->n; i++) {
    const cb_run *r = &p->obs[i].run;
    obs[i] = (fit_self_obs){.angle_rad = {r->angle_deg * CB_DEG, r->body_angle_deg * CB_DEG},
                            .normal_force_N = r->normal_force_N,
                            .force_N = p->obs[i].point.kinetic_N};
  }
  cb_status st = exponent_of(q, s, p, &opt, err);
  if (st == CB_OK) st = fit_self_friction_fit(obs, p->n, &opt, out, err);
  free(obs);
  if (st != CB_OK || out->outcome != FIT_SELF_OK) return st;
  cb_self_friction_law *law = &out->law;
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", q->cloth);
  (void)snprintf(law->body, sizeof law->body, "%s", q->body);
  law->origin = p->obs[0].run.origin;
  law->contact_area_m2 = p->obs[0].run.contact_area_m2;
  law->speed_m_per_s = p->obs[0].run.speed_m_per_s > 0 ? p->obs[0].run.speed_m_per_s : NAN;
  share(p, law);
  return cb_self_friction_law_check(law, err);
}

/* ---- the document ---- */

static json_t *surface_json(const cb_self_friction_law *law, int i) {
  double a = law->form.p[2 + 2 * i], b = law->form.p[3 + 2 * i], r = hypot(a, b);
  return json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "cos2", a, "u_cos2", sqrt(law->cov[2 + 2 * i][2 + 2 * i]), "sin2", b, "u_sin2",
                   sqrt(law->cov[3 + 2 * i][3 + 2 * i]), "roughest_deg", 0.5 * atan2(b, a) / CB_DEG, "anisotropy_percent",
                   100 * ((1 + r) / (1 - r) - 1));
}

static json_t *forces_json(const cb_self_friction_law *law) {
  json_t *list = json_array();
  for (int c = 0; c <= 90; c += 45)
    for (int b = 0; b <= 90; b += 45) {
      cb_friction_value v;
      cb_self_friction_eval(law, c * CB_DEG, b * CB_DEG, law->reference_N, &v);
      (void)json_array_append_new(list, json_pack("{s:i, s:i, s:f, s:f, s:f}", "angle_deg", c, "body_angle_deg", b, "force_N", v.force_N,
                                                  "u_force_N", v.u_force_N, "u95_force_N", cb_student_t(0.95, v.dof) * v.u_force_N));
    }
  return list;
}

static json_t *document(const request *q, const pulls *p, const fit_self_friction *f) {
  const cb_self_friction_law *law = &f->law;
  json_t *doc =
      json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:o, s:f, s:o}", "cloth", q->cloth, "body", q->body, "origin", cb_origin_names[law->origin],
                "outcome", fit_self_outcome_text[f->outcome], "same_cloth", law->same, "rule", cb_self_rule_names[law->form.rule],
                "other_rule", isfinite(f->other_rms_rel) ? json_string(cb_self_rule_names[law->other.rule]) : json_null(), "rms_rel",
                f->rms_rel, "other_rms_rel", cb_json_real(f->other_rms_rel));
  json_t *rest =
      json_pack("{s:I, s:I, s:s, s:I, s:I, s:I, s:f, s:f, s:s, s:f, s:o, s:o, s:{s:o, s:o}, s:o, s:o}", "points", (json_int_t)p->n, "cells",
                (json_int_t)f->n_cells, "scatter_between", f->by_cells ? "cells" : "pulls", "runs_without_body_angle",
                (json_int_t)p->n_unknown, "runs_without_force", (json_int_t)p->n_without, "runs_at_other_speeds",
                (json_int_t)p->n_other_speed, "exponent", law->form.p[1], "u_exponent", sqrt(law->cov[1][1]), "exponent_from",
                cb_self_exponent_names[law->exponent_from], "normal_force_N", law->reference_N, "surface_of_cloth", surface_json(law, 0),
                "surface_of_body", surface_json(law, 1), "one_tensor", "statistic", cb_json_real(f->one_tensor_f), "p_value",
                cb_json_real(f->one_tensor_p), "forces", forces_json(law), "law", cb_self_friction_json(law));
  if (doc && rest) (void)json_object_update(doc, rest);
  json_decref(rest);
  return doc;
}

/* ---- on paper ---- */

static const char *text(const json_t *o, const char *key) {
  const char *t = json_string_value(json_object_get(o, key));
  return t ? t : "-";
}

static void print_surface(const char *name, const json_t *s) {
  printf("  %-6s  1 %+.4f cos 2a %+.4f sin 2a  (u %.4f, %.4f): roughest at %.0f deg, anisotropy %.1f %%\n", name, cb_json_number(s, "cos2"),
         cb_json_number(s, "sin2"), cb_json_number(s, "u_cos2"), cb_json_number(s, "u_sin2"), cb_json_number(s, "roughest_deg"),
         cb_json_number(s, "anisotropy_percent"));
}

static void print_left_out(const json_t *doc) {
  const struct {
    const char *key, *why;
  } left_out[] = {{"runs_without_body_angle", "the body's angle is not known"},
                  {"runs_without_force", "no kinetic force could be told"},
                  {"runs_at_other_speeds", "the law is that at the speed of most"}};
  for (size_t i = 0; i < 3; i++) {
    double n = cb_json_number(doc, left_out[i].key);
    if (n > 0) printf("  %g run%s left out: %s\n", n, n > 1 ? "s are" : " is", left_out[i].why);
  }
}

static void print_forces(const json_t *doc) {
  size_t i;
  json_t *row;
  printf("  %8s  %8s  %10s  %9s   under %.4g N\n", "cloth deg", "body deg", "force N", "u", cb_json_number(doc, "normal_force_N"));
  json_array_foreach(json_object_get(doc, "forces"), i, row)
      printf("  %8g  %8g  %10.5f  %9.5f\n", cb_json_number(row, "angle_deg"), cb_json_number(row, "body_angle_deg"),
             cb_json_number(row, "force_N"), cb_json_number(row, "u_force_N"));
}

static void print_document(const json_t *doc) {
  static const char *const exponents[] = {"fitted", "of the pair's friction law", "assumed"};
  const char *from = text(doc, "exponent_from");
  for (int i = 0; i < 3; i++)
    if (strcmp(from, cb_self_exponent_names[i]) == 0) from = exponents[i];
  printf("%s on %s, %s: %g points in %g cells, rule %s, rms misfit %.2f %%", text(doc, "cloth"), text(doc, "body"), text(doc, "origin"),
         cb_json_number(doc, "points"), cb_json_number(doc, "cells"), text(doc, "rule"), 100 * cb_json_number(doc, "rms_rel"));
  if (!isnan(cb_json_number(doc, "other_rms_rel")))
    printf(" (%s: %.2f %%)", text(doc, "other_rule"), 100 * cb_json_number(doc, "other_rms_rel"));
  printf("\n  scatter between %s, %g degrees of freedom\n", text(doc, "scatter_between"),
         cb_json_number(json_object_get(doc, "law"), "dof"));
  print_surface("cloth", json_object_get(doc, "surface_of_cloth"));
  print_surface("body", json_object_get(doc, "surface_of_body"));
  printf("  force ~ load^n, n = %.3f +- %.3f (%s)\n", cb_json_number(doc, "exponent"), cb_json_number(doc, "u_exponent"), from);
  if (!isnan(cb_json_number(json_object_get(doc, "one_tensor"), "p_value")))
    printf("  test of one tensor for both faces  p = %.3g\n", cb_json_number(json_object_get(doc, "one_tensor"), "p_value"));
  print_forces(doc);
  print_left_out(doc);
  cli_pooled_print(doc);
}

static int show(const request *q, json_t *doc) {
  if (q->json || !doc) return cli_print_json("fit", doc);
  print_document(doc);
  json_decref(doc);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

/* ---- the command ---- */

static cb_status store_law(cb_store *s, const pulls *p, const fit_self_friction *f, const json_t *doc, cb_err *err) {
  const cb_self_friction_law *law = &f->law;
  cb_self_friction_row row = {.cloth_id = p->obs[0].run.cloth_id, .body_id = p->obs[0].run.body_id, .origin = law->origin};
  int64_t *points = malloc((p->n + 1) * sizeof *points);
  row.result_json = cb_json_text(doc);
  cb_status st = CB_OK;
  if (!points || !row.result_json) CB_GOTO(cb_fail(err, CB_E_NOMEM, "no memory for the law of '%s' on '%s'", law->cloth, law->body));
  for (size_t i = 0; i < p->n; i++) points[i] = p->obs[i].point.id;
  (void)snprintf(row.form, sizeof row.form, "%s", cb_self_rule_names[law->form.rule]);
  (void)snprintf(row.method, sizeof row.method, "ln F: two tensors, rule by least misfit; exponent %s",
                 cb_self_exponent_names[law->exponent_from]);
  CB_GOTO(cb_store_self_friction_put(s, &row, points, p->n, err));
done:
  free(points);
  free(row.result_json);
  return st;
}

static int show_outcome(const request *q, fit_self_outcome outcome) {
  cli_say("fit", "%s on %s: %s; no law was stored", q->cloth, q->body, fit_self_outcome_text[outcome]);
  if (q->json)
    (void)cli_print_json("fit",
                         json_pack("{s:s, s:s, s:s}", "cloth", q->cloth, "body", q->body, "outcome", fit_self_outcome_text[outcome]));
  return CLI_NEGATIVE;
}

static int fit_and_store(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  pulls p = {.obs = NULL};
  fit_self_friction f = {.outcome = FIT_SELF_TOO_FEW};
  json_t *doc = NULL;
  cb_status st = gather(q, s, &p, &err);
  if (st == CB_OK) st = fit(q, s, &p, &f, &err);
  bool fitted = st == CB_OK && f.outcome == FIT_SELF_OK;
  json_t *pooled = NULL;
  if (fitted) st = cli_pooled(s, p.obs, p.n, &pooled, &err);
  if (fitted && st == CB_OK) st = cli_pooled_warn(s, p.obs, p.n, q->cloth, q->body, &err);
  if (fitted && st == CB_OK) {
    doc = document(q, &p, &f);
    if (doc) (void)json_object_update(doc, pooled);
    st = doc ? store_law(s, &p, &f, doc, &err) : cb_fail(&err, CB_E_NOMEM, "no memory for the law of '%s' on '%s'", q->cloth, q->body);
  }
  free(p.obs);
  json_decref(pooled);
  if (st == CB_OK) return fitted ? show(q, doc) : show_outcome(q, f.outcome);
  json_decref(doc);
  return cli_fail("fit", st, &err);
}

static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  cb_self_friction_row row = {.id = 0};
  cb_status st = cb_store_self_friction_newest(s, q->cloth, q->body, &row, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  json_t *doc = cb_json_read(row.result_json);
  free(row.result_json);
  return show(q, doc);
}

int cli_fit_self_friction(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "body",
       .kind = CLI_TEXT,
       .value = &q.body,
       .help = "the body's: the same name is the same cloth, face on face",
       .required = true},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "origin", .kind = CLI_TEXT, .value = &q.origin, .help = "only runs that are measured, imported, virtual or simulated"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit self-friction --cloth NAME --body NAME [--db FILE] [--origin ORIGIN] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (!cli_fit_origin_known(q.origin)) return CLI_USAGE;
  return cli_fit_run(q.db, show_stored, fit_and_store, &q);
}
