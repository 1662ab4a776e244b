/* Particles in the order of the cells they lie in: a counting sort, stable, so that the order depends on
 * nothing but the places. */
#include <string.h>

#include "sim_fluid_impl.h"

static int along(const sim_cells *c, int k, double x, double support) {
  const int i = (int)((x - c->origin[k]) / support);
  return i < 1 ? 1 : i > c->n[k] - 2 ? c->n[k] - 2 : i;
}

static void count_cells(sim_fluid *f) {
  sim_cells *c = &f->cells;
  memset(c->start, 0, ((size_t)c->total + 1) * sizeof *c->start);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f->n; i++) {
    const double *x = f->x[i];
    const int column = along(c, 0, x[0], f->support), row = along(c, 1, x[1], f->support),
              layer = along(c, 2, x[2], f->support);
    c->cell[i] = (layer * c->n[1] + row) * c->n[0] + column;
  }
  for (int i = 0; i < f->n; i++) c->start[c->cell[i]]++;
}

/* start[cell] becomes the cell's end, and falls to its begin as its particles are placed, the last first. */
static void place_cells(sim_fluid *f) {
  sim_cells *c = &f->cells;
  for (int i = 0, sum = 0; i <= c->total; i++) {
    sum += c->start[i];
    c->start[i] = sum;
  }
  for (int i = f->n - 1; i >= 0; i--) f->to[i] = --c->start[c->cell[i]];
}

static void carry_particles(sim_fluid *f) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < f->n; i++) {
    const int to = f->to[i];
    memcpy(f->x_other[to], f->x[i], sizeof f->x[i]);
    memcpy(f->v_other[to], f->v[i], sizeof f->v[i]);
    f->cells.home[to] = f->cells.cell[i];
    f->number_other[to] = f->number[i];
    f->pressure_other[to] = f->pressure[i];
    f->help_other[to] = f->help[i];
    sim_v4 at = {0}, speed = {0};
    for (int k = 0; k < 3; k++) {
      at[k] = (float)(f->x[i][k] - f->middle[k]);
      speed[k] = (float)f->v[i][k];
      f->at[k][to] = at[k];
    }
    f->place[to] = at;
    f->speed[to] = speed;
  }
}

#define SWAP(type, a, b) \
  do {                   \
    type swap_ = (a);    \
    (a) = (b);           \
    (b) = swap_;         \
  } while (0)
typedef double (*vectors)[3];

void sim_fluid_sort(sim_fluid *f) {
  count_cells(f);
  place_cells(f);
  carry_particles(f);
  SWAP(vectors, f->x, f->x_other);
  SWAP(vectors, f->v, f->v_other);
  SWAP(int *, f->number, f->number_other);
  SWAP(sim_v4 *, f->help, f->help_other);
  SWAP(float *, f->pressure, f->pressure_other);
}
