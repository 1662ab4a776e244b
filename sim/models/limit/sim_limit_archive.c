/* What limits carry from step to step. */
#include <limits.h>

#include "sim_limit_impl.h"

void sim_limit_archive(sim_limit *l, cb_archive *a) {
  cb_archive_f64(a, &l->multiplier[0][0], (size_t)l->n_triangles * SIM_LIMIT_GAUGES, CB_ARCHIVE_FAR);
  for (int i = 0; i < l->n; i++)
    cb_archive_f64(a, &l->wall[i][SIM_LIMIT_OF_BODY].multiplier, 1, CB_ARCHIVE_FAR);
  cb_archive_bool(a, &l->warm, 1);
}

void sim_limit_report_archive(sim_limit_report *r, cb_archive *a) {
  double *const number[] = {&r->excess_before, &r->excess, &r->penalty_kg};
  cb_archive_bool(a, &r->within, 1);
  cb_archive_int(a, &r->rounds, 1, 0, INT_MAX);
  cb_archive_int(a, &r->systems, 1, 0, INT_MAX);
  for (size_t k = 0; k < sizeof number / sizeof *number; k++) cb_archive_f64(a, number[k], 1, CB_ARCHIVE_FAR);
}
