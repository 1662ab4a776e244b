/* Any text as a plan of a sweep: cases whose commands are whole, or one sentence. Also any text as what a
 * case printed. */
#include <stdint.h>
#include <string.h>

#include "swp_plan_impl.h"
#include "swp_run_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void try_case(const swp_plan *p, int index) {
  swp_command command;
  char name[300];
  swp_case_say(p, index, name, sizeof name);
  if (swp_command_make(p, index, "F", &command, NULL) != CB_OK) return;
  if (command.argc != (int)p->n_words + 1 || command.argv[command.argc]) __builtin_trap();
  if (strcmp(command.argv[command.argc - 1], "--json") != 0) __builtin_trap();
  swp_command_clear(&command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  swp_plan p;
  swp_outcome outcome = {.index = 0};
  char printed[4096];
  cb_err err = {""};
  if (swp_plan_parse((const char *)data, size, "fuzz", &p, &err) != CB_OK) {
    if (!err.msg[0]) __builtin_trap();
  } else {
    if (p.n_cases < 1 || p.n_cases > SWP_CASES_MAX || p.n_variables == 0 || p.n_figures == 0)
      __builtin_trap();
    try_case(&p, 0);
    try_case(&p, p.n_cases / 2);
    try_case(&p, p.n_cases - 1);
    const size_t n = size < sizeof printed - 1 ? size : sizeof printed - 1;
    memcpy(printed, data, n);
    printed[n] = '\0';
    swp_outcome_read(&p, 0, printed, printed, &outcome);
    swp_outcome_read(&p, 1 << 8, printed, printed, &outcome);
    if (outcome.failed && !outcome.sentence[0]) __builtin_trap();
  }
  swp_plan_clear(&p);
  return 0;
}
