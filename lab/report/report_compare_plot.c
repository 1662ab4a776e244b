/* Two measurements of one pair: mu of A over mu of B, every cell. A bar that meets the line of 1 is an |E_n|
 * of at most 1. */
#include <math.h>
#include <stdio.h>

#include "report_plot_impl.h"
#include "report_curves.h"
#include "report_figures.h"

#define COLORS 7
#define WIDE_LOADS 20.0 /* a larger ratio of loads is drawn over their logarithm */
#define BESIDE 0.02     /* cells of one load and several angles stand side by side, relative */

static void name_axes(report_plot *p, const lab_compare *c) {
  report_plot_name(p, "normal force [N]", "coefficient of A over that of B [1]",
                   "%s on %s: %s friction of A over B, E_n = %.2f: they %s", c->cloth, c->body,
                   cb_friction_kind_names[c->kind], c->en, c->agree ? "agree" : "differ");
}

static void add_line_of_equals(report_plot *p, const lab_compare *c) {
  double from = INFINITY, to = 0;
  for (size_t i = 0; i < c->n_cells; i++) {
    from = fmin(from, c->cells[i].normal_force_N);
    to = fmax(to, c->cells[i].normal_force_N);
  }
  p->log_x = from > 0 && to > WIDE_LOADS * from;
  report_series *s = report_plot_add(p, REPORT_DASH, COLORS - 1, "A = B");
  report_plot_push(p, s, from, 1, 0);
  report_plot_push(p, s, to, 1, 0);
}

void report_figure_compare(const lab_compare *c, report_plot *p) {
  *p = (report_plot){.origin = CB_MEASURED, .margins = true};
  name_axes(p, c);
  add_line_of_equals(p, c);
  report_series *s = NULL;
  int color = -1;
  for (size_t i = 0; i < c->n_cells; i++) { /* by angle, then load */
    const lab_compare_cell *q = &c->cells[i];
    if (i == 0 || q->angle_deg != c->cells[i - 1].angle_deg) {
      char name[32];
      report_angle_text(q->angle_deg, name);
      s = report_plot_add(p, REPORT_POINTS, ++color % COLORS, name);
    }
    const double ratio = q->mu[0] / q->mu[1];
    report_plot_push(p, s, q->normal_force_N * (1 + BESIDE * color), ratio,
                     hypot(q->u95[0], q->u95[1]) / q->mu[1]);
  }
}
