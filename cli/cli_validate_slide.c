/* clothbench validate slide: does the law of a pair predict a pull it was not fitted to? */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli_kind.h"
#include "slide_check.h"

static cb_status find_run(cb_store *s, double wanted, cb_run *run, cb_err *err) {
  if (wanted > 0) return cb_store_run_get(s, (int64_t)wanted, run, err);
  cb_run_filter filter = cb_run_filter_all();
  filter.kind = CB_RUN_SLIDE;
  filter.status = CB_RUN_DONE;
  cb_run *list;
  size_t n;
  CB_TRY(cb_store_runs(s, &filter, &list, &n, err));
  if (n > 0) *run = list[n - 1];
  free(list);
  return n > 0 ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: no finished slide: measure one with a campaign of kind slide, or name a run with --run",
                         cb_store_path(s));
}

static json_t *quantity_json(const slide_quantity *q) {
  return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b}", "name", q->name, "unit", q->unit, "predicted", q->predicted,
                   "u_predicted", q->u_predicted, "U95_predicted", q->U_predicted, "measured", q->measured, "u_measured", q->u_measured,
                   "U95_measured", q->U_measured, "E_n", q->en, "pass", fabs(q->en) <= 1);
}

static json_t *numbers(const double *x, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) (void)json_array_append_new(list, cb_json_real(x[i]));
  return list;
}

static json_t *scatter_json(const slide_scatter *s) {
  return json_pack("{s:f, s:f, s:f}", "repeat_rel", s->repeat_rel, "placement_rel", s->placement_rel, "dof", s->dof);
}

static json_t *elastic_json(const slide_case *c) {
  json_t *id = c->elasticity_law_id > 0 ? json_integer((json_int_t)c->elasticity_law_id) : json_null();
  return json_pack("{s:f, s:f, s:o}", "young_kPa", 1e-3 * c->young_Pa, "poisson", c->poisson, "law_id", id);
}

static json_t *result_json(const slide_case *c, const slide_result *r) {
  json_t *quantities = json_array(), *missing = json_array();
  for (size_t i = 0; i < SLIDE_QUANTITIES; i++) {
    if (r->q[i].compared)
      (void)json_array_append_new(quantities, quantity_json(&r->q[i]));
    else
      (void)json_array_append_new(missing, json_string(r->q[i].name));
  }
  json_t *doc = json_pack("{s:s, s:s, s:I, s:s, s:s, s:f, s:i, s:f, s:f, s:s, s:s, s:b, s:o, s:o, s:f}", "experiment", "slide", "verdict",
                          r->pass ? "pass" : "fail", "run_id", (json_int_t)c->run.id, "cloth", c->kinetic.cloth, "body", c->kinetic.body,
                          "angle_deg", c->run.angle_deg, "direction", c->run.direction, "normal_force_N", c->run.normal_force_N,
                          "speed_m_per_s", c->run.speed_m_per_s, "origin_measured", cb_origin_names[c->run.origin], "origin_law",
                          cb_origin_names[c->kinetic.origin], "inside_measured_range", r->inside_measured_range, "quantities", quantities,
                          "not_compared", missing, "worst_E_n", r->worst_en);
  json_t *scatter = json_pack("{s:o, s:o, s:b, s:i, s:i}", "scatter_kinetic", scatter_json(&c->kinetic_scatter), "scatter_static",
                              scatter_json(&c->static_scatter), "calibration_shared_cancels", c->calibration_shared, "draws", SLIDE_DRAWS,
                              "seed", (int)SLIDE_SEED);
  json_t *curve = json_pack("{s:o, s:o}", "stage_displacement_m", numbers(r->curve_x_m, r->n_curve), "predicted_force_N",
                            numbers(r->curve_N, r->n_curve));
  (void)json_object_set_new(doc, "law_kinetic_id", json_integer(c->kinetic.id));
  (void)json_object_set_new(doc, "law_static_id", c->has_static ? json_integer(c->stat.id) : json_null());
  (void)json_object_set_new(doc, "model", json_string(slide_model_names[c->model]));
  (void)json_object_set_new(doc, "elastic", c->model == SLIDE_HELD ? elastic_json(c) : json_null());
  (void)json_object_set_new(doc, "uncertainty", scatter);
  (void)json_object_set_new(doc, "curve", curve);
  return doc;
}

