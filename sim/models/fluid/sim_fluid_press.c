/* What moves the particles: weight, viscosity, pressure (sim_splash.h has the equations).
 *
 * With q = p dt^2/rho_0 a step's end has rho/rho_0 - 1 = excess - A q, A = D D^T, excess being what it would
 * be without pressure. Conjugate gradients act on the particles that are pressed or would be; the others stay
 * at 0. After every few iterations what fell below 0 is lifted, and the particles are chosen anew: otherwise
 * the lifted ones leave an error that no further iteration sees. One Jacobi step for all particles ends it.
 * What that leaves is in the densities of the next step.
 *
 * The sums that reach the velocities are of products in single precision, the same from either side, added in
 * double: what one particle gets the other gives. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sim_fluid_impl.h"

#define RELAXATION \
  0.3f /* of the Jacobi step: below 2 over the largest eigenvalue of A over its diagonal, which is 3 to 4 */
/* Share of what is too dense that one step sets right. All of it would make a column hop; A is solved too
 * roughly for less than its slowest part's share of convergence (docs/method/fluid.md). */
#define GAIN 0.25f
#define ROUND 5 /* iterations between two choices of the particles under pressure */

typedef double wide4 __attribute__((vector_size(32)));

static inline int chunk_begin(int chunk) { return chunk * CB_CHUNK; }
static inline int chunk_end(const sim_fluid *f, int chunk) {
  return chunk * CB_CHUNK + CB_CHUNK < f->n ? chunk * CB_CHUNK + CB_CHUNK : f->n;
}

static double sum_of(const sim_fluid *f, int which) {
  double sum = 0;
  for (int c = 0; c < CB_CHUNKS(f->n); c++) sum += f->sum[SIM_FLUID_SUMS * c + which];
  return sum;
}

static inline void add_to_velocity(sim_fluid *f, int i, const wide4 *sum, double s) {
  for (int k = 0; k < 3; k++) f->v[i][k] += s * (*sum)[k];
}

#define EACH_CHUNK _Pragma("omp parallel for schedule(static)") for (int c = 0; c < CB_CHUNKS(f->n); c++)

/* ---- weight and viscosity ---- */

CB_WIDE static void drag(sim_fluid *f, int chunk, double dt_s) {
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    const sim_neighbour *near = sim_fluid_neighbours(f, i);
    const sim_v4 speed = f->speed[i];
    wide4 sum = {0};
    for (int k = 0; k < f->count[i]; k++)
      sum += __builtin_convertvector((speed - f->speed[near[k].j]) * sim_v4_all(near[k].slope), wide4);
    add_to_velocity(f, i, &sum, 2 * f->setup.viscosity_m2_per_s * dt_s);
  }
}

void sim_fluid_drive(sim_fluid *f, double dt_s) {
  const double *g = f->setup.gravity_m_per_s2;
  if (f->setup.viscosity_m2_per_s > 0) EACH_CHUNK drag(f, c, dt_s);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f->n; i++) {
    const sim_v4 begin = f->speed[i];
    for (int k = 0; k < 3; k++) f->v[i][k] += dt_s * g[k];
    f->speed[i] = (sim_v4){(float)f->v[i][0], (float)f->v[i][1], (float)f->v[i][2], 0} + f->help[i];
    f->help_other[i] = f->help[i];
    f->help[i] = begin;
  }
}

/* ---- D and its transpose; two sums at a time, so that none waits for the one before ---- */

static inline float divergence(const sim_fluid *f, int i, const sim_v4 *w) {
  const sim_neighbour *near = sim_fluid_neighbours(f, i);
  const sim_v4 at = f->place[i], own = w[i];
  sim_v4 even = own * f->wall[i], odd = {0};
  int k = 0;
  for (; k + 1 < f->count[i]; k += 2) {
    even += (at - f->place[near[k].j]) * (own - w[near[k].j]) * sim_v4_all(near[k].slope);
    odd += (at - f->place[near[k + 1].j]) * (own - w[near[k + 1].j]) * sim_v4_all(near[k + 1].slope);
  }
  if (k < f->count[i]) even += (at - f->place[near[k].j]) * (own - w[near[k].j]) * sim_v4_all(near[k].slope);
  even += odd;
  return even[0] + even[1] + even[2];
}

static inline sim_v4 transpose(const sim_fluid *f, int i, const float *q) {
  const sim_neighbour *near = sim_fluid_neighbours(f, i);
  const sim_v4 at = f->place[i];
  const float own = q[i];
  sim_v4 even = f->wall[i] * sim_v4_all(own), odd = {0};
  int k = 0;
  for (; k + 1 < f->count[i]; k += 2) {
    even += (at - f->place[near[k].j]) * sim_v4_all((own + q[near[k].j]) * near[k].slope);
    odd += (at - f->place[near[k + 1].j]) * sim_v4_all((own + q[near[k + 1].j]) * near[k + 1].slope);
  }
  if (k < f->count[i]) even += (at - f->place[near[k].j]) * sim_v4_all((own + q[near[k].j]) * near[k].slope);
  return even + odd;
}

CB_WIDE static void spread(sim_fluid *f, int chunk, const float *q) {
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) f->push[i] = transpose(f, i, q);
}

/* ---- conjugate gradients ---- */

CB_WIDE static void expect(sim_fluid *f, int chunk, double dt_s) {
  const float scale = (float)(dt_s * dt_s / f->setup.density_kg_per_m3);
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    const float over = f->density[i] - 1;
    f->excess[i] = (over > 0 ? GAIN * over : over) + (float)dt_s * divergence(f, i, f->speed);
    f->q[i] = f->pressure[i] * scale;
  }
}

