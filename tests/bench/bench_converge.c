/* Whether the statement of convergence holds (docs/method/convergence.md): random scenes, each with its
 * companion and a reference.
 *
 *   bench_converge [--scenes 200] [--seed 2] [--text N | --cost SCENE.yaml]
 *
 * The reference has edges half as long, steps a fourth as long and a solver tolerance of 1e-8. For every
 * quantity the bench counts the scenes whose bound is at least the distance from the reference. SEED 1 is the
 * calibration set. --text prints the scene file of scene N instead. --cost plays a scene file, and
 * prints the processor time of the run and of its companion. Best with OMP_NUM_THREADS=1. */
#include <errno.h>

#include "bench_lab.h"
#include "converge_scenes.h"

#define SCENES_MAX 2000

/* Of one quantity. */
typedef struct score {
  int n, held, n_of[CONVERGE_KINDS], held_of[CONVERGE_KINDS];
  double slack[SCENES_MAX * CONVERGE_PROBES]; /* bound over true distance */
} score;

typedef struct scores {
  score rms, worst, probe;
} scores;

static struct {
  scores end, most; /* the bound against the distance at the end; against the greatest during the run */
  double run_s, companion_s, reference_s;
  int played;
  int unplayable; /* the run or the reference failed: there is no result */
  int silent;     /* the run has no statement */
} all;

static void count(score *s, converge_kind kind, const sim_converge_distance *told, double true_m) {
  /* A point that is held is exact. */
  if (true_m < 1e-6 && told->bound_m >= true_m) return;
  const bool held = told->bound_m >= true_m;
  s->held += held;
  s->n_of[kind]++;
  s->held_of[kind] += held;
  s->slack[s->n++] = told->bound_m / true_m;
}

static void add(converge_kind kind, const converge_outcome *o) {
  all.run_s += o->run_s;
  all.companion_s += o->companion_s;
  all.reference_s += o->reference_s;
  all.played++;
  count(&all.end.rms, kind, &o->told.rms, o->rms.end_m);
  count(&all.end.worst, kind, &o->told.worst, o->worst.end_m);
  count(&all.most.rms, kind, &o->told.rms, o->rms.most_m);
  count(&all.most.worst, kind, &o->told.worst, o->worst.most_m);
  for (int k = 0; k < CONVERGE_PROBES; k++) {
    count(&all.end.probe, kind, &o->told.probe[k], o->probe[k].end_m);
    count(&all.most.probe, kind, &o->told.probe[k], o->probe[k].most_m);
  }
}

/* In mm: the bound; at the end, difference from the companion / from the reference; the greatest of both. */
static void print_distance(const char *name, const sim_converge_distance *told,
                           const sim_converge_distance *is) {
  printf("  %s %.3f: %.3f / %.3f, %.3f / %.3f", name, 1e3 * told->bound_m, 1e3 * told->end_m, 1e3 * is->end_m,
         1e3 * told->most_m, 1e3 * is->most_m);
}

static void print_one(int i, converge_kind kind, const converge_outcome *o) {
  printf("%3d %-7s %d vertices, %d steps", i, converge_kind_names[kind], o->vertices, o->steps);
  print_distance("rms", &o->told.rms, &o->rms);
  print_distance("worst", &o->told.worst, &o->worst);
  for (int k = 0; k < CONVERGE_PROBES; k++) print_distance("probe", &o->told.probe[k], &o->probe[k]);
  printf("  seconds %.2f %.2f %.2f\n", o->run_s, o->companion_s, o->reference_s);
  (void)fflush(stdout);
}

static void print_score(const char *name, score *s) {
  const int n = s->n;
  if (n == 0) return;
  const double middle = median(s->slack, (size_t)n);
  printf(
      "  %-6s holds in %d of %d (%.1f %%); bound over true distance: median %.2f, tenth %.2f, nine tenths "
      "%.2f\n",
      name, s->held, n, 100.0 * s->held / n, middle, s->slack[n / 10], s->slack[n - 1 - n / 10]);
  printf("   ");
  for (int k = 0; k < CONVERGE_KINDS; k++)
    printf(" %s %d of %d%s", converge_kind_names[k], s->held_of[k], s->n_of[k],
           k + 1 < CONVERGE_KINDS ? "," : "\n");
}

