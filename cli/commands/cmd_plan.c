/* clothbench plan FRAME.yaml --rig RIG.yaml: what to measure next of a pair; --cloth, --sweep: of a cloth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "cb_rig.h"
#include "cli.h"
#include "cli_forecast.h"
#include "cli_plan.h"
#include "daq_campaign.h"
#include "lab_plan.h"

typedef struct request {
  const char *frame, *rig, *db, *out, *cloth, *sweep;
  double target_percent, pulls, turn_s, weights_s, from_N, to_N;
  bool json, anyway;
} request;

typedef struct planning {
  request q;
  cb_rig rig;
  daq_campaign frame;
  size_t n_runs; /* of the pair, so far */
  fit_plan_options opt;
  fit_plan plan;
} planning;

/* ---- what the bench can do ---- */

static void take_frame(planning *p) {
  const daq_campaign *c = &p->frame;
  fit_plan_options *o = &p->opt;
  double lowest = INFINITY, highest = 0;
  o->n_angles = c->angles_deg.n;
  memcpy(o->angles_deg, c->angles_deg.v, o->n_angles * sizeof *o->angles_deg);
  o->n_loads = c->added_masses_kg.n;
  for (size_t i = 0; i < o->n_loads; i++) {
    o->loads_N[i] = (p->rig.bench.cart_mass_kg + c->added_masses_kg.v[i]) * p->rig.bench.gravity_m_per_s2;
    lowest = fmin(lowest, o->loads_N[i]), highest = fmax(highest, o->loads_N[i]);
  }
  o->from_N = isnan(p->q.from_N) ? lowest : p->q.from_N;
  o->to_N = isnan(p->q.to_N) ? highest : p->q.to_N;
  o->target_rel = p->q.target_percent / 100;
  o->max_pulls = (size_t)p->q.pulls;
  o->pulls_per_repeat = c->directions == DAQ_BOTH ? 2 : 1;
  o->pull_s = cli_forecast_pull_s(c);
  o->turn_s = p->q.turn_s;
  o->weights_s = p->q.weights_s;
  o->u_angle_rad = p->rig.bench.u_angle_deg * CB_DEG;
}

static cb_status check_frame(const planning *p, cb_err *err) {
  if (p->frame.kind != CB_CAMPAIGN_FRICTION || p->frame.fresh_specimens)
    return cb_fail(err, CB_E_RANGE,
                   "%s: a campaign of kind friction, without a standard's specimens, was wanted", p->q.frame);
  if (p->frame.grid != DAQ_GRID_FULL)
    return cb_fail(err, CB_E_RANGE,
                   "%s: grid = pairs: every angle under every mass was wanted: plan chooses among them",
                   p->q.frame);
  if (p->frame.body_angles_deg.n > 1)
    return cb_fail(err, CB_E_RANGE, "%s: body_angles_deg: one angle was wanted: plan is for one friction law",
                   p->q.frame);
  return CB_OK;
}

/* Whether a load fails somewhere, by what is expected: not with a force that is only possible. Stick-slip
 * still tells a kinetic force. */
static bool load_fails(const cli_forecast *f, double added_mass_kg) {
  for (size_t i = 0; i < f->f.n; i++)
    for (int t = 0; t < LAB_N_TROUBLES; t++)
      if (f->cells[i].added_mass_kg == added_mass_kg && t != LAB_STICK_SLIP &&
          f->cells[i].grade[t] >= LAB_LIKELY)
        return true;
  return false;
}

/* Writes "1000, 1500" of the masses that are left out, as far as there is room. */
static size_t take_sound_loads(const cli_forecast *f, cb_numlist *masses, char *left_out, size_t size) {
  size_t n = 0, written = 0;
  left_out[0] = '\0';
  for (size_t i = 0; i < masses->n; i++) {
    if (!load_fails(f, masses->v[i])) {
      masses->v[n++] = masses->v[i];
      continue;
    }
    if (written < size)
      written += (size_t)snprintf(left_out + written, size - written, "%s%g", written ? ", " : "",
                                  masses->v[i] * 1e3);
  }
  const size_t n_left_out = masses->n - n;
  masses->n = n;
  return n_left_out;
}

/* Loads that will fail are no choice: what is learned under the others may bring them back. */
static cb_status judge_frame(planning *p, cb_store *s, cb_err *err) {
  cli_forecast f;
  char left_out[200];
  lab_known_laws known;
  CB_TRY(lab_known_laws_read(s, &known, err));
  cb_status st = cli_forecast_make(s, &known, &p->rig, &p->frame, 0, &f, err);
  lab_known_laws_clear(&known);
  if (st == CB_OK) st = cli_forecast_say("plan", &f, true, err);
  if (st == CB_OK && !p->q.anyway &&
      take_sound_loads(&f, &p->frame.added_masses_kg, left_out, sizeof left_out) > 0) {
    if (p->frame.added_masses_kg.n == 0)
      st =
          cb_fail(err, CB_E_RANGE, "%s: no load is left that works; --anyway plans all the same", p->q.frame);
    else
      cli_say("plan", "the loads with %s g are left out; --anyway keeps them", left_out);
  }
  cli_forecast_clear(&f);
  return st;
}