/* Who takes part, with what residual; the first direction. */
CB_WIDE static void begin(sim_fluid *f, int chunk) {
  double weighed = 0, squares = 0;
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    const float left = f->excess[i] - divergence(f, i, f->push);
    f->part[i] = f->q[i] > 0 || left > 0 ? f->per_diagonal[i] : 0;
    f->residual[i] = f->part[i] > 0 ? left : 0;
    f->direction[i] = f->part[i] * left;
    weighed += (double)f->direction[i] * left;
    squares += (double)f->residual[i] * f->residual[i];
  }
  f->sum[SIM_FLUID_SUMS * (size_t)chunk] = weighed;
  f->sum[SIM_FLUID_SUMS * (size_t)chunk + 1] = squares;
}

CB_WIDE static void multiply(sim_fluid *f, int chunk) {
  double bend = 0;
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    f->product[i] = f->part[i] > 0 ? divergence(f, i, f->push) : 0;
    bend += (double)f->product[i] * f->direction[i];
  }
  f->sum[SIM_FLUID_SUMS * (size_t)chunk] = bend;
}

CB_WIDE static void advance(sim_fluid *f, int chunk, float way) {
  double weighed = 0, squares = 0;
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    f->q[i] += way * f->direction[i];
    f->residual[i] -= way * f->product[i];
    const double square = (double)f->residual[i] * f->residual[i];
    weighed += square * f->part[i];
    squares += square;
  }
  f->sum[SIM_FLUID_SUMS * (size_t)chunk] = weighed;
  f->sum[SIM_FLUID_SUMS * (size_t)chunk + 1] = squares;
}

CB_WIDE static void turn(sim_fluid *f, int chunk, float share) {
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++)
    f->direction[i] = f->residual[i] * f->part[i] + share * f->direction[i];
}

/* At most `most` iterations for the particles that take part. */
static void descend_pressure(sim_fluid *f, int most, double enough, sim_fluid_report *report) {
  double weighed = sum_of(f, 0), squares = INFINITY;
  for (int k = 0; k < most && weighed > 0 && squares > enough; k++) {
    EACH_CHUNK spread(f, c, f->direction);
    EACH_CHUNK multiply(f, c);
    const double bend = sum_of(f, 0);
    if (!(bend > 0)) break;
    EACH_CHUNK advance(f, c, (float)(weighed / bend));
    const double before = weighed;
    weighed = sum_of(f, 0);
    squares = sum_of(f, 1);
    EACH_CHUNK turn(f, c, (float)(weighed / before));
    report->iterations++;
  }
}

CB_WIDE static void lift(sim_fluid *f, int chunk) {
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) f->q[i] = f->q[i] > 0 ? f->q[i] : 0;
}

static void solve_pressure(sim_fluid *f, sim_fluid_report *report) {
  const double enough = f->setup.pressure_tolerance * f->setup.pressure_tolerance * f->n;
  for (int left = f->setup.pressure_iterations; left > 0; left -= ROUND) {
    EACH_CHUNK begin(f, c);
    if (!(sum_of(f, 1) > enough)) return;
    descend_pressure(f, left < ROUND ? left : ROUND, enough, report);
    EACH_CHUNK lift(f, c);
    EACH_CHUNK spread(f, c, f->q);
  }
}

/* ---- from the solution to the velocities ---- */

CB_WIDE static void relax(sim_fluid *f, int chunk) {
  double left = 0;
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    const float over = f->excess[i] - divergence(f, i, f->push),
                q = f->q[i] + RELAXATION * over * f->per_diagonal[i];
    f->q[i] = q > 0 ? q : 0;
    left += over > 0 ? over : 0;
  }
  f->sum[SIM_FLUID_SUMS * (size_t)chunk] = left;
}

CB_WIDE static void apply(sim_fluid *f, int chunk, double dt_s) {
  const float scale = (float)(f->setup.density_kg_per_m3 / (dt_s * dt_s));
  for (int i = chunk_begin(chunk); i < chunk_end(f, chunk); i++) {
    const sim_neighbour *near = sim_fluid_neighbours(f, i);
    const sim_v4 at = f->place[i];
    const float own = f->q[i];
    wide4 sum = __builtin_convertvector(f->wall[i] * sim_v4_all(own), wide4);
    for (int k = 0; k < f->count[i]; k++)
      sum += __builtin_convertvector(
          (at - f->place[near[k].j]) * sim_v4_all((own + f->q[near[k].j]) * near[k].slope), wide4);
    add_to_velocity(f, i, &sum, -1 / dt_s);
    f->pressure[i] = own * scale;
  }
}

void sim_fluid_press_again(sim_fluid *f, double dt_s, sim_fluid_report *report) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f->n; i++) {
    memcpy(f->v[i], f->v_other[i], sizeof f->v[i]);
    f->speed[i] = (sim_v4){(float)f->v[i][0], (float)f->v[i][1], (float)f->v[i][2], 0} + f->help_other[i];
  }
  sim_fluid_press(f, dt_s, report);
}

void sim_fluid_press(sim_fluid *f, double dt_s, sim_fluid_report *report) {
  EACH_CHUNK expect(f, c, dt_s);
  EACH_CHUNK spread(f, c, f->q);
  solve_pressure(f, report);
  EACH_CHUNK relax(f, c);
  EACH_CHUNK apply(f, c, dt_s);
}
