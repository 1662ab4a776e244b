/* bench_week [FOLDER [DAYS [keep]]]: a database with a week of measurements - runs of 60 s, force, excitation
 * and position at 1 kS/s each - and how long it takes to list its campaigns and to plot one run, with nothing
 * of it in memory and with all of it. "keep" leaves the file. */
#include <fcntl.h>

#include "bench_lab.h"

#define RATE_HZ 1000
#define RUN_N 60000
#define BATCH_N 20000 /* what the tail comes to before it is packed */
#define RUNS_PER_HOUR 60
#define RUNS_PER_DAY (24 * RUNS_PER_HOUR)
#define N_TABLE 1048576
#define STEP_M 1.984375e-7

static double noise[N_TABLE], force[RUN_N], excitation[RUN_N], position[RUN_N], stamps[RUN_N];

static void make_tables(void) {
  cb_rng rng;
  cb_rng_init(&rng, 11, 2);
  for (size_t i = 0; i < N_TABLE; i++) noise[i] = cb_rng_normal(&rng);
  for (size_t i = 0; i < RUN_N; i++) {
    /* Arrival: late by what a serial line and a scheduler make of it. */
    stamps[i] = rint(1e6 * ((double)i / RATE_HZ + 50e-6 * fabs(noise[i]))) / 1e6;
    position[i] = rint(0.001 * stamps[i] / STEP_M) * STEP_M;
  }
}

/* No two runs alike: each begins elsewhere in the table. */
static void make_signals(size_t run) {
  size_t k = run * 7919;
  for (size_t i = 0; i < RUN_N; i++, k++) {
    double pull = i < 5000 ? 0 : 9000 * (1 + 0.3 * exp(-1e-3 * (double)(i - 5000)));
    force[i] = rint(32768 + pull + 8 * noise[k % N_TABLE]);
    excitation[i] = rint(50000 + 2 * noise[(k + 77777) % N_TABLE]);
  }
}

/* The caller holds a transaction: one per hour of runs, or the disk's flushes would be what is measured. */
static void store_run(lab *l) {
  static const cb_channel channels[] = {CB_CHANNEL_FORCE, CB_CHANNEL_EXCITATION, CB_CHANNEL_POSITION};
  const double *values[] = {force, excitation, position};
  int64_t id = lab_run(l);
  for (size_t i = 0; i < RUN_N; i += BATCH_N)
    for (int c = 0; c < 3; c++)
      LAB_TRY(cb_store_samples_append(l->store, id, channels[c], (int64_t)i, BATCH_N, stamps + i,
                                      values[c] + i, err));
  LAB_TRY(cb_store_run_finish(l->store, id, CB_RUN_DONE, "", err));
}

static void make_week(lab *l, int days) {
  char name[32];
  double began_s = cb_now_monotonic_s();
  for (int day = 0; day < days; day++) {
    (void)snprintf(name, sizeof name, "day %d", day + 1);
    lab_campaign(l, name);
    for (int run = 0; run < RUNS_PER_DAY; run++) {
      if (run % RUNS_PER_HOUR == 0) LAB_TRY(cb_store_begin(l->store, err));
      make_signals((size_t)(day * RUNS_PER_DAY + run));
      store_run(l);
      if (run % RUNS_PER_HOUR == RUNS_PER_HOUR - 1) LAB_TRY(cb_store_commit(l->store, err));
    }
    LAB_TRY(cb_store_campaign_finish(l->store, l->like.campaign_id, err));
  }
  LAB_TRY(cb_store_close(l->store, err));
  double took_s = cb_now_monotonic_s() - began_s, n = 3.0 * RUN_N * RUNS_PER_DAY * days;
  printf("made: %d days, %d runs, %.3g samples in %.0f s (%.3g samples/s), %.2f GB, %.2f bytes/sample\n",
         days, days * RUNS_PER_DAY, n, took_s, n / took_s, lab_bytes(l->path) / 1e9, lab_bytes(l->path) / n);
}

static void forget(const char *path) {
  int fd = open(path, O_RDONLY);
  if (fd < 0 || fsync(fd) != 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
    lab_die("the file cannot be dropped from memory");
  close(fd);
}

static void time_command(const lab *l, const char *what, const char *arguments) {
  char command[9000];
  (void)snprintf(command, sizeof command, "'%s' %s --db '%s' >/dev/null", CB_EXE, arguments, l->path);
  double took_s[2];
  forget(l->path);
  for (int i = 0; i < 2; i++) {
    double began_s = cb_now_monotonic_s();
    if (system(command) != 0) lab_die(command);
    took_s[i] = cb_now_monotonic_s() - began_s;
  }
  printf("%s: %.2f s with nothing in memory, %.2f s again\n", what, took_s[0], took_s[1]);
}

int main(int argc, char **argv) {
  const char *folder = argc > 1 ? argv[1] : ".";
  int days = argc > 2 ? atoi(argv[2]) : 7;
  char path[4096], plot[200];
  lab l;
  (void)snprintf(path, sizeof path, "%s/bench_week.db", folder);
  lab_remove(path);
  make_tables();
  lab_open(&l, path, RATE_HZ);
  make_week(&l, days);
  time_command(&l, "db ls", "db ls");
  (void)snprintf(plot, sizeof plot, "plot run %d --out /tmp/bench_week.svg", days * RUNS_PER_DAY / 2);
  time_command(&l, "plot of a run in the middle", plot);
  (void)unlink("/tmp/bench_week.svg");
  if (argc < 4) lab_remove(path);
  return 0;
}
