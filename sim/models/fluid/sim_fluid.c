#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_fluid_impl.h"

#define CELLS_MAX (1 << 26)

sim_fluid_setup sim_fluid_setup_default(double spacing_m, int capacity) {
  return (sim_fluid_setup){.spacing_m = spacing_m,
                           .density_kg_per_m3 = 1000,
                           .viscosity_m2_per_s = 1e-6,
                           .gravity_m_per_s2 = {0, 0, -CB_STANDARD_GRAVITY_M_PER_S2},
                           .box_hi_m = {1, 1, 1},
                           .capacity = capacity,
                           .pressure_iterations = 20,
                           .pressure_tolerance = 1e-3};
}

cb_status sim_fluid_setup_check(const sim_fluid_setup *s, cb_err *err) {
  double cells = 1;
  CB_TRY(cb_check_range(s->spacing_m, 1e-5, 10, "fluid: spacing", "m", err));
  CB_TRY(cb_check_range(s->density_kg_per_m3, 1, 1e5, "fluid: density", "kg/m3", err));
  CB_TRY(cb_check_range(s->viscosity_m2_per_s, 0, 1e3, "fluid: viscosity", "m2/s", err));
  CB_TRY(cb_check_range(s->capacity, 1, 1 << 26, "fluid: particles", "", err));
  CB_TRY(cb_check_range(s->pressure_iterations, 1, 10000, "fluid: iterations of the pressure", "", err));
  CB_TRY(cb_check_range(s->pressure_tolerance, 0, 0.1, "fluid: tolerance of the pressure", "", err));
  for (int k = 0; k < 3; k++) {
    CB_TRY(cb_check_range(s->gravity_m_per_s2[k], -1e4, 1e4, "fluid: gravity", "m/s2", err));
    CB_TRY(cb_check_range(s->box_lo_m[k], -1e4, 1e4, "fluid: corner of the box", "m", err));
    CB_TRY(cb_check_range(s->box_hi_m[k], -1e4, 1e4, "fluid: corner of the box", "m", err));
    /* Less than two spacings leave no room for a particle between its walls. */
    CB_TRY(cb_check_range(s->box_hi_m[k] - s->box_lo_m[k], 2 * s->spacing_m, 1e4, "fluid: side of the box",
                          "m", err));
    cells *= ceil((s->box_hi_m[k] - s->box_lo_m[k]) / (2 * s->spacing_m)) + 2;
  }
  return cb_check_range(cells, 1, CELLS_MAX, "fluid: cells of two spacings in the box", "", err);
}

/* ---- making ---- */

static bool claim_array(void *slot, size_t n, size_t size) {
  void *memory = calloc(n, size);
  memcpy(slot, &memory, sizeof memory);
  return memory != NULL;
}

/* Aligned for the lanes: malloc gives 16 bytes. */
static bool take_memory(sim_fluid *f) {
  const size_t n = (size_t)f->setup.capacity, chunks = (size_t)CB_CHUNKS(f->setup.capacity);
  void *const lanes[] = {&f->place, &f->speed, &f->wall, &f->push, &f->help, &f->help_other};
  void *const vectors[] = {&f->x, &f->v, &f->x_other, &f->v_other};
  void *const numbers[] = {&f->number,         &f->number_other, &f->to,         &f->pressure,
                           &f->pressure_other, &f->cells.cell,   &f->cells.home, &f->at[0],
                           &f->at[1],          &f->at[2],        &f->first,      &f->count,
                           &f->density,        &f->per_diagonal, &f->excess,     &f->q,
                           &f->part,           &f->residual,     &f->direction,  &f->product};
  bool ok = claim_array(&f->pool, chunks, sizeof *f->pool) &&
            claim_array(&f->sum, chunks, SIM_FLUID_SUMS * sizeof *f->sum);
  ok = ok && claim_array(&f->cells.start, (size_t)f->cells.total + 1, sizeof(int));
  for (size_t k = 0; k < sizeof lanes / sizeof lanes[0]; k++)
    ok = ok && claim_array(lanes[k], n, sizeof(sim_v4));
  for (size_t k = 0; k < sizeof vectors / sizeof vectors[0]; k++)
    ok = ok && claim_array(vectors[k], n, 3 * sizeof(double));
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
    ok = ok && claim_array(numbers[k], n, sizeof(float));
  return ok;
}

