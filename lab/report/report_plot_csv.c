#include "report_plot_impl.h"

#include "cb_text.h"

static const char *const style_names[] = {"line", "dash", "points", "band", "guide"};

/* Foreign text as a field: without quotes and line breaks of its own. */
static void add_field(report_text *t, const char *s) {
  char shown[16];
  report_text_add(t, "\"");
  for (size_t n; (n = cb_text_next(s, shown)) > 0; s += n)
    report_text_add(t, *s == '"' ? "'" : (unsigned char)*s < ' ' ? " " : shown);
  report_text_add(t, "\"");
}

static void add_row(report_text *t, const report_series *s, size_t k) {
  add_field(t, s->name);
  report_text_addf(t, ",%s,%.12g,", style_names[s->style], s->x[k]);
  if (s->style != REPORT_BAND) report_text_addf(t, "%.12g", s->a[k]);
  if (s->style == REPORT_BAND)
    report_text_addf(t, ",%.12g,%.12g\n", s->a[k], s->b[k]);
  else if (s->style == REPORT_POINTS && s->b[k] > 0)
    report_text_addf(t, ",%.12g,%.12g\n", s->a[k] - s->b[k], s->a[k] + s->b[k]);
  else
    report_text_add(t, ",,\n");
}

void report_plot_csv(const report_plot *p, report_text *t) {
  report_text_add(t, "series,style,");
  add_field(t, p->x_label);
  report_text_add(t, ",");
  add_field(t, p->y_label);
  report_text_add(t, ",low,high\n");
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->series[i].n; k++) add_row(t, &p->series[i], k);
}
