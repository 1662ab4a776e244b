/* What particles carry from step to step. */
#include "sim_models_archive.h"
#include "sim_particles_parts.h"

void sim_particles_archive(sim_particles *p, sim_archive *a) {
  sim_archive_f64(a, &p->time_s, 1, SIM_ARCHIVE_FAR);
  sim_archive_f64(a, &p->x[0][0], 3 * (size_t)p->n, SIM_ARCHIVE_FAR);
  sim_archive_f64(a, &p->v[0][0], 3 * (size_t)p->n, SIM_ARCHIVE_FAR);
}
