/* The virtual rig as a whole: a Zaber stage and a force read-out on two pseudo-terminals, a bench between them, an operator.
 *
 * Rig time = wall time * virtual.time_scale. One loop serves everything: it wakes about every millisecond, advances the bench to
 * the present, answers what came, sends what is due (virtual.latency_ms of rig time after it was measured or asked for) and sleeps
 * again. A host that does not read loses lines and never holds the physics up. If the process itself is held up for more than
 * half a second, the rig's time stands still for the rest of it. */
#ifndef VRIG_H
#define VRIG_H

#include "cb_err.h"
#include "cb_rig.h"
#include "cb_stop.h"
#include "vrig_fault.h"

typedef struct vrig vrig;

/* The rig file needs a section `virtual` (CB_E_ARG without); it must outlive the virtual rig. More than 100000 lines per wall second are
 * refused (CB_E_RANGE). *out is NULL on failure. Caller frees with vrig_close, which may be given NULL. */
CB_CHECKED cb_status vrig_open(const cb_rig *rig, vrig **out, cb_err *err);
void vrig_close(vrig *v);

/* The ttys for the host. */
const char *vrig_stage_port(const vrig *v);
const char *vrig_force_port(const vrig *v);

/* To be called before vrig_serve: these faults (borrowed) are played. ports_moved is called whenever a port was unplugged (its
 * name is "" then) or plugged in again, perhaps under another name; its failure ends vrig_serve. It may be NULL. */
void vrig_set_faults(vrig *v, vrig_fault *faults, cb_status (*ports_moved)(void *context, cb_err *err), void *context);

/* Runs until it is wanted to stop, which a signal handler may do. Operator actions (vrig_operator.h) are read from operator_in, one per
 * line, and answered on operator_out; the end of operator_in is not the end of the rig. */
CB_CHECKED cb_status vrig_serve(vrig *v, int operator_in, int operator_out, const cb_stop *stop, cb_err *err);

/* Force lines that were lost because the host did not read in time. */
unsigned long long vrig_lines_lost(const vrig *v);

#endif
