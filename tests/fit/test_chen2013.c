/* The published friction tables of Chen, Feng, Wang (SIGGRAPH 2013, supplemental document) through import,
 * fit and predict: every reported figure and label, and prediction of loads that were left out. Skips where
 * the tables are absent. */
#include <jansson.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "csvtest.h"
#include "fit_friction.h"
#include "fit_import.h"
#include "jsonpage.h"

#define TABLES CBT_DATA "/chen2013_friction/"
#define MAPPING CB_SOURCE_DIR "/rigs/import/chen2013_"

static int absent(void) { return cbt_absent(TABLES "anisotropy_repeats.csv"); }

/* ---- every reported figure, through the program ---- */

static int set_up(void **state) {
  cbt_folder_set_up(state);
  if (absent()) return 0;
  cbt_result *r = malloc(sizeof *r);
  cbt_run(r, cbt_folder,
          "import friction --mapping " MAPPING "repeats.yaml --db lab.db " TABLES "anisotropy_repeats.csv");
  if (r->code != 0) fail_msg("import: %s", r->err);
  cbt_run(r, cbt_folder,
          "import friction --mapping " MAPPING "loads.yaml --db lab.db " TABLES "nonlinearity_loads.csv");
  if (r->code != 0) fail_msg("import: %s", r->err);
  free(r);
  return 0;
}

/* `fit friction --json` of the row's pair; caller json_decref. */
static json_t *fit_pair(const cb_csv *csv, size_t row) {
  char args[512];
  cbt_result *r = malloc(sizeof *r);
  (void)snprintf(args, sizeof args, "fit friction --json --db lab.db --cloth '%s' --body '%s'",
                 csvt_text(csv, row, "cloth"), csvt_text(csv, row, "body"));
  cbt_run(r, cbt_folder, args);
  if (r->code != 0) fail_msg("%s: exit %d: %s", args, r->code, r->err);
  json_t *doc = jp_document(r->out);
  free(r);
  return doc;
}

static bool same_pair(const cb_csv *csv, size_t a, size_t b) {
  return strcmp(csvt_text(csv, a, "cloth"), csvt_text(csv, b, "cloth")) == 0 &&
         strcmp(csvt_text(csv, a, "body"), csvt_text(csv, b, "body")) == 0;
}

/* As the table prints it. */
static void assert_printed(double value, const char *printed, int decimals, const char *what) {
  char text[64];
  (void)snprintf(text, sizeof text, "%.*f", decimals, value);
  if (strcmp(text, printed) != 0)
    fail_msg("%s: %.17g prints as %s, the table has %s", what, value, text, printed);
}

static void anisotropy_is_reported_to_the_digit(void **state) {
  (void)state;
  if (absent()) skip();
  cb_csv *csv = csvt_load(TABLES "anisotropy_summary.csv");
  json_t *doc = NULL;
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    if (row == 0 || !same_pair(csv, row, row - 1)) {
      json_decref(doc);
      doc = fit_pair(csv, row);
      assert_printed(json_number_value(json_object_get(doc, "anisotropy_percent")),
                     csvt_text(csv, row, "anisotropy_pct_reported"), 1, "anisotropy");
      assert_int_equal(json_is_true(json_object_get(doc, "isotropic")),
                       strcmp(csvt_text(csv, row, "label"), "isotropic") == 0);
    }
    const json_t *mu = json_object_get(json_object_get(doc, "mean_mu"), csvt_text(csv, row, "angle_deg"));
    assert_printed(json_number_value(json_object_get(mu, "mean")), csvt_text(csv, row, "mu_mean_reported"), 3,
                   "mean");
    assert_printed(json_number_value(json_object_get(mu, "sd")), csvt_text(csv, row, "mu_sd_reported"), 4,
                   "sd");
    assert_int_equal(json_integer_value(json_object_get(mu, "n")), 3);
  }
  json_decref(doc);
  cb_csv_free(csv);
}

