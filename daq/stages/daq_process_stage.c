/* A stage behind a program of somebody's own: lines of text by templates of ours
 * (docs/reference/processes.md) over its standard input and output. Whether it is stopped must not depend on
 * that program: one that does not answer, or has ended, is killed, and the rig file's stop_command stops the
 * stage. */
#include "daq_process.h"
#include "daq_stage.h"

#define STOP_COMMAND_S 5.0

static cb_status process_open(daq_stage *s, const cb_rig_stage *rig, const char *port, cb_err *err) {
  const cb_status st = daq_lines_driver.open(s, rig, port, err);
  s->driver = &daq_process_stage_driver; /* also of a stage that is left half open: it is stopped */
  return st;
}

/* A program that hangs is given no second chance. */
static cb_status or_kill(const daq_stage *s, cb_status st) {
  if (st == CB_E_TIMEOUT) daq_process_kill(s->port);
  return st;
}

static cb_status process_home(daq_stage *s, cb_err *err) { return or_kill(s, daq_lines_driver.home(s, err)); }

static cb_status process_move_abs(daq_stage *s, double target_m, double speed_m_per_s, cb_err *err) {
  return or_kill(s, daq_lines_driver.move_abs(s, target_m, speed_m_per_s, err));
}

static cb_status process_ask(daq_stage *s, cb_err *err) { return or_kill(s, daq_lines_driver.ask(s, err)); }

static cb_status process_take(daq_stage *s, daq_stage_state *state, bool *fresh, cb_err *err) {
  return or_kill(s, daq_lines_driver.take(s, state, fresh, err));
}

static cb_status process_stop(daq_stage *s, cb_err *err) {
  if (!daq_process_killed(s->port) && daq_lines_driver.stop(s, err) == CB_OK) return CB_OK;
  daq_process_kill(s->port);
  return daq_process_run(s->rig->stop_command, STOP_COMMAND_S, err);
}

const daq_stage_driver daq_process_stage_driver = {
    .name = "process",
    .open = process_open,
    .home = process_home,
    .move_abs = process_move_abs,
    .stop = process_stop,
    .ask = process_ask,
    .take = process_take,
};