/* A virtual rig plans for what it measured itself, a real one for what is real. Nothing was measured before
 * there is a database. */
static cb_status plan_next(planning *p, cb_err *err) {
  const lab_plan_pair pair = {p->frame.cloth, p->frame.body, daq_campaign_cell(&p->frame, 0).body_angle_deg,
                              !p->rig.virt.present};
  const char *path = cli_db_path(p->q.db);
  cb_store *s = NULL;
  if (access(path, F_OK) == 0) CB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  cb_status st = judge_frame(p, s, err);
  if (st == CB_OK) take_frame(p);
  if (st == CB_OK) st = lab_plan_next(s, &pair, &p->opt, &p->plan, &p->n_runs, err);
  return cb_store_close_after(s, st, err);
}

/* ---- the next campaign ---- */

static int compare_as_a_person_goes(const void *a, const void *b) {
  const fit_plan_cell *x = a, *y = b;
  if (x->angle_deg != y->angle_deg) return x->angle_deg < y->angle_deg ? -1 : 1;
  return (x->normal_force_N > y->normal_force_N) - (x->normal_force_N < y->normal_force_N);
}

/* Loads came from the frame's masses: the nearest one is it. */
static double mass_of(const planning *p, double load_N) {
  const cb_numlist *masses = &p->frame.added_masses_kg;
  double wanted = load_N / p->rig.bench.gravity_m_per_s2 - p->rig.bench.cart_mass_kg, best = masses->v[0];
  for (size_t i = 1; i < masses->n; i++)
    if (fabs(masses->v[i] - wanted) < fabs(best - wanted)) best = masses->v[i];
  return best;
}

/* The frame with the plan's cells in the order in which a person would go: by angle, then load. */
static cb_status write_next(const planning *p, cb_err *err) {
  fit_plan_cell cells[FIT_PLAN_MAX];
  daq_campaign next = p->frame;
  char remark[200];
  memcpy(cells, p->plan.cells, p->plan.n_cells * sizeof *cells);
  qsort(cells, p->plan.n_cells, sizeof *cells, compare_as_a_person_goes);
  next.grid = DAQ_GRID_PAIRS;
  next.repeats = (int)p->plan.repeats;
  next.angles_deg.n = next.added_masses_kg.n = p->plan.n_cells;
  for (size_t i = 0; i < p->plan.n_cells; i++) {
    next.angles_deg.v[i] = cells[i].angle_deg;
    next.added_masses_kg.v[i] = mass_of(p, cells[i].normal_force_N);
  }
  (void)snprintf(remark, sizeof remark, "Written by 'clothbench plan': %s.",
                 fit_plan_stage_text[p->plan.stage]);
  return daq_campaign_write(p->q.out, &next, remark, err);
}

static cb_status make_plan(planning *p, cb_err *err) {
  CB_TRY(cb_rig_load(p->q.rig, &p->rig, err));
  CB_TRY(daq_campaign_load(p->q.frame, &p->rig, &p->frame, err));
  CB_TRY(check_frame(p, err));
  CB_TRY(plan_next(p, err));
  return p->q.out && p->plan.n_cells > 0 ? write_next(p, err) : CB_OK;
}

/* ---- what is said ---- */

static size_t pulls_of(const planning *p) {
  return p->plan.n_cells * p->plan.repeats * p->opt.pulls_per_repeat;
}

static size_t pulls_of_factorial(const planning *p) { return daq_campaign_cells(&p->frame); }

static json_t *document(const planning *p) {
  const fit_plan *f = &p->plan;
  json_t *cells = json_array();
  for (size_t i = 0; i < f->n_cells; i++)
    (void)json_array_append_new(
        cells, json_pack("{s:f, s:f, s:o}", "angle_deg", f->cells[i].angle_deg, "normal_force_N",
                         f->cells[i].normal_force_N, "u_rel", cb_json_real(f->cells[i].u_rel)));
  return json_pack(
      "{s:s, s:s, s:s, s:I, s:f, s:o, s:o, s:o, s:o, s:I, s:I, s:I, s:f, s:s?}", "cloth", p->frame.cloth,
      "body", p->frame.body, "stage", fit_plan_stage_names[f->stage], "runs_so_far", (json_int_t)p->n_runs,
      "target_rel", p->opt.target_rel, "u_rel", cb_json_real(f->u_rel), "u_rel_floor",
      cb_json_real(f->u_rel_floor), "u_rel_expected", cb_json_real(f->u_rel_expected), "cells", cells,
      "repeats", (json_int_t)f->repeats, "pulls", (json_int_t)pulls_of(p), "pulls_of_the_whole_grid",
      (json_int_t)pulls_of_factorial(p), "seconds", f->seconds, "file", f->n_cells > 0 ? p->q.out : NULL);
}

