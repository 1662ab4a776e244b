#include "report_plot_impl.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void report_plot_name(report_plot *p, const char *x_label, const char *y_label, const char *title, ...) {
  va_list args;
  (void)snprintf(p->x_label, sizeof p->x_label, "%s", x_label);
  (void)snprintf(p->y_label, sizeof p->y_label, "%s", y_label);
  va_start(args, title);
  (void)vsnprintf(p->title, sizeof p->title, title, args);
  va_end(args);
}

report_series *report_plot_add(report_plot *p, report_style style, int color, const char *name) {
  if (p->n == REPORT_MAX_SERIES) p->failed = true;
  report_series *s = &p->series[p->failed && p->n > 0 ? p->n - 1 : p->n++];
  if (p->failed) return s;
  *s = (report_series){.style = style, .color = color};
  (void)snprintf(s->name, sizeof s->name, "%s", name);
  return s;
}

static bool grow_series(report_series *s) {
  size_t cap = s->cap ? 2 * s->cap : 64;
  double **columns[] = {&s->x, &s->a, &s->b};
  for (size_t i = 0; i < 3; i++) {
    double *c = realloc(*columns[i], cap * sizeof *c);
    if (!c) return false;
    *columns[i] = c;
  }
  int64_t *run = realloc(s->run, cap * sizeof *run);
  if (!run) return false;
  s->run = run;
  s->cap = cap;
  return true;
}

void report_plot_push_run(report_plot *p, report_series *s, double x, double a, double b, int64_t run) {
  if (s->n == s->cap && !grow_series(s)) p->failed = true;
  if (p->failed || !isfinite(x) || !isfinite(a)) return;
  s->x[s->n] = x;
  s->a[s->n] = a;
  s->run[s->n] = run;
  s->b[s->n++] = isfinite(b) ? b : 0;
}

void report_plot_push(report_plot *p, report_series *s, double x, double a, double b) {
  report_plot_push_run(p, s, x, a, b, 0);
}

void report_plot_push_curve(report_plot *p, report_series *s, const double *x, const double *y, size_t n,
                            size_t max_pairs) {
  size_t per = n > 2 * max_pairs ? (n + max_pairs - 1) / max_pairs : 1;
  for (size_t i = 0; i < n; i += per) {
    size_t end = i + per < n ? i + per : n, lo = i, hi = i;
    for (size_t k = i; k < end; k++) {
      if (y[k] < y[lo]) lo = k;
      if (y[k] > y[hi]) hi = k;
    }
    size_t first = lo < hi ? lo : hi, second = lo < hi ? hi : lo;
    report_plot_push(p, s, x[first], y[first], 0);
    if (second != first) report_plot_push(p, s, x[second], y[second], 0);
  }
}

void report_plot_add_origin(report_plot *p, cb_origin origin) {
  if (cb_origin_is_real(p->origin)) p->origin = origin;
}

bool report_plot_is_empty(const report_plot *p) {
  for (size_t i = 0; i < p->n; i++)
    if (p->series[i].n > 0 && p->series[i].style != REPORT_GUIDE) return false;
  return true;
}

void report_plot_clear(report_plot *p) {
  for (size_t i = 0; i < p->n; i++) {
    free(p->series[i].x);
    free(p->series[i].a);
    free(p->series[i].b);
    free(p->series[i].run);
  }
  *p = (report_plot){0};
}