static void nonlinearity_is_reported_to_the_digit(void **state) {
  (void)state;
  if (absent()) skip();
  cb_csv *csv = csvt_load(TABLES "nonlinearity_summary.csv");
  json_t *doc = NULL;
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    if (row == 0 || !same_pair(csv, row, row - 1)) {
      json_decref(doc);
      doc = fit_pair(csv, row);
      assert_int_equal(json_is_true(json_object_get(doc, "linear")),
                       strcmp(csvt_text(csv, row, "label"), "linear") == 0);
      assert_string_equal(json_string_value(json_object_get(doc, "origin")), "imported");
    }
    const json_t *x =
        json_object_get(json_object_get(doc, "nonlinearity_percent"), csvt_text(csv, row, "angle_deg"));
    assert_printed(json_number_value(x), csvt_text(csv, row, "nonlinearity_pct_reported"), 1, "nonlinearity");
  }
  json_decref(doc);
  cb_csv_free(csv);
}

/* The threshold of the label is bracketed by the tables, not printed in them: this is the bracket that
 * fit_friction.h states. */
static void labels_bracket_the_threshold(void **state) {
  (void)state;
  if (absent()) skip();
  cb_csv *csv = csvt_load(TABLES "nonlinearity_summary.csv");
  double linear = 0, nonlinear = INFINITY, largest = 0;
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    bool first = row == 0 || !same_pair(csv, row, row - 1),
         last = row + 1 == cb_csv_rows(csv) || !same_pair(csv, row, row + 1);
    largest = fmax(first ? 0 : largest, atof(csvt_text(csv, row, "nonlinearity_pct_reported")));
    if (!last) continue;
    if (strcmp(csvt_text(csv, row, "label"), "linear") == 0)
      linear = fmax(linear, largest);
    else
      nonlinear = fmin(nonlinear, largest);
  }
  assert_near(linear, 11.8, 1e-9);
  assert_near(nonlinear, 14.4, 1e-9);
  assert_true(FIT_LINEAR_PERCENT > linear && FIT_LINEAR_PERCENT < nonlinear);
  cb_csv_free(csv);
}

/* ---- prediction of a load that was left out, through the same functions ---- */

#define MORE CBT_DATA "/chen2013_friction_more/"

typedef struct errors {
  double rel[512];
  size_t n, left_out;         /* runs that the fits did not use */
  size_t inside;              /* cells in the law's 95 % band, the run's own scatter not added */
  size_t light, light_inside; /* cells of the lightest interval */
  char worst_at[160];
} errors;

static bool same_row_pair(const fit_import_row *a, const fit_import_row *b) {
  return strcmp(a->cloth, b->cloth) == 0 && strcmp(a->body, b->body) == 0;
}

static double worst_of(const errors *e) {
  double worst = 0;
  for (size_t i = 0; i < e->n; i++) worst = fmax(worst, e->rel[i]);
  return worst;
}

static void add_error(const fit_import_row *row, const cb_friction_law *law, errors *e) {
  cb_friction_value v;
  const bool light = row->run.normal_force_N < law->knots[1].normal_force_N;
  cb_friction_law_eval(law, row->run.angle_deg * CB_DEG, row->run.normal_force_N, &v);
  assert_true(v.inside_measured_range);
  double rel = fabs(v.force_N / row->point.kinetic_N - 1);
  if (rel > worst_of(e))
    (void)snprintf(e->worst_at, sizeof e->worst_at, "%s, %g deg, %.3f N", row->cloth, row->run.angle_deg,
                   row->run.normal_force_N);
  const bool inside = rel * row->point.kinetic_N <= cb_student_t(0.95, v.dof) * v.u_force_N;
  e->inside += inside;
  e->light += light;
  e->light_inside += light && inside;
  e->rel[e->n++] = rel;
}

