/* clothbench calibrate: the force channel under dead weights; what there is of calibrations. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_date.h"
#include "cb_num.h"
#include "cli.h"
#include "cli_person.h"
#include "cb_signals.h"
#include "daq_calibrate.h"
#include "daq_engine.h"
#include "cli_budget.h"
#include "lab_calibration.h"

/* ---- calibrations on stdout ---- */

/* Prints one line, for a list. */
static void print_calibration_line(const cb_calibration *c) {
  printf("calibration %-4lld %-9s %-9s cell %s, %.6g N per %s, u %.2g %%", (long long)c->id,
         cb_calibration_kind_names[c->kind], cb_origin_names[c->origin], c->cell[0] ? c->cell : "not said",
         c->slope_N_per_unit, c->unit, 100 * c->u_rel);
  if (c->u_floor_N > 0) printf(" and %.2g N", c->u_floor_N);
  printf(", %s%s%s%s\n", c->valid_from[0] ? "from " : "", c->valid_from, c->valid_until[0] ? " until " : "",
         c->valid_until);
}

static void print_fact(const char *name, double value_N, double full_scale_N) {
  if (!isnan(value_N))
    printf("  %-16s %.3g N (%.3f %% of full scale)\n", name, value_N, 100 * value_N / full_scale_N);
}

static void print_points(const cb_calibration_point *p, size_t n) {
  printf("  step cycle way       mass [g]   force [N]      reading        sd      n\n");
  for (size_t i = 0; i < n; i++)
    printf("  %4d %5d %-8s %9.3f %11.6f %12.7g %9.2g %6zu\n", p[i].step, p[i].cycle,
           cb_calibration_direction_names[p[i].direction], 1e3 * p[i].mass_kg, p[i].force_N, p[i].reading,
           p[i].sd, p[i].n);
}

/* Prints facts, budget and, if `points`, points. */
static void print_calibration(const lab_calibration *calibration, bool points) {
  const cb_calibration *c = &calibration->row;
  const lab_calibration_budget *budget = &calibration->budget;
  print_calibration_line(c);
  printf("  certificate      %s\n", c->certificate[0] ? c->certificate : "none");
  if (c->operator_name[0]) printf("  operator         %s\n", c->operator_name);
  if (c->kind != CB_CALIBRATION_MEASURED) return;
  printf("  gravity, air     %.6g m/s2, %.4g kg/m3\n", c->gravity_m_per_s2, c->air_density_kg_per_m3);
  printf("  line             reading = %.6g + %.8g F; u %.2g, %.2g; covariance %.3g; residuals %.2g %s\n",
         c->intercept, c->sensitivity, c->u_intercept, c->u_sensitivity, c->cov_intercept_sensitivity,
         c->residual_sd, c->unit);
  print_fact("nonlinearity", c->nonlinearity_N, c->full_scale_N);
  print_fact("hysteresis", c->hysteresis_N, c->full_scale_N);
  print_fact("repeatability", c->repeatability_N, c->full_scale_N);
  print_fact("zero return", c->zero_return_N, c->full_scale_N);
  print_fact("creep", c->creep_N, c->full_scale_N);
  print_fact("digit", c->resolution_N, c->full_scale_N);
  if (budget->n_entries > 0) {
    printf("  uncertainty budget at %.4g N\n", budget->force_N);
    cli_budget_print(budget->entry, budget->n_entries, &budget->at_full_scale);
  }
  if (points && calibration->n_points > 0) print_points(calibration->points, calibration->n_points);
}

typedef struct options {
  const char *rig, *weights, *db, *operator_name, *show;
  /* require_percent: NAN, not asked for */
  double cycles, window_s, creep_s, stable_within_s, valid_days, require_percent;
  bool list, yes, json;
} options;

typedef struct calibration {
  options opt;
  cb_rig rig;
  daq_weights weights;
  cb_store *store;
  cb_calibration_point *points;
  size_t n;
  double digit;
  lab_calibration result;
} calibration;

/* ---- measuring ---- */

static void show_progress(void *context, size_t done, size_t total, const char *text) {
  (void)context;
  cli_progress("calibrate", (double)done, (double)total, text);
}

