/* clothbench rig init: a commented rig file for the instruments at hand, by options or by questions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_language.h"
#include "cb_signals.h"
#include "cli.h"
#include "cli_ask.h"
#include "cli_share.h"
#include "cmd_rig.h"
#include "daq_rig_interview.h"

static cb_status write_rig(daq_rig_interview *v, cb_err *err) {
  char *text = NULL;
  size_t n = 0;
  cb_status st = daq_rig_interview_virtual(v)
                     ? cb_file_read(cli_share_find("rigs/virtual.yaml"), 1 << 20, &text, &n, err)
                     : daq_rig_interview_end(v, &text, err);
  if (st == CB_OK) st = cb_file_write(v->file, text, strlen(text), err);
  free(text);
  return st;
}

/* Both drivers in the options: nothing is asked. */
static cb_status init_rig(daq_rig_interview *v, cb_err *err) {
  char draft[512], left[1100];
  const bool ask = isatty(STDIN_FILENO) && !(v->fixed[DAQ_RIG_STAGE] && v->fixed[DAQ_RIG_FORCE]);
  if (access(v->file, F_OK) == 0)
    return cb_fail(err, CB_E_ARG, "%s exists already: a new name was wanted", v->file);
  (void)snprintf(draft, sizeof draft, "%.500s.draft", v->file);
  (void)snprintf(left, sizeof left, _("%s keeps the answers; 'clothbench rig init %.500s' goes on"), draft,
                 v->file);
  CB_TRY(daq_rig_interview_begin(v, err));
  v->q.left = left;
  CB_TRY(ask ? cli_ask("rig", &v->q, draft, err) : daq_rig_interview_skip(v, err));
  CB_TRY(write_rig(v, err));
  if (ask) (void)unlink(draft);
  return CB_OK;
}

int cmd_rig_init(int argc, char **argv) {
  static daq_rig_interview v;
  daq_port *ports = NULL;
  const char **fixed = v.fixed;
  const cli_opt opts[] = {
      {"stage", CLI_TEXT, &fixed[DAQ_RIG_STAGE], "its driver; asked at a terminal"},
      {"force", CLI_TEXT, &fixed[DAQ_RIG_FORCE], "the read-out's driver; asked at a terminal"},
      {"stage-port", CLI_TEXT, &fixed[DAQ_RIG_STAGE_PORT], "else the first serial port"},
      {"force-port", CLI_TEXT, &fixed[DAQ_RIG_FORCE_PORT], "else the second"},
  };
  int stop =
      cli_parse(argc, argv, CMD_RIG_INIT_USAGE, opts, sizeof opts / sizeof opts[0], &v.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  stop = cli_refuse_dash("rig", "init", v.file);
  if (stop >= 0) return stop;
  cb_err err = {""};
  (void)cb_signals_listen();
  cb_status st = daq_ports_list(&ports, &v.n_ports, &err);
  v.ports = ports;
  if (st == CB_OK) st = init_rig(&v, &err);
  free(ports);
  if (st != CB_OK) return cli_fail("rig", st, &err);
  printf(_("%s: check every number, then 'clothbench rig check %s'\n"), v.file, v.file);
  return CLI_DONE;
}
