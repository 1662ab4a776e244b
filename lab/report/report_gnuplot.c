#include "report_plot_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cb_file.h"
#include "report_pen.h"
#include "report_text.h"

/* Okabe & Ito (2008): told apart with every kind of colour vision; the yellow is left out, it is too pale for
 * lines. */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#555555"};
static const int point_types[] = {
    7, 5, 9, 11, 13, 15, 4}; /* filled circle, square, triangles, diamond, pentagon, open square */
#define N_COLORS (sizeof palette / sizeof palette[0])

typedef enum picture { PICTURE_SVG, PICTURE_PDF, PICTURE_PNG, PICTURE_CSV, PICTURE_NONE } picture;
static const char *const suffixes[] = {".svg", ".pdf", ".png", ".csv", NULL};

/* ---- script ---- */

/* A column of a paper is 84 mm wide: 318 px of 1/96 inch, 238 pt. Texts have 7.5 pt, which is 10 px. */
#define COLUMN_PX 318
#define COLUMN_DPI 300

static int column_height_px(const report_plot *p) { return p->equal_axes ? 340 : 250; }

static void set_column(report_text *t, const report_plot *p, picture form) {
  const int height = column_height_px(p);
  switch (form) {
    case PICTURE_PDF:
      report_text_addf(t, "set terminal pdfcairo size %.3fcm,%.3fcm font 'sans,7.5' fontscale 0.75",
                       COLUMN_PX * 2.54 / 96, height * 2.54 / 96);
      break;
    case PICTURE_PNG:
      report_text_addf(
          t, "set terminal pngcairo size %d,%d font 'sans,7.5' fontscale %.3f linewidth 2.5 pointscale 3",
          COLUMN_PX * COLUMN_DPI / 96, height * COLUMN_DPI / 96, COLUMN_DPI / 96.0);
      break;
    default: report_text_addf(t, "set terminal svg size %d,%d fixed font 'sans-serif,10'", COLUMN_PX, height);
  }
  report_text_add(t, " noenhanced background '#ffffff'\n");
}

static void set_page(report_text *t, const report_plot *p, picture form) {
  switch (form) {
    case PICTURE_PDF:
      report_text_addf(t, "set terminal pdfcairo size 24cm,%.1fcm font 'sans,11' fontscale 0.75",
                       p->equal_axes ? 20.3 : 14.9);
      break;
    case PICTURE_PNG:
      report_text_addf(t, "set terminal pngcairo size 1350,%d font 'sans-serif,17'",
                       p->equal_axes ? 1140 : 840);
      break;
    default:
      report_text_addf(t, "set terminal svg size 900,%d dynamic font 'sans-serif,15'",
                       p->equal_axes ? 760 : 560);
  }
  report_text_addf(t, " noenhanced background '#ffffff'%s\n",
                   form == PICTURE_PNG ? " linewidth 1.5 pointscale 2" : "");
}

/* In a column the caption of the paper says what the figure is of; what is not real is said in any case. */
static void set_title(report_text *t, const report_plot *p) {
  const bool real = cb_origin_is_real(p->origin);
  char title[320];
  (void)snprintf(title, sizeof title, "%s%s%s",
                 real                      ? ""
                 : p->origin == CB_VIRTUAL ? "VIRTUAL DATA"
                                           : "SIMULATED DATA",
                 real || p->column ? "" : " - ", p->column ? "" : p->title);
  report_text_add(t, "set encoding utf8");
  if (title[0]) {
    report_text_add(t, "\nset title ");
    report_text_gnuplot(t, title);
    report_text_addf(t, " textcolor rgb '%s'%s", real ? "#222222" : "#B00020",
                     p->column ? " offset 0,-0.7" : " font 'sans-serif,17'");
  }
}

static void widen(double v, double *low, double *high) {
  if (!(v > 0)) return;
  *low = fmin(*low, v);
  *high = fmax(*high, v);
}

static void find_ends(const report_plot *p, char axis, double *low, double *high) {
  *low = INFINITY;
  *high = 0;
  for (size_t i = 0; i < p->n; i++) {
    const report_series *s = &p->series[i];
    for (size_t k = 0; k < s->n; k++) {
      const double bar = s->style == REPORT_POINTS ? s->b[k] : 0;
      widen(axis == 'x' ? s->x[k] : s->a[k] - bar, low, high);
      widen(axis == 'x' ? s->x[k] : s->style == REPORT_BAND ? s->b[k] : s->a[k] + bar, low, high);
    }
  }
}

#define MARGIN 1.08
#define DECADES_MOST 8 /* with a label each */

/* An axis from datum to datum, with tics at 1, 2 and 5 of every decade: gnuplot would draw whole decades.
 * Many decades have tics at 1 only, very many at every second or third; less than one has more. */
