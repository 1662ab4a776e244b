#include "cli_operator.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A signal handler can reach nothing but a global. */
static atomic_bool stop_flag;

static void on_signal(int number) {
  (void)number;
  atomic_store(&stop_flag, true);
}

const atomic_bool *cli_operator_listen(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = on_signal}, before;
  bool hang_up = sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN;
  sigemptyset(&a.sa_mask);
  atomic_store(&stop_flag, false);
  for (int i = 0; i < (hang_up ? 3 : 2); i++) (void)sigaction(numbers[i], &a, NULL);
  return &stop_flag;
}

cb_status cli_operator_ask(void *context, const char *text, cb_err *err) {
  (void)context;
  fprintf(stderr, "%s Press Enter (Ctrl-C stops): ", text);
  for (;;) {
    /* Short turns: a signal that comes just before the wait must end it too. */
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[256];
    int ready = poll(&p, 1, 100);
    if (atomic_load(&stop_flag)) break;
    if (ready <= 0) continue;
    ssize_t n = read(STDIN_FILENO, line, sizeof line);
    if (n <= 0) break;
    if (memchr(line, '\n', (size_t)n)) return CB_OK;
  }
  return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
}
