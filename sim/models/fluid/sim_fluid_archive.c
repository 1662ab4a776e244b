/* What a liquid carries from step to step. Particles lie in the order of the step before, in which sums are
 * taken. */
#include <limits.h>

#include "sim_fluid_parts.h"
#include "sim_models_archive.h"

/* A place outside of the box would be in no cell. */
static void archive_place(const sim_fluid *f, sim_archive *a, double x[3]) {
  sim_archive_f64(a, x, 3, SIM_ARCHIVE_FAR);
  for (int k = 0; k < 3 && sim_archive_good(a); k++)
    if (!(x[k] >= f->setup.box_lo_m[k] - f->support && x[k] <= f->setup.box_hi_m[k] + f->support))
      sim_archive_fail(a, "has a particle outside of the box");
}

static void archive_help(sim_archive *a, sim_v4 *help) {
  for (int k = 0; k < 3; k++) {
    float one = (*help)[k];
    sim_archive_f32(a, &one, 1, (float)SIM_ARCHIVE_FAR);
    (*help)[k] = one;
  }
}

void sim_fluid_archive(sim_fluid *f, sim_archive *a) {
  int n = f->n;
  sim_archive_int(a, &n, 1, 0, f->setup.capacity);
  sim_archive_f64(a, &f->time_s, 1, SIM_ARCHIVE_FAR);
  if (a->wrong == NULL) f->n = n;
  for (int i = 0; i < f->n; i++) {
    archive_place(f, a, f->x[i]);
    sim_archive_f64(a, f->v[i], 3, SIM_ARCHIVE_FAR);
    sim_archive_int(a, &f->number[i], 1, 0, f->setup.capacity - 1);
    sim_archive_f32(a, &f->pressure[i], 1, 1e30f);
    archive_help(a, &f->help[i]);
  }
}
