/* Many rigs into one database: ./run bench labs [RIGS [CAMPAIGNS [FOLDER]]]     20 rigs of 50 campaigns each
 * Every campaign has 36 runs, each with 1200 readings of force and position (3 s at 400 Hz) and a friction
 * point. Sizes of a rig's file and of the whole; times of a merge, of a merge with nothing new, of `db ls`
 * and of a question. */
#include "bench_lab.h"
#include "cb_store_file.h"

#define RATE_HZ 400
#define RUN_N 1200
#define RUNS 36

static double force[RUN_N], position[RUN_N], stamps[RUN_N];

static void make_signals(uint64_t run) {
  cb_rng rng;
  cb_rng_init(&rng, run, 5);
  for (size_t i = 0; i < RUN_N; i++) {
    stamps[i] = rint(1e6 * ((double)i / RATE_HZ + 50e-6 * cb_rng_uniform(&rng))) / 1e6;
    position[i] = rint(0.01 * stamps[i] / 1.984375e-7) * 1.984375e-7;
    force[i] = rint(1e4 * (i < 200 ? 0 : 1) + 20 * cb_rng_normal(&rng)) / 1e4;
  }
}

static void store_run(lab *l, uint64_t number) {
  make_signals(number);
  l->like.angle_deg = 45 * (double)(number % 3);
  l->like.normal_force_N = 1 + (double)(number / 3 % 4);
  const int64_t id = lab_run(l);
  LAB_TRY(cb_store_samples_append(l->store, id, CB_CHANNEL_FORCE, 0, RUN_N, stamps, force, err));
  LAB_TRY(cb_store_samples_append(l->store, id, CB_CHANNEL_POSITION, 0, RUN_N, stamps, position, err));
  LAB_TRY(cb_store_run_finish(l->store, id, CB_RUN_DONE, "", err));
  cb_friction_point p = {.run_id = id,
                         .static_N = 0.6,
                         .kinetic_N = 0.5,
                         .u_kinetic_N = 0.005,
                         .u_static_N = 0.01,
                         .method = "bench"};
  LAB_TRY(cb_store_point_put(l->store, &p, err));
}

static void make_rig(const char *path, int rig, int campaigns) {
  char name[32];
  lab l;
  lab_remove(path);
  lab_open(&l, path, RATE_HZ);
  for (int c = 0; c < campaigns; c++) {
    (void)snprintf(name, sizeof name, "rig %d, day %d", rig, c);
    lab_campaign(&l, name);
    LAB_TRY(cb_store_begin(l.store, err));
    for (int r = 0; r < RUNS; r++) store_run(&l, (uint64_t)((rig * campaigns + c) * RUNS + r));
    LAB_TRY(cb_store_commit(l.store, err));
    LAB_TRY(cb_store_campaign_finish(l.store, l.like.campaign_id, err));
  }
  LAB_TRY(cb_store_close(l.store, err));
}

static double merge(const char *into, const char *from, size_t *taken) {
  cb_store *s;
  cb_merge_result r = {0};
  const double began_s = cb_now_monotonic_s();
  LAB_TRY(cb_store_open(into, CB_STORE_WRITE, &s, err));
  LAB_TRY(cb_store_merge(s, from, NULL, NULL, &r, err));
  LAB_TRY(cb_store_close(s, err));
  *taken = r.runs.taken;
  return cb_now_monotonic_s() - began_s;
}

static void time_command(const char *what, const char *arguments, const char *path) {
  char command[9000];
  (void)snprintf(command, sizeof command, "'%s' %s --db '%s' >/dev/null", CB_EXE, arguments, path);
  const double began_s = cb_now_monotonic_s();
  if (system(command) != 0) lab_die(command);
  printf("| %s | %.2f s |\n", what, cb_now_monotonic_s() - began_s);
}

int main(int argc, char **argv) {
  const int rigs = argc > 1 ? atoi(argv[1]) : 20, campaigns = argc > 2 ? atoi(argv[2]) : 50;
  const char *folder = argc > 3 ? argv[3] : ".";
  char whole[4200], path[4200];
  double first_s = 0, last_s = 0, made_s = 0;
  size_t taken;
  (void)snprintf(whole, sizeof whole, "%s/bench_labs.db", folder);
  (void)snprintf(path, sizeof path, "%s/bench_rig.db", folder);
  lab_remove(whole);
  for (int k = 0; k < rigs; k++) {
    const double began_s = cb_now_monotonic_s();
    make_rig(path, k, campaigns);
    made_s += cb_now_monotonic_s() - began_s;
    last_s = merge(whole, path, &taken);
    if (taken != (size_t)(campaigns * RUNS)) lab_die("runs were lost in the merge");
    if (k == 0) first_s = last_s;
  }
  printf("%d rigs, %d campaigns of %d runs each\n\n| what | figure |\n|---|---|\n", rigs, campaigns, RUNS);
  printf("| a rig's file | %.1f MB, made in %.1f s |\n", lab_bytes(path) / 1e6, made_s / rigs);
  printf("| the whole | %.1f MB, %.1f kB per run |\n", lab_bytes(whole) / 1e6,
         lab_bytes(whole) / 1e3 / rigs / campaigns / RUNS);
  printf("| merge of the first rig, of the last | %.1f s, %.1f s |\n", first_s, last_s);
  printf("| merge of the last rig once more | %.1f s |\n", merge(whole, path, &taken));
  time_command("db ls", "db ls", whole);
  time_command("a question in SQL",
               "db query 'SELECT count(*), avg(normal_force_N) FROM run WHERE angle_deg = 45'", whole);
  time_command("db check", "db check", whole);
  lab_remove(path);
  lab_remove(whole);
  return 0;
}
