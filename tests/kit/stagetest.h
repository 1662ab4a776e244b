/* What the tests of the stage drivers share, after daqtest.h. */
#ifndef STAGETEST_H
#define STAGETEST_H

#include "cb_time.h"
#include "daq_stage.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Asks and waits for the answer. */
static inline cb_status st_look(daq_stage *s, daq_stage_state *state, cb_err *err) {
  bool fresh = false;
  while (!fresh) {
    CB_TRY(s->driver->ask(s, err));
    CB_TRY(s->driver->take(s, state, &fresh, err));
    if (!fresh) cb_sleep_s(0.001);
  }
  return CB_OK;
}

/* From here on no answer comes, and nobody waits long for it. Before, a loaded machine may take its time. */
static inline void st_impatient(daq_stage *s) {
  static cb_rig_stage rig;
  rig = *s->rig;
  rig.reply_timeout_s = 0.5;
  s->rig = &rig;
}

/* The stage of a script, and the script, which must have been played to its end. */
static inline void st_end(dt_script *script, daq_stage *s) {
  daq_stage_close(s);
  dt_script_end(script);
}

/* An instrument that says nothing, or this, to whatever it hears: opening ends with this sentence. */
static inline void st_stranger(const daq_stage_driver *driver, const cb_rig_stage *rig, const char *says,
                               cb_status status, const char *sentence) {
  dt_pty pty;
  daq_stage s;
  dt_pty_open(&pty);
  if (says) dt_send(&pty, says);
  /* What came before the port was opened is dropped, so it is said again meanwhile. */
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; says && i < 60; i++) {
      cb_sleep_s(0.05);
      (void)!write(pty.master, says, strlen(says));
    }
    _exit(0);
  }
  assert_fails(status, sentence, driver->open(&s, rig, pty.name, err));
  daq_stage_close(&s);
  (void)waitpid(child, NULL, 0);
  dt_pty_close(&pty);
}

/* Two programs on one port. */
static inline void st_busy_port(const daq_stage_driver *driver, const cb_rig_stage *rig) {
  dt_pty pty;
  daq_transport *first;
  daq_stage s;
  dt_pty_open(&pty);
  assert_ok(daq_transport_open(pty.name, 115200, &first, err));
  assert_fails(CB_E_DEVICE, "the port is in use by another program", driver->open(&s, rig, pty.name, err));
  daq_stage_close(&s);
  daq_transport_close(first);
  dt_pty_close(&pty);
}

#endif