static void set_log_axis(report_text *t, const report_plot *p, char axis) {
  static const struct steps {
    int n;
    double step[8];
  } fine = {8, {1, 1.5, 2, 3, 4, 5, 6, 8}}, usual = {3, {1, 2, 5}}, coarse = {1, {1}};
  double low, high;
  find_ends(p, axis, &low, &high);
  report_text_addf(t, "set logscale %c\n", axis);
  if (!(high > 0)) return;
  const double ratio = high / low;
  const int first = (int)floor(log10(low)), last = (int)ceil(log10(high));
  report_text_addf(t, "set %crange [%.6g:%.6g]\nset %ctics (", axis, low / MARGIN, high * MARGIN, axis);
  const int every = 1 + (last - first) / DECADES_MOST;
  const struct steps *tics = ratio < 5 ? &fine : ratio < 1e3 ? &usual : &coarse;
  for (int decade = first; decade <= last; decade += every)
    for (int k = 0; k < tics->n; k++)
      report_text_addf(t, "%s%g", decade > first || k > 0 ? ", " : "", tics->step[k] * pow(10, decade));
  report_text_add(t, ")\n");
}

/* ---- tics of linear axes ---- */

/* Characters of tic labels that fit beside each other below a page's figure and a column's. */
#define PAGE_CHARACTERS 76
#define COLUMN_CHARACTERS 40
#define LABEL_GAP 2.5  /* characters between two labels */
#define PLAIN_DIGITS 6 /* of gnuplot's own labels */
#define SAME 3e-6      /* a range that is less of its numbers is one number: data have seven digits */
#define USUAL_TICS 10  /* that gnuplot sets at most, about */

/* From the lowest datum to the highest, without bars. */
static void find_range(const report_plot *p, char axis, double *low, double *high) {
  *low = INFINITY;
  *high = -INFINITY;
  for (size_t i = 0; i < p->n; i++) {
    const report_series *s = &p->series[i];
    for (size_t k = 0; k < s->n; k++) {
      const double v = axis == 'x' ? s->x[k] : s->a[k];
      if (!isfinite(v)) continue;
      *low = fmin(*low, v);
      *high = fmax(*high, v);
    }
  }
}