/* Fits the pair of rows[0 .. n) without one load and predicts what was measured there. */
static void leave_out(const fit_import_row *rows, size_t n, double load_N, double u_rel, errors *e) {
  cb_friction_obs obs[64];
  size_t kept = 0;
  assert_true(n > 0 && n <= sizeof obs / sizeof obs[0]);
  fit_friction_options opt = {0};
  fit_friction_result r;
  for (size_t i = 0; i < n; i++)
    if (fabs(rows[i].run.normal_force_N - load_N) > 1e-6)
      obs[kept++] = (cb_friction_obs){.run = rows[i].run, .point = rows[i].point, .u_rel_calibration = u_rel};
  assert_ok(fit_friction(obs, kept, rows->cloth, rows->body, &opt, &r, err));
  assert_int_equal(r.kinetic.outcome, FIT_FRICTION_OK);
  e->left_out += kept - r.kinetic.n_points;
  for (size_t i = 0; i < n; i++)
    if (fabs(rows[i].run.normal_force_N - load_N) <= 1e-6) add_error(&rows[i], &r.kinetic.law, e);
}

/* Each inner load of the pair of rows[0 .. n) in turn. */
static void leave_each_out(const fit_import_row *rows, size_t n, double u_rel, errors *e) {
  double lowest = INFINITY, highest = 0;
  for (size_t i = 0; i < n; i++) {
    lowest = fmin(lowest, rows[i].run.normal_force_N);
    highest = fmax(highest, rows[i].run.normal_force_N);
  }
  for (size_t i = 0; i < n && rows[i].run.angle_deg == rows[0].run.angle_deg; i++) {
    double N = rows[i].run.normal_force_N;
    if (N > lowest && N < highest) leave_out(rows, n, N, u_rel, e);
  }
}

/* Every pair of this body. */
static errors leave_loads_out(const fit_import *im, const char *body) {
  errors e = {.n = 0};
  double work[512];
  for (size_t first = 0, end; first < im->n_rows; first = end) {
    for (end = first; end < im->n_rows && same_row_pair(&im->rows[first], &im->rows[end]);) end++;
    if (strcmp(im->rows[first].body, body) == 0)
      leave_each_out(im->rows + first, end - first, im->calibration.u_rel, &e);
  }
  print_message("%-15s  %3zu left-out cells: median %.2f %%, worst %.2f %% (%s); %zu runs left out\n", body,
                e.n, 100 * cb_median(e.rel, e.n, work), 100 * worst_of(&e), e.worst_at, e.left_out);
  return e;
}

/* Single runs at every load and direction: nothing in the table contradicts any of them, so that every run
 * counts. Plastic Foam's worst cell is a cloth whose coefficients go up and down by 4 % from load to load
 * (0.254 0.264 0.252 0.260 0.252 0.254). */
static void left_out_loads_are_predicted(void **state) {
  static const struct {
    const char *table, *body;
    size_t cells;
    double worst;
  } bodies[] = {{TABLES, "Plastic Foam", 64, 0.046},
                {TABLES, "Raw Sheepskin", 67, 0.0375},
                {TABLES, "Waxed Sheepskin", 40, 0.0375},
                {MORE, "Cotton", 80, 0.0375},
                {MORE, "Sponge", 76, 0.0375}};
  (void)state;
  if (absent() || cbt_absent(MORE "nonlinearity_loads.csv")) skip();
  errors all = {.n = 0};
  double work[512];
  for (size_t b = 0; b < sizeof bodies / sizeof bodies[0]; b++) {
    char path[512];
    fit_import im;
    (void)snprintf(path, sizeof path, "%snonlinearity_loads.csv", bodies[b].table);
    assert_ok(fit_import_read(MAPPING "loads.yaml", path, &im, err));
    errors e = leave_loads_out(&im, bodies[b].body);
    assert_int_equal(e.n, bodies[b].cells);
    assert_true(worst_of(&e) <= bodies[b].worst);
    assert_int_equal(e.left_out, 0);
    memcpy(all.rel + all.n, e.rel, e.n * sizeof e.rel[0]);
    all.n += e.n;
    all.inside += e.inside, all.light += e.light, all.light_inside += e.light_inside;
    fit_import_clear(&im);
  }
  assert_int_equal(all.n, 327);
  print_message("in the band: %zu of %zu; in the lightest interval %zu of %zu\n", all.inside, all.n,
                all.light_inside, all.light);
  assert_true((double)all.inside >= 0.93 * (double)all.n);
  assert_true((double)all.light_inside >= 0.90 * (double)all.light);
  assert_true(cb_median(all.rel, all.n, work) <= 0.008);
}

