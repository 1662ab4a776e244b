/* The page of a drape. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "report_drape.h"
#include "show_run.h"

static void outline_of(const fit_drape *d, double (*xy_m)[2]) {
  for (int deg = 0; deg < FIT_DRAPE_ANGLES; deg++) {
    xy_m[deg][0] = d->radius_m[deg] * cos(deg * CB_DEG);
    xy_m[deg][1] = d->radius_m[deg] * sin(deg * CB_DEG);
  }
}

static double lowest(const val_drape_shape *s) {
  double z = 0;
  for (int v = 0; v < s->n_vertices; v++) z = fmin(z, s->position_m[v][2]);
  return z;
}

cb_status report_drape_view(const char *path, const char *scan, const lab_drape_prediction *p, cb_err *err) {
  const fit_drape_setup size = {.support_m = p->support_cm / 100, .specimen_m = p->specimen_cm / 100};
  const val_drape_result *middle = p->predicted.each ? &p->predicted.each[p->predicted.middle] : NULL;
  double xy_m[2][FIT_DRAPE_ANGLES][2];
  fit_drape_file measured;
  if (!middle || middle->shape.n_vertices == 0)
    return cb_fail(err, CB_E_RANGE, "%s: there is no drape to show: none was simulated now", path);
  const val_drape_shape *s = &middle->shape;
  outline_of(&middle->drape, xy_m[0]);
  if (scan) {
    CB_TRY(fit_drape_read(scan, &size, &measured, err));
    outline_of(&measured.drape, xy_m[1]);
  }
  const show_outline outline[] = {
      {"predicted shadow", FIT_DRAPE_ANGLES, (const double(*)[2])xy_m[0], lowest(s)},
      {"measured shadow", FIT_DRAPE_ANGLES, (const double(*)[2])xy_m[1], lowest(s)}};
  const show_drape d = {.name = p->cloth.name[0] ? p->cloth.name : "drape",
                        .position_m = (const double(*)[3])s->position_m,
                        .triangle = (const int(*)[3])s->triangle,
                        .n_vertices = s->n_vertices,
                        .n_triangles = s->n_triangles,
                        .support_m = size.support_m,
                        .outline = outline,
                        .n_outlines = scan ? 2 : 1,
                        .scan = scan};
  return show_drape_view(&d, path, err);
}
