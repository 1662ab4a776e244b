#include "daq_place.h"

#include <math.h>

#include "daq_prompt.h"

#define SETTLE_S \
  0.2 /* rig time until the force has settled after a move, and all older readings have arrived */

/* ---- the operator ---- */

static bool must_turn(const daq_engine *e, const daq_cell *c) {
  return !e->placed || c->angle_deg != e->angle_deg;
}

static bool must_turn_body(const daq_engine *e, const daq_cell *c) {
  return !isnan(c->body_angle_deg) && (!e->placed || c->body_angle_deg != e->body_angle_deg);
}

static cb_status tell_emulator(daq_engine *e, const daq_cell *c, cb_err *err) {
  if (must_turn(e, c)) CB_TRY(daq_emulator_turn_sample(e->emulator, c->angle_deg, err));
  if (must_turn_body(e, c)) CB_TRY(daq_emulator_turn_body(e->emulator, c->body_angle_deg, err));
  return daq_emulator_load_cart(e->emulator, c->added_mass_kg, err);
}

/* What the cell reads, now that the stage stands: less the zero, in newton. */
static cb_status read_link(daq_engine *e, double *force_N, cb_err *err) {
  daq_zero now;
  CB_TRY(daq_zero_take(&e->bench, SETTLE_S, e->rig.calibration.resolution, &now, err));
  *force_N = e->rig.calibration.slope_N_per_unit * (now.mean - e->zero.mean);
  return CB_OK;
}

static cb_status ask(daq_engine *e, daq_asked q, cb_err *err) {
  e->answer = DAQ_GO_ON;
  return e->job->prompt(e->job->context, &q, &e->answer, err);
}

/* For whoever watches (lab_watch.h). */
static cb_status note_question(daq_engine *e, const daq_prompt *p, cb_err *err) {
  char text[DAQ_PROMPT_SIZE];
  daq_prompt_instruction(p, text);
  return cb_store_event_put(e->job->store, e->session.campaign_id, 0, 0, "asks", text, err);
}

static cb_status tell_person(daq_engine *e, const daq_cell *c, cb_err *err) {
  char text[DAQ_PROMPT_SIZE];
  daq_prompt p = {.rig = e->job->rig,
                  .plan = e->job->campaign,
                  .cell = c,
                  .position_m = e->bench.position_m,
                  .turn = must_turn(e, c),
                  .turn_body = must_turn_body(e, c),
                  .weigh = !e->placed || c->added_mass_kg != e->added_mass_kg};
  if (!e->job->prompt) return CB_OK;
  if (e->placed) CB_TRY(read_link(e, &p.link_force_N, err));
  daq_prompt_place(&p, text);
  CB_TRY(note_question(e, &p, err));
  return ask(e, (daq_asked){.text = text, .of_cell = true, .last_run = e->last_run}, err);
}

/* Homing would drag or push whatever hangs on the link to the end of the stage. */
cb_status daq_place_home(daq_engine *e, cb_err *err) {
  char text[DAQ_PROMPT_SIZE];
  if (e->job->prompt && (!e->emulator || e->job->practice)) {
    daq_prompt_home(e->job->rig, text);
    CB_TRY(ask(e, (daq_asked){.text = text}, err));
    CB_TRY(daq_bench_resume(&e->bench, err));
  }
  return daq_bench_home(&e->bench, err);
}

static cb_status set_up(daq_engine *e, const daq_cell *c, cb_err *err) {
  if (!e->emulator || e->job->practice) CB_TRY(tell_person(e, c, err));
  if (e->answer != DAQ_GO_ON) return CB_OK;
  if (e->emulator) CB_TRY(tell_emulator(e, c, err));
  e->placed = e->slack = true;
  e->angle_deg = c->angle_deg;
  e->body_angle_deg = c->body_angle_deg;
  e->added_mass_kg = c->added_mass_kg;
  e->repeat = c->repeat;
  return daq_bench_resume(&e->bench, err);
}

/* ---- where a pull begins ---- */

static double nominal_begin_m(const daq_engine *e, const daq_cell *c) {
  return e->rig.stage.start_m + (c->direction > 0 ? 0 : e->job->campaign->travel_m);
}

static double back_off_m(const daq_engine *e) {
  const cb_rig_bench *b = &e->rig.bench;
  return b->link_slack_m + e->taut_force_N / b->link_stiffness_N_per_m;
}

static cb_status move_fast(daq_engine *e, double target_m, cb_err *err) {
  const cb_rig_stage *s = &e->rig.stage;
  return daq_bench_move(&e->bench, fmin(fmax(target_m, s->limit_min_m), s->limit_max_m), s->max_speed_m_per_s,
                        err);
}

/* The link is taut on the side `pulling`, by the force that is in it now. */
cb_status daq_place_measure_link(daq_engine *e, int pulling, cb_err *err) {
  double force_N;
  CB_TRY(read_link(e, &force_N, err));
  e->pulling = pulling;
  e->slack = false;
  e->taut_force_N = fmax(0, pulling * force_N);
  return CB_OK;
}

/* A pull that alternates with its opposite begins where that one ended, less the play: near enough, if its
 * travel fits. */
static bool good_begin(const daq_engine *e, const daq_cell *c, double x_m) {
  const cb_rig_stage *s = &e->rig.stage;
  double end_m = x_m + c->direction * e->job->campaign->travel_m;
  return fabs(x_m - nominal_begin_m(e, c)) <= back_off_m(e) + e->rig.bench.link_slack_m &&
         end_m >= s->limit_min_m && end_m <= s->limit_max_m;
}

/* Where the link is slack, as the stage stands now. */
static double slack_m(const daq_engine *e) {
  return e->bench.position_m - (e->slack ? 0 : e->pulling * back_off_m(e));
}

cb_status daq_place_back_off(daq_engine *e, cb_err *err) {
  if (e->slack) return CB_OK;
  CB_TRY(move_fast(e, slack_m(e), err));
  e->slack = true;
  return CB_OK;
}

/* Leaves the link slack and in its middle, the stage near where the pull begins. */
static cb_status slacken(daq_engine *e, const daq_cell *c, cb_err *err) {
  double begin_m = nominal_begin_m(e, c), x_m = slack_m(e);
  if (!good_begin(e, c, x_m)) {
    /* Take the cart along, beyond the begin by as much as will be backed off. */
    int towards = begin_m > x_m ? 1 : -1;
    CB_TRY(move_fast(e, begin_m + towards * back_off_m(e), err));
    CB_TRY(daq_place_measure_link(e, towards, err));
  }
  return daq_place_back_off(e, err);
}

/* The operator has nothing to do. */
static bool as_it_lies(const daq_engine *e, const daq_cell *c) {
  return !must_turn(e, c) && !must_turn_body(e, c) && c->added_mass_kg == e->added_mass_kg &&
         (c->repeat == e->repeat || !e->job->campaign->fresh_specimens);
}

cb_status daq_place_prepare(daq_engine *e, const daq_cell *c, cb_err *err) {
  e->answer = DAQ_GO_ON;
  if (as_it_lies(e, c)) return slacken(e, c, err);
  CB_TRY(move_fast(e, nominal_begin_m(e, c), err));
  return set_up(e, c, err);
}

/* Readings from before the link was slack may still be on their way. */
cb_status daq_place_settle(daq_engine *e, cb_err *err) {
  double unused;
  return daq_bench_rest(&e->bench, SETTLE_S, &unused, err);
}
