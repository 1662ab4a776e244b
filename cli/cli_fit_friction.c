/* clothbench fit friction: runs of a pair -> points -> laws with verdicts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli_friction.h"
#include "cli_kind.h"
#include "cli_pooled.h"

typedef struct request {
  const char *cloth, *body, *db, *origin;
  bool json;
} request;

/* ---- the readable table ---- */

static void print_functions(const json_t *doc) {
  static const char *const names[] = {"f00", "f01", "f11"};
  printf("  %12s", "load N");
  for (int i = 0; i < 3; i++) printf("  %10s  %9s", names[i], "u");
  printf("   (force N, standard uncertainty with calibration)\n");
  for (size_t k = 0; k < json_array_size(json_object_get(doc, "f00")); k++) {
    for (int i = 0; i < 3; i++) {
      const json_t *row = json_array_get(json_object_get(doc, names[i]), k);
      if (i == 0) printf("  %12.5g", cb_json_number(row, "normal_force_N"));
      printf("  %10.5f  %9.5f", cb_json_number(row, "force_N"), cb_json_number(row, "u_force_N"));
    }
    printf("\n");
  }
  printf("  law %s, %s", json_string_value(json_object_get(doc, "model")), json_string_value(json_object_get(doc, "form")));
  if (cb_json_number(doc, "offset_N") > 0) printf(", offset %.4g N", cb_json_number(doc, "offset_N"));
  if (cb_json_number(doc, "speed_m_per_s") > 0) printf(", at %.4g mm/s", 1e3 * cb_json_number(doc, "speed_m_per_s"));
  const json_t *second = json_array_get(json_object_get(doc, "candidates"), 1);
  if (second)
    printf("; runner-up %s, %s (AICc %+.1f)", json_string_value(json_object_get(second, "model")),
           json_string_value(json_object_get(second, "form")), cb_json_number(second, "delta"));
  printf("\n  exponent outside the loads %.3f +- %.3f, %g degrees of freedom\n", cb_json_number(doc, "exponent"),
         cb_json_number(doc, "u_exponent"), round(10 * cb_json_number(doc, "dof")) / 10);
}

static void print_test(const json_t *doc, const char *name, const char *effect) {
  const json_t *t = json_object_get(json_object_get(doc, "tests"), name);
  if (isnan(cb_json_number(t, "p_value")))
    printf("  test of %-15s  not enough data\n", name);
  else
    printf("  test of %-15s  p = %.3g, %s = %.4g\n", name, cb_json_number(t, "p_value"), effect, cb_json_number(t, effect));
}

/* Only where speeds were varied. */
static void print_speed(const json_t *speed) {
  if (!(cb_json_number(speed, "speeds") > 1)) return;
  const json_t *t = json_object_get(speed, "test"), *curve = json_object_get(speed, "stribeck");
  printf("  %g speeds from %.4g to %.4g mm/s, the law at %.4g mm/s: %+.3g %% per decade, p = %.3g\n", cb_json_number(speed, "speeds"),
         1e3 * cb_json_number(speed, "slowest_m_per_s"), 1e3 * cb_json_number(speed, "fastest_m_per_s"),
         1e3 * cb_json_number(speed, "law_m_per_s"), cb_json_number(t, "percent_per_decade"), cb_json_number(t, "p_value"));
  if (json_is_object(curve))
    printf("  Stribeck curve (times the law): %.4g + (%.4g - %.4g) exp(-(v / %.4g mm/s)^2) + %.4g v s/m, p = %.3g\n",
           cb_json_number(curve, "coulomb"), cb_json_number(curve, "breakaway"), cb_json_number(curve, "coulomb"),
           1e3 * cb_json_number(curve, "speed_m_per_s"), cb_json_number(curve, "viscous_s_per_m"),
           cb_json_number(json_object_get(curve, "test"), "p_value"));
}

static void print_outlier(const json_t *o, const char *what, const char *why) {
  printf("  run %g %s: at %g deg under %.4g N it is %+.1f %% off, %.1f sigma; %s\n", cb_json_number(o, "run_id"), what,
         cb_json_number(o, "angle_deg"), cb_json_number(o, "normal_force_N"), cb_json_number(o, "departure_percent"),
         cb_json_number(o, "sigma"), why);
}

