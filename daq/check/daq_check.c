#include "daq_check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cb_stats.h"
#include "cb_date.h"
#include "cb_language.h"
#include "cb_time.h"
#include "daq_check_impl.h"
#include "daq_engine.h"
#include "daq_identify.h"
#include "daq_devices_parts.h"

const char *const daq_verdict_names[] = {"PASS", "INFO", "WARN", "FAIL", "not tested", NULL};

/* ---- what the steps share ---- */

void daq_check_figure(daq_check_step *s, const char *name, const char *unit, double value, double u) {
  if (s->n == DAQ_CHECK_FIGURES) return;
  daq_figure *f = &s->figure[s->n++];
  *f = (daq_figure){.name = name, .value = value, .u = u, .tau_s = NAN};
  (void)snprintf(f->unit, sizeof f->unit, "%s", unit);
}

daq_verdict daq_check_ladder(double value, double pass, double warn) {
  return value <= pass ? DAQ_PASS : value <= warn ? DAQ_WARN : DAQ_FAIL;
}

double daq_check_slope(const daq_check *c) { return fabs(c->rig->calibration.slope_N_per_unit); }

/* ---- rig file ---- */

static cb_status check_file(daq_check *c, daq_check_step *s, cb_err *err) {
  const cb_rig_calibration *k = &c->rig->calibration;
  char today[CB_DATE_SIZE], until[CB_DATE_SIZE] = "9999-12-31";
  cb_date_today(today);
  if (k->valid_days > 0) CB_TRY(cb_date_add(k->valid_from, k->valid_days, "valid_from", until, err));
  s->verdict = DAQ_WARN;
  (void)snprintf(s->limit, sizeof s->limit, "a calibration that is valid today");
  if (!k->present || k->slope_N_per_unit == 0) {
    (void)snprintf(s->text, sizeof s->text,
                   "'%s' has no calibration: forces are not known, and nothing is pulled", c->rig->name);
  } else if (strcmp(today, until) > 0) {
    (void)snprintf(s->text, sizeof s->text, "'%s': its calibration of %s expired on %s", c->rig->name,
                   k->valid_from, until);
  } else if (strcmp(today, k->valid_from) < 0) {
    (void)snprintf(s->text, sizeof s->text, "'%s': its calibration is valid from %s only", c->rig->name,
                   k->valid_from);
  } else {
    s->verdict = DAQ_PASS;
    (void)snprintf(s->text, sizeof s->text, "'%s': %g N/%s within %g %%, certificate '%s' of %s",
                   c->rig->name, k->slope_N_per_unit, c->rig->force.unit, k->u_rel * 100, k->certificate,
                   k->valid_from[0] ? k->valid_from : "no date");
  }
  return CB_OK;
}

/* ---- open, identify, settings ---- */

/* What is there instead, appended to the sentence in err. */
static void explain(const daq_check *c, bool stage, cb_err *err) {
  const char *path = stage ? c->stage_port : c->force_port, *driver;
  char had[sizeof err->msg];
  daq_identified id;
  int baud = stage ? c->rig->stage.baud : c->rig->force.baud;
  if (!stage && c->rig->force.driver == CB_FORCE_COMEDI) return;
  if (daq_identify_port(path, baud, true, c->job->stop_flag, &id, NULL) != CB_OK) return;
  driver = stage ? cb_stage_driver_names[c->rig->stage.driver] : cb_force_driver_names[c->rig->force.driver];
  const char *other =
      stage ? cb_force_driver_names[c->rig->force.driver] : cb_stage_driver_names[c->rig->stage.driver];
  bool streams = strcmp(id.driver, "line") == 0 || strcmp(id.driver, "futek-d500") == 0;
  memcpy(had, err->msg, sizeof had);
  if (id.what[0] && (strcmp(id.driver, other) == 0 || (stage && streams)))
    cb_err_say(err, "%.250s; %s is there ('%s'): are stage.port and force.port swapped?", had, id.what,
               id.heard);
  else if (id.what[0])
    cb_err_say(err, "%.250s; %s is there ('%s') at %d baud, the rig file says '%s' at %d baud", had, id.what,
               id.heard, id.baud, driver, baud);
  else if (id.noise)
    cb_err_say(err,
               "%.250s; bytes come, but they are no text at any usual speed: wrong baud rate, or another "
               "kind of device",
               had);
  else if (id.heard[0])
    cb_err_say(err, "%.250s; something unknown is there that sends '%s'", had, id.heard);
  else
    cb_err_say(err,
               "%.250s; nothing there answers any question this program knows: is it switched on, and is "
               "this its cable?",
               had);
}

