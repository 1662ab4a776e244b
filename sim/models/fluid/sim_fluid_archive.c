/* What a liquid carries from step to step. Particles lie in the order of the step before, in which sums are
 * taken. */
#include <limits.h>

#include "sim_fluid_impl.h"

/* A place outside of the box would be in no cell. */
static void archive_place(const sim_fluid *f, cb_archive *a, double x[3]) {
  cb_archive_f64(a, x, 3, CB_ARCHIVE_FAR);
  for (int k = 0; k < 3 && cb_archive_good(a); k++)
    if (!(x[k] >= f->setup.box_lo_m[k] - f->support && x[k] <= f->setup.box_hi_m[k] + f->support))
      cb_archive_fail(a, "has a particle outside of the box");
}

static void archive_help(cb_archive *a, sim_v4 *help) {
  for (int k = 0; k < 3; k++) {
    float one = (*help)[k];
    cb_archive_f32(a, &one, 1, (float)CB_ARCHIVE_FAR);
    (*help)[k] = one;
  }
}

void sim_fluid_archive(sim_fluid *f, cb_archive *a) {
  int n = f->n;
  cb_archive_int(a, &n, 1, 0, f->setup.capacity);
  cb_archive_f64(a, &f->time_s, 1, CB_ARCHIVE_FAR);
  if (!a->wrong) f->n = n;
  for (int i = 0; i < f->n; i++) {
    archive_place(f, a, f->x[i]);
    cb_archive_f64(a, f->v[i], 3, CB_ARCHIVE_FAR);
    cb_archive_int(a, &f->number[i], 1, 0, f->setup.capacity - 1);
    cb_archive_f32(a, &f->pressure[i], 1, 1e30f);
    archive_help(a, &f->help[i]);
  }
}
