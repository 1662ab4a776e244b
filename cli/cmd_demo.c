/* clothbench demo: the whole main job on the virtual rig, through the same commands a person would type. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "cb_stats.h"
#include "cb_time.h"
#include "cli.h"
#include "cli_share.h"
#include "cli_signals.h"

#define CLOTH "Demo Twill"
#define BODY "Demo Foam"
#define MOST_RESUMES 2

typedef struct demo {
  char folder[256], db[300];
  char rig_file[CLI_SHARE_PATH_BYTES], campaign_file[CLI_SHARE_PATH_BYTES], slides_file[CLI_SHARE_PATH_BYTES];
} demo;

/* One command as a person would type it: says what it does and the command itself, then runs it. */
static int run_command(const char *title, int (*command)(int, char **), const char *const words[]) {
  char *argv[16];
  int argc = 0;
  fprintf(stderr, "\n== %s\n   clothbench", title);
  for (; words[argc]; argc++) {
    /* Commands take char **, as main does, and do not write through it. */
    argv[argc] = (char *)(uintptr_t)words[argc];
    fprintf(stderr, strchr(words[argc], ' ') ? " '%s'" : " %s", words[argc]);
  }
  argv[argc] = NULL;
  fputc('\n', stderr);
  cb_err err = {""};
  cb_status st = cb_stop_check(cli_signals_wish(), &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  int code = command(argc, argv);
  (void)fflush(stdout);
  return code;
}

static void remove_old(const char *db) {
  const char *const endings[] = {"", "-wal", "-shm"};
  char path[320];
  for (int i = 0; i < 3; i++) {
    (void)snprintf(path, sizeof path, "%s%s", db, endings[i]);
    unlink(path);
  }
}

/* ---- the fitted law against the truth inside the virtual rig, which no real bench can know ---- */

typedef struct comparison {
  int cells, inside;
  double worst_unmeasured; /* relative error at 30 and 60 degrees, which were never measured */
} comparison;

static void compare_cell(const cb_friction_law *law, const cb_rig *rig, double angle_deg, double N,
                         comparison *c) {
  cb_friction_value v;
  cb_friction_law_eval(law, angle_deg * CB_DEG, N, &v);
  double truth = cb_rig_truth_kinetic(&rig->virt.truth, angle_deg * CB_DEG, N, 0.01),
         error = v.force_N - truth;
  if (error < 0) error = -error;
  if (angle_deg == 30 || angle_deg == 60) {
    if (error / truth > c->worst_unmeasured) c->worst_unmeasured = error / truth;
    return;
  }
  c->cells++;
  c->inside += error <= cb_student_t(0.95, v.dof) * v.u_force_N;
}

static cb_status compare_law(const demo *d, comparison *c, cb_err *err) {
  const double angles_deg[] = {0, 30, 45, 60, 90};
  cb_rig rig;
  cb_store *s = NULL;
  cb_friction_law law;
  *c = (comparison){0};
  cb_status st = cb_rig_load(d->rig_file, &rig, err);
  if (st == CB_OK) st = cb_store_open(d->db, CB_STORE_READ, &s, err);
  if (st == CB_OK) st = cb_store_law_find(s, CLOTH, BODY, CB_FRICTION_KINETIC, &law, err);
  for (size_t k = 0; st == CB_OK && k < law.n_knots; k++)
    for (size_t a = 0; a < 5; a++) compare_cell(&law, &rig, angles_deg[a], law.knots[k].normal_force_N, c);
  (void)cb_store_close(s, NULL);
  cb_rig_clear(&rig);
  return st;
}

static int check_truth(const demo *d) {
  comparison c;
  cb_err err = {""};
  cb_status st = compare_law(d, &c, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  fprintf(stderr,
          "\n== The fitted kinetic law against the truth inside the virtual rig\n"
          "   inside its own 95 %% band in %d of %d (angle, load) cells; at 30 and 60 degrees, never "
          "measured, off by at most %.2f %%\n",
          c.inside, c.cells, 100 * c.worst_unmeasured);
  return c.inside * 10 >= c.cells * 9 && c.worst_unmeasured <= 0.02 ? CLI_DONE : CLI_NEGATIVE;
}

/* ---- the slides: every one the campaign made ---- */

static cb_status slide_ids(const char *db, int64_t **ids, size_t *n, cb_err *err) {
  cb_store *s = NULL;
  cb_run *runs = NULL;
  cb_run_filter f = cb_run_filter_all();
  f.kind = CB_RUN_SLIDE;
  f.status = CB_RUN_DONE;
  *ids = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, err);
  if (st == CB_OK) st = cb_store_runs(s, &f, &runs, n, err);
  if (st == CB_OK) *ids = malloc((*n + 1) * sizeof **ids);
  if (st == CB_OK && !*ids) st = cb_no_memory(err, "%zu runs", *n);
  for (size_t i = 0; st == CB_OK && i < *n; i++) (*ids)[i] = runs[i].id;
  free(runs);
  (void)cb_store_close(s, NULL);
  return st;
}

static int validate_slide(const char *db, int64_t run_id) {
  char id[24];
  (void)snprintf(id, sizeof id, "%lld", (long long)run_id);
  return run_command("Comparing a predicted slide with the measured one", cmd_validate,
                     (const char *const[]){"validate", "slide", "--run", id, "--db", db, NULL});
}

/* A slide in 20 may miss a 95 % criterion by chance alone; more than one in five means that the law is
 * wrong. */
static int validate_slides(const char *db) {
  int64_t *ids;
  size_t n, failed = 0;
  cb_err err = {""};
  cb_status st = slide_ids(db, &ids, &n, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  int code = CLI_DONE;
  for (size_t i = 0; i < n && code == CLI_DONE; i++) {
    code = validate_slide(db, ids[i]);
    if (code == CLI_NEGATIVE) failed++, code = CLI_DONE;
  }
  free(ids);
  if (code != CLI_DONE) return code;
  fprintf(stderr, "\n== %zu of %zu slides agree with their prediction\n", n - failed, n);
  return n > 0 && failed * 5 <= n ? CLI_DONE : CLI_NEGATIVE;
}

static int worse(int a, int b) { return a == CLI_FAILED || b == CLI_FAILED ? CLI_FAILED : a > b ? a : b; }

/* A computer that is busy with other things may be too late for the guard or the watchdog, which then stop
 * the stage: look why, and go on, as a person would. */
static int measure_campaign(const demo *d, const char *title, const char *campaign) {
  int code =
      run_command(title, cmd_run,
                  (const char *const[]){"run", campaign, "--rig", d->rig_file, "--db", d->db, "--yes", NULL});
  for (int again = 0; code == CLI_FAILED && again < MOST_RESUMES && !cb_stop_wanted(cli_signals_wish());
       again++)
    code = run_command("Going on with the campaign that was stopped", cmd_run,
                       (const char *const[]){"run", campaign, "--rig", d->rig_file, "--db", d->db, "--yes",
                                             "--resume", NULL});
  return code;
}

static int play_demo(const demo *d) {
  int code = measure_campaign(d, "Measuring: 3 directions x 6 loads x 3 repeats, forward and backward",
                              d->campaign_file);
  if (code != CLI_DONE) return code;
  code = run_command(
      "Fitting f00, f01, f11", cmd_fit,
      (const char *const[]){"fit", "friction", "--cloth", CLOTH, "--body", BODY, "--db", d->db, NULL});
  if (code != CLI_DONE) return code;
  int verdict = check_truth(d);
  code =
      run_command("Predicting one force", cmd_predict,
                  (const char *const[]){"predict", "friction", "--cloth", CLOTH, "--body", BODY,
                                        "--angle-deg", "30", "--normal-force-N", "1", "--db", d->db, NULL});
  if (code != CLI_DONE) return code;
  code = measure_campaign(d, "Measuring slides in directions and under loads that the fit never saw",
                          d->slides_file);
  if (code != CLI_DONE) return code;
  verdict = worse(verdict, validate_slides(d->db));
  code = run_command("Writing the report", cmd_report,
                     (const char *const[]){"report", "--db", d->db, "--out", d->folder, NULL});
  return worse(verdict, code);
}

static void name_files(demo *d, const char *folder) {
  (void)snprintf(d->folder, sizeof d->folder, "%s", folder);
  (void)snprintf(d->db, sizeof d->db, "%s/demo.db", folder);
  (void)cli_share_path("rigs/virtual.yaml", d->rig_file);
  (void)cli_share_path("rigs/campaign-demo.yaml", d->campaign_file);
  (void)cli_share_path("rigs/campaign-demo-slide.yaml", d->slides_file);
}

int cmd_demo(int argc, char **argv) {
  const char *folder = "clothbench-demo";
  const cli_opt opts[] = {
      {"out", CLI_OUT_FOLDER, &folder, "folder for database and report (clothbench-demo)"}};
  int stop = cli_parse(argc, argv, "demo [--out FOLDER]", opts, 1, NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  demo d = {.folder = ""};
  if (strlen(folder) >= sizeof d.folder) {
    cli_say("demo", "--out '%.40s...': must be shorter than %zu bytes", folder, sizeof d.folder);
    return CLI_USAGE;
  }
  name_files(&d, folder);
  cb_err err = {""};
  cb_status st = cb_dir_make(d.folder, &err);
  if (st != CB_OK) return cli_fail("demo", st, &err);
  remove_old(d.db);
  double started_s = cb_now_monotonic_s();
  int code = play_demo(&d);
  fprintf(stderr, "\nclothbench demo: %s after %.0f s; everything here is virtual; the files are in %s\n",
          code == CLI_DONE ? "done" : "ended with a negative verdict or an error",
          cb_now_monotonic_s() - started_s, d.folder);
  return code;
}
