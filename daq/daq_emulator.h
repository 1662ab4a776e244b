/* The virtual rig as a child process (`clothbench rig emulate`), and the part its operator plays: turning the sample, changing
 * the weight. The child gets a process group of its own, so that a Ctrl-C on the terminal reaches it only through us, and ends
 * when we do, however we end. The program must ignore SIGPIPE, or a virtual rig that dies takes it along. */
#ifndef DAQ_EMULATOR_H
#define DAQ_EMULATOR_H

#include "cb_err.h"

typedef struct daq_emulator daq_emulator;

/* program: the clothbench executable. Waits until both ports are there. Caller ends it with daq_emulator_stop (NULL is fine). */
CB_CHECKED cb_status daq_emulator_start(const char *program, const char *rig_path, daq_emulator **out, cb_err *err);
void daq_emulator_stop(daq_emulator *e);

const char *daq_emulator_stage_port(const daq_emulator *e);
const char *daq_emulator_force_port(const daq_emulator *e);

/* The operator's actions; each returns once the rig has done it. */
CB_CHECKED cb_status daq_emulator_turn_sample(daq_emulator *e, double angle_deg, cb_err *err);
CB_CHECKED cb_status daq_emulator_turn_body(daq_emulator *e, double angle_deg, cb_err *err);
/* Changes the weight and puts the cart back where the link is slack. */
CB_CHECKED cb_status daq_emulator_load_cart(daq_emulator *e, double added_mass_kg, cb_err *err);
/* Hangs dead weights on the load cell; 0: none. */
CB_CHECKED cb_status daq_emulator_hang_weight(daq_emulator *e, double conventional_mass_kg, cb_err *err);

#endif
