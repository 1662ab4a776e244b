#include "report_drape.h"

#include <math.h>

#include "cb_num.h"
#include "report_gnuplot.h"

#define OUTLINES_MAX 40
#define MM 1e3

static void put_point(report_plot *p, report_series *s, double radius_m, int deg) {
  report_plot_push(p, s, MM * radius_m * cos(deg * CB_DEG), MM * radius_m * sin(deg * CB_DEG), 0);
}

static void add_circle(report_plot *p, report_style style, int color, const char *name, double radius_m) {
  report_series *s = report_plot_add(p, style, color, name);
  for (int deg = 0; deg <= 360; deg += 2) put_point(p, s, radius_m, deg);
}

/* The circle whose shadow has that coefficient. */
static double radius_of(const fit_drape_setup *size, double coefficient) {
  double support = size->support_m / 2, specimen = size->specimen_m / 2;
  return sqrt(fmax(0, support * support + coefficient * (specimen * specimen - support * support)));
}

static void add_outlines(report_plot *p, const val_drape_statistics *s) {
  for (int i = 0; i < s->n && i < OUTLINES_MAX; i++) {
    report_series *line = report_plot_add(p, REPORT_GUIDE, 0, "");
    for (int deg = 0; deg <= FIT_DRAPE_ANGLES; deg++)
      put_point(p, line, s->each[i].drape.radius_m[deg % FIT_DRAPE_ANGLES], deg);
  }
  report_series *first = report_plot_add(p, REPORT_LINE, 0, s->n > 1 ? "first of the drapes" : "drape");
  for (int deg = 0; deg <= FIT_DRAPE_ANGLES; deg++)
    put_point(p, first, s->each[0].drape.radius_m[deg % FIT_DRAPE_ANGLES], deg);
}

cb_status report_drape_draw(const char *path, const lab_drape_prediction *drape, cb_err *err) {
  const val_drape_statistics *s = &drape->predicted;
  const fit_drape_setup size = {.support_m = drape->support_cm / 100, .specimen_m = drape->specimen_cm / 100};
  report_plot p = {.title = "Drapes from above",
                   .x_label = "[mm]",
                   .y_label = "[mm]",
                   .origin = CB_SIMULATED,
                   .equal_axes = true};
  add_circle(&p, REPORT_GUIDE, 0, "", size.support_m / 2);
  add_circle(&p, REPORT_GUIDE, 0, "", size.specimen_m / 2);
  add_outlines(&p, s);
  if (s->n > 1) {
    add_circle(&p, REPORT_DASH, 1, "95 % of drapes: circles of the same area",
               radius_of(&size, s->drape_coefficient.lo95));
    add_circle(&p, REPORT_DASH, 1, "", radius_of(&size, s->drape_coefficient.hi95));
  }
  if (drape->measured.n > 0)
    add_circle(&p, REPORT_LINE, 2, "measured: circle of the same area",
               radius_of(&size, drape->measured.mean));
  cb_status st = report_gnuplot_draw(&p, path, err);
  report_plot_clear(&p);
  return st;
}
