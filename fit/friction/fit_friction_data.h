/* Private to fit_friction*.c: the observations of one kind of force, sorted into load levels and
 * directions. */
#ifndef FIT_FRICTION_DATA_H
#define FIT_FRICTION_DATA_H

#include "fit_friction.h"

/* One run. */
typedef struct fit_datum {
  size_t index; /* of the observation: breaks ties, so that the order is always the same */
  int64_t campaign_id;
  double normal_force_N, force_N, u_force_N;
  double mu;                  /* as printed where it was printed, else force / load */
  int mu_decimals;            /* < 0: not printed */
  unsigned char level, angle; /* indices into levels and angle_deg */
  bool backward;
} fit_datum;

/* Runs of one load and one direction: data[first .. first + n). */
typedef struct fit_cell {
  size_t first, n, level, angle;
  double angle_rad, row[3]; /* row: force = row . (f00, f01, f11) */
  double var_N2;            /* of the mean, as it weighs in a fit, never 0; set by fit_data_weigh */
  double weight;            /* 1 / var_N2 */
  double mean_N;            /* of the forces */
  double u_point_N;         /* root mean square of the points' own uncertainty */
} fit_cell;

/* Cells of one load: cells[first .. first + n). */
typedef struct fit_level {
  size_t first, n;
  double normal_force_N, u_normal_force_N; /* mean; largest */
  double ln_load;                          /* of the normal force in newtons */
  size_t n_directions;                     /* that are at least 10 degrees apart (modulo 180) */
} fit_level;

typedef struct fit_data {
  fit_friction_outcome outcome; /* NO_DATA, TOO_MANY_...: the arrays are not complete */
  size_t n, n_cells, n_levels, n_angles;
  fit_datum *data; /* by level, angle, index */
  fit_cell *cells; /* by level, angle */
  fit_level levels[CB_LAW_MAX_KNOTS];
  double angle_deg[FIT_MAX_ANGLES];
} fit_data;

/* Takes the kinetic or static forces of the runs that are not left out (n of left_out; NULL: all). Caller:
 * fit_data_clear, also after a failure. */
CB_CHECKED cb_status fit_data_init(fit_data *d, const cb_friction_obs *obs, size_t n, cb_friction_kind kind,
                                   const bool *left_out, cb_err *err);
void fit_data_clear(fit_data *d);

#endif
