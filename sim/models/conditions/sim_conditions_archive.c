/* What particles carry from step to step. */
#include "sim_conditions_impl.h"

void sim_conditions_archive(sim_conditions *p, cb_archive *a) {
  cb_archive_f64(a, &p->time_s, 1, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &p->x[0][0], 3 * (size_t)p->n, CB_ARCHIVE_FAR);
  cb_archive_f64(a, &p->v[0][0], 3 * (size_t)p->n, CB_ARCHIVE_FAR);
}
