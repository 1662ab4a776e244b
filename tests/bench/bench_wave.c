/* Does a wave run along the cloth, how high is it, and how fast?
 *
 *   bench_wave VALUES.csv --period-ms T [--periods N] [--to-mm X] [--diagram FILE.png] [--json]
 *
 * The height of every probe of a scene (p0_z_m, p1_z_m, ... with the probes along x) is the x-t diagram. Its
 * last N periods (3) are a mean, a drift and a sine of the period T: the drift is the difference of the last
 * and the first period's mean, the sine is what is left, projected on sine and cosine. The sine's phase
 * against the place, unwrapped from probe to probe, is a straight line where a wave runs: its slope is the
 * phase speed. Probes up to X (all) take part. A standing wave has phases of 0 and 180 degrees only; r2 tells
 * how straight the line is.
 *
 * --diagram draws the x-t diagram, by gnuplot: the height over each probe's mean and drift. */
#include "bench_lab.h"
#include "cb_csv.h"
#include "cb_num.h"

#define PROBES 64

typedef struct probe {
  double x_m, amplitude_m, phase_rad, rest_m, mean_m, drift_m_per_s;
} probe;

typedef struct options {
  const char *values, *diagram;
  double period_s, to_m;
  int periods;
  bool json;
} options;

typedef struct line {
  double slope, r2;
} line;

static double cell(const cb_csv *csv, size_t row, size_t column) {
  double v;
  LAB_TRY(cb_csv_number(csv, row, column, -1e9, 1e9, &v, NULL, err));
  return v;
}

static bool find_probe(const cb_csv *csv, int k, size_t column[2]) {
  cb_err none = {""};
  char name[40];
  for (int c = 0; c < 2; c++) {
    (void)snprintf(name, sizeof name, "p%d_%c_m", k, "xz"[c]);
    if (cb_csv_find(csv, name, &column[c], &none) != CB_OK) return false;
  }
  return true;
}

static double mean_of(const cb_csv *csv, size_t from, size_t n, size_t column) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += cell(csv, from + i, column);
  return sum / (double)n;
}

/* The height without mean and drift, of a row of the window. */
static double height(const cb_csv *csv, const probe *p, size_t row, size_t z, size_t time, double middle_s) {
  return cell(csv, row, z) - p->mean_m - p->drift_m_per_s * (cell(csv, row, time) - middle_s);
}

static probe look_at(const cb_csv *csv, const options *o, size_t from, size_t n, const size_t column[2],
                     size_t time) {
  const size_t period = n / (size_t)o->periods, z = column[1];
  probe p = {.x_m = mean_of(csv, from, n, column[0]), .mean_m = mean_of(csv, from, n, z)};
  const double middle_s = mean_of(csv, from, n, time);
  double c = 0, s = 0, squares = 0;
  p.drift_m_per_s = (mean_of(csv, from + n - period, period, z) - mean_of(csv, from, period, z)) /
                    ((o->periods - 1) * o->period_s);
  for (size_t i = from; i < from + n; i++) {
    const double h = height(csv, &p, i, z, time, middle_s), a = 2 * CB_PI * cell(csv, i, time) / o->period_s;
    c += h * cos(a) * 2 / (double)n, s += h * sin(a) * 2 / (double)n, squares += h * h / (double)n;
  }
  p.amplitude_m = hypot(c, s);
  p.phase_rad = atan2(s, c);
  p.rest_m = sqrt(fmax(0, squares - p.amplitude_m * p.amplitude_m / 2));
  return p;
}

static void draw_diagram(const cb_csv *csv, const options *o, const probe *p, int n, size_t from,
                         size_t rows) {
  size_t time, column[2];
  FILE *to = popen("gnuplot", "w");
  if (!to) lab_die("gnuplot does not start");
  LAB_TRY(cb_csv_find(csv, "time_s", &time, err));
  const double middle_s = mean_of(csv, from, rows, time);
  fprintf(
      to,
      "set terminal pngcairo size 640,480\nset output '%s'\nset pm3d map\nset palette defined (-1 'blue', 0 "
      "'white', 1 'red')\nset xlabel 'place x [mm]'\nset ylabel 'time [s]'\nset cblabel 'height [mm]'\n"
      "set cbrange [-4:4]\nset xrange [%g:%g]\nset yrange [%g:%g]\nunset key\nsplot '-' using 1:2:3\n",
      o->diagram, 1e3 * p[0].x_m, 1e3 * p[n - 1].x_m, cell(csv, from, time),
      cell(csv, from + rows - 1, time));
  for (int k = 0; k < n && find_probe(csv, k, column); k++) {
    for (size_t i = from; i < from + rows; i++)
      fprintf(to, "%.2f %.4f %.4f\n", 1e3 * p[k].x_m, cell(csv, i, time),
              1e3 * height(csv, &p[k], i, column[1], time, middle_s));
    fprintf(to, "\n");
  }
  fprintf(to, "e\n");
  if (pclose(to) != 0) lab_die("the diagram cannot be drawn");
}

