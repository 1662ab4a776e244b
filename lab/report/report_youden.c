/* Laboratories of a round robin: deviations in one part of the cells over those in another (Youden,
 * Industrial Quality Control 15:24, 1959). A laboratory along the diagonal has an error of its scale; one
 * away from it scatters. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report_figures.h"
#include "cb_plural.h"

#define COLORS 7

static void name_axes(report_plot *p, const lab_round_robin *r) {
  (void)snprintf(p->title, sizeof p->title, "%s on %s: %zu of %zu %s %s, p = %.2g", r->cloth, r->body,
                 r->n_consistent, r->n_labs, CB_PLURAL(r->n_labs, "laboratory", "laboratories"),
                 CB_PLURAL(r->n_consistent, "agrees", "agree"), r->p_value);
  (void)snprintf(p->x_label, sizeof p->x_label, "deviation at %s [%%]", r->part[0]);
  (void)snprintf(p->y_label, sizeof p->y_label, "deviation at %s [%%]", r->part[1]);
}

void report_figure_youden(const lab_round_robin *r, report_plot *p) {
  double reach = 0;
  *p = (report_plot){.origin = CB_MEASURED, .margins = true, .equal_axes = true};
  name_axes(p, r);
  for (size_t i = 0; i < r->n_labs; i++) {
    const lab_participant *l = &r->lab[i];
    const char *slash = strrchr(l->name, '/');
    char name[128];
    (void)snprintf(name, sizeof name, "%.100s%s", slash ? slash + 1 : l->name, l->consistent ? "" : " (off)");
    report_series *s = report_plot_add(p, REPORT_POINTS, (int)i % COLORS, name);
    report_plot_push(p, s, 100 * l->youden[0], 100 * l->youden[1], 100 * l->u95_part[1]);
    for (int k = 0; k < 2; k++) reach = fmax(reach, 100 * (fabs(l->youden[k]) + l->u95_part[k]));
  }
  report_series *diagonal = report_plot_add(p, REPORT_GUIDE, 0, "");
  report_plot_push(p, diagonal, -reach, -reach, 0);
  report_plot_push(p, diagonal, reach, reach, 0);
}
