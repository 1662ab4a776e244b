/* What is doubtful in a pull is doubtful in the next one in the same way: it does not average out. */
#include <math.h>
#include <stdlib.h>

#include "lab_friction_parts.h"
#include "lab_point.h"

/* Doubtful pulls of a law share their doubt; a law has about so many parameters. */
#define PARAMETERS 3

static bool is_doubtful(const cb_friction_obs *o) {
  char words[96];
  return lab_point_validity(&o->point, words) == FIT_DOUBTFUL;
}

static bool is_like(const cb_run *a, const cb_run *b) {
  return a->angle_deg == b->angle_deg &&
         fabs(a->normal_force_N - b->normal_force_N) < 1e-3 * b->normal_force_N;
}

static double factor(const cb_friction_obs *list, size_t n, const bool *doubtful, size_t i,
                     size_t n_doubtful) {
  size_t n_like = 0;
  for (size_t k = 0; k < n; k++) n_like += doubtful[k] && is_like(&list[k].run, &list[i].run);
  return sqrt(fmax((double)n_like, (double)n_doubtful / PARAMETERS));
}

cb_status lab_friction_share_doubt(cb_friction_obs *list, size_t n, cb_err *err) {
  size_t n_doubtful = 0;
  bool *doubtful = malloc(n + 1);
  if (!doubtful) return cb_no_memory(err, "%zu runs", n);
  for (size_t i = 0; i < n; i++) n_doubtful += doubtful[i] = is_doubtful(&list[i]);
  for (size_t i = 0; i < n; i++)
    if (doubtful[i]) list[i].point.u_kinetic_N *= fmax(1, factor(list, n, doubtful, i, n_doubtful));
  free(doubtful);
  return CB_OK;
}
