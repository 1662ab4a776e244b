/* The faults of a running virtual rig: plays a script (vrig_fault_script.h) and logs its actions. Tests
 * compare the host's records with this log.
 *
 * The log has one line per fault and, with log_lines, one per line sent. Its tab-separated fields are
 *
 *   number, t_s, port, kind, "true line", "what was sent"
 *
 * The number counts faults from 1; lines touched by one fault share it. Number 0, kind "-", is an intact
 * line. Bytes that are not printable are written as \r, \n, \xNN. A fault that affects no line has two empty
 * texts. Times are rig seconds. */
#ifndef VRIG_FAULT_H
#define VRIG_FAULT_H

#include <stdint.h>

#include "cb_err.h"
#include "vrig_device.h"
#include "vrig_fault_script.h"

typedef struct vrig_fault vrig_fault;

/* Loads a script and opens the log. log_path may be NULL; an existing file is overwritten. The caller closes
 * *out with vrig_fault_close, which accepts NULL; *out is NULL on failure.
 * Errors: those of vrig_fault_script_load, CB_E_IO, CB_E_NOMEM. vrig_fault_close frees f in any case;
 * CB_E_IO: the log is incomplete. */
CB_CHECKED cb_status vrig_fault_open(const char *script_path, const char *log_path, vrig_fault **out,
                                     cb_err *err);
CB_CHECKED cb_status vrig_fault_close(vrig_fault *f, cb_err *err);

/* Begins the faults due at t_s, on ports with a host. Called once per sample. */
void vrig_fault_tick(vrig_fault *f, double t_s, const bool host[VRIG_N_WIRES]);

/* A piece of a line, with its extra delay. n = 0: nothing is sent. */
typedef struct vrig_fault_piece {
  const char *text; /* valid until the next call */
  size_t n;
  double delay_s;
} vrig_fault_piece;
/* Turns a line that is sent now into up to two pieces. */
void vrig_fault_send(vrig_fault *f, vrig_wire wire, double t_s, const char *line, size_t n,
                     vrig_fault_piece piece[2]);

/* State of the rig's own faults at t_s. */
bool vrig_fault_unplugged(const vrig_fault *f, vrig_wire wire, double t_s);
double vrig_fault_clock(const vrig_fault *f, double t_s);    /* the read-out's rate over its nominal one */
double vrig_fault_overload(const vrig_fault *f, double t_s); /* force on the cell, in units of overload_N */
/* Event inside the stage at t_s, reported once each. After duration_s the stage is switched off and on
 * (POWERED), which ends a fault. *fault is set with VRIG_STAGE_FAULT. */
typedef enum vrig_stage_event { VRIG_STAGE_NOTHING, VRIG_STAGE_POWERED, VRIG_STAGE_FAULT } vrig_stage_event;
vrig_stage_event vrig_fault_of_stage(vrig_fault *f, double t_s, vrig_stage_fault *fault);

unsigned long vrig_fault_count(const vrig_fault *f); /* faults so far */

#endif
