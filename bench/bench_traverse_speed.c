/* What the closest points of a cloth over a body cost, phase by phase: 80 K points over a bumpy closed
 * surface of 36 K triangles, a metre long, at steps of 1 ms, sliding at 1 m/s. Near: within 12 mm of it; far:
 * up to 20 cm off. CPU time: of the surface means, since the grid is not made anew at every step, else
 * medians.
 *   bench_traverse_speed [--points N] [--around N] [--steps K] [--json] */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_lab.h"
#include "cb_num.h"
#include "sim_traverse.h"

#define STEP_S 1e-3
#define REACH_M 5e-3
#define STEPS_MOST 1000

typedef struct field {
  int n, nt, around, n_points;
  double (*x)[3], (*point)[3];
  int (*triangle)[3];
  sim_hull hull;
  sim_closest_point *closest[2];
} field;

static void *room(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) lab_die("out of memory");
  return p;
}

/* A place over the bumpy torus at height h. */
static void over(double phi, double psi, double h, double t, double x[3]) {
  double tube = 0.15 * (1 + 0.1 * sin(5 * phi + t) * cos(3 * psi - t)) + h, out = 0.35 + tube * cos(psi);
  x[0] = out * cos(phi);
  x[1] = out * sin(phi);
  x[2] = tube * sin(psi);
}

static void shape(field *f, double t) {
  for (int i = 0; i < f->n; i++)
    over(2 * CB_PI * (i / f->around) / f->around, 2 * CB_PI * (i % f->around) / f->around, 0, t, f->x[i]);
}

/* Rows like a cloth's. */
static void hover(field *f, bool far, double t, double way_m) {
  int side = (int)sqrt((double)f->n_points);
  for (int i = 0; i < f->n_points; i++) {
    double a = (double)(i / side) / side, b = (double)(i % side) / side,
           wave = 0.5 + 0.5 * sin(40 * a) * sin(37 * b);
    over(2 * CB_PI * a + way_m / 0.35, 2 * CB_PI * b, far ? 0.02 + 0.18 * wave : 0.012 * wave, t,
         f->point[i]);
  }
}

static void make(field *f, int around, int points) {
  *f = (field){.n = around * around, .nt = 2 * around * around, .around = around, .n_points = points};
  f->x = room((size_t)f->n, sizeof *f->x);
  f->point = room((size_t)points, sizeof *f->point);
  f->triangle = room((size_t)f->nt, sizeof *f->triangle);
  for (int k = 0; k < 2; k++) f->closest[k] = room((size_t)points, sizeof *f->closest[k]);
  for (int i = 0; i < around; i++)
    for (int j = 0; j < around; j++) {
      int p = i * around + j, q = (i + 1) % around * around + j,
          s = (i + 1) % around * around + (j + 1) % around, t = i * around + (j + 1) % around;
      const int quad[2][3] = {{p, q, s}, {p, s, t}};
      memcpy(f->triangle[2 * p], quad, sizeof quad);
    }
  shape(f, 0);
  LAB_TRY(sim_hull_build((const int(*)[3])f->triangle, f->nt, f->n, &f->hull, err));
}

static void clear(field *f) {
  sim_hull_clear(&f->hull);
  void *const arrays[] = {f->x, f->point, f->triangle, f->closest[0], f->closest[1]};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free(arrays[k]);
}

typedef struct times {
  double surface[STEPS_MOST], walk[STEPS_MOST], all[STEPS_MOST];
  sim_traverse_counts counts[2];
} times;

static void one_step(field *f, sim_traverse *t, int k, times *out) {
  double begin = lab_cpu_s();
  LAB_TRY(sim_traverse_surface(t, (const double(*)[3])f->x, REACH_M, err));
  double ready = lab_cpu_s();
  sim_traverse_step(t, SIM_TRAVERSE, (const double(*)[3])f->point, f->n_points, f->closest[0],
                    &out->counts[0]);
  double walked = lab_cpu_s();
  sim_traverse_step(t, SIM_EXHAUSTIVE, (const double(*)[3])f->point, f->n_points, f->closest[1],
                    &out->counts[1]);
  out->surface[k] = ready - begin;
  out->walk[k] = walked - ready;
  out->all[k] = lab_cpu_s() - walked;
}

static double mean(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i];
  return sum / n;
}

static void play(bool far, bool deforms, int around, int points, int steps, bool json) {
  field f;
  static times t;
  t = (times){0};
  make(&f, around, points);
  hover(&f, far, 0, 0);
  sim_traverse *traverse;
  LAB_TRY(sim_traverse_new(&f.hull, &traverse, err));
  LAB_TRY(sim_traverse_surface(traverse, (const double(*)[3])f.x, REACH_M, err));
  LAB_TRY(sim_traverse_start(traverse, (const double(*)[3])f.point, points, f.closest[0], err));
  for (int k = 0; k < steps; k++) {
    double time = deforms ? 10 * STEP_S * (k + 1) : 0;
    shape(&f, time);
    hover(&f, far, time, 1.0 * STEP_S * (k + 1));
    one_step(&f, traverse, k, &t);
  }
  double n = (double)t.counts[0].points;
  printf(json ? "{\"points\": \"%s\", \"surface\": \"%s\", \"surface_ms\": %.4g, \"traverse_ns\": %.4g, "
                "\"exhaustive_ns\": %.4g, "
                "\"near\": %.4g, \"triangles\": %.4g, \"exhaustive_triangles\": %.4g}\n"
              : "%-4s %-9s surface %7.3f ms  traverse %6.1f ns  exhaustive %6.1f ns per point; near %.3f, "
                "triangles %.3f, of %.2f\n",
         far ? "far" : "near", deforms ? "deforming" : "still", 1e3 * mean(t.surface, steps),
         1e9 * median(t.walk, (size_t)steps) / points, 1e9 * median(t.all, (size_t)steps) / points,
         (double)t.counts[0].near / n, (double)(t.counts[0].crossed + t.counts[0].measured) / n,
         (double)t.counts[1].measured / n);
  sim_traverse_free(traverse);
  clear(&f);
}

int main(int argc, char **argv) {
  int points = 80000, around = 134, steps = 40;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (i + 1 < argc && strcmp(argv[i], "--points") == 0)
      points = atoi(argv[++i]);
    else if (i + 1 < argc && strcmp(argv[i], "--around") == 0)
      around = atoi(argv[++i]);
    else if (i + 1 < argc && strcmp(argv[i], "--steps") == 0)
      steps = atoi(argv[++i]);
    else if (strcmp(argv[i], "--json") == 0)
      json = true;
    else
      lab_die("usage: bench_traverse_speed [--points N] [--around N] [--steps K] [--json]");
  }
  if (points < 1 || around < 3 || steps < 1 || steps > STEPS_MOST)
    lab_die("points, triangles around or steps out of range");
  for (int k = 0; k < 4; k++) play(k / 2, k % 2, around, points, steps, json);
  return 0;
}