/* ---- a repeat that was left out, in all directions at once ---- */

typedef struct repeats {
  int inside[3], all[3]; /* by repeat */
  int named, pairs;      /* pairs whose first pull differs from the rest, with all repeats */
} repeats;

/* Within the band of one more pull: the law's, the scatter's, the point's own. */
static bool is_foretold(const fit_import_row *row, const fit_friction_law *f) {
  cb_friction_value v;
  cb_friction_law_eval(&f->law, row->run.angle_deg * CB_DEG, row->run.normal_force_N, &v);
  const double u = hypot(hypot(v.u_force_N, f->scatter_rel * v.force_N), row->point.u_kinetic_N);
  return fabs(row->point.kinetic_N - v.force_N) <= cb_student_t(0.95, fmin(v.dof, f->scatter_dof)) * u;
}

/* Without that repeat; 0: with all. */
static void fit_repeats_but(const fit_import_row *rows, size_t n, int repeat, double u_rel,
                            fit_friction_result *r) {
  cb_friction_obs obs[64];
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (rows[i].run.repeat != repeat)
      obs[kept++] = (cb_friction_obs){.run = rows[i].run, .point = rows[i].point, .u_rel_calibration = u_rel};
  assert_ok(fit_friction(obs, kept, rows->cloth, rows->body, &(fit_friction_options){0}, r, err));
}

static void leave_repeats_out(const char *folder, repeats *sum) {
  char path[512];
  fit_import im;
  fit_friction_result r;
  (void)snprintf(path, sizeof path, "%sanisotropy_repeats.csv", folder);
  assert_ok(fit_import_read(MAPPING "repeats.yaml", path, &im, err));
  for (size_t first = 0, end; first < im.n_rows; first = end) {
    for (end = first; end < im.n_rows && same_row_pair(&im.rows[first], &im.rows[end]);) end++;
    const fit_import_row *rows = im.rows + first;
    fit_repeats_but(rows, end - first, 0, im.calibration.u_rel, &r);
    sum->named += r.verdict.first.done && r.verdict.first.p_value < FIT_FIRST_P;
    sum->pairs++;
    for (int repeat = 1; repeat <= 3; repeat++) {
      fit_repeats_but(rows, end - first, repeat, im.calibration.u_rel, &r);
      for (size_t i = 0; i < end - first && r.kinetic.outcome == FIT_FRICTION_OK; i++) {
        if (rows[i].run.repeat != repeat) continue;
        sum->all[repeat - 1]++;
        sum->inside[repeat - 1] += is_foretold(&rows[i], &r.kinetic);
      }
    }
  }
  fit_import_clear(&im);
}

/* First pulls leave the band of the two later ones more often than those leave the band of the others. */
static void a_repeat_left_out_is_predicted(void **state) {
  (void)state;
  repeats sum = {.pairs = 0};
  if (absent() || cbt_absent(MORE "anisotropy_repeats.csv")) skip();
  leave_repeats_out(TABLES, &sum);
  leave_repeats_out(MORE, &sum);
  for (int k = 0; k < 3; k++)
    print_message("repeat %d left out: %d of %d inside the 95 %% band\n", k + 1, sum.inside[k], sum.all[k]);
  print_message("named: %d of %d pairs\n", sum.named, sum.pairs);
  assert_int_equal(sum.pairs, 50);
  for (int k = 0; k < 3; k++) assert_true(sum.inside[k] >= 0.9 * sum.all[k]);
  assert_true(sum.named >= 1 && sum.named <= 10);
}

