/* The faults of a virtual rig as it runs: plays a script (vrig_fault_script.h) and writes down what it did, which is the truth
 * that tests compare the host's records with.
 *
 * The log has a line per fault, and with log_lines one per line that was sent, tab-separated:
 *   number, t_s, port, kind, "true line", "what was sent"
 * Number counts faults from 1; lines that one fault touched share it; 0, kind "-": an intact line. Bytes that are not printable
 * stand as \r, \n, \xNN; a fault that is none of a line has two empty texts. Times are rig seconds. */
#ifndef VRIG_FAULT_H
#define VRIG_FAULT_H

#include <stdint.h>

#include "cb_err.h"
#include "vrig_device.h"
#include "vrig_fault_script.h"

typedef struct vrig_fault vrig_fault;

/* log_path: NULL for none; an existing file is overwritten. *out is NULL on failure. Caller closes with vrig_fault_close, which takes
 * NULL, and says whether the log could be written to its end. */
CB_CHECKED cb_status vrig_fault_open(const char *script_path, const char *log_path, vrig_fault **out, cb_err *err);
CB_CHECKED cb_status vrig_fault_close(vrig_fault *f, cb_err *err);

/* What is due at t_s begins, on ports with a host. Once per sample. */
void vrig_fault_tick(vrig_fault *f, double t_s, const bool host[VRIG_N_WIRES]);

/* What becomes of a line that is sent now: up to two pieces (n = 0: nothing), each with its extra delay. */
typedef struct vrig_fault_piece {
  const char *text; /* until the next call */
  size_t n;
  double delay_s;
} vrig_fault_piece;
void vrig_fault_send(vrig_fault *f, vrig_wire wire, double t_s, const char *line, size_t n, vrig_fault_piece piece[2]);

/* The present state of the rig's own faults. */
bool vrig_fault_unplugged(const vrig_fault *f, vrig_wire wire, double t_s);
double vrig_fault_clock(const vrig_fault *f, double t_s);    /* the read-out's rate over its nominal one */
double vrig_fault_overload(const vrig_fault *f, double t_s); /* force on the cell, in units of overload_N */
/* What the stage has to suffer now, each once. After duration_s somebody switches it off and on, which ends a fault inside it. */
typedef enum vrig_stage_event { VRIG_STAGE_NOTHING, VRIG_STAGE_POWERED, VRIG_STAGE_FAULT } vrig_stage_event;
vrig_stage_event vrig_fault_of_stage(vrig_fault *f, double t_s, vrig_stage_fault *fault);

unsigned long vrig_fault_count(const vrig_fault *f); /* so far */

#endif