/* Runs that do not belong, or may not, by name. */
static void print_outliers(const json_t *doc) {
  size_t i;
  json_t *o;
  json_array_foreach(json_object_get(doc, "outliers"), i, o)
      print_outlier(o, "left out", "other runs at this direction and load contradict it");
  json_array_foreach(json_object_get(doc, "doubtful"), i, o)
      print_outlier(o, "doubtful, kept", "no other run at this direction and load contradicts it: repeat it");
}

/* Where the measurements say that more load makes less friction. */
static void print_falling(const json_t *doc) {
  const json_t *t = json_object_get(doc, "falling");
  if (cb_json_number(t, "p_value") < 0.01)
    printf("  the force falls by %.3g %% with rising load, p = %.3g: the curve was not made to rise\n", cb_json_number(t, "fall_percent"),
           cb_json_number(t, "p_value"));
}

static void print_mean(const json_t *doc, const char *angle, const json_t *row) {
  char of[64];
  printf("  mu at %s deg  %.4f", angle, cb_json_number(row, "mean"));
  if (!isnan(cb_json_number(row, "sd"))) printf(", sd %.4f", cb_json_number(row, "sd"));
  printf(" (%g run%s%s at %.4g N", cb_json_number(row, "n"), cb_json_number(row, "n") > 1 ? "s" : "",
         cli_pooled_campaign(doc, json_object_get(row, "campaign_id"), of), cb_json_number(doc, "mean_mu_normal_force_N"));
  cli_pooled_print_elsewhere(doc, row);
  printf(")\n");
}

static void print_nonlinearity(const json_t *doc, const char *angle, double percent) {
  const json_t *power = json_object_get(json_object_get(doc, "power_law"), angle);
  char of[64];
  printf("  nonlinearity at %s deg  %.1f %%", angle, percent);
  if (power)
    printf("; power law %.4g N (N / 1 N)^%.3f, R2 = %.4f", cb_json_number(power, "force_N"), cb_json_number(power, "exponent"),
           cb_json_number(power, "r2"));
  if (cb_json_number(power, "n_elsewhere") > 0) {
    printf(" (%g run%s%s", cb_json_number(power, "n"), cb_json_number(power, "n") > 1 ? "s" : "",
           cli_pooled_campaign(doc, json_object_get(power, "campaign_id"), of));
    cli_pooled_print_elsewhere(doc, power);
    printf(")");
  }
  printf("\n");
}

static void print_angles(json_t *doc) {
  const char *angle;
  json_t *row;
  json_object_foreach(json_object_get(doc, "mean_mu"), angle, row) print_mean(doc, angle, row);
  json_object_foreach(json_object_get(doc, "nonlinearity_percent"), angle, row) print_nonlinearity(doc, angle, json_number_value(row));
}

/* What every force shares, and which runs are to be trusted less. */
static void print_calibrations(json_t *doc) {
  size_t i;
  json_t *c, *count;
  const char *flag;
  json_array_foreach(json_object_get(doc, "calibrations"), i, c) {
    printf("  calibration %g (%s, %s): u = %.2g %%", cb_json_number(c, "calibration_id"), json_string_value(json_object_get(c, "kind")),
           json_string_value(json_object_get(c, "certificate")), 100 * cb_json_number(c, "u_rel"));
    if (cb_json_number(c, "u_floor_N") > 0) printf(" and %.2g N at every force", cb_json_number(c, "u_floor_N"));
    if (!isnan(cb_json_number(c, "dof"))) printf(", %.3g degrees of freedom", cb_json_number(c, "dof"));
    printf("\n");
  }
  json_object_foreach(json_object_get(doc, "flags"), flag, count)
      printf("  %g run%s flagged '%s'\n", json_number_value(count), json_number_value(count) > 1 ? "s are" : " is", flag);
  double without = cb_json_number(doc, "runs_without_force");
  if (without > 0) printf("  %g run%s left out: no kinetic force could be told\n", without, without > 1 ? "s are" : " is");
}

