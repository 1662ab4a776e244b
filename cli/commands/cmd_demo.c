/* clothbench demo: the whole job on the virtual rig and in the virtual laboratory, through the same commands
 * a person would type. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_time.h"
#include "cli_demo.h"
#include "cb_signals.h"

#define WORDS_MOST 24

int cli_demo_command(const char *title, int (*command)(int, char **), const char *const words[]) {
  char *argv[WORDS_MOST];
  int argc = 0;
  fprintf(stderr, "\n== %s\n   clothbench", title);
  for (; words[argc] && argc < WORDS_MOST - 1; argc++) {
    /* Commands take char **, as main does, and do not write through it. */
    argv[argc] = (char *)(uintptr_t)words[argc];
    fprintf(stderr, strchr(words[argc], ' ') ? " '%s'" : " %s", words[argc]);
  }
  argv[argc] = NULL;
  fputc('\n', stderr);
  cb_err err = {""};
  cb_status st = cb_stop_check(cb_signals_wish(), &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  int code = command(argc, argv);
  (void)fflush(stdout);
  return code == CLI_NEGATIVE ? CLI_DONE : code;
}

static void remove_old(const char *db) {
  const char *const endings[] = {"", "-wal", "-shm"};
  char path[320];
  for (int i = 0; i < 3; i++) {
    (void)snprintf(path, sizeof path, "%s%s", db, endings[i]);
    unlink(path);
  }
}

static int play_demo(cli_demo *d) {
  d->drapes = vlab_drapes_begin(&d->judged, d->instruments); /* a campaign mostly waits for its rig */
  int code = cli_demo_friction(d);
  if (code == CLI_DONE) code = cli_demo_cloth(d);
  if (code == CLI_DONE)
    code =
        cli_demo_command("Writing the report", cmd_report,
                         (const char *const[]){"report", "--all", "--db", d->db, "--out", d->folder, NULL});
  return code == CLI_DONE ? cli_demo_summary(d) : code;
}

/* The shipped rig, or one of its kind in the folder. */
static cb_status name_rig(const cli_demo *d, const vlab *lab, double factor, const char *name, char *out,
                          cb_err *err) {
  (void)cli_share_path("rigs/virtual.yaml", out);
  if (lab->seed == 1 && factor == 1) return CB_OK;
  char shipped[CLI_SHARE_PATH_BYTES];
  (void)snprintf(shipped, sizeof shipped, "%s", out);
  (void)snprintf(out, CLI_SHARE_PATH_BYTES, "%s/%s", d->folder, name);
  return vlab_rig(shipped, lab->seed, factor, out, err);
}

static cb_status set_up(cli_demo *d, const char *folder, double seed, double moved_percent, cb_err *err) {
  char lab[CLI_SHARE_PATH_BYTES];
  const double factor = 1 + moved_percent / 100;
  (void)snprintf(d->folder, sizeof d->folder, "%s", folder);
  (void)snprintf(d->db, sizeof d->db, "%s/demo.db", folder);
  (void)snprintf(d->instruments, sizeof d->instruments, "%s/instruments", folder);
  CB_TRY(cb_dir_make(d->instruments, err));
  remove_old(d->db);
  CB_TRY(vlab_load(cli_share_path("rigs/virtual-lab.yaml", lab), &d->lab, err));
  d->lab.seed = (uint64_t)seed;
  d->judged = vlab_moved(&d->lab, factor);
  CB_TRY(name_rig(d, &d->lab, 1, "rig.yaml", d->rig, err));
  return name_rig(d, &d->lab, factor, "rig-moved.yaml", d->judged_rig, err);
}

static void say_end(const cli_demo *d, int code, double seconds) {
  fprintf(stderr, "\nclothbench demo: %s after %.0f s; everything here is virtual; the files are in %s\n",
          code == CLI_DONE ? "done" : "ended with a negative verdict or an error", seconds, d->folder);
}

int cmd_demo(int argc, char **argv) {
  const char *folder = "clothbench-demo";
  double seed = 1, moved_percent = 0;
  const cli_opt opts[] = {
      {"out", CLI_OUT_FOLDER, &folder,
       "folder for database, instruments' files and report (clothbench-demo)"},
      {"seed", CLI_NUMBER, &seed, "of everything random; else 1", .min = 1, .max = 1e6},
      {"moved-percent", CLI_NUMBER, &moved_percent,
       "the judged measurements are made on a cloth whose truth is by that more: verdicts must fail; else 0",
       .min = -50, .max = 50}};
  int stop =
      cli_parse(argc, argv, "demo [--out FOLDER] [--seed N] [--moved-percent P]", opts, 3, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  static cli_demo d; /* 30 KB */
  if (strlen(folder) >= sizeof d.folder) {
    cli_say("demo", "--out '%.40s...': must be shorter than %zu bytes", folder, sizeof d.folder);
    return CLI_USAGE;
  }
  cb_err err = {""};
  const cb_status st = set_up(&d, folder, seed, moved_percent, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  const double started_s = cb_now_monotonic_s();
  const int code = play_demo(&d);
  say_end(&d, code, cb_now_monotonic_s() - started_s);
  return code;
}
