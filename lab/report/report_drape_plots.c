/* Drapes of a cloth: coefficients and outlines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cb_store_drape.h"
#include "lab_drape.h"
#include "lab_drape_prediction.h"
#include "report_plots.h"
#include "report_plot_impl.h"

#define OUTLINES_MAX 7 /* as many as there are colours */
#define MM 1e3
#define SAME_DISC_CM 0.01

cb_status report_drape_predicted(cb_store *s, int64_t cloth_id, double support_m, double specimen_m,
                                 lab_drape_predicted *out, bool *known, cb_err *err) {
  cb_validation *list;
  size_t n;
  cb_status st = CB_OK;
  *known = false;
  CB_TRY(cb_store_validations(s, 0, &list, &n, err));
  for (size_t i = n; i > 0 && st == CB_OK && !*known; i--) {
    const cb_validation *v = &list[i - 1];
    if (v->cloth_id != cloth_id || strcmp(v->experiment, "drape") != 0) continue;
    st = lab_drape_predicted_read(v->result_json, out, err);
    *known = st == CB_OK && fabs(out->support_cm - 100 * support_m) < SAME_DISC_CM &&
             fabs(out->specimen_cm - 100 * specimen_m) < SAME_DISC_CM;
  }
  cb_validations_free(list, n);
  return st;
}

/* ---- coefficients ---- */

static void add_predicted(report_plot *p, const val_spread *c, size_t n) {
  report_series *band = report_plot_add(p, REPORT_BAND, 0, "predicted, 95 % of drapes"),
                *line = report_plot_add(p, REPORT_LINE, 0, "predicted, 95 % of drapes");
  const double ends[] = {0.5, (double)n + 0.5};
  for (int i = 0; i < 2; i++) {
    if (isfinite(c->lo95) && isfinite(c->hi95)) report_plot_push(p, band, ends[i], c->lo95, c->hi95);
    report_plot_push(p, line, ends[i], c->mean, 0);
  }
}

static void add_drapes(report_plot *p, const cb_drape_test *list, size_t n) {
  report_series *s = report_plot_add(p, REPORT_POINTS, 1, "measured");
  const double k = cb_student_t(0.95, INFINITY);
  for (size_t i = 0; i < n; i++) {
    report_plot_push(p, s, (double)i + 1, list[i].drape_coefficient, k * list[i].u_drape_coefficient);
    report_plot_add_origin(p, list[i].origin);
  }
}

cb_status report_plot_drape(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  cb_drape_test *list;
  size_t n;
  report_plot_name(p, "drape, in order of import", "drape coefficient [1]", "%s: drape coefficient",
                   cloth->name);
  CB_TRY(cb_store_drapes(s, cloth->id, &list, &n, err));
  p->x_tic = n <= 12 ? 1 : 0;
  p->margins = p->y_positive = true;
  lab_drape_predicted predicted;
  bool known = false;
  cb_status st = CB_OK;
  if (n > 0)
    st = report_drape_predicted(s, cloth->id, list[0].support_m, list[0].specimen_m, &predicted, &known, err);
  /* One number alone is no figure: the table of the properties has it. */
  if (st == CB_OK && known) add_predicted(p, &predicted.drape_coefficient, n);
  if (st == CB_OK && (known || n > 1)) add_drapes(p, list, n);
  free(list);
  return st;
}

/* ---- outlines ---- */

static void add_circle(report_plot *p, double radius_m) {
  report_series *s = report_plot_add(p, REPORT_GUIDE, 0, "disc");
  for (int deg = 0; deg <= 360; deg += 2)
    report_plot_push(p, s, MM * radius_m * cos(deg * CB_DEG), MM * radius_m * sin(deg * CB_DEG), 0);
}

static cb_status add_outline(report_plot *p, cb_store *s, const cb_drape_test *t, int *drawn, cb_err *err) {
  double radius_m[FIT_DRAPE_ANGLES];
  char name[128];
  bool known;
  CB_TRY(lab_drape_outline(s, t, radius_m, &known, err));
  if (!known) return CB_OK;
  if (*drawn == 0) {
    add_circle(p, t->support_m / 2);
    add_circle(p, t->specimen_m / 2);
  }
  (void)snprintf(name, sizeof name, "%s, %g nodes", t->capture, t->nodes);
  report_series *line = report_plot_add(p, REPORT_LINE, (*drawn)++, name);
  for (int deg = 0; deg <= FIT_DRAPE_ANGLES; deg++) {
    const double r = MM * radius_m[deg % FIT_DRAPE_ANGLES];
    report_plot_push(p, line, r * cos(deg * CB_DEG), r * sin(deg * CB_DEG), 0);
  }
  report_plot_add_origin(p, t->origin);
  return CB_OK;
}

cb_status report_plot_silhouette(report_plot *p, cb_store *s, const cb_material *cloth, cb_err *err) {
  cb_drape_test *list;
  size_t n;
  int drawn = 0;
  cb_status st = CB_OK;
  report_plot_name(p, "[mm]", "[mm]", "%s: drapes from above", cloth->name);
  p->equal_axes = true;
  CB_TRY(cb_store_drapes(s, cloth->id, &list, &n, err));
  for (size_t i = 0; i < n && drawn < OUTLINES_MAX && st == CB_OK; i++)
    st = add_outline(p, s, &list[i], &drawn, err);
  free(list);
  return st;
}
