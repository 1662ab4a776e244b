/* Private to daq: the engine's state of the bench during a campaign. Prepares cart, sample and link for a
 * pull, by the emulator or a person. */
#ifndef DAQ_PLACE_H
#define DAQ_PLACE_H

#include "daq_bench.h"
#include "daq_calibration.h"
#include "daq_emulator.h"
#include "daq_engine.h"
#include "daq_session.h"
#include "daq_trouble.h"
#include "daq_zero.h"

typedef struct daq_engine {
  const daq_engine_job *job;
  cb_rig rig; /* the job's, with the calibration in use; its text is borrowed */
  daq_calibration calibration;
  daq_emulator *emulator; /* NULL: a person is the operator */
  daq_bench bench;
  daq_session session;
  daq_trouble told; /* faults reported so far */
  bool placed;      /* sample and cart are as for the cell before */
  double angle_deg, body_angle_deg, added_mass_kg;
  daq_zero zero;       /* from the last rest with a slack link */
  bool zeroed;         /* in the present run */
  double record_s;     /* when the record of the run began, rig seconds */
  int pulling;         /* direction of the last move with the cart: the side on which the link is taut */
  double taut_force_N; /* force that it left in the link; >= 0 */
  bool slack;          /* the stage has backed off since that move */
  int repeat;
  size_t n_done, n_total; /* runs of this session */
  daq_answer answer;      /* to the last question */
  int64_t last_run;       /* of this session, finished; 0: none */
  size_t last_cell;       /* its cell */
  daq_cell cell;          /* the present or last one */
} daq_engine;

/* Homes the stage, after the person has taken the cart off the link. */
CB_CHECKED cb_status daq_place_home(daq_engine *e, cb_err *err);
/* Sets sample angle, added mass and cart for a cell. The link is then slack and centred, and the stage near
 * the beginning of the pull. If the person answers something else than DAQ_GO_ON, e->answer says so, and
 * sample and cart are as before. */
CB_CHECKED cb_status daq_place_prepare(daq_engine *e, const daq_cell *c, cb_err *err);
/* Measures the force in the link after a move with the cart, which left it taut on the side `pulling`. */
CB_CHECKED cb_status daq_place_measure_link(daq_engine *e, int pulling, cb_err *err);
/* Makes the link slack, if it is not. */
CB_CHECKED cb_status daq_place_back_off(daq_engine *e, cb_err *err);
/* Waits until the force has settled after a move, and all older readings have arrived. */
CB_CHECKED cb_status daq_place_settle(daq_engine *e, cb_err *err);

#endif
