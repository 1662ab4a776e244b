/* Compression of a cloth: thickness over pressure. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "cb_store_material_test.h"
#include "lab_compression.h"
#include "lab_test_points.h"
#include "report_plot_impl.h"
#include "report_plots.h"

#define MM 1e3
#define BEYOND 1.5 /* the law is drawn that much farther than it was measured */
#define STEPS 80
#define POINTS_PER_TEST 40

static void add_law(report_plot *p, const cb_compression_law *law) {
  report_series *band = report_plot_add(p, REPORT_BAND, 0, "95 % band"),
                *line = report_plot_add(p, REPORT_LINE, 0, "law, 95 % band");
  const double from = law->knot[0].pressure_Pa / BEYOND, to = law->knot[law->n - 1].pressure_Pa * BEYOND;
  for (int i = 0; i <= STEPS; i++) {
    const lab_compression_answer a = lab_compression_at(law, from * pow(to / from, (double)i / STEPS), 1);
    if (isfinite(a.high_m)) report_plot_push(p, band, a.pressure_Pa, MM * a.low_m, MM * a.high_m);
    report_plot_push(p, line, a.pressure_Pa, MM * a.thickness_m, 0);
  }
  report_plot_add_origin(p, law->origin);
}

static void add_points(report_plot *p, const lab_test_point *q, size_t n, double least_Pa) {
  report_series *s = report_plot_add(p, REPORT_POINTS, 1, "measured");
  const double k = cb_student_t(0.95, INFINITY);
  size_t tests = n > 0 ? q[n - 1].test + 1 : 1, step = 1 + n / (tests * POINTS_PER_TEST);
  for (size_t i = 0; i < n; i += step)
    if (q[i].x >= least_Pa && q[i].y > 0) {
      report_plot_push(p, s, q[i].x, MM * q[i].y, MM * fmin(k * q[i].u_y, 0.99 * q[i].y));
      report_plot_add_origin(p, q[i].origin);
    }
}

cb_status report_plot_compression(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  cb_compression_law law;
  lab_test_point *q;
  size_t n;
  (void)snprintf(p->title, sizeof p->title, "%s: compression", cloth->name);
  (void)snprintf(p->x_label, sizeof p->x_label, "pressure [Pa]");
  (void)snprintf(p->y_label, sizeof p->y_label, "thickness [mm]");
  p->log_x = true;
  const cb_status found = cb_store_law_of(s, CB_LAW_COMPRESSION, cloth->name, &law, NULL, err);
  if (found != CB_OK && found != CB_E_NOTFOUND) return found;
  CB_TRY(lab_test_points(s, cloth->name, CB_TEST_COMPRESSION, &q, &n, err));
  if (found == CB_OK) add_law(p, &law);
  add_points(p, q, n, found == CB_OK ? law.knot[0].pressure_Pa / BEYOND : 1);
  free(q);
  return CB_OK;
}
