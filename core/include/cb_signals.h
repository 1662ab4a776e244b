/* Signals: one table of those that end a program by default and can reach a correct one, and their effect
 * here.
 *
 * SIGPIPE and SIGXFSZ are ignored: the write that caused them fails (EPIPE, EFBIG) like any failed write.
 * All others are a request to stop in a command that listens: SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU,
 * SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, SIGSTKFLT and the real-time signals. They
 * end a command that does not listen, which has nothing to stop or to save. A signal that was ignored when
 * the program started stays ignored (nohup). One with a handler keeps it (a profiler's). Not in the table
 * are SIGKILL, which nobody can catch, and the signals of a faulty program (SIGSEGV and similar). */
#ifndef CB_SIGNALS_H
#define CB_SIGNALS_H

#include "cb_stop.h"

/* Sets up signals; call it once, first in main. A limit of processor time whose soft limit is its hard limit
 * (ulimit -t) would kill without a message; it gets a soft limit some seconds earlier. */
void cb_signals_begin(void);

/* For commands that move a stage: from now on every signal sets the returned request. Only the command
 * itself ends the program, however many signals come. */
const cb_stop *cb_signals_listen(void);

/* For commands that compute: the same, and the handler writes `words` to stderr at once (a constant with a
 * line feed; NULL: nothing), below the bar of progress on a terminal. The second signal of a kind ends the
 * program at once. */
const cb_stop *cb_signals_listen_once(const char *words);

/* Returns the request, for code that is called by commands. It is never set if no command listens. */
const cb_stop *cb_signals_wish(void);

#endif