static void print_cells(const planning *p) {
  const fit_plan *f = &p->plan;
  printf("  %8s  %10s  %7s%s\n", "angle", "load", "repeats", isnan(f->u_rel_expected) ? "" : "  u then");
  for (size_t i = 0; i < f->n_cells; i++) {
    const fit_plan_cell *c = &f->cells[i];
    printf("  %4g deg  %8.4g N  %7zu", c->angle_deg, c->normal_force_N, f->repeats);
    if (!isnan(c->u_rel)) printf("  %.2f %%", 100 * c->u_rel);
    printf("\n");
  }
  printf("  %zu pull%s, about %.0f min at the bench (the whole grid of the frame has %zu pull%s)\n",
         pulls_of(p), CB_S(pulls_of(p)), ceil(f->seconds / 60), pulls_of_factorial(p),
         CB_S(pulls_of_factorial(p)));
}

static void print_plan(const planning *p) {
  const fit_plan *f = &p->plan;
  printf("%s on %s, %zu run%s so far: %s\n", p->frame.cloth, p->frame.body, p->n_runs, CB_S(p->n_runs),
         fit_plan_stage_text[f->stage]);
  if (!isnan(f->u_rel))
    printf(
        "  u = %.2f %% from %.3g to %.3g N (no run takes it below %.2f %%: calibration and load); %.2g %% is "
        "wanted\n",
        100 * f->u_rel, p->opt.from_N, p->opt.to_N, 100 * f->u_rel_floor, p->q.target_percent);
  if (f->n_cells > 0) print_cells(p);
}

static int show_plan(const planning *p) {
  if (p->q.json) {
    int code = cli_print_json("plan", document(p));
    if (code != CLI_DONE) return code;
  } else {
    print_plan(p);
  }
  if (p->plan.n_cells == 0) return CLI_NEGATIVE;
  if (p->q.out)
    cli_say("plan", "%s holds these runs; 'clothbench run %s --rig %s --db %s' makes them", p->q.out,
            p->q.out, p->q.rig, cli_db_path(p->q.db));
  return CLI_DONE;
}

static int plan_pair(planning *p) {
  cb_err err = {""};
  cb_status st = make_plan(p, &err);
  int code = st == CB_OK ? show_plan(p) : cli_fail("plan", st, &err);
  daq_campaign_clear(&p->frame);
  cb_rig_clear(&p->rig);
  return code;
}

/* One of three things; returns a cli_exit. */
static int plan_any(planning *p) {
  const request *q = &p->q;
  if (q->frame && !q->rig) {
    cli_say("plan", "%s: --rig is required", q->frame);
    return CLI_USAGE;
  }
  if ((q->frame != NULL) + (q->cloth != NULL) + (q->sweep != NULL) != 1 || (q->rig && !q->frame)) {
    cli_say("plan",
            "one of these was wanted: FRAME.yaml --rig RIG.yaml; --cloth NAME --out FILE; --sweep FOLDER");
    return CLI_USAGE;
  }
  if (q->cloth) return cli_plan_cloth(q->cloth, q->db, q->out);
  return q->sweep ? cli_plan_sweep(q->sweep, q->json) : plan_pair(p);
}

int cmd_plan(int argc, char **argv) {
  planning p = {
      .q = {.target_percent = 1, .pulls = 6, .turn_s = 60, .weights_s = 30, .from_N = NAN, .to_N = NAN}};
  const cli_opt opts[] = {
      {"rig", CLI_TEXT, &p.q.rig, "rig file"},
      {"cloth", CLI_TEXT, &p.q.cloth, "instead: write the sweep that tells what its predicted drape lacks"},
      {"sweep", CLI_TEXT, &p.q.sweep, "instead: what this gathered sweep tells"},
      {"db", CLI_TEXT, &p.q.db, "database with what was measured so far"},
      {"out", CLI_OUT_FILE, &p.q.out, "write the next runs as a campaign file; with --cloth: the plan"},
      {"target-percent", CLI_NUMBER, &p.q.target_percent,
       "standard uncertainty of the force that is enough (1)", .min = 0, .max = 100},
      {"pulls", CLI_NUMBER, &p.q.pulls, "of one round, at most (6)", .min = 1, .max = 1000},
      {"turn-s", CLI_NUMBER, &p.q.turn_s, "to turn the sample (60)", .min = 0, .max = 1e5},
      {"weights-s", CLI_NUMBER, &p.q.weights_s, "to change weights and place the cart (30)", .min = 0,
       .max = 1e5},
      {"from-N", CLI_NUMBER, &p.q.from_N, "smallest load the law is wanted for (the frame's)", .min = 1e-9,
       .max = 1e9},
      {"to-N", CLI_NUMBER, &p.q.to_N, "largest load the law is wanted for (the frame's)", .min = 1e-9,
       .max = 1e9},
      {"anyway", CLI_SWITCH, &p.q.anyway, CLI_ANYWAY_HELP},
      {"json", CLI_SWITCH, &p.q.json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv,
                       "plan FRAME.yaml --rig RIG.yaml [--db FILE] [--out NEXT.yaml] [--target-percent U] "
                       "[--anyway] [--json] | "
                       "plan --cloth NAME [--db FILE] --out PLAN.yaml | plan --sweep FOLDER [--json]",
                       opts, sizeof opts / sizeof opts[0], &p.q.frame, 0, 1, NULL);
  return stop >= 0 ? stop : plan_any(&p);
}