/* 1, 2 or 5 times a power of ten, not below v. */
static double nice_step(double v) {
  const double decade = pow(10, floor(log10(v))), part = v / decade * (1 - 1e-9);
  return decade * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* Significant digits in which neighbours differ. */
static int digits_of(double low, double high, double step) {
  const int digits = 1 + (int)ceil(log10(fmax(fmax(fabs(low), fabs(high)) / step, 1)) - 1e-9);
  return digits < 1 ? 1 : digits > 15 ? 15 : digits;
}

static bool labels_fit(const report_plot *p, double low, double high, double step) {
  const int digits = digits_of(low, high, step), plain = digits > PLAIN_DIGITS ? digits : PLAIN_DIGITS;
  char a[40], b[40];
  const int na = snprintf(a, sizeof a, "%.*g", plain, step * floor(low / step)),
            nb = snprintf(b, sizeof b, "%.*g", plain, step * ceil(high / step));
  return ((high - low) / step + 1) * ((na > nb ? na : nb) + LABEL_GAP) <=
         (p->column ? COLUMN_CHARACTERS : PAGE_CHARACTERS);
}

/* gnuplot counts no characters: labels that would lie upon each other stand farther apart, and neighbours
 * that would read alike have more digits. */
static void set_linear_axis(report_text *t, const report_plot *p, char axis) {
  double low, high;
  find_range(p, axis, &low, &high);
  const bool given = axis == 'x' && p->x_tic > 0;
  if (!(high - low > SAME * fmax(fabs(low), fabs(high))) || !isfinite(high - low)) return;
  double step = given ? p->x_tic : nice_step((high - low) / USUAL_TICS);
  const double wanted = step;
  double times = 1; /* what the given tic is multiplied by */
  for (int k = 0; axis == 'x' && !labels_fit(p, low, high, step) && k < 60; k++) {
    times = nice_step(1.01 * times);
    step = given ? wanted * times : nice_step(1.01 * step);
  }
  const int digits = digits_of(low, high, step);
  if (given || step > wanted) report_text_addf(t, "set %ctics %.10g\n", axis, step);
  /* gnuplot's own format writes 1.2e-7 as 0.0000001. */
  report_text_addf(t, "set format %c '%%.%dg'\n", axis, digits > PLAIN_DIGITS ? digits : PLAIN_DIGITS);
}

/* What is never negative has no axis below 0, though bars and room around the points reach there. */
static void keep_positive(report_text *t, const report_plot *p) {
  double low, high;
  find_range(p, 'y', &low, &high);
  if (low >= 0) report_text_add(t, "set yrange [0<*:*]\n");
}

static void set_axes(report_text *t, const report_plot *p) {
  report_text_add(t, "\nset xlabel ");
  report_text_gnuplot(t, p->x_label);
  report_text_addf(t, " textcolor rgb '#222222'%s\nset ylabel ", p->column ? " offset 0,0.3" : "");
  report_text_gnuplot(t, p->y_label);
  report_text_addf(
      t,
      " textcolor rgb '#222222'%s\nset border 3 linecolor rgb '#999999'\nset tics nomirror out%s "
      "textcolor rgb '#444444'\n"
      "set grid back linetype 1 linecolor rgb '#e8e8e8' linewidth %s\nset bars small\n",
      p->column ? " offset 1,0" : "", p->column ? " scale 0.5" : "", p->column ? "0.5" : "1");
  if (p->x_tic > 0) report_text_add(t, "set autoscale xfix\n");
  p->log_x ? set_log_axis(t, p, 'x') : set_linear_axis(t, p, 'x');
  p->log_y ? set_log_axis(t, p, 'y') : set_linear_axis(t, p, 'y');
  if (p->equal_axes) report_text_add(t, "set size ratio -1\n");
  if (p->margins) report_text_add(t, "set offsets graph 0.05, graph 0.05, graph 0.06, graph 0.06\n");
  if (p->y_positive && !p->log_y) keep_positive(t, p);
  if (p->y_from_zero) report_text_add(t, "set yrange [0:*]\n");
  if (p->from_zero) report_text_add(t, "set xrange [0:*]\nset yrange [0:*]\n");
}

static void set_key(report_text *t, const report_plot *p) {
  report_text_addf(
      t,
      "set key outside bottom center horizontal Left reverse %s textcolor rgb '#222222' "
      "maxcols %d\n",
      p->column ? "height 0.5 samplen 1.5 spacing 1.1 width -1" : "height 1.2 samplen 2.5 spacing 1.25",
      p->column ? 2 : 3);
}

static void add_head(report_text *t, const report_plot *p, picture form) {
  if (p->column)
    set_column(t, p, form);
  else
    set_page(t, p, form);
  set_title(t, p);
  set_axes(t, p);
  set_key(t, p);
}

static void add_data(report_text *t, const report_plot *p) {
  for (size_t i = 0; i < p->n; i++) {
    const report_series *s = &p->series[i];
    report_text_addf(t, "$d%zu << END\n", i);
    for (size_t k = 0; k < s->n; k++) report_text_addf(t, "%.7g %.7g %.7g\n", s->x[k], s->a[k], s->b[k]);
    report_text_add(t, "END\n");
  }
}

/* In a column lines also differ in their dashes: papers are printed in grey, too. */
static const char *const dashes[] = {"1", "(8,3)", "(2,2)", "(8,2,2,2)", "(12,3)", "(4,2)", "(8,2,2,2,2,2)"};

static void add_line(report_text *t, const report_plot *p, const report_series *s) {
  const size_t c = (size_t)s->color % N_COLORS;
  if (s->style == REPORT_DASH)
    report_text_addf(t, "using 1:2 with lines dashtype (10,6) linecolor rgb '%s' linewidth %s", palette[c],
                     p->column ? "1.2" : "2.2");
  else if (p->column)
    report_text_addf(t, "using 1:2 with lines linetype 1 dashtype %s linecolor rgb '%s' linewidth 1.2",
                     dashes[c], palette[c]);
  else
    report_text_addf(t, "using 1:2 with lines linetype 1 linecolor rgb '%s' linewidth 1.8", palette[c]);
}

static bool has_bars(const report_series *s) {
  for (size_t k = 0; k < s->n; k++)
    if (s->b[k] > 0) return true;
  return false;
}

/* Bars as lines, then the points: gnuplot's own error bars erase what lies around their points, and with it
 * short bars. */
static void add_points(report_text *t, const report_plot *p, size_t i) {
  const size_t c = (size_t)p->series[i].color % N_COLORS;
  if (has_bars(&p->series[i]))
    report_text_addf(t,
                     "using 1:($2-$3):(0):(2*$3) with vectors nohead linetype 1 linecolor rgb '%s' "
                     "linewidth %s notitle, \\\n  $d%zu ",
                     palette[c], p->column ? "0.7" : "1.4", i);
  report_text_addf(t, "using 1:2 with points linecolor rgb '%s' linewidth %s pointtype %d pointsize %s",
                   palette[c], p->column ? "0.7" : "1.4", point_types[c], p->column ? "0.5" : "0.8");
}

static void add_series(report_text *t, const report_plot *p, size_t i) {
  const report_series *s = &p->series[i];
  size_t c = (size_t)s->color % N_COLORS;
  report_text_addf(t, "$d%zu ", i);
  switch (s->style) {
    case REPORT_BAND:
      report_text_addf(t,
                       "using 1:2:3 with filledcurves fillcolor rgb '%s' fillstyle transparent solid %s "
                       "noborder notitle",
                       palette[c], p->column ? "0.22" : "0.16");
      return;
    case REPORT_GUIDE:
      report_text_addf(t, "using 1:2 with lines linetype 1 linecolor rgb '%s' linewidth %s notitle",
                       p->column ? "#aaaaaa" : "#cccccc", p->column ? "0.7" : "1");
      return;
    case REPORT_LINE:
    case REPORT_DASH: add_line(t, p, s); break;
    case REPORT_POINTS: add_points(t, p, i); break;
  }
  const bool titled = s->name[0] && !s->quiet;
  report_text_add(t, titled ? " title " : " notitle");
  if (titled) report_text_gnuplot(t, s->name);
}

static cb_status check_plot(const report_plot *p, cb_err *err) {
  if (p->failed)
    return cb_fail(err, CB_E_NOMEM, "figure '%s': out of memory, or more than %d curves", p->title,
                   REPORT_MAX_SERIES);
  return report_plot_is_empty(p)
             ? cb_fail(err, CB_E_NOTFOUND, "figure '%s': there is nothing to draw", p->title)
             : CB_OK;
}

static cb_status script_of(const report_plot *p, picture form, report_text *t, cb_err *err) {
  bool drawn = false;
  CB_TRY(check_plot(p, err));
  add_head(t, p, form);
  add_data(t, p);
  for (size_t i = 0; i < p->n; i++) {
    if (p->series[i].n == 0) continue;
    report_text_add(t, drawn ? ", \\\n  " : "plot ");
    drawn = true;
    add_series(t, p, i);
  }
  report_text_add(t, "\n");
  return report_text_check(t, err);
}

static picture picture_of(const char *path) {
  int form = 0;
  for (size_t n = strlen(path); suffixes[form]; form++) {
    size_t m = strlen(suffixes[form]);
    if (n > m && strcasecmp(path + n - m, suffixes[form]) == 0) break;
  }
  return (picture)form;
}

static cb_status write_numbers(const report_plot *p, const char *path, cb_err *err) {
  report_text t = {0};
  CB_TRY(check_plot(p, err));
  report_plot_csv(p, &t);
  cb_status st = report_text_check(&t, err);
  if (st == CB_OK) st = cb_file_write(path, t.s, t.n, err);
  report_text_clear(&t);
  return st;
}

static cb_status draw_bytes(report_pen *pen, const report_plot *p, picture form, char **bytes, size_t *n,
                            cb_err *err) {
  report_text script = {0};
  *bytes = NULL;
  cb_status st = script_of(p, form, &script, err);
  if (st == CB_OK) st = report_pen_draw(pen, &script, p->title, bytes, n, err);
  report_text_clear(&script);
  return st;
}

/* The same plot gives the same bytes: Cairo writes the time into a PDF, near its end. */
static void drop_date(char *bytes, size_t n) {
  static const char key[] = "/CreationDate (D:", never[] = "19700101000000";
  const size_t before = sizeof key - 1, date = sizeof never - 1;
  for (size_t i = n; i >= before + date; i--)
    if (memcmp(bytes + i - before - date, key, before) == 0) {
      memcpy(bytes + i - date, never, date);
      return;
    }
}

cb_status report_gnuplot_write(report_pen *pen, const report_plot *p, const char *path, cb_err *err) {
  const picture form = picture_of(path);
  char *bytes;
  size_t n;
  if (form == PICTURE_NONE)
    return cb_fail(err, CB_E_RANGE, "%s: the name of a figure must end in .svg, .pdf, .png or .csv", path);
  if (form == PICTURE_CSV) return write_numbers(p, path, err);
  CB_TRY(draw_bytes(pen, p, form, &bytes, &n, err));
  if (form == PICTURE_PDF) drop_date(bytes, n);
  const cb_status st = cb_file_write(path, bytes, n, err);
  free(bytes);
  return st;
}

cb_status report_gnuplot_draw(const report_plot *p, const char *path, cb_err *err) {
  report_pen *pen;
  CB_TRY(report_pen_new(REPORT_PEN_LIMIT_S, &pen, err));
  const cb_status st = report_gnuplot_write(pen, p, path, err);
  report_pen_free(pen);
  return st;
}

cb_status report_gnuplot_svg(report_pen *pen, const report_plot *p, char **svg, size_t *n, cb_err *err) {
  return draw_bytes(pen, p, PICTURE_SVG, svg, n, err);
}
