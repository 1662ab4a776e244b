/* clothbench rig check RIG.yaml: one line per step, and a verdict. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_rig.h"
#include "cb_date.h"
#include "cb_plural.h"
#include "cb_store.h"
#include "cli.h"
#include "cli_person.h"
#include "cb_signals.h"
#include "cmd_rig.h"
#include "daq_calibration.h"
#include "daq_check.h"
#include "daq_engine.h"

static void show_step(void *context, const daq_check_step *s) {
  json_t *steps = context; /* NULL: lines on standard output */
  if (steps) {
    json_array_append_new(steps, daq_check_step_json(s));
    return;
  }
  printf("%-13s  %-10s  %s%s%s%s\n", s->name, daq_verdict_names[s->verdict], s->text,
         s->limit[0] ? "  (wanted: " : "", s->limit, s->limit[0] ? ")" : "");
  (void)fflush(stdout);
}

static int print_verdict(const cb_rig *rig, const size_t count[DAQ_N_VERDICTS], json_t *steps) {
  bool failed = count[DAQ_FAIL] > 0;
  int code = CLI_DONE;
  if (steps) {
    json_t *doc = json_object();
    json_object_set_new(doc, "rig", json_string(rig->name));
    json_object_set_new(doc, "origin", json_string(cb_origin_names[daq_engine_origin(rig)]));
    json_object_set_new(doc, "verdict",
                        json_string(daq_verdict_names[failed                ? DAQ_FAIL
                                                      : count[DAQ_WARN] > 0 ? DAQ_WARN
                                                                            : DAQ_PASS]));
    json_object_set(doc, "steps", steps);
    code = cli_print_json("rig", doc);
  }
  cli_say("rig", "'%s': %zu passed, %zu warning%s, %zu failed, %zu not tested", rig->name, count[DAQ_PASS],
          count[DAQ_WARN], CB_S(count[DAQ_WARN]), count[DAQ_FAIL], count[DAQ_NOT_TESTED]);
  return code != CLI_DONE ? code : failed ? CLI_NEGATIVE : CLI_DONE;
}

void cmd_rig_use_calibration(cb_rig *rig, const char *path, daq_calibration *k) {
  cb_store *s;
  cb_err err = {""};
  char today[CB_DATE_SIZE];
  *k = (daq_calibration){0};
  if (access(path, F_OK) != 0) return;
  cb_date_today(today);
  cb_status st = cb_store_open(path, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, daq_calibration_choose(s, rig, today, false, k, &err), &err);
  if (st != CB_OK) {
    cli_say("rig", "%s", err.msg);
    *k = (daq_calibration){0};
  } else if (k->row.id) {
    daq_calibration_apply(k, rig);
  }
}

static int check_rig(const char *file, const char *db, bool yes, bool json) {
  cb_rig rig;
  cb_err err = {""};
  daq_calibration k;
  size_t count[DAQ_N_VERDICTS];
  json_t *steps = json ? json_array() : NULL;
  cb_status st = cb_rig_load(file, &rig, &err);
  if (st == CB_OK) cmd_rig_use_calibration(&rig, cli_db_path(db), &k);
  bool ask = !yes && st == CB_OK && !daq_engine_emulates(&rig);
  if (ask && !isatty(STDIN_FILENO))
    st = cb_fail(&err, CB_E_ARG,
                 "somebody must take the cart off and put it on, but standard input is no terminal; --yes "
                 "goes on without asking");
  const daq_check_job job = {.rig = &rig,
                             .program = "/proc/self/exe",
                             .stop_flag = cb_signals_listen(),
                             .prompt = ask ? cli_person_confirm : NULL,
                             .step = show_step,
                             .context = steps};
  if (st == CB_OK) st = daq_check_run(&job, count, &err);
  int code = st == CB_OK ? print_verdict(&rig, count, steps) : cli_fail("rig", st, &err);
  json_decref(steps);
  cb_rig_clear(&rig);
  return code;
}

int cmd_rig_check(int argc, char **argv) {
  const char *file, *db = NULL;
  bool yes = false, json = false;
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "database in which 'calibrate' keeps the cell's calibration"},
      {"yes", CLI_SWITCH, &yes, "do not ask before the stage moves and the cart is needed"},
      {"json", CLI_SWITCH, &json, "one JSON document on standard output"},
  };
  int stop =
      cli_parse(argc, argv, CMD_RIG_CHECK_USAGE, opts, sizeof opts / sizeof opts[0], &file, 1, 1, NULL);
  return stop >= 0 ? stop : check_rig(file, db, yes, json);
}
