/* Signals: one table of all that end a program by default and can reach a sound one, and what they do here.
 *
 * SIGPIPE and SIGXFSZ are ignored: the write that caused them fails (EPIPE, EFBIG) and takes the way of every
 * failed write. All others - SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM,
 * SIGPROF, SIGIO, SIGPWR, SIGSTKFLT and the real-time signals - are a wish to stop, in a command that
 * listens; in one that does not, which has nothing to stop or to save, they end the program as ever. A signal
 * that was ignored when the program began stays ignored (nohup); one that has a handler keeps it (a
 * profiler's). Not in the table: SIGKILL, which nobody can catch, and the signals of a broken program
 * (SIGSEGV and its like). */
#ifndef CLI_SIGNALS_H
#define CLI_SIGNALS_H

#include "cb_stop.h"

/* Once, first thing in main. A limit of processor time whose soft end is its hard end (ulimit -t), which
 * would kill without a word, gets a soft end a few seconds earlier. */
void cli_signals_begin(void);

/* What moves a stage: from here on a signal sets the wish that is returned, however often it comes; nothing
 * ends the program but its own way out. */
const cb_stop *cli_signals_listen(void);

/* What computes: as above, and the handler writes `words` to standard error at once (one line with its line
 * feed; a constant; NULL: none), on a terminal below the bar of progress. The second signal of a kind ends
 * the program there and then. */
const cb_stop *cli_signals_listen_once(const char *words);

/* The wish, for a command that calls others: not set where nobody has listened. */
const cb_stop *cli_signals_wish(void);

#endif