static void print_table(json_t *doc) {
  printf("%s on %s, %s\n", json_string_value(json_object_get(doc, "cloth")), json_string_value(json_object_get(doc, "body")),
         json_string_value(json_object_get(doc, "origin")));
  if (!isnan(cb_json_number(doc, "body_angle_deg"))) printf("  with the body at %g deg\n", cb_json_number(doc, "body_angle_deg"));
  double anisotropy = cb_json_number(doc, "anisotropy_percent");
  if (isnan(anisotropy))
    printf("  isotropic (assumed: one direction only)\n");
  else
    printf("  %s: anisotropy %.1f %%\n", json_is_true(json_object_get(doc, "isotropic")) ? "isotropic" : "anisotropic", anisotropy);
  const json_t *linear = json_object_get(doc, "linear");
  if (json_is_boolean(linear)) printf("  %s in load\n", json_is_true(linear) ? "linear" : "nonlinear");
  cli_pooled_print(doc);
  print_angles(doc);
  print_test(doc, "isotropy", "fitted_anisotropy_percent");
  print_test(doc, "linearity", "exponent");
  print_test(doc, "symmetry", "forward_minus_backward_percent");
  print_test(doc, "form", "variance_ratio");
  print_test(doc, "diagonal", "f01_percent");
  print_test(doc, "fourth_harmonic", "amplitude_percent");
  print_test(doc, "drift", "percent_per_repeat");
  print_speed(json_object_get(doc, "speed"));
  printf("kinetic friction, %g points, rms misfit %.3g N\n", cb_json_number(doc, "points"), cb_json_number(doc, "rmse_N"));
  print_functions(doc);
  print_falling(doc);
  print_outliers(doc);
  print_calibrations(doc);
  const json_t *stat = json_object_get(doc, "static");
  if (!json_is_object(stat)) return;
  printf("static friction, %g points, rms misfit %.3g N\n", cb_json_number(stat, "points"), cb_json_number(stat, "rmse_N"));
  print_functions(stat);
  print_falling(stat);
  print_outliers(stat);
}

/* sources: what the forces rest on; NULL where only the law is known. */
static int show(const request *q, const cb_friction_law *kinetic, json_t *kinetic_verdicts, const cb_friction_law *stat,
                json_t *stat_verdicts, json_t *sources) {
  json_t *doc = cli_friction_document(kinetic, kinetic_verdicts, stat, stat_verdicts);
  if (doc && sources) (void)json_object_update(doc, sources);
  if (q->json || !doc) return cli_print_json("fit", doc);
  print_table(doc);
  json_decref(doc);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

/* ---- a database that only holds laws ---- */

static cb_status load_verdicts(cb_store *s, const cb_friction_law *law, json_t **out, cb_err *err) {
  char *method, *text, created[32];
  CB_TRY(cb_store_law_info(s, law->id, &method, &text, created, err));
  *out = cb_json_read(text);
  free(method);
  free(text);
  return *out ? CB_OK : cb_fail(err, CB_E_DB, "%s: the verdicts of law %lld are not JSON", cb_store_path(s), (long long)law->id);
}

static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  if (!q->cloth) {
    cli_say("fit", "%s holds laws only: --cloth and --body were wanted", q->db);
    return CLI_USAGE;
  }
  cb_err err = {""};
  cb_material m;
  cb_friction_law kinetic, stat;
  json_t *kinetic_verdicts = NULL, *stat_verdicts = NULL;
  bool has_static = false;
  cb_status st = cb_store_material_find(s, CB_CLOTH, q->cloth, &m, &err);
  if (st == CB_OK) st = cb_store_material_find(s, CB_BODY, q->body, &m, &err);
  if (st == CB_OK) st = cb_store_law_find(s, q->cloth, q->body, CB_FRICTION_KINETIC, &kinetic, &err);
  if (st == CB_OK) st = load_verdicts(s, &kinetic, &kinetic_verdicts, &err);
  if (st == CB_OK) {
    cb_status found = cb_store_law_find(s, q->cloth, q->body, CB_FRICTION_STATIC, &stat, &err);
    has_static = found == CB_OK;
    if (has_static)
      st = load_verdicts(s, &stat, &stat_verdicts, &err);
    else if (found != CB_E_NOTFOUND)
      st = found;
  }
  int code = st == CB_OK ? show(q, &kinetic, kinetic_verdicts, has_static ? &stat : NULL, stat_verdicts, NULL) : cli_fail("fit", st, &err);
  json_decref(kinetic_verdicts);
  json_decref(stat_verdicts);
  return code;
}