static cb_status measure_weights(calibration *c, const cb_stop *stop_flag, cb_err *err) {
  const daq_calibrate_job job = {.rig = &c->rig,
                                 .weights = &c->weights,
                                 .cycles = (int)c->opt.cycles,
                                 .window_s = c->opt.window_s,
                                 .creep_s = c->opt.creep_s,
                                 .stable_within_s = c->opt.stable_within_s,
                                 .program = "/proc/self/exe",
                                 .stop_flag = stop_flag,
                                 .prompt = cli_person_confirm,
                                 .progress = show_progress};
  bool emulated = daq_engine_emulates(&c->rig);
  if (!emulated && c->opt.yes)
    return cb_fail(err, CB_E_ARG, "--yes: only a virtual rig hangs its weights by itself");
  if (!emulated && !isatty(STDIN_FILENO))
    return cb_fail(err, CB_E_ARG, "somebody must hang the weights, but standard input is no terminal");
  return daq_calibrate(&job, &c->points, &c->n, &c->digit, err);
}

static cb_status analyse_points(calibration *c, cb_err *err) {
  const daq_weights *w = &c->weights;
  const fit_calibration_input in = {.points = c->points,
                                    .n = c->n,
                                    .resolution = c->digit,
                                    .k_weights = w->k,
                                    .gravity_m_per_s2 = w->gravity_m_per_s2,
                                    .u_gravity_m_per_s2 = w->u_gravity_m_per_s2,
                                    .air_density_kg_per_m3 = w->air_density_kg_per_m3,
                                    .u_air_density_kg_per_m3 = w->u_air_density_kg_per_m3,
                                    .weight_density_kg_per_m3 = w->density_kg_per_m3,
                                    .temperature_coefficient_per_K = w->temperature_coefficient_per_K,
                                    .temperature_range_K = w->temperature_range_K};
  char today[CB_DATE_SIZE], until[CB_DATE_SIZE];
  cb_date_today(today);
  CB_TRY(cb_date_add(today, c->opt.valid_days, "--valid-days", until, err));
  const lab_calibration_facts facts = {.origin = daq_engine_origin(&c->rig),
                                       .cell = c->rig.force.cell,
                                       .unit = c->rig.force.unit,
                                       .certificate = w->certificate,
                                       .operator_name = c->opt.operator_name,
                                       .valid_from = today,
                                       .valid_until = until,
                                       .temperature_degC = w->temperature_degC};
  return lab_calibration_make(&in, &facts, &c->result, err);
}

/* The database is opened first: nobody hangs weights for an hour to hear that there is no room for the
 * result. */
static cb_status calibrate(calibration *c, cb_err *err) {
  CB_TRY(cb_rig_load(c->opt.rig, &c->rig, err));
  CB_TRY(daq_weights_load(c->opt.weights, &c->weights, err));
  CB_TRY(cb_store_open(cli_db_path(c->opt.db), CB_STORE_WRITE, &c->store, err));
  CB_TRY(measure_weights(c, cb_signals_listen(), err));
  CB_TRY(analyse_points(c, err));
  return lab_calibration_store(c->store, c->rig.name, c->rig.text, c->weights.text, &c->result, err);
}

/* ---- the result ---- */

static int print_result(const calibration *c) {
  if (c->opt.json) return cli_print_json("calibrate", lab_calibration_json(&c->result));
  print_calibration(&c->result, false);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("calibrate", "the result could not be written to standard output");
  return CLI_FAILED;
}

static int verdict(const calibration *c) {
  const lab_calibration_budget *b = &c->result.budget;
  double percent = 100 * b->at_full_scale.U / b->force_N;
  if (isnan(c->opt.require_percent) || percent <= c->opt.require_percent) return CLI_DONE;
  cli_say("calibrate", "the expanded uncertainty at full scale is %.3g %%, at most %.3g %% was required",
          percent, c->opt.require_percent);
  return CLI_NEGATIVE;
}

static int run_calibration(const options *opt) {
  calibration c = {.opt = *opt};
  cb_err err = {""};
  cb_status st = calibrate(&c, &err);
  int code = st == CB_OK ? print_result(&c) : cli_fail("calibrate", st, &err);
  if (code == CLI_DONE) code = verdict(&c);
  if (st != CB_OK && c.n > 0) cli_say("calibrate", "nothing was stored");
  st = cb_store_close(c.store, &err);
  if (st != CB_OK && code == CLI_DONE) code = cli_fail("calibrate", st, &err);
  daq_calibrate_free(c.points, c.n);
  daq_weights_clear(&c.weights);
  cb_rig_clear(&c.rig);
  return code;
}

/* ---- what there is ---- */

