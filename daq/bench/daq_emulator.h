/* The virtual rig as a child process (`clothbench rig emulate`), and the actions of its operator: turning the
 * sample, changing the weight. The child has a process group of its own, so that it does not receive Ctrl-C
 * from the terminal. It ends when this process ends, in whatever way. The program must ignore SIGPIPE, or a
 * virtual rig that dies kills it. */
#ifndef DAQ_EMULATOR_H
#define DAQ_EMULATOR_H

#include "cb_err.h"

typedef struct daq_emulator daq_emulator;

/* Starts the clothbench executable `program` and waits until both ports exist. The caller ends it with
 * daq_emulator_stop, which accepts NULL; *out is NULL on failure.
 * CB_E_IO: no pipe or process. CB_E_DEVICE: the child ended or refused. CB_E_TIMEOUT: no answer.
 * CB_E_NOMEM. */
CB_CHECKED cb_status daq_emulator_start(const char *program, const char *rig_path, daq_emulator **out,
                                        cb_err *err);
/* The same with a script of faults to play; NULL: none. */
CB_CHECKED cb_status daq_emulator_play(const char *program, const char *rig_path, const char *faults,
                                       daq_emulator **out, cb_err *err);
void daq_emulator_stop(daq_emulator *e);

/* The ports of stage and read-out. The texts belong to e. */
const char *daq_emulator_stage_port(const daq_emulator *e);
const char *daq_emulator_force_port(const daq_emulator *e);

/* The operator's actions. Each returns once the rig has done it.
 * CB_E_DEVICE: the rig refused (the stage moves) or ended. CB_E_TIMEOUT. */
CB_CHECKED cb_status daq_emulator_turn_sample(daq_emulator *e, double angle_deg, cb_err *err);
CB_CHECKED cb_status daq_emulator_turn_body(daq_emulator *e, double angle_deg, cb_err *err);
/* Changes the weight and puts the cart back where the link is slack. */
CB_CHECKED cb_status daq_emulator_load_cart(daq_emulator *e, double added_mass_kg, cb_err *err);
/* Hangs a conventional mass on the load cell; 0 removes it. */
CB_CHECKED cb_status daq_emulator_hang_weight(daq_emulator *e, double conventional_mass_kg, cb_err *err);

#endif
