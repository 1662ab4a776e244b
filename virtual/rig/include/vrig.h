/* The virtual rig as a whole: a stage and a force read-out on pseudo-terminals, a bench between them, an
 * operator. docs/reference/virtual-rig.md is the page.
 *
 * Rig time = wall time * virtual.time_scale. One loop serves everything. It wakes about every millisecond,
 * advances the bench to the present, answers what came, sends what is due, and sleeps again. A line is due
 * virtual.latency_ms of rig time after its measurement or question. A host that does not read loses lines and
 * never delays the physics. If the process itself is delayed by more than half a second, rig time stops for
 * the rest of that delay. */
#ifndef VRIG_H
#define VRIG_H

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"
#include "vrig_fault.h"

typedef struct vrig vrig;

/* Makes the virtual rig and its ttys. rig must outlive it. The caller frees *out with vrig_close, which
 * accepts NULL; *out is NULL on failure.
 * CB_E_ARG: the rig file has no section `virtual`. CB_E_RANGE: more than 100000 lines per wall second, or the
 * errors of vrig_bench_init. CB_E_IO: no pseudo-terminal. CB_E_NOMEM. */
CB_CHECKED cb_status vrig_open(const cb_rig *rig, vrig **out, cb_err *err);
void vrig_close(vrig *v);

/* The names of the ttys for the host; both are the same if the stage sends the force. They belong to v. */
const char *vrig_stage_port(const vrig *v);
const char *vrig_force_port(const vrig *v);

/* Sets the faults to inject, before vrig_serve; they must outlive v. ports_moved is called whenever a port
 * was unplugged (its name is then "") or plugged in again, perhaps under another name. Its failure ends
 * vrig_serve. It may be NULL. */
void vrig_set_faults(vrig *v, vrig_fault *faults, cb_status (*ports_moved)(void *context, cb_err *err),
                     void *context);

/* Runs until `stop` is set, which a signal handler may do. Operator actions (vrig_operator.h) are read from
 * operator_in, one per line, and answered on operator_out. At the end of operator_in the rig goes on.
 * CB_E_IO: the ports fail; also those of ports_moved. */
CB_CHECKED cb_status vrig_serve(vrig *v, int operator_in, int operator_out, const cb_stop *stop, cb_err *err);

/* Returns the number of force lines lost because the host did not read in time. */
unsigned long long vrig_lines_lost(const vrig *v);

#endif
