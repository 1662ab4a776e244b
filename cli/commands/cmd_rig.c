/* clothbench rig emulate: plays a virtual rig on two pseudo-terminals until it is asked to stop. `rig check`
 * is in cmd_rig_check.c. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_plural.h"
#include "cb_rig.h"
#include "cli.h"
#include "cb_signals.h"
#include "cmd_rig.h"
#include "daq_latency.h"
#include "vrig.h"

#define USAGE \
  "rig emulate FILE.yaml [--time-scale X] [--link-dir DIR] [--faults SCRIPT.yaml] [--fault-log FILE]"
#define BOTH                                                                                 \
  USAGE "\n       clothbench " CMD_RIG_CHECK_USAGE "\n       clothbench " CMD_RIG_LIVE_USAGE \
        "\n       clothbench " CMD_RIG_INIT_USAGE

/* ---- stable names for the ports ---- */

typedef struct links {
  char stage[512], force[512]; /* "": not made */
} links;

/* A link that a killed emulator left behind is replaced; anything else that stands there is not ours. */
static cb_status make_link(const char *folder, const char *name, const char *port, char path[512],
                           cb_err *err) {
  char wanted[512];
  struct stat s;
  if (snprintf(wanted, sizeof wanted, "%s/%s", folder, name) >= (int)sizeof wanted)
    return cb_fail(err, CB_E_RANGE, "--link-dir: the name is longer than %zu bytes", sizeof wanted);
  if (lstat(wanted, &s) == 0 && S_ISLNK(s.st_mode)) (void)unlink(wanted);
  if (symlink(port, wanted) != 0)
    return cb_fail(err, CB_E_IO, "%s: cannot make a link to %s: %s", wanted, port, strerror(errno));
  (void)snprintf(path, 512, "%s", wanted);
  return CB_OK;
}

/* A port that is unplugged has no name. */
static cb_status move_link(const char *folder, const char *name, const char *port, char path[512],
                           cb_err *err) {
  if (port[0]) return make_link(folder, name, port, path, err);
  (void)unlink(path);
  path[0] = '\0';
  return CB_OK;
}

static cb_status make_links(links *l, const char *folder, const vrig *v, cb_err *err) {
  if (!folder) return CB_OK;
  CB_TRY(cb_dir_make(folder, err));
  CB_TRY(move_link(folder, "stage", vrig_stage_port(v), l->stage, err));
  return move_link(folder, "force", vrig_force_port(v), l->force, err);
}

static void remove_link(const char *path, const char *port) {
  char target[64];
  ssize_t n = path[0] ? readlink(path, target, sizeof target - 1) : -1;
  if (n < 0) return;
  target[n] = '\0';
  /* By now it may be another emulator's. */
  if (strcmp(target, port) == 0) (void)unlink(path);
}

/* ---- the command ---- */

typedef struct player {
  vrig *v;
  const char *folder;
  links links;
} player;

/* Where a port was unplugged or plugged in again. */
static cb_status link_again(void *context, cb_err *err) {
  player *p = context;
  return make_links(&p->links, p->folder, p->v, err);
}

static cb_status serve_rig(vrig *v, const char *folder, vrig_fault *faults, const cb_stop *stop_flag,
                           cb_err *err) {
  player p = {v, folder, {"", ""}};
  vrig_set_faults(v, faults, link_again, &p);
  cb_status st = make_links(&p.links, folder, v, err);
  if (st != CB_OK) goto done;
  /* An instrument does not wait for a processor. */
  const daq_latency before = daq_latency_prefer();
  printf("stage %s\nforce %s\nready\n", vrig_stage_port(v), vrig_force_port(v));
  if (fflush(stdout) != 0)
    CB_GOTO(cb_fail(err, CB_E_IO, "the names of the ports could not be written to standard output"));
  st = vrig_serve(v, STDIN_FILENO, STDOUT_FILENO, stop_flag, err);
  daq_latency_restore(&before);
done:
  remove_link(p.links.stage, vrig_stage_port(v));
  remove_link(p.links.force, vrig_force_port(v));
  return st;
}

typedef struct emulation {
  const char *file, *folder, *faults, *fault_log;
  double time_scale; /* NAN: the rig file's */
} emulation;

