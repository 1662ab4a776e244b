/* Private to daq: what the engine knows of the bench while a campaign runs, and how cart, sample and link are made ready for a
 * pull, by the emulator or by a person. */
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
  cb_rig rig; /* the job's, with the calibration that is in force; its text is borrowed */
  daq_calibration calibration;
  daq_emulator *emulator; /* NULL: a person is the operator */
  daq_bench bench;
  daq_session session;
  daq_trouble told; /* of what went wrong on the bench */
  bool placed;      /* sample and cart are as the cell before wanted them */
  double angle_deg, body_angle_deg, added_mass_kg;
  daq_zero zero;       /* from the last rest with a slack link */
  double record_s;     /* when the record of the run began, rig seconds */
  int pulling;         /* direction of the last move with the cart: the side on which the link is taut */
  double taut_force_N; /* what it left in the link; >= 0 */
  bool slack;          /* the stage has backed off since */
  int repeat;
  size_t n_done, n_total; /* runs of this session */
} daq_engine;

/* Homes the stage, after the person has taken the cart off the link. */
CB_CHECKED cb_status daq_place_home(daq_engine *e, cb_err *err);
/* Sample, added mass and cart are as the cell wants them, the link slack and in its middle, the stage near where the pull begins. */
CB_CHECKED cb_status daq_place_prepare(daq_engine *e, const daq_cell *c, cb_err *err);
/* After a move with the cart: the link is taut on the side `pulling`, by the force that is in it now. */
CB_CHECKED cb_status daq_place_measure_link(daq_engine *e, int pulling, cb_err *err);
/* The link goes slack, if it is not. */
CB_CHECKED cb_status daq_place_back_off(daq_engine *e, cb_err *err);
/* Waits until the force has settled after a move, and all older readings have arrived. */
CB_CHECKED cb_status daq_place_settle(daq_engine *e, cb_err *err);

#endif
