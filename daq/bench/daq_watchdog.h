/* The watchdog: a thread that tells the stage to stop when the acquisition loop does not run.
 *
 * The loop beats once a turn. While the watchdog is armed, a longer pause than its limit
 * makes it write the stage's stop bytes, and again every 0.1 s until the loop comes back. It takes no lock:
 * beats and arming are atomic stores, and the bytes go straight to the terminal, past the driver.
 *
 * It helps against a stuck loop (a terminal that takes no data, a callback that does not return). If the
 * whole process is stopped or killed, only the bounded move helps. A process that runs on afterwards fails
 * its next beat. */
#ifndef DAQ_WATCHDOG_H
#define DAQ_WATCHDOG_H

#include "cb_err.h"
#include "daq_transport.h"

/* Wall seconds: 25 times the longest wait of the loop, for a busy computer. At 10 mm/s the stage moves 2.5 mm
 * in that time. A link of 500 N/m then pulls by 1.25 N more. */
#define DAQ_WATCHDOG_S 0.25
/* Of a virtual rig, which nothing can harm: a busy computer may take the processor away for longer. */
#define DAQ_WATCHDOG_VIRTUAL_S 5.0

typedef struct daq_watchdog daq_watchdog;

/* Starts the thread, disarmed, with the longest pause that is allowed. port is the stage's and must outlive
 * the watchdog; stop_text is copied. The caller ends *out with daq_watchdog_stop. CB_E_NOMEM: no memory, pipe
 * or thread. */
CB_CHECKED cb_status daq_watchdog_start(const daq_transport *port, const char *stop_text, double limit_s,
                                        daq_watchdog **out, cb_err *err);
/* Ends the thread and frees w, which may be NULL. */
void daq_watchdog_stop(daq_watchdog *w);

/* Arming counts as a beat. */
void daq_watchdog_arm(daq_watchdog *w);
void daq_watchdog_disarm(daq_watchdog *w);
/* Reports that the loop runs.
 * CB_E_SAFETY: the watchdog is armed and the last beat is longer ago than the limit. */
CB_CHECKED cb_status daq_watchdog_beat(daq_watchdog *w, cb_err *err);

#endif
