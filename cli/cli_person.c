#include "cli_person.h"

#include <ctype.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "daq_conditions.h"

/* A signal handler can reach nothing but a global; the threads of the program see it too. */
static atomic_bool stop_flag;

static void on_signal(int number) {
  (void)number;
  atomic_store(&stop_flag, true);
}

const atomic_bool *cli_person_listen(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = on_signal}, before;
  sigemptyset(&a.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    if (sigaction(numbers[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN) (void)sigaction(numbers[i], &a, NULL);
  return &stop_flag;
}

/* The next byte of the terminal's line; waits in short turns: a signal that comes just before the wait must end it too. */
static cb_status next_byte(char *c, cb_err *err) {
  while (!atomic_load(&stop_flag)) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    if (poll(&p, 1, 100) <= 0) continue;
    if (read(STDIN_FILENO, c, 1) == 1) return CB_OK;
    break;
  }
  return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
}

static void trim(char *text) {
  size_t n = strlen(text), lead = strspn(text, " \t\r");
  while (n > lead && isspace((unsigned char)text[n - 1])) n--;
  memmove(text, text + lead, n - lead);
  text[n - lead] = '\0';
}

cb_status cli_person_line(char *out, size_t size, cb_err *err) {
  size_t n = 0;
  char c = 0;
  while (c != '\n') {
    CB_TRY(next_byte(&c, err));
    if (c != '\n' && n + 1 < size) out[n++] = c;
  }
  out[n] = '\0';
  trim(out);
  return CB_OK;
}

cb_status cli_person_confirm(void *context, const char *text, cb_err *err) {
  char line[8];
  (void)context;
  fprintf(stderr, "%s Press Enter (Ctrl-C stops): ", text);
  return cli_person_line(line, sizeof line, err);
}

cb_status cli_person_conditions(cb_conditions *c, cb_err *err) {
  bool said = false;
  for (size_t i = 0; i < DAQ_N_CONDITIONS; i++) {
    char question[160], answer[512];
    cb_err wrong;
    if (daq_conditions_known(c, i)) continue;
    if (!said) cli_say("run", "what the campaign file does not say is asked once; Enter leaves it unrecorded");
    said = true;
    daq_conditions_question(i, question);
    do {
      fprintf(stderr, "  %s: ", question);
      CB_TRY(cli_person_line(answer, sizeof answer, err));
      wrong.msg[0] = '\0';
      if (daq_conditions_answer(c, i, answer, &wrong) != CB_OK) fprintf(stderr, "  %s\n", wrong.msg);
    } while (wrong.msg[0]);
  }
  return CB_OK;
}