static void shape(sim_fluid *f) {
  const sim_fluid_setup *s = &f->setup;
  f->support = 2 * s->spacing_m;
  f->volume = s->spacing_m * s->spacing_m * s->spacing_m;
  f->mass = s->density_kg_per_m3 * f->volume;
  f->cells.total = 1;
  for (int k = 0; k < 3; k++) {
    f->middle[k] = (s->box_lo_m[k] + s->box_hi_m[k]) / 2;
    f->cells.n[k] = (int)ceil((s->box_hi_m[k] - s->box_lo_m[k]) / f->support) + 2;
    f->cells.origin[k] = s->box_lo_m[k] - f->support;
    f->cells.total *= f->cells.n[k];
  }
}

cb_status sim_fluid_new(const sim_fluid_setup *setup, sim_fluid **out, cb_err *err) {
  *out = NULL;
  CB_TRY(sim_fluid_setup_check(setup, err));
  sim_fluid *f = calloc(1, sizeof *f);
  if (!f) return cb_no_memory(err, "fluid of %d particles", setup->capacity);
  f->setup = *setup;
  shape(f);
  if (!take_memory(f)) {
    sim_fluid_free(f);
    return cb_no_memory(err, "fluid of %d particles", setup->capacity);
  }
  *out = f;
  return CB_OK;
}

void sim_fluid_free(sim_fluid *f) {
  if (!f) return;
  for (int c = 0; f->pool && c < CB_CHUNKS(f->setup.capacity); c++) free(f->pool[c].pair);
  void *const all[] = {f->pool,    f->sum,        f->cells.start,    f->place,      f->speed,
                       f->wall,    f->push,       f->help,           f->help_other, f->x,
                       f->v,       f->x_other,    f->v_other,        f->number,     f->number_other,
                       f->to,      f->pressure,   f->pressure_other, f->at[0],      f->at[1],
                       f->at[2],   f->first,      f->count,          f->density,    f->per_diagonal,
                       f->excess,  f->q,          f->part,           f->residual,   f->direction,
                       f->product, f->cells.cell, f->cells.home};
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) free(all[k]);
  free(f);
}

cb_status sim_fluid_add(sim_fluid *f, const double (*position_m)[3], const double (*velocity_m_per_s)[3],
                        int n, cb_err *err) {
  const sim_fluid_setup *s = &f->setup;
  if (n < 0 || n > s->capacity - f->n)
    return cb_fail(err, CB_E_RANGE, "fluid: %d particles more: there is room for %d", n, s->capacity - f->n);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) {
      CB_TRY(cb_check_range(position_m[i][k], s->box_lo_m[k], s->box_hi_m[k],
                            "fluid: place of a new particle", "m", err));
      if (velocity_m_per_s)
        CB_TRY(
            cb_check_range(velocity_m_per_s[i][k], -1e4, 1e4, "fluid: speed of a new particle", "m/s", err));
    }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      f->x[f->n + i][k] = position_m[i][k];
      f->v[f->n + i][k] = velocity_m_per_s ? velocity_m_per_s[i][k] : 0;
    }
    f->number[f->n + i] = f->n + i;
    f->pressure[f->n + i] = 0;
  }
  f->n += n;
  return CB_OK;
}

/* ---- the state ---- */

int sim_fluid_count(const sim_fluid *f) { return f->n; }
double (*sim_fluid_position(sim_fluid *f))[3] { return f->x; }
double (*sim_fluid_velocity(sim_fluid *f))[3] { return f->v; }
const int *sim_fluid_number(const sim_fluid *f) { return f->number; }
const sim_fluid_setup *sim_fluid_setup_of(const sim_fluid *f) { return &f->setup; }
