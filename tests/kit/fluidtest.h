/* A liquid by itself, without the cloth with which sim_splash steps it. */
#ifndef FLUIDTEST_H
#define FLUIDTEST_H

#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_fluid_impl.h"

/* Fills the box from lo_m to hi_m with particles, one at the centre of each whole cube of the spacing. */
static inline cb_status fluid_add_block(sim_fluid *f, const double lo_m[3], const double hi_m[3],
                                        const double velocity_m_per_s[3], cb_err *err) {
  const double d = f->setup.spacing_m;
  int cells[3];
  for (int k = 0; k < 3; k++) cells[k] = (int)((hi_m[k] - lo_m[k]) / d + 1e-6);
  for (int z = 0; z < cells[2]; z++)
    for (int y = 0; y < cells[1]; y++)
      for (int x = 0; x < cells[0]; x++) {
        const double at[1][3] = {{lo_m[0] + (x + 0.5) * d, lo_m[1] + (y + 0.5) * d, lo_m[2] + (z + 0.5) * d}};
        double v[1][3];
        memcpy(v[0], velocity_m_per_s, sizeof v[0]);
        CB_TRY(sim_fluid_add(f, at, (const double(*)[3])v, 1, err));
      }
  return CB_OK;
}

/* Moves the particles by their velocities, up to the walls. */
static inline cb_status fluid_move(sim_fluid *f, double dt_s, cb_err *err) {
  double(*end)[3] = malloc((size_t)f->n * sizeof *end);
  if (!end) return cb_no_memory(err, "%d particles", f->n);
  for (int i = 0; i < f->n; i++)
    for (int k = 0; k < 3; k++) end[i][k] = f->x[i][k] + dt_s * f->v[i][k];
  cb_status st = sim_fluid_land(f, (const double(*)[3])end, dt_s, err);
  for (int i = 0; i < f->n && st == CB_OK; i++) {
    f->help[i] = (sim_v4){0};
    sim_fluid_stop_at_walls(f, f->x[i], f->v[i]);
  }
  free(end);
  return st;
}

static inline cb_status fluid_step(sim_fluid *f, double dt_s, sim_fluid_report *report, cb_err *err) {
  CB_TRY(sim_fluid_push(f, dt_s, report, err));
  return fluid_move(f, dt_s, err);
}

#endif
