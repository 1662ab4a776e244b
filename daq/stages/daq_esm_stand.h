/* The stand and its gauge on one port: one question at a time, whoever asks it. The stage driver owns the
 * stand. The force driver borrows it, and gets the force of every reading, also of those taken for the
 * position.
 *
 * Nobody but the two drivers includes this. */
#ifndef DAQ_ESM_STAND_H
#define DAQ_ESM_STAND_H

#include <stdbool.h>

#include "daq_esm.h"
#include "daq_rx.h"
#include "daq_stage.h"

#define DAQ_ESM_READINGS 64

typedef struct daq_esm_stand {
  const cb_rig_stage *rig;
  daq_transport *port; /* the stage's */
  daq_rx rx;
  char asked;                   /* the open question: 'p', 'n', 'v', 'w', 'a', 'x'; 0: none */
  int n_unanswered;             /* times that it was not answered */
  double asked_s, answer_due_s; /* asked_s: of its first time */
  daq_esm_message answer;       /* to the last question; of a reading: its travel */
  /* For the stage: status and then travel, so that the travel of a stopped stand is final. */
  bool state_wanted, moving_known;
  int moving;
  daq_stage_state state;
  bool state_fresh;
  double next_state_s;
  /* For the force driver. */
  double force_period_s; /* wall; 0: no force wanted */
  double next_force_s;
  char unit[12]; /* of the last force */
  struct {
    double value, asked_s, answered_s;
  } force[DAQ_ESM_READINGS];
  size_t first, n_force;
  size_t n_unreadable;
} daq_esm_stand;

/* The stand behind an open stage of this driver. */
daq_esm_stand *daq_esm_stand_of(const daq_stage *s);

/* Takes answers that came, and asks the next question once none is open. Never waits. CB_E_TIMEOUT: no
 * answer. */
CB_CHECKED cb_status daq_esm_pump(daq_esm_stand *e, cb_err *err);
/* Waits for the open question, asks this one and waits for its answer, which is in e->answer then. */
CB_CHECKED cb_status daq_esm_exchange(daq_esm_stand *e, char question, cb_err *err);

#endif