static void print_scores(const char *when, scores *s) {
  printf("%s\n", when);
  print_score("rms", &s->rms);
  print_score("worst", &s->worst);
  print_score("probes", &s->probe);
}

static void usage(void) {
  (void)fprintf(stderr, "usage: bench_converge [--scenes N] [--seed S] [--text N | --cost SCENE.yaml]\n");
  exit(2);
}

static int number(int argc, char **argv, int *i, long least, long most) {
  char *end = NULL;
  errno = 0;
  const long x = ++*i < argc ? strtol(argv[*i], &end, 10) : least - 1;
  if (!end || *end != '\0' || errno != 0 || x < least || x > most) usage();
  return (int)x;
}

static void print_text(int seed, int scene) {
  converge_case c;
  converge_case_make((uint64_t)seed, scene, &c);
  printf("%s", c.run);
}

static void print_cost(const char *file) {
  static sim_scene scene;
  sim_play *run;
  sim_converge *companion;
  sim_convergence told;
  LAB_TRY(sim_scene_load(file, &scene, err));
  double run_s = -lab_cpu_s();
  LAB_TRY(sim_play_new(&scene, &run, err));
  run_s += lab_cpu_s();
  double companion_s = -lab_cpu_s();
  LAB_TRY(sim_converge_new(&scene, run, &companion, err));
  companion_s += lab_cpu_s();
  while (sim_play_done(run) < sim_play_steps(run)) {
    const double from_s = lab_cpu_s();
    LAB_TRY(sim_play_step(run, NULL, err));
    const double middle_s = lab_cpu_s();
    LAB_TRY(sim_converge_follow(companion, err));
    run_s += middle_s - from_s;
    companion_s += lab_cpu_s() - middle_s;
  }
  sim_converge_tell(companion, &told);
  if (told.why[0]) lab_die(told.why);
  printf("run %.2f s, companion %.2f s (%.1f %%): %d of %d vertices, %d of %d steps; rms within %.3g mm\n",
         run_s, companion_s, 100 * companion_s / run_s, told.vertices, sim_play_mesh(run)->n_vertices,
         told.steps, sim_play_steps(run), 1e3 * told.rms.bound_m);
  sim_converge_free(companion);
  sim_play_free(run);
  sim_scene_clear(&scene);
}

/* Draws scenes until so many have a statement. */
static void play(int seed, int scenes) {
  for (int i = 0; all.played < scenes; i++) {
    converge_case c;
    converge_outcome o;
    cb_err why = {""};
    converge_case_make((uint64_t)seed, i, &c);
    const cb_status st = converge_case_play(&c, &o, &why);
    const bool told = st == CB_OK && !o.told.why[0];
    all.unplayable += st != CB_OK;
    all.silent += st == CB_OK && !told;
    if (told) {
      add(c.kind, &o);
      print_one(i, c.kind, &o);
    } else {
      printf("%3d %-7s %s\n", i, converge_kind_names[c.kind], st != CB_OK ? why.msg : o.told.why);
    }
  }
}

int main(int argc, char **argv) {
  int scenes = 200, seed = 2, text = -1;
  const char *file = NULL;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--scenes") == 0)
      scenes = number(argc, argv, &i, 1, SCENES_MAX);
    else if (strcmp(argv[i], "--seed") == 0)
      seed = number(argc, argv, &i, 0, 1000000);
    else if (strcmp(argv[i], "--text") == 0)
      text = number(argc, argv, &i, 0, SCENES_MAX);
    else if (strcmp(argv[i], "--cost") == 0 && i + 1 < argc)
      file = argv[++i];
    else
      usage();
  }
  if (text >= 0) print_text(seed, text);
  if (file != NULL) print_cost(file);
  if (text >= 0 || file != NULL) return 0;
  play(seed, scenes);
  printf("%d scenes, seed %d; %d more without a statement, %d more that cannot be played\n", all.played, seed,
         all.silent, all.unplayable);
  print_scores("at the end:", &all.end);
  print_scores("at any time:", &all.most);
  printf("processor time: runs %.1f s, companions %.1f s (%.1f %%), references %.1f s\n", all.run_s,
         all.companion_s, 100 * all.companion_s / all.run_s, all.reference_s);
  return 0;
}
