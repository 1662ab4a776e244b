/* What a Cusick drape costs: a polyester twill (M1 of docs/method/drape-measured.md) of 30 cm on 18 cm, laid
 * --seeds times.
 *   ./run bench drape [--vertices 10000] [--seeds 3] [--beside] [--json]
 * Seeds run one after the other, each with all threads: how long one drape takes. With --beside they run
 * beside each other, a thread each, as `validate drape` does: how long statistics take. near_s is spent on
 * the fall and on the way to the equilibrium, settle_s on the rest.
 */
#include <errno.h>
#include <omp.h>
#include <sys/resource.h>

#include "bench_lab.h"
#include "val_drape_impl.h"

typedef struct options {
  int vertices, seeds;
  bool beside, json;
} options;

static double processors_s(void) {
  struct rusage u;
  (void)getrusage(RUSAGE_SELF, &u);
  return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
         1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static val_drape twill(int vertices) {
  const double warp = 1.95e-6, weft = 0.61e-6, twist = sqrt(warp * weft) / 2;
  val_drape e = val_drape_default();
  e.material = sim_material_isotropic(0.13517, 470, warp);
  e.material.warp = sim_curve_linear(477.226);
  e.material.weft = sim_curve_linear(458.614);
  e.material.shear = sim_curve_linear(41);
  memcpy(e.material.bending_Nm, ((double[3][3]){{warp, 0, 0}, {0, weft, 0}, {0, 0, twist}}),
         sizeof e.material.bending_Nm);
  e.vertices = vertices;
  return e;
}

typedef struct outcome {
  val_drape_result *each;
  double seconds, cpu_s;
} outcome;

static void lay(const options *o, int i, val_drape_result *out) {
  val_drape e = twill(o->vertices);
  e.seed = (uint64_t)i + 1;
  LAB_TRY(val_drape_run(&e, out, NULL, err));
}

/* Not a parallel region with a condition: in a region of one thread libgomp makes new threads for every inner
 * region. */
static outcome drape(const options *o) {
  outcome r = {.each = calloc((size_t)o->seeds, sizeof *r.each)};
  if (!r.each) lab_die("out of memory");
  const double from = cb_now_monotonic_s(), cpu = processors_s();
  omp_set_max_active_levels(1);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < (o->beside ? o->seeds : 0); i++) lay(o, i, &r.each[i]);
  for (int i = 0; i < (o->beside ? 0 : o->seeds); i++) lay(o, i, &r.each[i]);
  r.seconds = cb_now_monotonic_s() - from;
  r.cpu_s = processors_s() - cpu;
  return r;
}

static double mean(const options *o, const outcome *r, double (*of)(const val_drape_result *)) {
  double sum = 0;
  for (int i = 0; i < o->seeds; i++) sum += of(&r->each[i]);
  return sum / o->seeds;
}

static double coefficient(const val_drape_result *r) { return r->drape.drape_coefficient; }
static double nodes(const val_drape_result *r) { return r->drape.nodes; }
static double calm_steps(const val_drape_result *r) { return r->calm_steps; }
static double iterations(const val_drape_result *r) { return r->iterations; }
static double settled(const val_drape_result *r) { return r->settled; }
static double stable(const val_drape_result *r) { return r->stable; }
static double near_s(const val_drape_result *r) { return r->seconds - r->settle_seconds; }
static double settle_s(const val_drape_result *r) { return r->settle_seconds; }
static double vertices(const val_drape_result *r) { return r->vertices; }

static void print(const options *o, const outcome *r) {
  static const struct {
    const char *name;
    double (*of)(const val_drape_result *);
  } means[] = {{"vertices", vertices},
               {"near_s", near_s},
               {"settle_s", settle_s},
               {"calm_steps", calm_steps},
               {"iterations", iterations},
               {"settled", settled},
               {"stable", stable},
               {"drape_coefficient", coefficient},
               {"nodes", nodes}};
  struct rusage u;
  (void)getrusage(RUSAGE_SELF, &u);
  const double n = o->seeds, peak = 1024.0 * (double)u.ru_maxrss;
  printf(o->json ? "{\"seeds\": %d, \"threads\": %d, \"seconds_per_seed\": %.4g, \"cpu_s_per_seed\": %.4g, "
                   "\"peak_bytes\": %.4g"
                 : "%d seeds, %d threads: %.3f s a seed, processors %.3f s, memory at most %.4g bytes\n",
         o->seeds, omp_get_max_threads(), r->seconds / n, r->cpu_s / n, peak);
  for (size_t k = 0; k < sizeof means / sizeof *means; k++)
    printf(o->json ? ", \"%s\": %.6g" : "  %s %.6g\n", means[k].name, mean(o, r, means[k].of));
  printf(o->json ? "}\n" : "");
}

static void usage(void) {
  (void)fprintf(stderr, "usage: bench_drape [--vertices N] [--seeds K] [--beside] [--json]\n");
  exit(2);
}

static int number(int argc, char **argv, int *i, long lowest) {
  char *end = NULL;
  errno = 0;
  const long x = ++*i < argc ? strtol(argv[*i], &end, 10) : -1;
  if (!end || *end != '\0' || errno != 0 || x < lowest || x > 1000000) usage();
  return (int)x;
}

int main(int argc, char **argv) {
  options o = {.vertices = 10000, .seeds = 3};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--vertices") == 0)
      o.vertices = number(argc, argv, &i, 200);
    else if (strcmp(argv[i], "--seeds") == 0)
      o.seeds = number(argc, argv, &i, 1);
    else if (strcmp(argv[i], "--beside") == 0)
      o.beside = true;
    else if (strcmp(argv[i], "--json") == 0)
      o.json = true;
    else
      usage();
  }
  outcome r = drape(&o);
  print(&o, &r);
  free(r.each);
  return 0;
}
