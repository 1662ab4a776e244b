/* bench_chain [SEEDS [DEMOS]]: the chain from instruments to verdicts, whose truth is known.
 *
 * First SEEDS (100) virtual laboratories without rig and drapes: how often the hidden truth lies in the 95 %
 * bands of the fitted laws, and how often verdicts pass, with the judged cloth as fitted and by 15 % another.
 * Then DEMOS (6) whole demos of both kinds, by the command. docs/guide/virtual-lab.md says what it shows. */
#include <string.h>
#include <sys/wait.h>

#include "../tests/vlab_chain.h"

#include "cb_time.h"

#define MOVED 15.0 /* percent */

static void die(const char *why) {
  fprintf(stderr, "bench_chain: %s\n", why);
  exit(1);
}

typedef struct sums {
  int cells[CHAIN_PROPERTIES], inside[CHAIN_PROPERTIES];
  double worst[CHAIN_PROPERTIES];
  int stacks, strips;              /* passed */
  double stack_en[2], strip_en[2]; /* least, most */
} sums;

static void note_range(double range[2], double en) {
  range[0] = fmin(range[0], en), range[1] = fmax(range[1], en);
}

static void add_result(sums *t, const chain_result *r) {
  for (int k = 0; k < CHAIN_PROPERTIES; k++) {
    t->cells[k] += r->tally[k].cells;
    t->inside[k] += r->tally[k].inside;
    t->worst[k] = fmax(t->worst[k], r->tally[k].worst);
  }
  t->stacks += r->stack_en <= 1;
  t->strips += r->strip_en <= 1;
  note_range(t->stack_en, r->stack_en);
  note_range(t->strip_en, r->strip_en);
}

static sums play_seeds(const vlab *shipped, int seeds, double factor, const char *folder) {
  sums t = {.stack_en = {INFINITY, 0}, .strip_en = {INFINITY, 0}};
  for (int seed = 1; seed <= seeds; seed++) {
    vlab lab = *shipped;
    lab.seed = (uint64_t)seed;
    const vlab judged = vlab_moved(&lab, factor);
    chain_result r;
    cb_err err = {""};
    if (chain_play(&lab, &judged, folder, &r, &err) != CB_OK) die(err.msg);
    add_result(&t, &r);
  }
  return t;
}

static void print_truth(const sums *t) {
  printf("%-22s %12s %12s\n", "hidden truth", "inside 95 %", "worst");
  for (int k = 0; k < CHAIN_PROPERTIES; k++)
    printf("%-22s %10.1f %% %12.2f\n", chain_names[k], 100.0 * t->inside[k] / t->cells[k], t->worst[k]);
}

static void print_verdicts(const sums *t, int seeds, double percent) {
  printf(
      "judged cloth by %2.0f %% another: stacks %3d of %d pass, |E_n| %.2f to %.2f; oblique strips %3d of %d "
      "pass, |E_n| %.2f to %.2f\n",
      percent, t->stacks, seeds, t->stack_en[0], t->stack_en[1], t->strips, seeds, t->strip_en[0],
      t->strip_en[1]);
}

/* The two tables at the end of a demo. */
static void print_demo(int seed, double percent, const char *folder) {
  char command[6000], line[400];
  bool on = false;
  (void)snprintf(command, sizeof command,
                 "'%s' demo --seed %d --moved-percent %g --out '%s/demo' 2>/dev/null", CB_EXE, seed, percent,
                 folder);
  printf("\n---- demo, seed %d, judged cloth by %g %% another\n", seed, percent);
  (void)fflush(stdout);
  FILE *out = popen(command, "r");
  if (!out) die("the demo could not be started");
  while (fgets(line, sizeof line, out)) {
    on = on || strncmp(line, "hidden truth", 12) == 0;
    if (on) (void)fputs(line, stdout);
  }
  printf("exit code %d\n", WEXITSTATUS(pclose(out)));
}

int main(int argc, char **argv) {
  const int seeds = argc > 1 ? atoi(argv[1]) : 100, demos = argc > 2 ? atoi(argv[2]) : 6;
  char folder[] = "/tmp/bench_chain.XXXXXX";
  vlab lab;
  const double from = cb_now_monotonic_s();
  if (!mkdtemp(folder)) die("no folder");
  cb_err err = {""};
  if (vlab_load(CB_SOURCE_DIR "/rigs/virtual-lab.yaml", &lab, &err) != CB_OK) die(err.msg);
  if (seeds > 0) {
    const sums same = play_seeds(&lab, seeds, 1, folder),
               other = play_seeds(&lab, seeds, 1 + MOVED / 100, folder);
    print_truth(&same);
    print_verdicts(&same, seeds, 0);
    print_verdicts(&other, seeds, MOVED);
  }
  for (int seed = 1; seed <= demos; seed++)
    for (int moved = 0; moved < 2; moved++) print_demo(seed, moved * MOVED, folder);
  printf("\n%.0f s; files in %s\n", cb_now_monotonic_s() - from, folder);
  return 0;
}
