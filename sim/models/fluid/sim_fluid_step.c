#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "sim_fluid_impl.h"

#define VISCOUS_MAX \
  (1.0 / 6) /* nu dt/d^2: beyond, the explicit step of the viscosity turns velocities over */

/* Sums and maxima by chunks; the order of maxima is nothing to them. */
static void report_chunk(sim_fluid *f, int chunk) {
  const int end = chunk * CB_CHUNK + CB_CHUNK < f->n ? chunk * CB_CHUNK + CB_CHUNK : f->n;
  double *sum = f->sum + SIM_FLUID_SUMS * (size_t)chunk;
  for (int k = 0; k < SIM_FLUID_SUMS; k++) sum[k] = 0;
  for (int i = chunk * CB_CHUNK; i < end; i++) {
    const double over = fmax(0, (double)f->density[i] - 1), *v = f->v[i];
    sum[0] += over;
    sum[1] = fmax(sum[1], over);
    sum[2] = fmax(sum[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    sum[3] += f->count[i];
  }
}

#define BINS 1000 /* of 0.1 % of compression; what exceeds the last is counted to it */

/* What all but a share of the particles stay below, to a bin. */
static double compression_of(const sim_fluid *f, double share) {
  int count[BINS] = {0}, above = f->n, bin = 0;
  for (int i = 0; i < f->n; i++) {
    const float over = f->density[i] - 1;
    count[over > 0 ? (int)fminf(over * BINS, BINS - 1) : 0]++;
  }
  for (; bin < BINS; bin++) {
    above -= count[bin];
    if (above <= (1 - share) * f->n) break;
  }
  return (bin > 0 ? bin + 1.0 : 0) / BINS;
}

static void report_sums(sim_fluid *f, sim_fluid_report *report) {
  const int n = f->n > 0 ? f->n : 1;
#pragma omp parallel for schedule(static)
  for (int c = 0; c < CB_CHUNKS(f->n); c++) report_chunk(f, c);
  for (int c = 0; c < CB_CHUNKS(f->n); c++) {
    const double *sum = f->sum + SIM_FLUID_SUMS * (size_t)c;
    report->compression_mean += sum[0] / n;
    report->compression_max = fmax(report->compression_max, sum[1]);
    report->speed_max_m_per_s = fmax(report->speed_max_m_per_s, sqrt(sum[2]));
    report->neighbours_mean += sum[3] / n;
  }
  report->compression_p99 = compression_of(f, 0.99);
}

/* The first that is not finite; -1: none. */
static int odd_one(const sim_fluid *f) {
  int odd = f->n;
#pragma omp parallel for schedule(static) reduction(min : odd)
  for (int i = 0; i < f->n; i++)
    if (!(isfinite(f->v[i][0]) && isfinite(f->v[i][1]) && isfinite(f->v[i][2])) && i < odd) odd = i;
  return odd < f->n ? odd : -1;
}

static cb_status check_velocities(const sim_fluid *f, cb_err *err) {
  const int odd = odd_one(f);
  return odd < 0 ? CB_OK
                 : cb_fail(err, CB_E_NUM, "fluid at %g s: the velocity of particle %d is not finite",
                           f->time_s, f->number[odd]);
}

cb_status sim_fluid_push(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err) {
  const double viscous = f->setup.viscosity_m2_per_s * dt_s / (f->setup.spacing_m * f->setup.spacing_m);
  CB_TRY(cb_check_range(dt_s, 1e-9, 10, "fluid: step", "s", err));
  CB_TRY(cb_check_range(viscous, 0, VISCOUS_MAX, "fluid: viscosity x step / spacing^2", "", err));
  sim_fluid_sort(f);
  CB_TRY(sim_fluid_meet(f, err));
  sim_fluid_drive(f, dt_s);
  memcpy(f->v_other, f->v, (size_t)f->n * sizeof *f->v);
  sim_fluid_report own = {0};
  sim_fluid_press(f, dt_s, &own);
  CB_TRY(check_velocities(f, err));
  if (report) {
    report_sums(f, &own);
    *report = own;
  }
  return CB_OK;
}

void sim_fluid_stop_at_walls(const sim_fluid *f, double x[3], double v[3]) {
  const sim_fluid_setup *s = &f->setup;
  for (int k = 0; k < 3; k++) {
    if (x[k] < s->box_lo_m[k]) {
      x[k] = s->box_lo_m[k];
      v[k] = fmax(v[k], 0);
    }
    if (x[k] > s->box_hi_m[k]) {
      x[k] = s->box_hi_m[k];
      v[k] = fmin(v[k], 0);
    }
  }
}

cb_status sim_fluid_land(sim_fluid *f, const double (*end_m)[3], double dt_s, cb_err *err) {
  CB_TRY(check_velocities(f, err));
  memcpy(f->x, end_m, (size_t)f->n * sizeof *f->x);
  f->time_s += dt_s;
  return CB_OK;
}
