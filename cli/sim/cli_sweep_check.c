/* The commands of a sweep, and their check. */
#include <string.h>

#include "cli.h"
#include "cli_sweep.h"
#include "sim_scene.h"
#include "swp_check.h"

static const cli_command commands[] = {
    {"sim", cmd_sim, ""}, {"validate", cmd_validate, ""}, {"predict", cmd_predict, ""}, {"fit", cmd_fit, ""}};

static int run(int argc, char **argv) {
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
    if (strcmp(commands[i].name, argv[0]) == 0) return commands[i].run(argc, argv);
  cli_say("sweep", "command: %s: sim, validate, predict or fit was wanted", argv[0]);
  return CLI_USAGE;
}

/* What a case says is kept with it, in its order, also under --quiet. */
int cli_sweep_play(int argc, char **argv) {
  cli_speak(false);
  return run(argc, argv);
}

static cb_status check_scene(const char *text, const char *name, cb_err *err) {
  sim_scene scene;
  CB_TRY(sim_scene_parse(text, strlen(text), name, &scene, err));
  sim_scene_clear(&scene);
  return CB_OK;
}

cb_status cli_sweep_check(const swp_plan *plan, int k, int n, cb_err *err) {
  static const swp_checks checks = {run, check_scene};
  cli_only_check(true);
  const cb_status st = swp_check(plan, k, n, &checks, err);
  cli_only_check(false);
  return st;
}
