/* bench_load [N [FOLDER [SPINNERS]]]: are the numbers right, or the runs flagged, when the computer is busy?
 *
 * Plays N campaigns (10) of eight pulls on the virtual rig, at 40 times real time, beside SPINNERS busy
 * threads (6) and a disk that is written and synced all the time, and has every pull reduced by the program
 * itself. The rig's friction does not scatter here, so that every pull has one truth: what a point says is
 * outside where it departs from it by more than k = 3 of the standard uncertainties it states (0.3 % would by
 * chance). FOLDER (.): where the databases and the disk's load go.
 *
 * PASS: no run is done, not flagged, and outside. */
#include <sys/wait.h>

#include "bench_lab.h"
#include "busy.h"
#include "cb_num.h"
#include "cb_rig.h"

#define K 3
#define CLOTH "Demo Twill"
#define BODY "Demo Foam"

typedef struct tally {
  size_t failed, n, flagged, none, no_peak; /* campaigns that ended before their end; runs; ... without a
                                               kinetic, a static force */
  size_t kinetic, silent_kinetic, stat, silent_stat; /* outside; and not flagged */
  double worst; /* relative error of a kinetic force that is not flagged */
} tally;

static int play(const char *command) {
  int status = system(command); /* NOLINT(cert-env33-c) */
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool outside(double value, double u, double truth) { return !(fabs(value - truth) <= K * u); }

static void judge(const cb_rig *rig, cb_store *s, const cb_run *r, tally *t) {
  cb_friction_point p;
  double angle = r->angle_deg * CB_DEG, N = r->normal_force_N;
  double kinetic = cb_rig_truth_kinetic(&rig->virt.truth, angle, N, r->speed_m_per_s),
         stat = cb_rig_truth_static(&rig->virt.truth, angle, N);
  LAB_TRY(cb_store_point_of_run(s, r->id, &p, err));
  bool flagged = r->flags[0] != '\0', bad = outside(p.kinetic_N, p.u_kinetic_N, kinetic),
       bad_peak = isfinite(p.static_N) && outside(p.static_N, p.u_static_N, stat);
  t->n++;
  t->flagged += flagged;
  t->none += isnan(p.kinetic_N) ? 1 : 0;
  t->no_peak += isnan(p.static_N) ? 1 : 0;
  if (isnan(p.kinetic_N)) return;
  t->kinetic += bad, t->stat += bad_peak;
  t->silent_kinetic += bad && !flagged, t->silent_stat += bad_peak && !flagged;
  if (!flagged) t->worst = fmax(t->worst, fabs(p.kinetic_N / kinetic - 1));
  if (bad || bad_peak || flagged || fabs(p.kinetic_N / kinetic - 1) > 0.005)
    printf(
        "    run %lld: zero %.4f, kinetic %.4f +- %.4f (true %.4f), static %.4f +- %.4f (true %.4f)  %s%s\n",
        (long long)r->id, p.zero_N, p.kinetic_N, p.u_kinetic_N, kinetic, p.static_N, p.u_static_N, stat,
        r->flags, bad || bad_peak ? "  OUTSIDE" : "");
}

static void campaign(const char *folder, const cb_rig *rig, const char *rig_path, int i, tally *t) {
  char command[1600], db[600];
  cb_store *s;
  cb_run *runs;
  size_t n;
  cb_run_filter done = cb_run_filter_all();
  done.status = CB_RUN_DONE;
  (void)snprintf(db, sizeof db, "%s/load-%d.db", folder, i);
  lab_remove(db);
  (void)snprintf(command, sizeof command,
                 "'%s' run '%s/rigs/campaign-small.yaml' --rig '%s' --db '%s' --yes >/dev/null 2>'%s.err'",
                 CB_EXE, CB_SOURCE_DIR, rig_path, db, db);
  t->failed += play(command) != 0;
  (void)snprintf(command, sizeof command,
                 "'%s' fit friction --cloth '" CLOTH "' --body '" BODY "' --db '%s' >/dev/null 2>>'%s.err'",
                 CB_EXE, db, db);
  (void)play(command);
  LAB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  LAB_TRY(cb_store_runs(s, &done, &runs, &n, err));
  printf("  campaign %d: %zu runs\n", i, n);
  for (size_t k = 0; k < n; k++) judge(rig, s, &runs[k], t);
  free(runs);
  LAB_TRY(cb_store_close(s, err));
}

static void show(const tally *t) {
  printf(
      "%zu runs done, %zu flagged, %zu without a kinetic force, %zu without a static one; %zu campaigns "
      "ended early\n",
      t->n, t->flagged, t->none, t->no_peak, t->failed);
  printf(
      "outside %d stated standard uncertainties: kinetic %zu, static %zu; of these not flagged: kinetic %zu, "
      "static %zu\n",
      K, t->kinetic, t->stat, t->silent_kinetic, t->silent_stat);
  printf("worst kinetic force of a run without a flag: %.2f %% off\n", 100 * t->worst);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10, spinners = argc > 3 ? atoi(argv[3]) : 6;
  const char *folder = argc > 2 ? argv[2] : ".";
  static const char *const no_scatter[][2] = {{"repeat_sd_rel: 0.005", "repeat_sd_rel: 0"}};
  static busy load;
  char rig_path[600], disk[600];
  cb_rig rig;
  tally t = {0};
  if (n < 1 || spinners < 0 || spinners > BUSY_SPINNERS_MAX || strlen(folder) > 500)
    lab_die("usage: bench_load [N [FOLDER [SPINNERS]]]");
  (void)snprintf(rig_path, sizeof rig_path, "%s/load-rig.yaml", folder);
  (void)snprintf(disk, sizeof disk, "%s/load-disk", folder);
  lab_rig(rig_path, no_scatter, 1);
  LAB_TRY(cb_rig_load(rig_path, &rig, err));
  if (spinners > 0) busy_begin(&load, spinners, disk);
  for (int i = 1; i <= n; i++) campaign(folder, &rig, rig_path, i, &t);
  if (spinners > 0) busy_end(&load);
  show(&t);
  cb_rig_clear(&rig);
  bool pass = t.silent_kinetic + t.silent_stat == 0 && t.n > 0;
  puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