/* The host must keep the rig's time, and only its own rig file states it. `run`, which begins an emulator by
 * itself and reads its standard output, has the same rig file. */
static void say_pace(const emulation *e, double time_scale) {
  bool by_hand = e->folder || isatty(STDOUT_FILENO);
  if (by_hand && time_scale != 1)
    cli_say("rig",
            "%s: the rig's time runs %g times as fast as the clock: the rig file of who uses these ports "
            "must say 'virtual: {time_scale: %g}'; "
            "for one without the section 'virtual', begin with --time-scale 1",
            e->file, time_scale, time_scale);
}

static int emulate(const emulation *e, const cb_stop *stop_flag) {
  cb_rig rig;
  vrig *v = NULL;
  vrig_fault *faults = NULL;
  cb_err err = {""};
  cb_status st = cb_rig_load(e->file, &rig, &err);
  if (st == CB_OK && !rig.virt.present)
    st = cb_fail(&err, CB_E_PARSE, "%s: no section 'virtual': a real rig cannot be played", e->file);
  if (st == CB_OK && isfinite(e->time_scale)) rig.virt.time_scale = e->time_scale;
  if (st == CB_OK && e->faults) st = vrig_fault_open(e->faults, e->fault_log, &faults, &err);
  if (st == CB_OK) st = vrig_open(&rig, &v, &err);
  if (st == CB_OK) say_pace(e, rig.virt.time_scale);
  if (st == CB_OK) st = serve_rig(v, e->folder, faults, stop_flag, &err);
  if (st == CB_OK && vrig_lines_lost(v) > 0)
    cli_say("rig", "%llu force lines were lost because nobody read them in time", vrig_lines_lost(v));
  if (st == CB_OK && faults)
    cli_say("rig", "%lu fault%s %s played", vrig_fault_count(faults), CB_S(vrig_fault_count(faults)),
            CB_WERE(vrig_fault_count(faults)));
  cb_status logged = vrig_fault_close(faults, st == CB_OK ? &err : NULL);
  if (st == CB_OK) st = logged;
  vrig_close(v);
  cb_rig_clear(&rig);
  return st == CB_OK ? CLI_DONE : cli_fail("rig", st, &err);
}

int cmd_rig(int argc, char **argv) {
  emulation e = {.time_scale = NAN};
  const char *words[2];
  const cli_opt opts[] = {
      {"link-dir", CLI_OUT_FOLDER, &e.folder, "folder for the links 'stage' and 'force' to the ports"},
      {"time-scale", CLI_NUMBER, &e.time_scale, "rig seconds per second of the clock; else the rig file's",
       .min = 0.01, .max = 1000},
      {"faults", CLI_TEXT, &e.faults, "script of what goes wrong, and when"},
      {"fault-log", CLI_OUT_FILE, &e.fault_log, "file for what did go wrong"}};
  size_t n;
  if (argc > 1 && strcmp(argv[1], "check") == 0) {
    argv[1] = argv[0];
    return cmd_rig_check(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "init") == 0) {
    argv[1] = argv[0];
    return cmd_rig_init(argc - 1, argv + 1);
  }
  if (argc > 1 && strcmp(argv[1], "live") == 0) {
    argv[1] = argv[0];
    return cmd_rig_live(argc - 1, argv + 1);
  }
  int stop = cli_parse(argc, argv, BOTH, opts, sizeof opts / sizeof opts[0], words, 1, 2, &n);
  if (stop >= 0) return stop;
  if (strcmp(words[0], "emulate") != 0) {
    cli_say("rig", "no subcommand '%s': must be 'emulate', 'check', 'live' or 'init' (clothbench %s)",
            words[0], USAGE);
    return CLI_USAGE;
  }
  if (n < 2) {
    cli_say("rig", "which rig file? (clothbench %s)", USAGE);
    return CLI_USAGE;
  }
  if (e.fault_log && !e.faults) {
    cli_say("rig", "--fault-log needs --faults (clothbench %s)", USAGE);
    return CLI_USAGE;
  }
  e.file = words[1];
  return emulate(&e, cb_signals_listen());
}
