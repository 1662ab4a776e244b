/* A program of somebody's own in place of a port: it is started, and its standard input and output are the
 * two directions of a transport. Its standard error stays this program's. */
#ifndef DAQ_PROCESS_H
#define DAQ_PROCESS_H

#include "daq_transport.h"

/* Starts a command line of sh. Closing the transport ends its input; a program that has not ended 2 s later
 * is killed. Errors: CB_E_IO, CB_E_NOMEM. */
CB_CHECKED cb_status daq_process_open(const char *command, daq_transport **out, cb_err *err);
/* Kills it with all that it started. The transport stays open. */
void daq_process_kill(const daq_transport *t);
bool daq_process_killed(const daq_transport *t);

/* Runs a command line of sh to its end.
 * Errors: CB_E_IO; CB_E_TIMEOUT: it was killed after limit_s; CB_E_DEVICE: its exit code is not 0. */
CB_CHECKED cb_status daq_process_run(const char *command, double limit_s, cb_err *err);

/* Starts a program and leaves it to itself: as long as look_s is waited for one that fails at once. name:
 * what it is called. CB_OK: it has ended well, or goes on. Errors: CB_E_IO; CB_E_DEVICE: its exit code is not
 * 0. */
CB_CHECKED cb_status daq_process_send(const char *const *argv, const char *name, double look_s, cb_err *err);

#endif