/* ---- a laboratory's database ---- */

static int origin_index(const char *name) {
  for (int i = 0; cb_origin_names[i]; i++)
    if (strcmp(cb_origin_names[i], name) == 0) return i;
  return -1;
}

static size_t keep_origin(cb_friction_obs *obs, size_t n, int origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (origin < 0 || (int)obs[i].run.origin == origin) obs[kept++] = obs[i];
  return kept;
}

static bool mixes_origins(const cb_friction_obs *obs, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (obs[i].run.origin != obs[0].run.origin) return true;
  return false;
}

static const char *body_angle_text(const cb_run *run, char out[32]) {
  if (isnan(run->body_angle_deg)) return "an angle that is not known";
  (void)snprintf(out, 32, "%g deg", run->body_angle_deg);
  return out;
}

static cb_status gather(const request *q, cb_store *s, cb_friction_obs **obs, size_t *n, cb_err *err) {
  cb_material cloth, body;
  size_t reduced;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, q->body, &body, err));
  CB_TRY(cli_friction_reduce(s, 0, &reduced, err));
  if (reduced) cli_say("fit", "%zu run%s reduced to friction points", reduced, reduced == 1 ? " was" : "s were");
  CB_TRY(cli_friction_observations(s, cloth.id, body.id, obs, n, err));
  *n = keep_origin(*obs, *n, q->origin ? origin_index(q->origin) : -1);
  size_t all = *n;
  *n = cb_friction_obs_one_body_angle(*obs, all);
  if (*n < all)
    cli_say("fit", "%zu run%s left out: the law is that of the body at %s; 'clothbench fit self-friction' takes all", all - *n,
            all - *n == 1 ? " is" : "s are", body_angle_text(&(*obs)[0].run, (char[32]){0}));
  if (*n > 0) return CB_OK;
  free(*obs);
  *obs = NULL;
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no finished %s%sruns of '%s' on '%s' with a known load: 'clothbench run' or 'clothbench import' adds some",
                 cb_store_path(s), q->origin ? q->origin : "", q->origin ? " " : "", q->cloth, q->body);
}

/* Ran, but nothing could be fitted: an outcome, not an error. */
static int show_outcome(const request *q, fit_friction_outcome outcome) {
  cli_say("fit", "%s on %s: %s; no law was stored", q->cloth, q->body, fit_friction_outcome_text[outcome]);
  if (q->json)
    (void)cli_print_json("fit",
                         json_pack("{s:s, s:s, s:s}", "cloth", q->cloth, "body", q->body, "outcome", fit_friction_outcome_text[outcome]));
  return CLI_NEGATIVE;
}

static int show_result(const request *q, cb_store *s, const cb_friction_obs *obs, size_t n, const fit_friction_result *r, json_t *sources) {
  json_t *kinetic = NULL, *stat = NULL;
  cb_err err = {""};
  bool has_static = r->stat.outcome == FIT_FRICTION_OK;
  cb_status st = cli_friction_verdicts(s, r, obs, n, CB_FRICTION_KINETIC, &kinetic, &err);
  if (st == CB_OK && has_static) st = cli_friction_verdicts(s, r, obs, n, CB_FRICTION_STATIC, &stat, &err);
  int code = st == CB_OK ? show(q, &r->kinetic.law, kinetic, has_static ? &r->stat.law : NULL, stat, sources) : cli_fail("fit", st, &err);
  json_decref(kinetic);
  json_decref(stat);
  return code;
}

static int fit_and_store(const request *q, cb_store *s) {
  cb_err err = {""};
  cb_friction_obs *obs = NULL;
  size_t n = 0;
  fit_friction_options opt;
  fit_friction_result r;
  cb_status st = gather(q, s, &obs, &n, &err);
  if (st == CB_OK) st = cli_friction_fit(s, obs, n, q->cloth, q->body, &opt, &r, &err);
  bool choose = st == CB_E_RANGE && mixes_origins(obs, n);
  bool fitted = st == CB_OK && r.kinetic.outcome == FIT_FRICTION_OK;
  json_t *sources = NULL;
  if (fitted) st = cli_friction_store(s, obs, n, &opt, &r, &err);
  if (fitted && st == CB_OK) st = cli_friction_sources(s, obs, n, &sources, &err);
  int code;
  if (st != CB_OK) {
    code = cli_fail("fit", st, &err);
    if (choose) cli_say("fit", "--origin measured, imported or virtual chooses one");
  } else {
    code = fitted ? show_result(q, s, obs, n, &r, sources) : show_outcome(q, r.kinetic.outcome);
  }
  free(obs);
  json_decref(sources);
  return code;
}

