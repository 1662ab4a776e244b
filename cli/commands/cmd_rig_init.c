/* clothbench rig init: a commented rig file for the instruments at hand. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_rig.h"
#include "cli.h"
#include "cli_person.h"
#include "cmd_rig.h"
#include "daq_ports.h"
#include "daq_rig_template.h"

#define ANSWER_BYTES 256

typedef struct request {
  const char *file, *stage, *force, *stage_port, *force_port;
  char typed[4][ANSWER_BYTES];
} request;

/* ---- what there is ---- */

static const char *name_of(const daq_port *p) { return p->by_id[0] ? p->by_id : p->path; }
static void say_ports(const daq_port *list, size_t n) {
  if (n == 0) cli_say("rig", "no serial port is plugged in: the file gets /dev/ttyUSB0 and /dev/ttyUSB1");
  for (size_t i = 0; i < n; i++) cli_say("rig", "port %s  %s", name_of(&list[i]), list[i].description);
}

/* ---- questions ---- */

/* Enter takes what is proposed. */
static cb_status ask_text(const char *question, const char *proposed, char out[ANSWER_BYTES], cb_err *err) {
  bool whole;
  fprintf(stderr, "  %s%s%s%s: ", question, proposed ? " [" : "", proposed ? proposed : "",
          proposed ? "]" : "");
  CB_TRY(cli_person_line(out, ANSWER_BYTES, &whole, err));
  if (!whole) return cb_fail(err, CB_E_ARG, "%s: a shorter line was wanted", question);
  if (!out[0] && proposed) (void)snprintf(out, ANSWER_BYTES, "%s", proposed);
  return CB_OK;
}

static cb_status ask_driver(const char *what, const char *const *names, const char **given,
                            char typed[ANSWER_BYTES], cb_err *err) {
  char question[400], list[300];
  if (*given) return CB_OK;
  daq_rig_drivers(names, list);
  if (!isatty(STDIN_FILENO)) return cb_fail(err, CB_E_ARG, "--%s: one of %s was wanted", what, list);
  (void)snprintf(question, sizeof question, "driver of the %s (%s)", what, list);
  CB_TRY(ask_text(question, NULL, typed, err));
  *given = typed;
  return CB_OK;
}

static cb_status ask_port(const char *what, const char *proposed, const char **given,
                          char typed[ANSWER_BYTES], cb_err *err) {
  char question[80];
  if (*given) return CB_OK;
  (void)snprintf(typed, ANSWER_BYTES, "%s", proposed);
  (void)snprintf(question, sizeof question, "port of the %s", what);
  if (isatty(STDIN_FILENO)) CB_TRY(ask_text(question, proposed, typed, err));
  *given = typed;
  return CB_OK;
}

/* ---- the file ---- */

static cb_status find_parts(request *q, const daq_port *list, size_t n, daq_rig_parts *p, cb_err *err) {
  CB_TRY(ask_driver("stage", cb_stage_driver_names, &q->stage, q->typed[0], err));
  CB_TRY(daq_rig_driver("--stage", q->stage, cb_stage_driver_names, &p->stage, err));
  CB_TRY(ask_driver("force", cb_force_driver_names, &q->force, q->typed[1], err));
  CB_TRY(daq_rig_driver("--force", q->force, cb_force_driver_names, &p->force, err));
  CB_TRY(ask_port("stage", n > 0 ? name_of(&list[0]) : "/dev/ttyUSB0", &q->stage_port, q->typed[2], err));
  const char *second = p->force == CB_FORCE_COMEDI       ? "/dev/comedi0"
                       : p->force == CB_FORCE_MARK10_ESM ? q->stage_port
                       : n > 1                           ? name_of(&list[1])
                                                         : "/dev/ttyUSB1";
  CB_TRY(ask_port("force", second, &q->force_port, q->typed[3], err));
  p->stage_port = q->stage_port;
  p->force_port = q->force_port;
  return CB_OK;
}

static cb_status write_file(const request *q, const daq_rig_parts *p, cb_err *err) {
  char *text;
  static cb_rig rig;
  if (access(q->file, F_OK) == 0)
    return cb_fail(err, CB_E_ARG, "%s exists already: a new name was wanted", q->file);
  CB_TRY(daq_rig_template(p, &text, err));
  cb_status st = cb_rig_parse(text, q->file, &rig, err); /* what was typed may break it */
  if (st == CB_OK) st = cb_file_write(q->file, text, strlen(text), err);
  cb_rig_clear(&rig);
  free(text);
  return st;
}

static cb_status init_rig(request *q, cb_err *err) {
  daq_port *list = NULL;
  size_t n = 0;
  daq_rig_parts p = {.name = "bench"};
  CB_TRY(daq_ports_list(&list, &n, err));
  say_ports(list, n);
  cb_status st = find_parts(q, list, n, &p, err);
  if (st == CB_OK) st = write_file(q, &p, err);
  free(list);
  return st;
}

int cmd_rig_init(int argc, char **argv) {
  static request q;
  const cli_opt opts[] = {
      {"stage", CLI_TEXT, &q.stage, "its driver; asked at a terminal"},
      {"force", CLI_TEXT, &q.force, "the read-out's driver; asked at a terminal"},
      {"stage-port", CLI_TEXT, &q.stage_port, "else the first serial port"},
      {"force-port", CLI_TEXT, &q.force_port, "else the second"},
  };
  int stop =
      cli_parse(argc, argv, CMD_RIG_INIT_USAGE, opts, sizeof opts / sizeof opts[0], &q.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  stop = cli_refuse_dash("rig", "init", q.file);
  if (stop >= 0) return stop;
  cb_err err = {""};
  const cb_status st = init_rig(&q, &err);
  if (st != CB_OK) return cli_fail("rig", st, &err);
  printf("%s: check every number, then 'clothbench rig check %s'\n", q.file, q.file);
  return CLI_DONE;
}
