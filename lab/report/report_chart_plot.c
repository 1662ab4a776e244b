/* A pair over time: the points with their EWMA, and what they should lie within. */
#include "lab_chart.h"
#include "report_figures.h"
#include "report_plot_impl.h"

#define COLORS 7

static void level(report_plot *p, report_style style, const char *name, double y, size_t n) {
  report_series *s = report_plot_add(p, style, COLORS - 1, name);
  report_plot_push(p, s, 1, y, 0);
  report_plot_push(p, s, (double)n, y, 0);
}

void report_figure_chart(const lab_chart *c, report_plot *p) {
  const fit_chart_limits *l = &c->chart.limits;
  char what[240];
  lab_chart_what(c, what);
  *p = (report_plot){.origin = c->origin};
  report_plot_name(p, "point", c->weight_kg > 0 ? "read force / true force [1]" : "friction coefficient [1]",
                   "%s, %s to %s", what, c->points[0].day, c->points[c->n - 1].day);
  if (l->n > 0) {
    const double out = FIT_CHART_POINT_K * l->factor * l->sigma + l->u_center;
    level(p, REPORT_DASH, "limits of a point", l->center - out, c->n);
    level(p, REPORT_DASH, "", l->center + out, c->n);
    p->series[p->n - 1].quiet = true;
    level(p, REPORT_GUIDE, "", l->center - c->chart.ewma_limit, c->n);
    level(p, REPORT_GUIDE, "", l->center + c->chart.ewma_limit, c->n);
    level(p, REPORT_GUIDE, "", l->center, c->n);
    report_series *z = report_plot_add(p, REPORT_LINE, 1, "EWMA (its limits and the centre in grey)");
    for (size_t i = 0; i < c->n; i++) report_plot_push(p, z, (double)i + 1, c->chart.ewma[i], 0);
  }
  report_series *s = report_plot_add(p, REPORT_POINTS, 0, "point, +- its standard uncertainty");
  for (size_t i = 0; i < c->n; i++)
    report_plot_push_run(p, s, (double)i + 1, c->points[i].mu, c->points[i].u, c->points[i].run_id);
}