/* Each phase within half a turn of that of the probe before. */
static void unwrap(probe *p, int n) {
  for (int k = 1; k < n; k++)
    p[k].phase_rad -= 2 * CB_PI * rint((p[k].phase_rad - p[k - 1].phase_rad) / (2 * CB_PI));
}

static line straight(const probe *p, int n) {
  double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
  for (int k = 0; k < n; k++) x += p[k].x_m / n, y += p[k].phase_rad / n;
  for (int k = 0; k < n; k++) {
    const double dx = p[k].x_m - x, dy = p[k].phase_rad - y;
    xx += dx * dx, xy += dx * dy, yy += dy * dy;
  }
  return (line){xy / xx, xy * xy / (xx * yy)};
}

static void print(const probe *p, int n, int fitted, const options *o) {
  const line l = straight(p, fitted);
  double least = INFINITY, most = 0;
  for (int k = 0; k < fitted; k++) least = fmin(least, p[k].amplitude_m), most = fmax(most, p[k].amplitude_m);
  const double turns = fabs(p[fitted - 1].phase_rad - p[0].phase_rad) / (2 * CB_PI);
  if (o->json)
    printf(
        "{\n  \"phase_speed_m_per_s\": %.4g, \"r2\": %.4g, \"turns\": %.4g, \"most_mm\": %.4g, \"least_mm\": "
        "%.4g,\n  \"probes\": [",
        2 * CB_PI / o->period_s / l.slope, l.r2, turns, 1e3 * most, 1e3 * least);
  else
    printf("phase speed %.4g m/s over %d probes (%.3g turns, r2 %.4g), amplitude %.3g to %.3g mm\n",
           2 * CB_PI / o->period_s / l.slope, fitted, turns, l.r2, 1e3 * least, 1e3 * most);
  for (int k = 0; k < n; k++)
    printf(o->json
               ? "%s\n    {\"x_mm\": %.4g, \"amplitude_mm\": %.4g, \"phase_deg\": %.4g, \"rest_mm\": %.3g}"
               : "%s%7.1f mm: %6.3f mm, %7.1f degrees late, rest %.2g mm\n",
           o->json && k > 0 ? "," : "", 1e3 * p[k].x_m, 1e3 * p[k].amplitude_m, p[k].phase_rad * 180 / CB_PI,
           1e3 * p[k].rest_m);
  if (o->json) printf("\n  ]\n}\n");
}

static options read_options(int argc, char **argv) {
  options o = {.periods = 3, .to_m = INFINITY};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--json") == 0)
      o.json = true;
    else if (argv[i][0] != '-' && !o.values)
      o.values = argv[i];
    else if (i + 1 == argc)
      lab_die("an option without its value");
    else if (strcmp(argv[i], "--period-ms") == 0)
      o.period_s = 1e-3 * atof(argv[++i]);
    else if (strcmp(argv[i], "--periods") == 0)
      o.periods = atoi(argv[++i]);
    else if (strcmp(argv[i], "--to-mm") == 0)
      o.to_m = 1e-3 * atof(argv[++i]);
    else if (strcmp(argv[i], "--diagram") == 0)
      o.diagram = argv[++i];
    else
      lab_die(
          "usage: bench_wave VALUES.csv --period-ms T [--periods N] [--to-mm X] [--diagram FILE] [--json]");
  }
  if (!o.values || !(o.period_s > 0) || o.periods < 2)
    lab_die("a file, a period and two periods or more are wanted");
  return o;
}

int main(int argc, char **argv) {
  const options o = read_options(argc, argv);
  const cb_csv_options as = cb_csv_options_default();
  char *text;
  size_t bytes, time, column[2];
  cb_csv *csv;
  probe p[PROBES];
  int n = 0, fitted = 0;
  LAB_TRY(cb_file_read(o.values, (size_t)64 << 20, &text, &bytes, err));
  LAB_TRY(cb_csv_parse(text, bytes, o.values, &as, &csv, err));
  free(text);
  LAB_TRY(cb_csv_find(csv, "time_s", &time, err));
  const size_t rows = cb_csv_rows(csv);
  const double step_s = (cell(csv, rows - 1, time) - cell(csv, 0, time)) / (double)(rows - 1);
  const size_t window = (size_t)o.periods * (size_t)lround(o.period_s / step_s);
  if (window < 8 || window > rows) lab_die("the file is shorter than so many periods");
  while (n < PROBES && find_probe(csv, n, column))
    p[n] = look_at(csv, &o, rows - window, window, column, time), n++;
  while (fitted < n && p[fitted].x_m <= o.to_m) fitted++;
  if (fitted < 3) lab_die("p0, p1, p2 or more were wanted, along x");
  unwrap(p, n);
  print(p, n, fitted, &o);
  if (o.diagram) draw_diagram(csv, &o, p, n, rows - window, window);
  cb_csv_free(csv);
  return 0;
}