/* Everything is opened in one go, as a campaign does; the next two steps tell how far it came. */
static cb_status check_open(daq_check *c, daq_check_step *s, cb_err *err) {
  daq_bench *b = &c->bench;
  c->open_status = daq_bench_open(b, c->rig, c->stage_port, c->force_port, c->job->stop_flag, &c->open_err);
  bool no_port = !b->stage.port || (b->force.driver && !b->force.taken);
  if (c->open_status != CB_OK &&
      (no_port || c->open_status == CB_E_STOPPED || c->open_status == CB_E_NOMEM)) {
    *err = c->open_err;
    return c->open_status;
  }
  s->verdict = DAQ_PASS;
  (void)snprintf(s->text, sizeof s->text, "stage on %s, force on %s, taken for this program alone",
                 c->stage_port, c->force_port);
  return CB_OK;
}

/* Both devices answer, and what came after them in opening failed; the watchdog is what comes next. */
static bool ended_at_estop(const daq_check *c) {
  return c->open_status != CB_OK && c->bench.estop.read_lines && !c->bench.watchdog;
}

static cb_status check_identity(daq_check *c, daq_check_step *s, cb_err *err) {
  const char *stage = c->bench.stage.identity, *force = c->bench.force.identity;
  bool read_out = c->bench.force.taken; /* the stage is opened first */
  bool wrong_serial = c->bench.stage.wrong_serial || c->bench.force.wrong_serial;
  if (c->open_status != CB_OK && !ended_at_estop(c) && (!stage[0] || read_out || wrong_serial)) {
    *err = c->open_err;
    daq_bench_close(&c->bench);
    /* A serial number that differs explains itself. */
    if (!wrong_serial) explain(c, !read_out, err);
    return c->open_status;
  }
  s->verdict = DAQ_PASS;
  (void)snprintf(s->text, sizeof s->text, "%s; %s", stage[0] ? stage : "the stage does not say what it is",
                 force[0] ? force : "the read-out does not say what it is");
  if (c->rig->stage.serial[0] || c->rig->force.serial[0])
    (void)snprintf(s->limit, sizeof s->limit, "serial numbers '%s', '%s' of the rig file",
                   c->rig->stage.serial, c->rig->force.serial);
  return CB_OK;
}

/* What the contact does is seen only when somebody presses it: the step says in which state it is. */
static cb_status check_estop(daq_check *c, daq_check_step *s, cb_err *err) {
  const cb_rig_estop *r = &c->rig->estop;
  if (ended_at_estop(c)) {
    *err = c->open_err;
    return c->open_status == CB_E_SAFETY ? cb_fail_in(err, c->open_status, "pressed") : c->open_status;
  }
  if (!r->present) {
    s->verdict = DAQ_INFO;
    (void)snprintf(s->text, sizeof s->text,
                   "the rig file names no contact: this program hears of no emergency stop");
    return CB_OK;
  }
  CB_TRY(daq_estop_check(&c->bench.estop, err));
  s->verdict = DAQ_PASS;
  (void)snprintf(s->text, sizeof s->text, "released: line %s of port %s is %s",
                 daq_estop_line(&c->bench.estop), r->port, r->stop_if_set ? "off" : "set");
  return CB_OK;
}

static cb_status check_settings(daq_check *c, daq_check_step *s, cb_err *err) {
  const cb_rig_stage *r = &c->rig->stage;
  if (c->open_status != CB_OK) {
    *err = c->open_err;
    return c->open_status;
  }
  s->verdict = DAQ_PASS;
  (void)snprintf(s->text, sizeof s->text,
                 "limits %g to %g mm, %g mm/s, %g mm/s2 accepted; the stage stands at %.3f mm",
                 r->limit_min_m * 1e3, r->limit_max_m * 1e3, r->max_speed_m_per_s * 1e3,
                 r->acceleration_m_per_s2 * 1e3, c->bench.position_m * 1e3);
  return CB_OK;
}

/* ---- steps in which the stage moves ---- */

#define RETURNS 5
#define AWAY_M 5e-3

