/* A million rows of a sweep: the size of its shards and of the gathered file, and the times of writing,
 * gathering twice, and asking. TMPDIR=/dev/shm ./run bench sweep_rows [SHARDS ROWS]     1000 1000 In memory,
 * as the disk's fsync of every row is the disk's figure: it is measured apart, with one shard. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "cb_file.h"
#include "cb_rng.h"
#include "cb_time.h"
#include "swp_home.h"

static void check(cb_status st, const cb_err *err) {
  if (st == CB_OK) return;
  fprintf(stderr, "bench_sweep_rows: %s\n", err->msg);
  exit(1);
}

static const char plan[] =
    "name: rows\ncommand: validate cantilever --gamma {a} --cells {b} --seed {c}\ndesign: sobol\ncases: "
    "%d\nvary:\n"
    "  - {name: a, from: 1, to: 2}\n  - {name: b, from: 1, to: 2}\n  - {name: c, from: 1, to: 2}\n"
    "keep:\n  - {name: w, path: w}\n  - {name: x, path: x}\n  - {name: y, path: y}\n  - {name: z, path: z}\n";

/* As a process that plays part k of n does: a row, a commit. */
static void write_shard(const swp_home *h, const char *folder, int k, int n) {
  char path[5000];
  cb_sweep_file *f;
  cb_err err;
  cb_rng rng;
  (void)snprintf(path, sizeof path, "%s/shards/%d-of-%d.db", folder, k, n);
  check(cb_sweep_open(path, &h->head, &f, &err), &err);
  cb_rng_init(&rng, 1, (uint64_t)k);
  for (int i = k - 1; i < h->plan.n_cases; i += n) {
    char text[3][32];
    const char *variable[3] = {text[0], text[1], text[2]};
    double figure[4];
    for (int j = 0; j < 3; j++) (void)snprintf(text[j], sizeof text[j], "%.17g", cb_rng_uniform(&rng));
    for (int j = 0; j < 4; j++) figure[j] = cb_rng_uniform(&rng);
    const cb_sweep_row row = {i, false, 0, "", cb_rng_uniform(&rng), "node17", variable, figure};
    check(cb_sweep_add(f, &row, &err), &err);
  }
  cb_sweep_close(f);
}

static void say_bad(void *context, const char *sentence) {
  (void)context;
  fprintf(stderr, "%s\n", sentence);
}

static double size_MB(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 ? (double)info.st_size / 1e6 : NAN;
}

static void ask(const swp_home *h, const char *results) {
  cb_sweep_file *f;
  cb_sweep_sums sums;
  cb_err err;
  char hash[33];
  double *column = malloc((size_t)h->plan.n_cases * sizeof *column), from = cb_now_monotonic_s();
  if (!column) exit(1);
  check(cb_sweep_read(results, &h->head, &f, &err), &err);
  printf("| open and check | %.2f s |\n", cb_now_monotonic_s() - from);
  from = cb_now_monotonic_s();
  check(cb_sweep_sum(f, &sums, &err), &err);
  printf("| count done and failed | %.2f s |\n", cb_now_monotonic_s() - from);
  from = cb_now_monotonic_s();
  check(cb_sweep_column(f, "z", column, &err), &err);
  printf("| one column of all rows | %.2f s |\n", cb_now_monotonic_s() - from);
  from = cb_now_monotonic_s();
  check(cb_sweep_hash(f, hash, &err), &err);
  printf("| hash of all rows | %.2f s |\n", cb_now_monotonic_s() - from);
  cb_sweep_close(f);
  free(column);
}

int main(int argc, char **argv) {
  const int n = argc > 2 ? atoi(argv[1]) : 1000, rows = argc > 2 ? atoi(argv[2]) : 1000;
  const char *base = getenv("TMPDIR");
  char folder[4000], path[5000], text[2000], command[5000];
  cb_err err;
  swp_home h;
  swp_gathered g;
  struct rusage use;
  (void)snprintf(folder, sizeof folder, "%s/clothbench-rows-XXXXXX", base ? base : "/tmp");
  if (!mkdtemp(folder)) return 1;
  (void)snprintf(path, sizeof path, "%s/rows.yaml", folder);
  (void)snprintf(text, sizeof text, plan, n * rows);
  check(cb_file_write(path, text, strlen(text), &err), &err);
  check(swp_home_make(path, folder, &h, &err), &err);
  double from = cb_now_monotonic_s();
  for (int k = 1; k <= n; k++) write_shard(&h, folder, k, n);
  printf("%d shards of %d rows, 3 variables and 4 figures each\n\n| what | figure |\n|---|---|\n", n, rows);
  printf("| write a row and commit | %.3f ms |\n", 1e3 * (cb_now_monotonic_s() - from) / n / rows);
  (void)snprintf(path, sizeof path, "%s/shards/1-of-%d.db", folder, n);
  printf("| a shard | %.3f MB |\n", size_MB(path));
  for (int turn = 0; turn < 2; turn++) {
    from = cb_now_monotonic_s();
    check(swp_home_gather(&h, NULL, say_bad, NULL, &g, &err), &err);
    printf("| gather%s | %.1f s (%d rows taken, %d known) |\n", turn ? " once more" : "",
           cb_now_monotonic_s() - from, g.rows.taken, g.rows.known);
  }
  (void)snprintf(path, sizeof path, "%s/results.db", folder);
  printf("| results.db | %.1f MB |\n", size_MB(path));
  ask(&h, path);
  (void)getrusage(RUSAGE_SELF, &use);
  printf("| memory at most | %.0f MB |\n", (double)use.ru_maxrss / 1024);
  swp_home_clear(&h);
  (void)snprintf(command, sizeof command, "rm -rf '%s'", folder);
  return system(command);
}
