/* bench_plan_rig FOLDER [SEEDS]: planned campaigns against the full factorial on the virtual rig, through the
 * program itself. For every seed of rigs/virtual.yaml: `run rigs/campaign-demo.yaml` (108 pulls) and `fit`;
 * then `plan rigs/campaign-plan.yaml` and `run` in turns, from an empty database, until the law is as certain
 * as the factorial's says of itself, and then on to 64 pulls. Printed: pulls, root mean square of the
 * relative error against the truth inside the rig, and of the law's own u, over directions 0 to 180 deg and
 * the loads. */
#include <sys/wait.h>

#include "bench_lab.h"
#include "cb_file.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "fit_plan.h"
#include "fit_plan_round.h"

#define MOST_PULLS 108 /* of the factorial */
#define SHARE_PULLS 64 /* 59 % of them */
#define FROM_N (0.023 * 9.80665)
#define TO_N (0.313 * 9.80665)
#define PAIR "--cloth 'Demo Twill' --body 'Demo Foam'"

typedef struct result {
  double pulls, error, u;
} result;

static int call(const char *folder, const char *words) {
  char line[1600];
  (void)snprintf(line, sizeof line, "cd '%s' && '%s' %s >>log 2>&1", folder, CB_EXE, words);
  int status = system(line);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void must(const char *folder, const char *words) {
  if (call(folder, words) != 0) lab_die(words);
}

static void write_rig(const char *folder, int seed) {
  char path[512], line[64], *text, *at;
  size_t n;
  LAB_TRY(cb_file_read(CB_SOURCE_DIR "/rigs/virtual.yaml", 1 << 20, &text, &n, err));
  at = strstr(text, "seed: 1\n");
  if (!at) lab_die("rigs/virtual.yaml has another seed");
  (void)snprintf(path, sizeof path, "%s/rig.yaml", folder);
  FILE *f = fopen(path, "w");
  (void)snprintf(line, sizeof line, "seed: %d\n", seed);
  if (!f || fprintf(f, "%.*s%s%s", (int)(at - text), text, line, at + 8) < 0 || fclose(f) != 0)
    lab_die("the rig file could not be written");
  free(text);
}

static size_t pulls_in(cb_store *s) {
  cb_run_filter filter = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  filter.status = CB_RUN_DONE;
  LAB_TRY(cb_store_runs(s, &filter, &runs, &n, err));
  free(runs);
  return n;
}

/* The newest law against the truth. */
static result judge(const char *folder, const char *db, const cb_rig *rig) {
  char path[512];
  cb_store *s;
  cb_friction_law law;
  result r = {0};
  (void)snprintf(path, sizeof path, "%s/%s", folder, db);
  LAB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  LAB_TRY(cb_store_law_find(s, "Demo Twill", "Demo Foam", CB_FRICTION_KINETIC, &law, err));
  r.pulls = (double)pulls_in(s);
  LAB_TRY(cb_store_close(s, err));
  for (int a = 0; a < 12; a++)
    for (int l = 0; l < 9; l++) {
      cb_friction_value v;
      double N = FROM_N * pow(TO_N / FROM_N, l / 8.0),
             truth = cb_rig_truth_kinetic(&rig->virt.truth, 15 * a * CB_DEG, N, 0.01);
      cb_friction_law_eval(&law, 15 * a * CB_DEG, N, &v);
      r.error += pow(v.force_N / truth - 1, 2) / (12 * 9);
    }
  r.error = sqrt(r.error);
  r.u = fit_plan_u_rel(&law, FROM_N, TO_N);
  return r;
}

static result factorial(const char *folder, const cb_rig *rig) {
  must(folder, "run '" CB_SOURCE_DIR "/rigs/campaign-demo.yaml' --rig rig.yaml --db full.db");
  must(folder, "fit friction " PAIR " --db full.db");
  return judge(folder, "full.db", rig);
}

static size_t pulls_so_far(const char *folder) {
  char path[512];
  cb_store *s;
  (void)snprintf(path, sizeof path, "%s/planned.db", folder);
  if (access(path, F_OK) != 0) return 0;
  LAB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  size_t n = pulls_in(s);
  LAB_TRY(cb_store_close(s, err));
  return n;
}

/* One round; false: plan says that there is nothing to do. */
static bool one_round(const char *folder, double u_wanted, size_t most_pulls) {
  char words[600];
  (void)snprintf(words, sizeof words,
                 "plan '" CB_SOURCE_DIR
                 "/rigs/campaign-plan.yaml' --rig rig.yaml --db planned.db --out next.yaml --target-percent "
                 "%.6f --pulls %zu",
                 100 * u_wanted, most_pulls);
  int code = call(folder, words);
  if (code == 3) return false;
  if (code != 0) lab_die(words);
  must(folder, "run next.yaml --rig rig.yaml --db planned.db");
  return true;
}

static result law_of_planned(const char *folder, const cb_rig *rig) {
  must(folder, "fit friction " PAIR " --db planned.db");
  return judge(folder, "planned.db", rig);
}

/* certain: once the law says the wanted u, or at MOST_PULLS; at_share: at SHARE_PULLS. */
static void planned(const char *folder, const cb_rig *rig, double u_wanted, result *certain,
                    result *at_share) {
  bool have_certain = false, have_share = false;
  while (!have_certain || !have_share) {
    size_t n = pulls_so_far(folder);
    if (!have_share && n + 2 > SHARE_PULLS) {
      *at_share = law_of_planned(folder, rig);
      have_share = true;
    } else if ((!have_certain && n >= MOST_PULLS) ||
               !one_round(folder, have_certain ? 0 : u_wanted,
                          !have_share && SHARE_PULLS - n < 6 ? SHARE_PULLS - n : 6)) {
      *certain = law_of_planned(folder, rig);
      have_certain = true;
    }
  }
}

int main(int argc, char **argv) {
  int seeds = argc > 2 ? atoi(argv[2]) : 4;
  double square[3] = {0}, pulls[3] = {0};
  if (argc < 2 || argc > 3 || seeds < 1) lab_die("usage: bench_plan_rig FOLDER [SEEDS]");
  printf("seed    full: pulls, error, u        planned until as certain     planned to 59 %% of the pulls\n");
  for (int seed = 1; seed <= seeds; seed++) {
    char folder[256], path[512];
    cb_rig rig;
    result r[3];
    (void)snprintf(folder, sizeof folder, "%s/%d", argv[1], seed);
    LAB_TRY(cb_dir_make(folder, err));
    write_rig(folder, seed);
    (void)snprintf(path, sizeof path, "%s/rig.yaml", folder);
    LAB_TRY(cb_rig_load(path, &rig, err));
    r[0] = factorial(folder, &rig);
    planned(folder, &rig, r[0].u, &r[1], &r[2]);
    cb_rig_clear(&rig);
    printf("%4d", seed);
    for (int i = 0; i < 3; i++) {
      printf("    %3.0f  %.3f %%  %.3f %%    ", r[i].pulls, 100 * r[i].error, 100 * r[i].u);
      square[i] += r[i].error * r[i].error;
      pulls[i] += r[i].pulls;
    }
    printf("\n");
    (void)fflush(stdout);
  }
  printf(" all");
  for (int i = 0; i < 3; i++)
    printf("    %3.0f  %.3f %% (%.2f)     ", pulls[i] / seeds, 100 * sqrt(square[i] / seeds),
           sqrt(square[i] / square[0]));
  printf("\n");
  return 0;
}
