/* bench_fit: what a friction law costs. One synthetic pair as the authors measure one (three directions, six
 * loads each, four repeats under 1 N), from a power law with 1 % scatter; scipy is Debian's python3-scipy
 * under /usr/bin/python3, on the same data. Rounds of ours and theirs in turn, each a median of many; told
 * are the medians over the rounds and the least factor of a round.
 *   law     fit_friction: points to law with covariance, 12 candidates, tests, verdicts; median of 201.
 *           scipy: curve_fit of the nine candidates that are formulas (coulomb, power, offset with N0 >= 0,
 *           each isotropic, orthotropic, general) with covariances; median of 21
 *   one     the power law M N^n with its four parameters and their covariance alone, here and there; median
 *           of 201
 *   draws   10,000 laws drawn from the one that was fitted, each evaluated at one angle and load; the spread
 *           against the linear one
 *   refit   a database of ten cloths on ten bodies, such a pair each (2700 runs): `clothbench fit friction`
 *           over all of it */
#include "bench_lab.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "fit_friction_impl.h"
#include "cb_store_rows_impl.h"

#define ROUNDS 7
#define REPEATS 201
#define DRAWS 10000
#define RUNS 27

static const double loads_N[] = {0.127, 0.275, 0.52, 1.01, 1.99, 2.97};

static const char script[] =
    "import sys, time, numpy\n"
    "from scipy.optimize import curve_fit\n"
    "deg, N, F = numpy.loadtxt(sys.argv[1], unpack=True)\n"
    "t = numpy.radians(deg)\n"
    "q = (lambda t, f: f,\n"
    "     lambda t, f, g: f * numpy.cos(t) ** 2 + g * numpy.sin(t) ** 2,\n"
    "     lambda t, f, g, h: f * numpy.cos(t) ** 2 + g * numpy.sin(t) ** 2 + 2 * h * numpy.sin(t) * "
    "numpy.cos(t))\n"
    "start = ((0.5,), (0.5, 0.5), (0.5, 0.5, 0))\n"
    "inf = numpy.inf\n"
    "def coulomb(i): return curve_fit(lambda x, *p: q[i](x[0], *p) * x[1], (t, N), F, start[i], 0.01 * F)\n"
    "def power(i): return curve_fit(lambda x, *p: q[i](x[0], *p[:-1]) * x[1] ** p[-1], (t, N), F, "
    "(*start[i], 0.9), 0.01 * F)\n"
    "def offset(i): return curve_fit(lambda x, *p: q[i](x[0], *p[:-1]) * (x[1] + p[-1]), (t, N), F, "
    "(*start[i], 0.01), 0.01 * F,\n"
    "                                bounds=([-inf] * len(start[i]) + [0], inf))\n"
    "def median(f, n):\n"
    "    times = []\n"
    "    for i in range(n):\n"
    "        begin = time.perf_counter()\n"
    "        r = f()\n"
    "        times.append(time.perf_counter() - begin)\n"
    "    return numpy.median(times), r\n"
    "everything, r = median(lambda: [f(i) for f in (coulomb, power, offset) for i in range(3)], 21)\n"
    "one, r = median(lambda: power(2), 201)\n"
    "print(everything, one, r[0][0], r[0][2], r[0][1], r[0][3])\n";

typedef struct scipy {
  double all_s, one_s, p[4]; /* f00, f01, f11 under 1 N, exponent */
} scipy;

/* The runs of one pair; mu: how it is told from the others. */
static size_t measure(cb_friction_obs *obs, double mu, cb_rng *rng) {
  size_t n = 0;
  for (int a = 0; a < 3; a++)
    for (int l = 0; l < 6; l++)
      for (int k = 0; k < (l == 3 ? 4 : 1); k++, n++) {
        double f[3] = {mu, 0.05 * mu, 0.8 * mu}, N = loads_N[l];
        double F = cb_friction_quadratic(f, 45 * a * CB_DEG) * pow(N, 0.87) * (1 + 0.01 * cb_rng_normal(rng));
        obs[n] = (cb_friction_obs){
            .run = {.id = (int64_t)n + 1,
                    .angle_deg = 45 * a,
                    .normal_force_N = N,
                    .contact_area_m2 = 0.005,
                    .speed_m_per_s = 0.01,
                    .direction = 1,
                    .repeat = k + 1,
                    .origin = CB_VIRTUAL},
            .point = {.static_N = NAN, .u_static_N = NAN, .kinetic_N = F, .mu_reported = NAN},
            .u_rel_calibration = 0.002};
      }
  return n;
}

