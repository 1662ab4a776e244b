/* A plot as web/plot.js takes it. */
#include "cb_text.h"
#include "report_plot_impl.h"

/* Foreign text as a JSON string inside of an HTML script. */
static void add_string(report_text *t, const char *s) {
  char shown[16];
  report_text_add(t, "\"");
  for (size_t n; (n = cb_text_next(s, shown)) > 0; s += n) {
    if (*s == '"' || *s == '\\' || *s == '<' || *s == '&' || (unsigned char)*s < ' ')
      report_text_addf(t, "\\u%04x", (unsigned)(unsigned char)*s);
    else {
      if (shown[0] == '\\') report_text_add(t, "\\"); /* it shows a byte that is no text */
      report_text_add(t, shown);
    }
  }
  report_text_add(t, "\"");
}

static void add_numbers(report_text *t, const char *name, const double *v, size_t n) {
  report_text_addf(t, ",\"%s\":[", name);
  for (size_t i = 0; i < n; i++) {
    if (i > 0) report_text_bytes(t, ",", 1);
    report_text_number(t, v[i]);
  }
  report_text_add(t, "]");
}

static bool has_runs(const report_series *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->run[i] != 0) return true;
  return false;
}

static bool has_bars(const report_series *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->b[i] != 0) return true;
  return false;
}

static void add_series(report_text *t, const report_series *s) {
  static const char *const styles[] = {"line", "dash", "points", "band", "guide"};
  report_text_addf(t, "{\"style\":\"%s\",\"color\":%d,\"quiet\":%s,\"name\":", styles[s->style], s->color,
                   s->quiet ? "true" : "false");
  add_string(t, s->name);
  add_numbers(t, "x", s->x, s->n);
  add_numbers(t, "a", s->a, s->n);
  if (has_bars(s)) add_numbers(t, "b", s->b, s->n);
  if (has_runs(s)) {
    report_text_add(t, ",\"run\":[");
    for (size_t i = 0; i < s->n; i++) report_text_addf(t, i > 0 ? ",%lld" : "%lld", (long long)s->run[i]);
    report_text_add(t, "]");
  }
  report_text_add(t, "}");
}

void report_plot_json(const report_plot *p, report_text *t) {
  report_text_addf(t, "{\"equal\":%s,\"zero\":%s,\"zero_y\":%s,\"log_x\":%s,\"log_y\":%s,\"title\":",
                   p->equal_axes ? "true" : "false", p->from_zero ? "true" : "false",
                   p->from_zero || p->y_from_zero ? "true" : "false", p->log_x ? "true" : "false",
                   p->log_y ? "true" : "false");
  add_string(t, p->title);
  report_text_add(t, ",\"x\":");
  add_string(t, p->x_label);
  report_text_add(t, ",\"y\":");
  add_string(t, p->y_label);
  report_text_add(t, ",\"note\":");
  add_string(t, p->note);
  report_text_add(t, ",\"series\":[");
  for (size_t i = 0; i < p->n; i++) {
    report_text_add(t, i > 0 ? ",\n" : "\n");
    add_series(t, &p->series[i]);
  }
  report_text_add(t, "]}");
}
