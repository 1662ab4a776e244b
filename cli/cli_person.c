#include "cli_person.h"

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

const atomic_bool *cli_person_stop_flag(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = on_signal}, before;
  bool hang_up = sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN;
  sigemptyset(&a.sa_mask);
  for (int i = 0; i < (hang_up ? 3 : 2); i++) (void)sigaction(numbers[i], &a, NULL);
  return &stop_flag;
}

/* Waits in short turns: a signal that comes just before the wait must end it too. */
cb_status cli_person_confirm(const char *text, cb_err *err) {
  fprintf(stderr, "%s Press Enter (Ctrl-C stops): ", text);
  while (!atomic_load(&stop_flag)) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[256];
    if (poll(&p, 1, 100) <= 0) continue;
    ssize_t n = read(STDIN_FILENO, line, sizeof line);
    if (n <= 0) break;
    if (memchr(line, '\n', (size_t)n)) return CB_OK;
  }
  return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
}
