/* clothbench fit trace: what is in one run's record. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cli.h"
#include "cli_kind.h"
#include "cli_point.h"

/* ---- JSON ---- */

static json_t *point_json(cb_store *s, const cb_run *run, const cb_friction_point *p, cb_err *err) {
  cb_material *list;
  size_t n;
  const char *cloth = "", *body = "";
  double N = run->normal_force_N > 0 ? run->normal_force_N : NAN;
  if (cb_store_materials(s, &list, &n, err) != CB_OK) return NULL;
  for (size_t i = 0; i < n; i++) {
    if (list[i].id == run->cloth_id) cloth = list[i].name;
    if (list[i].id == run->body_id) body = list[i].name;
  }
  double u_mu = hypot(p->u_kinetic_N / N, p->kinetic_N * run->u_normal_force_N / (N * N));
  json_t *doc = json_pack("{s:I, s:s, s:s, s:s, s:s, s:s, s:o, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f}", "run_id",
                          (json_int_t)run->id, "cloth", cloth, "body", body, "origin", cb_origin_names[run->origin], "flags", run->flags,
                          "method", p->method, "normal_force_N", cb_json_real(N), "angle_deg", run->angle_deg, "zero_N",
                          cb_json_real(isnan(p->kinetic_N) ? NAN : p->zero_N), "u_zero_N",
                          cb_json_real(isnan(p->kinetic_N) ? NAN : p->u_zero_N), "static_N", cb_json_real(p->static_N), "u_static_N",
                          cb_json_real(p->u_static_N), "kinetic_N", cb_json_real(p->kinetic_N), "u_kinetic_N", cb_json_real(p->u_kinetic_N),
                          "mu", cb_json_real(p->kinetic_N / N), "u_mu", cb_json_real(u_mu), "n_eff", p->n_eff);
  free(list);
  return doc;
}

/* ---- words ---- */

static const char *text(const json_t *o, const char *key) {
  const char *t = json_string_value(json_object_get(o, key));
  return t ? t : "";
}

/* "  name   value +- u unit", or nothing where the value is not known. */
static void print_value(const json_t *o, const char *name, const char *key, const char *u_key, const char *unit) {
  double v = cb_json_number(o, key), u = u_key ? cb_json_number(o, u_key) : NAN;
  if (isnan(v)) return;
  printf("  %-20s %.5g", name, v);
  if (isfinite(u)) printf(" +- %.2g", u);
  printf(" %s\n", unit);
}

static void print_stick_slip(const json_t *s) {
  printf("  %-20s %s", "stick-slip", text(s, "outcome"));
  if (!isnan(cb_json_number(s, "amplitude_N"))) {
    printf(": %g peaks, falls of %.3g +- %.1g N", cb_json_number(s, "peaks"), cb_json_number(s, "amplitude_N"),
           cb_json_number(s, "u_amplitude_N"));
    if (!isnan(cb_json_number(s, "frequency_Hz"))) printf(", %.4g Hz", cb_json_number(s, "frequency_Hz"));
    if (!isnan(cb_json_number(s, "peaks_per_mm"))) printf(", %.4g per mm", cb_json_number(s, "peaks_per_mm"));
  }
  printf("\n");
}

static void print_plateau(const json_t *p) {
  printf("  %-20s %s: slope %+.2g %% over it (t = %.3g, p = %.2g), step %+.3g N (p = %.2g)\n", "plateau", text(p, "verdict"),
         cb_json_number(p, "slope_percent"), cb_json_number(p, "slope_t"), cb_json_number(p, "slope_p"), cb_json_number(p, "step_N"),
         cb_json_number(p, "step_p"));
  print_value(p, "MIU", "miu", NULL, "");
  print_value(p, "MMD", "mmd", NULL, "");
  print_value(p, "mean deviation", "path_deviation_N", NULL, "N");
  print_stick_slip(json_object_get(p, "stick_slip"));
}

static void print_strokes(const json_t *doc) {
  size_t i;
  const json_t *s, *c = json_object_get(doc, "cycle");
  printf("  %-20s %g forward, %g backward\n", "strokes", cb_json_number(c, "forward"), cb_json_number(c, "backward"));
  print_value(c, "MIU", "miu", NULL, "");
  print_value(c, "MMD", "mmd", NULL, "");
  print_value(c, "drift of the zero", "zero_drift_N", "u_zero_drift_N", "N over the record");
  print_value(c, "drift of friction", "friction_drift_N", "u_friction_drift_N", "N over the record");
  json_array_foreach(json_object_get(doc, "strokes"), i, s) {
    if (i == 10) printf("  ... (--json has them all)\n");
    if (i >= 10) break;
    printf("  %-20s %.5g +- %.2g N, %s, slope %+.2g %%, mean deviation %.3g N; stick-slip: %s\n",
           cb_json_number(s, "direction") > 0 ? "  forward" : "  backward", cb_json_number(s, "mean_N"), cb_json_number(s, "u_mean_N"),
           text(s, "verdict"), cb_json_number(s, "slope_percent"), cb_json_number(s, "path_deviation_N"),
           text(json_object_get(s, "stick_slip"), "outcome"));
  }
}

static int print_words(const json_t *doc) {
  printf("run %g: %s on %s, %s%s%s\n", cb_json_number(doc, "run_id"), text(doc, "cloth"), text(doc, "body"), text(doc, "origin"),
         text(doc, "flags")[0] ? ", flagged " : "", text(doc, "flags"));
  printf("  %-20s %s\n", "outcome", text(doc, "outcome"));
  print_value(doc, "normal force", "normal_force_N", NULL, "N");
  print_value(doc, "zero", "zero_N", "u_zero_N", "N");
  print_value(doc, "static force", "static_N", "u_static_N", "N");
  print_value(doc, "kinetic force", "kinetic_N", "u_kinetic_N", "N, without calibration");
  print_value(doc, "mu", "mu", "u_mu", "");
  if (json_is_object(json_object_get(doc, "plateau"))) print_plateau(json_object_get(doc, "plateau"));
  if (json_is_object(json_object_get(doc, "cycle"))) print_strokes(doc);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

/* ---- the command ---- */

static cb_status make_document(const char *db, int64_t id, json_t **doc, cb_err *err) {
  cb_store *s;
  cb_run run;
  cb_friction_point p;
  json_t *detail = NULL;
  *doc = NULL;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  cb_status st = cb_store_run_get(s, id, &run, err);
  if (st == CB_OK) st = cli_point_of_run(s, &run, &p, &detail, err);
  if (st == CB_OK) {
    *doc = point_json(s, &run, &p, err);
    if (!*doc) st = cb_fail(err, CB_E_NOMEM, "no memory for run %lld", (long long)id);
  }
  if (*doc) (void)json_object_update(*doc, detail);
  json_decref(detail);
  cb_status closed = cb_store_close(s, NULL);
  return st == CB_OK ? closed : st;
}

int cli_fit_trace(int argc, char **argv) {
  const char *db = NULL;
  double run = 0;
  bool json = false;
  const cli_opt opts[] = {
      {.name = "run", .kind = CLI_NUMBER, .value = &run, .min = 1, .max = 1e15, .help = "the run's number", .required = true},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "the database file; it is only read"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit trace --run N [--db FILE] [--json]", opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  json_t *doc;
  cb_status st = make_document(cli_db_path(db), (int64_t)run, &doc, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  bool reduced = json_is_number(json_object_get(doc, "kinetic_N"));
  int code = json ? cli_print_json("fit", json_incref(doc)) : print_words(doc);
  json_decref(doc);
  return code == CLI_DONE && !reduced ? CLI_NEGATIVE : code;
}