static cb_status list_calibrations(cb_store *s, bool json, cb_err *err) {
  cb_calibration *all;
  size_t n;
  CB_TRY(cb_store_calibrations(s, &all, &n, err));
  json_t *doc = json_array();
  for (size_t i = 0; i < n; i++) {
    if (json)
      (void)json_array_append_new(doc, lab_calibration_json(&(lab_calibration){.row = all[i]}));
    else
      print_calibration_line(&all[i]);
  }
  free(all);
  if (json)
    return cli_print_json("calibrate", doc) == CLI_DONE
               ? CB_OK
               : cb_fail(err, CB_E_IO, "standard output could not be written");
  json_decref(doc);
  return CB_OK;
}

static cb_status show_calibration(cb_store *s, int64_t id, bool json, cb_err *err) {
  lab_calibration c;
  cb_status st = lab_calibration_load(s, id, &c, err);
  if (st == CB_OK && json && cli_print_json("calibrate", lab_calibration_json(&c)) != CLI_DONE)
    st = cb_fail(err, CB_E_IO, "standard output could not be written");
  if (st == CB_OK && !json) print_calibration(&c, true);
  lab_calibration_clear(&c);
  return st;
}

static int show_stored(const options *opt) {
  cb_err err = {""};
  cb_store *s = NULL;
  long long id = 0;
  cb_status st = CB_OK;
  if (opt->show && cb_parse_int(opt->show, "--show", &id, &err) != CB_OK) {
    cli_say("calibrate", "%s", err.msg);
    return CLI_USAGE;
  }
  st = cb_store_open(cli_db_path(opt->db), CB_STORE_READ, &s, &err);
  if (st == CB_OK)
    st = opt->show ? show_calibration(s, id, opt->json, &err) : list_calibrations(s, opt->json, &err);
  st = cb_store_close_after(s, st, &err);
  return st == CB_OK ? CLI_DONE : cli_fail("calibrate", st, &err);
}

static const char usage[] =
    "calibrate --rig RIG.yaml --weights WEIGHTS.yaml [--db FILE] [--cycles N] [--creep-s S] [--operator "
    "NAME] [--json]\n"
    "       clothbench calibrate --list | --show ID [--db FILE] [--json]";

int cmd_calibrate(int argc, char **argv) {
  options o = {.operator_name = "",
               .cycles = 3,
               .window_s = 2,
               .creep_s = 60,
               .stable_within_s = 60,
               .valid_days = 365,
               .require_percent = NAN};
  const cli_opt opts[] = {
      {"rig", CLI_TEXT, &o.rig, "rig file; force.cell names the load cell"},
      {"weights", CLI_TEXT, &o.weights, "weights file: certificate, masses, gravity, air, loads"},
      {"db", CLI_TEXT, &o.db, "the database file"},
      {"cycles", CLI_NUMBER, &o.cycles, "times up and down (3)", .min = 3, .max = 20},
      {"window-s", CLI_NUMBER, &o.window_s, "length of one reading (2)", .min = 0.5, .max = 60},
      {"stable-within-s", CLI_NUMBER, &o.stable_within_s, "how long a reading may take to come to rest (60)",
       .min = 5, .max = 3600},
      {"creep-s", CLI_NUMBER, &o.creep_s, "how long full load hangs for the creep; 0: not observed (60)",
       .min = 0, .max = 3600},
      {"valid-days", CLI_NUMBER, &o.valid_days, "how long it is valid (365)", .min = 1, .max = 36500},
      {"require-percent", CLI_NUMBER, &o.require_percent,
       "exit code 3 if the expanded uncertainty at full scale is larger", .min = 1e-3, .max = 100},
      {"operator", CLI_TEXT, &o.operator_name, "who hangs the weights"},
      {"yes", CLI_SWITCH, &o.yes, "do not ask: only for virtual rigs"},
      {"list", CLI_SWITCH, &o.list, "the calibrations in the database, one line each"},
      {"show", CLI_TEXT, &o.show, "one of them, with its budget and points"},
      {"json", CLI_SWITCH, &o.json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (o.list || o.show) return show_stored(&o);
  if (!o.rig || !o.weights) {
    cli_say("calibrate", "--rig and --weights are required ('clothbench calibrate --help' tells more)");
    return CLI_USAGE;
  }
  if (o.cycles != floor(o.cycles)) {
    cli_say("calibrate", "--cycles = %g: a whole number was wanted", o.cycles);
    return CLI_USAGE;
  }
  return run_calibration(&o);
}