/* ---- every pair ---- */

static cb_status observe_pair(const request *q, cb_store *s, const cb_material *cloth, const cb_material *body, cb_friction_obs **obs,
                              size_t *n, cb_err *err) {
  CB_TRY(cli_friction_observations(s, cloth->id, body->id, obs, n, err));
  *n = cb_friction_obs_one_body_angle(*obs, keep_origin(*obs, *n, q->origin ? origin_index(q->origin) : -1));
  return CB_OK;
}

static void print_line(const fit_friction_result *r, const char *cloth, const char *body) {
  const fit_friction_law *f = &r->kinetic;
  if (f->outcome != FIT_FRICTION_OK) {
    printf("%s on %s: %s; no law was stored\n", cloth, body, fit_friction_outcome_text[f->outcome]);
    return;
  }
  printf("%s on %s: %s %s law from %zu points, rms misfit %.3g N", cloth, body, cb_friction_form_names[f->law.form],
         cb_friction_model_names[f->law.model], f->n_points, f->rmse_N);
  if (f->n_outliers > 0) printf("; left out: %zu", f->n_outliers);
  if (f->n_doubtful > 0) printf("; doubtful, kept: %zu", f->n_doubtful);
  printf("\n");
}

static cb_status fit_pair(const request *q, cb_store *s, const cb_material *cloth, const cb_material *body, size_t *n_laws, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  fit_friction_options opt;
  fit_friction_result r;
  CB_TRY(observe_pair(q, s, cloth, body, &obs, &n, err));
  cb_status st = n > 0 ? cli_friction_fit(s, obs, n, cloth->name, body->name, &opt, &r, err) : CB_OK;
  if (st == CB_OK && n > 0 && r.kinetic.outcome == FIT_FRICTION_OK) {
    st = cli_friction_store(s, obs, n, &opt, &r, err);
    (*n_laws)++;
  }
  if (st == CB_OK && n > 0) print_line(&r, cloth->name, body->name);
  free(obs);
  return st;
}

static int fit_every_pair(const request *q, cb_store *s) {
  cb_err err = {""};
  cb_material *list = NULL;
  size_t n = 0, reduced, n_laws = 0;
  cb_status st = cli_friction_reduce(s, 0, &reduced, &err);
  if (st == CB_OK) st = cb_store_materials(s, &list, &n, &err);
  for (size_t c = 0; c < n && st == CB_OK; c++)
    for (size_t b = 0; b < n && st == CB_OK; b++)
      if (list[c].kind == CB_CLOTH && list[b].kind == CB_BODY) st = fit_pair(q, s, &list[c], &list[b], &n_laws, &err);
  free(list);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  if (n_laws > 0) return CLI_DONE;
  cli_say("fit", "%s: there are no finished runs of any pair from which a law could be fitted", cb_store_path(s));
  return CLI_NEGATIVE;
}

static int fit_one_or_all(const void *request_, cb_store *s) {
  const request *q = request_;
  return q->cloth ? fit_and_store(q, s) : fit_every_pair(q, s);
}

int cli_fit_friction(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name"},
      {.name = "body", .kind = CLI_TEXT, .value = &q.body, .help = "the body's name; without both: every pair"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "origin", .kind = CLI_TEXT, .value = &q.origin, .help = "only runs that are measured, imported, virtual or simulated"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit friction [--cloth NAME --body NAME] [--db FILE] [--origin ORIGIN] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (!cli_fit_origin_known(q.origin)) return CLI_USAGE;
  if (!q.cloth != !q.body || (!q.cloth && q.json)) {
    cli_say("fit", q.json ? "--json: --cloth and --body were wanted, too" : "--cloth and --body: both or none of them were wanted");
    return CLI_USAGE;
  }
  return cli_fit_run(q.db, show_stored, fit_one_or_all, &q);
}
