/* A pair over time: its control charts, where it was measured on enough days. */
#include <math.h>

#include "cb_language.h"
#include "cb_stats.h"
#include "lab_chart.h"
#include "report_figures.h"
#include "report_page.h"

static void add_alarm(report_text *t, const lab_chart *c, const fit_chart_alarm *a) {
  const bool warning = fit_chart_is_warning(a->kind);
  report_text_addf(
      t, "<tr><td class=\"t\">%s</td><td class=\"t %s\">%s</td><td>%s</td><td>%s</td><td>%s</td><td>",
      fit_chart_names[a->kind], warning ? "note" : "bad", warning ? "warning" : "alarm", c->points[a->at].day,
      a->until + 1 == c->n ? "now" : c->points[a->until].day, c->points[a->since].day);
  const double percent = 100 / c->chart.limits.center;
  report_page_value(t, percent * a->shift, percent * cb_student_t(0.95, INFINITY) * a->u_shift);
  report_text_add(t, "</td></tr>\n");
}

static void add_alarms(report_text *t, const lab_chart *c) {
  report_text_addf(t, "<p>The newest day is <span class=\"%s\">%s</span>.</p>\n",
                   lab_chart_is_alarmed(c) ? "bad" : "good",
                   lab_chart_is_alarmed(c) ? "in alarm" : "without an alarm");
  if (c->chart.n_alarms == 0) return;
  report_text_words(
      t,
      "<div class=\"scroll\"><table><tr><th class=\"t\">chart</th><th class=\"t\"></th><th>day</th>"
      "<th>until</th><th>since</th><th>shift [%], 95 %</th></tr>\n");
  for (size_t i = 0; i < c->chart.n_alarms; i++) add_alarm(t, c, &c->chart.alarms[i]);
  report_text_add(t, "</table></div>\n");
}

static cb_status add_chart(report_page *page, const lab_chart *c, cb_err *err) {
  report_plot plot;
  report_text_addf(
      page->text,
      _("<section><h2>Over time</h2>\n<p>Kinetic coefficient at %g\u00b0 and %.4g N, a point for "
        "every day.</p>\n"),
      c->angle_deg, c->normal_force_N);
  report_figure_chart(c, &plot);
  CB_TRY(report_page_figure(page, &plot,
                            "Mean of each day, with its standard uncertainty; weighted mean (EWMA); limits "
                            "of both.",
                            err));
  add_alarms(page->text, c);
  report_text_add(page->text, "</section>\n");
  return CB_OK;
}

cb_status report_page_chart(report_page *page, report_pair pair, cb_err *err) {
  const lab_chart_query q = {.cloth = report_data_name(page->data, pair.cloth_id),
                             .body = report_data_name(page->data, pair.body_id),
                             .kind = CB_FRICTION_KINETIC,
                             .angle_deg = NAN,
                             .normal_force_N = NAN,
                             .baseline = FIT_CHART_BASELINE,
                             .sel = {.origin = LAB_ANY_ORIGIN}};
  lab_chart c;
  cb_status st = lab_chart_make(page->data->store, &q, &c, err);
  if (st == CB_OK && c.chart.limits.n > 0) st = add_chart(page, &c, err);
  lab_chart_clear(&c);
  return st == CB_E_NOTFOUND ? CB_OK : st; /* a law without runs */
}