static double time_law(const cb_friction_obs *obs, size_t n, fit_friction_result *r) {
  static double times[REPEATS];
  fit_friction_options opt = {0};
  for (int i = 0; i < REPEATS; i++) {
    double start = cb_now_monotonic_s();
    LAB_TRY(fit_friction(obs, n, "Cloth", "Body", &opt, r, err));
    times[i] = cb_now_monotonic_s() - start;
  }
  return median(times, REPEATS);
}

static scipy time_scipy(const cb_friction_obs *obs, size_t n) {
  char data[] = "/tmp/bench_fitXXXXXX", code[] = "/tmp/bench_fitXXXXXX", command[256];
  scipy r = {.all_s = NAN};
  int fd = mkstemp(data), script_fd = mkstemp(code);
  FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL, *g = script_fd >= 0 ? fdopen(script_fd, "w") : NULL;
  if (!f || !g) lab_die("no temporary file");
  for (size_t i = 0; i < n; i++)
    fprintf(f, "%.17g %.17g %.17g\n", obs[i].run.angle_deg, obs[i].run.normal_force_N,
            obs[i].point.kinetic_N);
  fputs(script, g);
  if (fclose(f) != 0 || fclose(g) != 0) lab_die("a temporary file could not be written");
  (void)snprintf(command, sizeof command, "/usr/bin/python3 %s %s", code, data);
  FILE *out = popen(command, "r");
  bool whole = out && fscanf(out, "%lf %lf %lf %lf %lf %lf", &r.all_s, &r.one_s, &r.p[0], &r.p[1], &r.p[2],
                             &r.p[3]) == 6;
  if (out) (void)pclose(out);
  (void)unlink(data);
  (void)unlink(code);
  if (!whole) lab_die("scipy gave nothing ('./run bench fit' installs python3-scipy)");
  return r;
}

/* The same power law, from the same runs. */
static double time_one(const cb_friction_obs *obs, size_t n, cb_friction_law *law) {
  static double times[REPEATS];
  fit_data d;
  LAB_TRY(fit_data_init(&d, obs, n, CB_FRICTION_KINETIC, NULL, err));
  const fit_scatter scatter = {.rel = 0.01, .dof = 9};
  const fit_directions none = {.var_a = 0};
  for (int i = 0; i < REPEATS; i++) {
    double start = cb_now_monotonic_s();
    *law = (cb_friction_law){.n_shared = 0};
    fit_data_weigh(&d, &scatter);
    fit_formula x = fit_formula_of(&d, CB_MODEL_POWER, CB_FORM_GENERAL, 0);
    fit_formula_law(&d, &x, &none, 0, law);
    times[i] = cb_now_monotonic_s() - start;
  }
  fit_data_clear(&d);
  return median(times, REPEATS);
}

static double worst_difference(const cb_friction_law *law, const double p[4]) {
  double worst = 0;
  for (int deg = 0; deg < 180; deg += 15) {
    cb_friction_value v;
    cb_friction_law_eval(law, deg * CB_DEG, 1.4, &v);
    worst = fmax(worst, fabs(v.force_N / (cb_friction_quadratic(p, deg * CB_DEG) * pow(1.4, p[3])) - 1));
  }
  return worst;
}

static void time_draws(const cb_friction_law *law) {
  static double force[DRAWS];
  static cb_friction_law one;
  cb_friction_value v;
  cb_rng rng;
  cb_rng_init(&rng, 3, 4);
  double start = cb_now_monotonic_s();
  for (int i = 0; i < DRAWS; i++) {
    cb_friction_value drawn;
    cb_friction_law_draw(law, &rng, &one);
    cb_friction_law_eval(&one, 30 * CB_DEG, 1.4, &drawn);
    force[i] = drawn.force_N;
  }
  double seconds = cb_now_monotonic_s() - start;
  cb_friction_law_eval(law, 30 * CB_DEG, 1.4, &v);
  (void)median(force, DRAWS);
  printf("draws   %d in %.3f s; 95 %% interval %.5f to %.5f N, linear %.5f to %.5f N\n", DRAWS, seconds,
         force[DRAWS / 40], force[DRAWS - DRAWS / 40], v.force_N - cb_student_t(0.95, v.dof) * v.u_force_N,
         v.force_N + cb_student_t(0.95, v.dof) * v.u_force_N);
}

