#include "cb_signals.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef enum signal_deed { IGNORE, STOP } signal_deed;

/* SIGRTMIN is no constant: the real-time signals follow in set_all. */
static const struct {
  int number;
  signal_deed deed;
} table[] = {
    {SIGPIPE, IGNORE}, {SIGXFSZ, IGNORE},                  /* the write fails */
    {SIGINT, STOP},    {SIGQUIT, STOP},                    /* the person, by Ctrl-C and Ctrl-\ */
    {SIGTERM, STOP},   {SIGHUP, STOP},    {SIGPWR, STOP},  /* the system, the terminal's end, the power's */
    {SIGXCPU, STOP},                                       /* ulimit -t */
    {SIGALRM, STOP},   {SIGVTALRM, STOP}, {SIGPROF, STOP}, /* clocks */
    {SIGUSR1, STOP},   {SIGUSR2, STOP},   {SIGIO, STOP},
    {SIGSTKFLT, STOP}, /* by mistake of another program */
};

/* A handler can reach nothing but globals; the threads of the program see them too. */
static cb_stop wish;
static const char *volatile words_at_once;
static volatile sig_atomic_t on_terminal;

static void on_signal(int number) {
  int before = errno, none = CB_STOP_NOT;
  const char *words = words_at_once;
  /* The first one is the reason. */
  (void)atomic_compare_exchange_strong(&wish, &none,
                                       number == SIGINT ? CB_STOP_OPERATOR : CB_STOP_SIGNAL + number);
  if (on_terminal) (void)!write(STDERR_FILENO, "\n", 1); /* behind the bar of progress */
  if (words) (void)!write(STDERR_FILENO, words, strlen(words));
  errno = before;
}

/* What is ignored stays so, and so does a handler of somebody else: a profiler's SIGPROF is its own. */
static void set_handler(int number, void (*handler)(int), int flags) {
  struct sigaction a = {.sa_handler = handler, .sa_flags = flags}, before;
  (void)sigemptyset(&a.sa_mask);
  if (sigaction(number, NULL, &before) != 0) return;
  if (before.sa_handler == SIG_DFL || before.sa_handler == on_signal) (void)sigaction(number, &a, NULL);
}

static void set_all(signal_deed deed, void (*handler)(int), int flags) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
    if (table[i].deed == deed) set_handler(table[i].number, handler, flags);
  for (int number = SIGRTMIN; deed == STOP && number <= SIGRTMAX; number++)
    set_handler(number, handler, flags);
}

/* The kernel looks at the hard end first: SIGXCPU would never come. */
static void hear_of_processor_time(void) {
  const rlim_t before_s = 5;
  struct rlimit l;
  if (getrlimit(RLIMIT_CPU, &l) != 0 || l.rlim_max == RLIM_INFINITY || l.rlim_cur < l.rlim_max ||
      l.rlim_max < 2)
    return;
  l.rlim_cur = l.rlim_max - (l.rlim_max > 2 * before_s ? before_s : l.rlim_max / 2);
  (void)setrlimit(RLIMIT_CPU, &l);
}

void cb_signals_begin(void) {
  set_all(IGNORE, SIG_IGN, 0);
  hear_of_processor_time();
}

/* No SA_RESTART: a call that waits for ever is one that a signal has to end. */
const cb_stop *cb_signals_listen(void) {
  words_at_once = NULL;
  on_terminal = 0;
  set_all(STOP, on_signal, 0);
  return &wish;
}

const cb_stop *cb_signals_listen_once(const char *words) {
  words_at_once = words;
  on_terminal = isatty(STDERR_FILENO);
  set_all(STOP, on_signal, (int)SA_RESETHAND);
  return &wish;
}

const cb_stop *cb_signals_wish(void) { return &wish; }