/* ---- the ends of a table, left out: how the band grows outside the loads ---- */

#define FAR_CELLS 3 /* and farther */

typedef struct ends {
  size_t n, inside, of_pairs[2], inside_pairs[2]; /* of every second pair, and of the others */
  double half, score; /* sums: half width of the 95 % band; interval score (Gneiting, Raftery 2007) */
} ends;

static size_t list_loads(const fit_import_row *rows, size_t n, double loads[64]) {
  size_t n_loads = 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n_loads && fabs(loads[k] - rows[i].run.normal_force_N) > 1e-6) k++;
    if (k == n_loads) loads[n_loads++] = rows[i].run.normal_force_N;
  }
  cb_sort(loads, n_loads);
  return n_loads;
}

/* Cells from the loads [from, to] to this one, below (negative) or above; 0: inside. */
static int cells_beyond(const double *loads, size_t n, size_t from, size_t to, double N) {
  int k = 0;
  while ((size_t)k < n && fabs(loads[k] - N) > 1e-6) k++;
  return k < (int)from ? k - (int)from : k > (int)to ? k - (int)to : 0;
}

static void score_end(const fit_import_row *row, const cb_friction_law *law, int cells, size_t pair,
                      ends sums[2][FAR_CELLS]) {
  cb_friction_value v;
  cb_friction_law_eval(law, row->run.angle_deg * CB_DEG, row->run.normal_force_N, &v);
  const int far = cells < 0 ? -cells : cells;
  ends *e = &sums[cells > 0][far < FAR_CELLS ? far - 1 : FAR_CELLS - 1];
  const double half = cb_student_t(0.95, v.dof) * v.u_force_N / v.force_N,
               miss = fabs(log(row->point.kinetic_N / v.force_N)) - half;
  e->n++, e->of_pairs[pair % 2]++;
  e->inside += miss <= 0, e->inside_pairs[pair % 2] += miss <= 0;
  e->half += half;
  e->score += 2 * half + 40 * fmax(0, miss);
}

/* Fits every run of neighbouring loads, `least` of them or more, and asks for those beyond its ends. */
static void leave_ends_out(const fit_import_row *rows, size_t n, size_t least, double u_rel, size_t pair,
                           ends sums[2][FAR_CELLS]) {
  static fit_friction_result r;
  double loads[64];
  const size_t n_loads = list_loads(rows, n, loads);
  for (size_t from = 0; from + least <= n_loads; from++)
    for (size_t to = from + least - 1; to < n_loads; to++) {
      cb_friction_obs obs[64];
      fit_friction_options opt = {0};
      size_t kept = 0;
      for (size_t i = 0; i < n; i++)
        if (cells_beyond(loads, n_loads, from, to, rows[i].run.normal_force_N) == 0)
          obs[kept++] =
              (cb_friction_obs){.run = rows[i].run, .point = rows[i].point, .u_rel_calibration = u_rel};
      assert_ok(fit_friction(obs, kept, rows->cloth, rows->body, &opt, &r, err));
      assert_int_equal(r.kinetic.outcome, FIT_FRICTION_OK);
      for (size_t i = 0; i < n; i++) {
        const int cells = cells_beyond(loads, n_loads, from, to, rows[i].run.normal_force_N);
        if (cells) score_end(&rows[i], &r.kinetic.law, cells, pair, sums);
      }
    }
}

static void leave_all_ends_out(const char *folder, size_t least, ends sums[2][FAR_CELLS]) {
  char path[512];
  fit_import im;
  (void)snprintf(path, sizeof path, "%snonlinearity_loads.csv", folder);
  assert_ok(fit_import_read(MAPPING "loads.yaml", path, &im, err));
  for (size_t first = 0, end, pair = 0; first < im.n_rows; first = end, pair++) {
    for (end = first; end < im.n_rows && same_row_pair(&im.rows[first], &im.rows[end]);) end++;
    leave_ends_out(im.rows + first, end - first, least, im.calibration.u_rel, pair, sums);
  }
  fit_import_clear(&im);
}