/* ---- a whole database ---- */

static int64_t put_material(lab *l, cb_material_kind kind, int i) {
  cb_material m = {.kind = kind, .source = "bench", .origin = CB_VIRTUAL};
  (void)snprintf(m.name, sizeof m.name, "%s %d", kind == CB_CLOTH ? "Cloth" : "Body", i);
  LAB_TRY(cb_store_material_put(l->store, &m, err));
  return m.id;
}

static void put_pair(lab *l, cb_rng *rng) {
  cb_friction_obs obs[RUNS];
  size_t n = measure(obs, 0.3 + 0.4 * cb_rng_uniform(rng), rng);
  lab_campaign(l, "pair");
  for (size_t i = 0; i < n; i++) {
    cb_run *r = &obs[i].run;
    r->campaign_id = l->like.campaign_id, r->cloth_id = l->like.cloth_id, r->body_id = l->like.body_id;
    r->calibration_id = l->like.calibration_id;
    LAB_TRY(cb_store_run_put(l->store, r, err));
    LAB_TRY(cb_store_run_finish(l->store, r->id, CB_RUN_DONE, "", err));
    obs[i].point.run_id = r->id;
    LAB_TRY(cb_store_point_put(l->store, &obs[i].point, err));
  }
}

static void time_refit(const char *path) {
  lab l;
  char command[600];
  cb_rng rng;
  int64_t bodies[10];
  cb_rng_init(&rng, 8, 1);
  lab_remove(path);
  lab_open(&l, path, 100);
  LAB_TRY(cb_store_begin(l.store, err));
  for (int b = 0; b < 10; b++) bodies[b] = put_material(&l, CB_BODY, b);
  for (int c = 0; c < 10; c++) {
    l.like.cloth_id = put_material(&l, CB_CLOTH, c);
    for (int b = 0; b < 10; b++) {
      l.like.body_id = bodies[b];
      put_pair(&l, &rng);
    }
  }
  LAB_TRY(cb_store_commit(l.store, err));
  LAB_TRY(cb_store_close(l.store, err));
  (void)snprintf(command, sizeof command, CB_EXE " fit friction --db %s >/dev/null", path);
  double start = cb_now_monotonic_s();
  if (system(command) != 0) lab_die("fit friction failed");
  printf("refit   100 pairs of %d runs, read, fitted and stored: %.2f s\n", RUNS,
         cb_now_monotonic_s() - start);
  lab_remove(path);
}

/* One figure, round by round. */
typedef struct race {
  double ours_s[ROUNDS], theirs_s[ROUNDS], factor[ROUNDS];
} race;

static void run_round(race *r, int round, double ours_s, double theirs_s) {
  r->ours_s[round] = ours_s, r->theirs_s[round] = theirs_s;
  r->factor[round] = theirs_s / ours_s;
}

static void tell(race *r, const char *name, const char *what) {
  double factor = median(r->factor, ROUNDS); /* sorted from here on */
  printf("%-7s %s: %.1f us; scipy: %.0f us; %.0f times as long, in %d rounds at least %.0f times\n", name,
         what, 1e6 * median(r->ours_s, ROUNDS), 1e6 * median(r->theirs_s, ROUNDS), factor, ROUNDS,
         r->factor[0]);
}

int main(int argc, char **argv) {
  static cb_friction_law one;
  static fit_friction_result r;
  cb_friction_obs obs[RUNS];
  cb_rng rng;
  race whole, alone;
  scipy theirs = {0};
  cb_rng_init(&rng, 1, 2);
  size_t n = measure(obs, 0.6, &rng);
  for (int i = 0; i < ROUNDS; i++) {
    double law_s = time_law(obs, n, &r), one_s = time_one(obs, n, &one);
    theirs = time_scipy(obs, n);
    run_round(&whole, i, law_s, theirs.all_s);
    run_round(&alone, i, one_s, theirs.one_s);
  }
  tell(&whole, "law", "27 runs to a law, 12 candidates; nine of them");
  tell(&alone, "one", "the power law alone");
  printf("        %s %s chosen of %zu candidates; forces of the power law agree within %.2g %%\n",
         cb_friction_form_names[r.kinetic.law.form], cb_friction_model_names[r.kinetic.law.model],
         r.kinetic.n_candidates, 100 * worst_difference(&one, theirs.p));
  time_draws(&r.kinetic.law);
  time_refit(argc > 1 ? argv[1] : "/tmp/bench_fit.db");
  return 0;
}
