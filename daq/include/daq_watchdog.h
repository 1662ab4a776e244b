/* The watchdog: a thread that tells the stage to stop when the acquisition loop does not run.
 *
 * The loop beats once a turn; while the watchdog is armed, a pause of more than DAQ_WATCHDOG_S without a beat makes it write the
 * stage's stop bytes itself, and again every 0.1 s until the loop comes back. It takes no lock: beats and arming are atomic
 * stores, and the bytes go straight to the terminal, past the driver. It helps against a loop that is stuck (a terminal that
 * takes no data, a callback that does not return); against a process that is stopped or killed as a whole only the bounded move
 * helps, and the loop that finds itself late says so when it runs again. */
#ifndef DAQ_WATCHDOG_H
#define DAQ_WATCHDOG_H

#include "cb_err.h"
#include "daq_transport.h"

/* Wall seconds. Ten times the longest wait of the loop, with room for a busy computer; at 10 mm/s the stage goes 2.5 mm, which a
 * link of 500 N/m answers with 1.25 N. */
#define DAQ_WATCHDOG_S 0.25

typedef struct daq_watchdog daq_watchdog;

/* Starts the thread, not armed. port: the stage's, borrowed, must outlive the watchdog; stop_text is copied. */
CB_CHECKED cb_status daq_watchdog_start(const daq_transport *port, const char *stop_text, daq_watchdog **out, cb_err *err);
/* Ends the thread and frees w (NULL is fine). */
void daq_watchdog_stop(daq_watchdog *w);

void daq_watchdog_arm(daq_watchdog *w);
void daq_watchdog_disarm(daq_watchdog *w);
/* The loop runs. CB_E_SAFETY where it is armed and had not for too long, whoever noticed first. */
CB_CHECKED cb_status daq_watchdog_beat(daq_watchdog *w, cb_err *err);

#endif
