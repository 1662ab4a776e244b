/* What liquid and cloth carry together from step to step. */
#include "sim_splash_impl.h"

void sim_splash_archive(sim_splash *s, cb_archive *a) {
  cb_archive_f64(a, s->gone_m3, (size_t)s->fluid->setup.capacity, CB_ARCHIVE_FAR);
}