/* 50 pairs. A power law by least squares in each direction, with its own prediction interval, has the
 * interval scores 30.1, 57.3, 80.2 below and 21.2, 32.8, 56.9 above. */
static void bands_grow_beyond_the_loads(void **state) {
  (void)state;
  if (absent() || cbt_absent(MORE "nonlinearity_loads.csv")) skip();
  for (size_t least = 2; least <= 3; least++) {
    ends sums[2][FAR_CELLS] = {0};
    leave_all_ends_out(TABLES, least, sums);
    leave_all_ends_out(MORE, least, sums);
    for (int above = 0; above < 2; above++)
      for (int far = 0; far < FAR_CELLS; far++) {
        const ends *e = &sums[above][far];
        print_message(
            "%zu loads or more, %d cell%s %s: %4zu of %4zu inside (%.1f %%; pairs by halves: %.1f, %.1f), "
            "half width %4.1f %%, score %.1f\n",
            least, far + 1, far ? "s" : "", above ? "above" : "below", e->inside, e->n,
            100.0 * (double)e->inside / (double)e->n,
            100.0 * (double)e->inside_pairs[0] / (double)e->of_pairs[0],
            100.0 * (double)e->inside_pairs[1] / (double)e->of_pairs[1], 100 * e->half / (double)e->n,
            100 * e->score / (double)e->n);
        assert_true((double)e->inside >= 0.95 * (double)e->n);
        assert_true(far > 0 || (double)e->inside <= 0.985 * (double)e->n);
      }
    assert_true(sums[0][0].half < 0.075 * (double)sums[0][0].n &&
                sums[1][0].half < 0.06 * (double)sums[1][0].n);
  }
}

/* ---- a direction that was left out: 45 degrees from warp and weft, f01 = 0 ---- */

static bool anisotropic(const cb_csv *summary, const fit_import_row *row) {
  for (size_t i = 0; i < cb_csv_rows(summary); i++)
    if (strcmp(csvt_text(summary, i, "cloth"), row->cloth) == 0 &&
        strcmp(csvt_text(summary, i, "body"), row->body) == 0)
      return strcmp(csvt_text(summary, i, "label"), "anisotropic") == 0;
  fail_msg("%s on %s is in no summary", row->cloth, row->body);
  return false;
}

static void predict_diagonal(const fit_import_row *rows, size_t n, double u_rel, errors *e) {
  cb_friction_obs obs[64] = {{.u_rel_calibration = 0}};
  size_t kept = 0;
  assert_true(n <= sizeof obs / sizeof obs[0]);
  fit_friction_options opt = {0};
  fit_friction_result r;
  for (size_t i = 0; i < n; i++)
    if (rows[i].run.angle_deg != 45)
      obs[kept++] = (cb_friction_obs){.run = rows[i].run, .point = rows[i].point, .u_rel_calibration = u_rel};
  assert_ok(fit_friction(obs, kept, rows->cloth, rows->body, &opt, &r, err));
  assert_int_equal(r.kinetic.outcome, FIT_FRICTION_OK);
  for (size_t i = 0; i < n; i++) {
    if (rows[i].run.angle_deg != 45) continue;
    cb_friction_value v;
    cb_friction_law_eval(&r.kinetic.law, 45 * CB_DEG, rows[i].run.normal_force_N, &v);
    e->rel[e->n++] = fabs(v.force_N / rows[i].point.kinetic_N - 1);
  }
}