/* There and back within the limits. */
static double away_m(const cb_rig_stage *r) {
  double way = fmin(AWAY_M, 0.1 * (r->limit_max_m - r->limit_min_m));
  return r->start_m + way <= r->limit_max_m ? r->start_m + way : r->start_m - way;
}

static cb_status ask_before_motion(daq_check *c, cb_err *err) {
  char text[600];
  const cb_rig_stage *r = &c->rig->stage;
  if (c->emulator || !c->job->prompt) return CB_OK;
  (void)snprintf(text, sizeof text,
                 _("Take the cart off the link, keep the way of the stage free and your hands off: the "
                   "read-out is watched at rest, then the stage homes and goes to %.3g mm and %.3g mm at %g "
                   "mm/s."),
                 r->start_m * 1e3, away_m(r) * 1e3, r->max_speed_m_per_s * 1e3);
  return c->job->prompt(c->job->context, text, err);
}

static cb_status check_rate_or_explain(daq_check *c, daq_check_step *s, cb_err *err) {
  CB_TRY(ask_before_motion(c, err));
  cb_status st = daq_check_rate(c, s, err);
  if (st == CB_E_DEVICE && c->capture.n == 0) {
    daq_bench_close(&c->bench);
    explain(c, false, err);
  }
  return st;
}

static cb_status check_home(daq_check *c, daq_check_step *s, cb_err *err) {
  CB_TRY(daq_bench_resume(&c->bench, err));
  double began_s = cb_now_monotonic_s();
  CB_TRY(daq_bench_home(&c->bench, err));
  s->verdict = DAQ_PASS;
  (void)snprintf(s->text, sizeof s->text, "at %.4f mm after %.3g s", c->bench.position_m * 1e3,
                 (cb_now_monotonic_s() - began_s) * c->bench.time_scale);
  daq_check_figure(s, "position", "m", c->bench.position_m, NAN);
  return CB_OK;
}

static cb_status check_returns(daq_check *c, daq_check_step *s, cb_err *err) {
  const cb_rig_stage *r = &c->rig->stage;
  double x_m[RETURNS], worst_m = 0;
  CB_TRY(daq_bench_resume(&c->bench, err));
  for (int i = 0; i < RETURNS; i++) {
    CB_TRY(daq_bench_move(&c->bench, away_m(r), r->max_speed_m_per_s, err));
    CB_TRY(daq_bench_move(&c->bench, r->start_m, r->max_speed_m_per_s, err));
    x_m[i] = c->bench.position_m;
    worst_m = fmax(worst_m, fabs(x_m[i] - r->start_m));
  }
  s->verdict = daq_check_ladder(worst_m, 1.01 * r->microstep_m, 10 * r->microstep_m);
  (void)snprintf(s->text, sizeof s->text,
                 "%d returns to %.4g mm: sd %.2g um, off by %.2g um at most, as the stage counts", RETURNS,
                 r->start_m * 1e3, cb_sd(x_m, RETURNS) * 1e6, worst_m * 1e6);
  (void)snprintf(s->limit, sizeof s->limit, "one step of %g um", r->microstep_m * 1e6);
  daq_check_figure(s, "sd", "m", cb_sd(x_m, RETURNS), NAN);
  daq_check_figure(s, "worst", "m", worst_m, NAN);
  return CB_OK;
}

/* ---- all of them ---- */

/* What a step leaves behind for later ones. */
enum {
  CALIBRATED = 1,
  OPEN = 2,
  IDENTIFIED = 4,
  RELEASED = 8,
  READY = 16,
  WATCHED = 32,
  HOMED = 64,
  MOVED = 128,
  PULLED = 256,
  SENSED = 512 /* the rig has a displacement sensor at the cart: without it the step is left out */
};