static void print_text(const slide_case *c, const slide_result *r) {
  printf("slide: run %lld, %s on %s, %g deg, %.4g N normal force (law: %s, slide: %s)\n\n", (long long)c->run.id, c->kinetic.cloth,
         c->kinetic.body, c->run.angle_deg, c->run.normal_force_N, cb_origin_names[c->kinetic.origin], cb_origin_names[c->run.origin]);
  if (c->model != SLIDE_SLED) printf("predicted by the three layers, %s body", slide_model_names[c->model]);
  if (c->model == SLIDE_HELD) printf(" of %.3g kPa (%s)", 1e-3 * c->young_Pa, c->elasticity_law_id > 0 ? "database" : "assumed");
  if (c->model != SLIDE_SLED) printf("\n\n");
  printf("%-24s %-4s %11s %11s %11s %11s %7s\n", "", "", "predicted", "u", "measured", "u", "E_n");
  for (size_t i = 0; i < SLIDE_QUANTITIES; i++) {
    const slide_quantity *q = &r->q[i];
    if (q->compared)
      printf("%-24s %-4s %11.4g %11.2g %11.4g %11.2g %+7.2f\n", q->name, q->unit, q->predicted, q->u_predicted, q->measured, q->u_measured,
             q->en);
    else
      printf("%-24s %-4s %11s\n", q->name, q->unit, "not compared");
  }
  if (c->kinetic_scatter.dof > 0)
    printf("\nscatter of single runs included: %.2g %% from repeat to repeat, %.2g %% from placement to placement\n",
           100 * c->kinetic_scatter.repeat_rel, 100 * c->kinetic_scatter.placement_rel);
  else
    printf("\nthe scatter of single runs is not included: the law does not document any\n");
  if (!r->inside_measured_range) printf("the load lies outside the law's measured range\n");
  printf("verdict: %s (largest |E_n| %.2f, 1 is allowed)\n", r->pass ? "pass" : "fail", r->worst_en);
}

/* A database that cannot be written keeps no verdicts: the comparison itself still counts. */
static cb_status store_result(const char *path, const slide_case *c, const slide_result *r, cb_err *err) {
  cb_store *s;
  cb_validation v = {.run_id = c->run.id,
                     .law_static_id = c->has_static ? c->stat.id : 0,
                     .law_kinetic_id = c->kinetic.id,
                     .experiment = "slide",
                     .pass = r->pass,
                     .worst_en = r->worst_en};
  json_t *doc = result_json(c, r);
  v.result_json = cb_json_text(doc);
  json_decref(doc);
  if (!v.result_json) return cb_fail(err, CB_E_NOMEM, "no memory for the result of run %lld", (long long)c->run.id);
  cb_status st = cb_store_open(path, CB_STORE_WRITE, &s, err);
  if (st == CB_OK) {
    st = cb_store_validation_put(s, &v, err);
    cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
    if (st == CB_OK) st = closed;
  }
  free(v.result_json);
  return st;
}

static cb_status compare(const char *path, double wanted, slide_model model, slide_case *c, slide_result *r, bool *writable, cb_err *err) {
  cb_store *s;
  cb_run run;
  CB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  *writable = !cb_store_is_reference(s) && access(path, W_OK) == 0;
  cb_status st = find_run(s, wanted, &run, err);
  if (st == CB_OK) st = slide_case_load(s, &run, model, c, err);
  if (st == CB_OK) st = slide_check_run(c, r, err);
  (void)cb_store_close(s, NULL);
  return st;
}

int cli_validate_slide(int argc, char **argv) {
  const char *db = NULL, *layers = NULL;
  double wanted = 0;
  int model = SLIDE_SLED;
  bool json = false, writable = false;
  const cli_opt opts[] = {
      {.name = "run",
       .kind = CLI_NUMBER,
       .value = &wanted,
       .min = 1,
       .max = 9e15,
       .help = "the run to compare; else the newest finished slide"},
      {.name = "layers",
       .kind = CLI_TEXT,
       .value = &layers,
       .help = "predict with a sheet by the three layers, over a body that is told how to move, or held and elastic"},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate slide [--run ID] [--layers told|held] [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (wanted != floor(wanted)) {
    cli_say("validate", "--run = %g: must be a whole number", wanted);
    return CLI_USAGE;
  }
  if (layers) model = strcmp(layers, "told") == 0 ? SLIDE_TOLD : strcmp(layers, "held") == 0 ? SLIDE_HELD : -1;
  if (model < 0) {
    cli_say("validate", "--layers '%s': told or held was wanted", layers);
    return CLI_USAGE;
  }
  slide_case c = {0};
  slide_result r;
  cb_err err = {""};
  cb_status st = compare(cli_db_path(db), wanted, (slide_model)model, &c, &r, &writable, &err);
  /* What is stored is shown in the report, which is about the rig: a sled. */
  if (st == CB_OK && writable && model == SLIDE_SLED) st = store_result(cli_db_path(db), &c, &r, &err);
  slide_case_clear(&c);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!writable && model == SLIDE_SLED) cli_say("validate", "%s is read-only: the verdict is not stored", cli_db_path(db));
  if (!json)
    print_text(&c, &r);
  else if (cli_print_json("validate", result_json(&c, &r)) != CLI_DONE)
    return CLI_FAILED;
  return r.pass ? CLI_DONE : CLI_NEGATIVE;
}
