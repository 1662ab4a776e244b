/* What liquid and cloth carry together from step to step. */
#include "sim_models_archive.h"
#include "sim_splash_parts.h"

void sim_splash_archive(sim_splash *s, sim_archive *a) {
  sim_archive_f64(a, s->gone_m3, (size_t)s->fluid->setup.capacity, SIM_ARCHIVE_FAR);
}