static void a_direction_left_out_is_predicted(void **state) {
  (void)state;
  if (absent()) skip();
  fit_import im;
  cb_csv *summary = csvt_load(TABLES "anisotropy_summary.csv");
  errors e = {.n = 0};
  double work[512];
  assert_ok(fit_import_read(MAPPING "loads.yaml", TABLES "nonlinearity_loads.csv", &im, err));
  for (size_t first = 0, end; first < im.n_rows; first = end) {
    for (end = first; end < im.n_rows && same_row_pair(&im.rows[first], &im.rows[end]);) end++;
    if (anisotropic(summary, &im.rows[first]))
      predict_diagonal(im.rows + first, end - first, im.calibration.u_rel, &e);
  }
  double median = cb_median(e.rel, e.n, work);
  print_message("45 degrees from warp and weft: %zu cells, median %.2f %%\n", e.n, 100 * median);
  assert_int_equal(e.n, 32);
  assert_true(median <= 0.015);
  fit_import_clear(&im);
  cb_csv_free(summary);
}

/* ---- every series is close to a power law ---- */

static void power_laws_explain_every_series(void **state) {
  (void)state;
  if (absent()) skip();
  cb_csv *csv = csvt_load(TABLES "nonlinearity_summary.csv");
  json_t *doc = NULL;
  double least = 1;
  for (size_t row = 0; row < cb_csv_rows(csv); row++) {
    if (row == 0 || !same_pair(csv, row, row - 1)) {
      json_decref(doc);
      doc = fit_pair(csv, row);
    }
    const json_t *power =
        json_object_get(json_object_get(doc, "power_law"), csvt_text(csv, row, "angle_deg"));
    least = fmin(least, json_number_value(json_object_get(power, "r2")));
  }
  print_message("least R2 of %zu series: %.4f\n", cb_csv_rows(csv), least);
  assert_true(least >= 0.997);
  json_decref(doc);
  cb_csv_free(csv);
}

/* ---- another source ---- */

/* A table whose quoted cells hold ends of lines: every cycle of two silicones. 73 and 66 loads are more than
 * a law has knots, which is said. */
static void silicone_on_pla_is_read(void **state) {
  (void)state;
#define SILICONE CBT_DATA "/friction_silicone_pla/CoF-Measurements.csv"
  static cbt_result r;
  if (cbt_absent(SILICONE)) skip();
  cbt_run(&r, cbt_folder,
          "import friction --mapping " CB_SOURCE_DIR
          "/rigs/import/tortos2024_silicone.yaml --db pla.db " SILICONE);
  if (r.code != 0 || !strstr(r.out, "4308 points of 2 pairs")) fail_msg("%s%s", r.out, r.err);
  cbt_run(&r, cbt_folder,
          "db query \"select count(*), round(1e6 * min(r.contact_area_m2)), round(avg(p.kinetic_N / 0.25), "
          "3) from run r "
          "join friction_point p on p.run_id = r.id where abs(r.normal_force_N - 0.25) < 1e-6 group by "
          "r.cloth_id\" "
          "--db pla.db");
  if (!strstr(r.out, "1.839") || !strstr(r.out, "1.112"))
    fail_msg("%s%s", r.out, r.err); /* means of the table */
  cbt_run(&r, cbt_folder, "fit friction --db pla.db");
  if (r.code != 3 || !strstr(r.out, "more than 64 distinct loads")) fail_msg("%s%s", r.out, r.err);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(anisotropy_is_reported_to_the_digit),
      cmocka_unit_test(nonlinearity_is_reported_to_the_digit),
      cmocka_unit_test(labels_bracket_the_threshold),
      cmocka_unit_test(left_out_loads_are_predicted),
      cmocka_unit_test(bands_grow_beyond_the_loads),
      cmocka_unit_test(a_repeat_left_out_is_predicted),
      cmocka_unit_test(a_direction_left_out_is_predicted),
      cmocka_unit_test(power_laws_explain_every_series),
      cmocka_unit_test(silicone_on_pla_is_read),
  };
  return cmocka_run_group_tests(tests, set_up, cbt_folder_tear_down);
}
