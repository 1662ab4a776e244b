/* The faults of a running virtual rig: plays a script (vrig_fault_script.h) and logs its actions. Tests
 * compare the host's records with this log.
 *
 * The log has one line per fault and, with log_lines, one per line sent. Its tab-separated fields are
 *
 *   number, t_s, port, kind, "true line", "what was sent"
 *
 * The number counts faults from 1; lines touched by one fault share it. Number 0, kind "-", is an intact
 * line. Bytes that are not printable are written as \r, \n, \xNN. A fault that affects no line has two empty
 * texts. A mishap of a pull has the port "bench". Times are rig seconds. */
#ifndef VRIG_FAULT_H
#define VRIG_FAULT_H

#include "cb_err.h"

typedef struct vrig_fault vrig_fault;

/* Loads a script and opens the log. log_path may be NULL; an existing file is overwritten. The caller closes
 * *out with vrig_fault_close, which accepts NULL; *out is NULL on failure.
 * Errors: those of vrig_fault_script_load, CB_E_IO, CB_E_NOMEM. vrig_fault_close frees f in any case;
 * CB_E_IO: the log is incomplete. */
CB_CHECKED cb_status vrig_fault_open(const char *script_path, const char *log_path, vrig_fault **out,
                                     cb_err *err);
CB_CHECKED cb_status vrig_fault_close(vrig_fault *f, cb_err *err);

unsigned long vrig_fault_count(const vrig_fault *f); /* faults so far */

#endif