static const struct {
  const char *name;
  daq_check_function *run;
  unsigned needs, gives;
} steps[] = {
    {"rig file", check_file, 0, 0},
    {"open", check_open, 0, OPEN},
    {"identify", check_identity, OPEN, IDENTIFIED},
    {"e-stop", check_estop, OPEN | IDENTIFIED, RELEASED},
    {"settings", check_settings, OPEN | IDENTIFIED | RELEASED, READY},
    {"sample rate", check_rate_or_explain, READY, WATCHED},
    {"round trip", daq_check_trip, WATCHED, 0},
    {"digit", daq_check_digit, WATCHED, 0},
    {"noise", daq_check_noise, WATCHED, 0},
    {"drift", daq_check_drift, WATCHED, 0},
    {"zero", daq_check_zero, WATCHED, 0},
    {"home", check_home, WATCHED, HOMED},
    {"repeatability", check_returns, HOMED, MOVED},
    {"pull line", daq_check_stiffness, CALIBRATED | MOVED, PULLED},
    {"slack", daq_check_slack, PULLED, 0},
    {"polarity", daq_check_polarity, PULLED, 0},
    {"displacement", daq_check_displacement, PULLED | SENSED, 0},
};
#define N_STEPS (sizeof steps / sizeof steps[0])

static const char *missing_words(unsigned lacking) {
  if (lacking & CALIBRATED) return "forces are not known";
  if (lacking & (OPEN | IDENTIFIED | RELEASED | READY)) return "the rig is not ready";
  if (lacking & WATCHED) return "the read-out sends no even stream";
  if (lacking & (HOMED | MOVED)) return "the stage does not move as it should";
  return "the pull line could not be measured";
}

static bool has_sensor(const cb_rig *rig) {
  for (size_t i = 0; i < rig->comedi.n; i++)
    if (rig->comedi.channel[i].quantity == CB_COMEDI_DISPLACEMENT) return true;
  return false;
}

static cb_status run_steps(daq_check *c, size_t count[DAQ_N_VERDICTS], cb_err *err) {
  unsigned have = daq_check_slope(c) > 0 ? CALIBRATED : 0;
  if (has_sensor(c->rig)) have |= SENSED;
  for (size_t i = 0; i < N_STEPS; i++) {
    daq_check_step s = {.name = steps[i].name, .verdict = DAQ_NOT_TESTED};
    unsigned lacking = steps[i].needs & ~have;
    if (lacking & SENSED) continue;
    cb_err why = {""};
    CB_TRY(cb_stop_check(c->job->stop_flag, err));
    cb_status st = lacking ? CB_OK : steps[i].run(c, &s, &why);
    if (st == CB_E_STOPPED || st == CB_E_NOMEM) return cb_fail(err, st, "%s", why.msg);
    if (lacking) (void)snprintf(s.text, sizeof s.text, "%s", missing_words(lacking));
    if (st != CB_OK) {
      s.verdict = DAQ_FAIL;
      (void)snprintf(s.text, sizeof s.text, "%s", why.msg);
    } else if (!lacking) {
      have |= steps[i].gives;
    }
    count[s.verdict]++;
    if (c->job->step) c->job->step(c->job->context, &s);
  }
  return CB_OK;
}

/* One more step, where the last word to the stage was not confirmed. */
static void check_stopped(daq_check *c, size_t count[DAQ_N_VERDICTS]) {
  daq_check_step s = {.name = "stop", .verdict = DAQ_FAIL};
  char text[DAQ_HALT_TEXT];
  if (c->open_status != CB_OK || c->bench.halted || !c->bench.stage.port) return;
  if (daq_bench_halt(&c->bench, text)) return;
  (void)snprintf(s.text, sizeof s.text, "%s", text);
  count[s.verdict]++;
  if (c->job->step) c->job->step(c->job->context, &s);
}

static cb_status start_check(daq_check *c, cb_err *err) {
  if (!daq_engine_emulates(c->rig)) return CB_OK;
  CB_TRY(daq_emulator_start(c->job->program, c->rig->path, &c->emulator, err));
  c->stage_port = daq_emulator_stage_port(c->emulator);
  c->force_port = daq_emulator_force_port(c->emulator);
  return CB_OK;
}

cb_status daq_check_run(const daq_check_job *job, size_t count[DAQ_N_VERDICTS], cb_err *err) {
  daq_check c = {
      .job = job, .rig = job->rig, .stage_port = job->rig->stage.port, .force_port = job->rig->force.port};
  memset(count, 0, DAQ_N_VERDICTS * sizeof *count);
  cb_status st = start_check(&c, err);
  if (st == CB_OK) st = run_steps(&c, count, err);
  check_stopped(&c, count);
  daq_bench_close(&c.bench);
  daq_emulator_stop(c.emulator);
  daq_capture_clear(&c.capture);
  daq_link_clear(c.link);
  return st;
}
