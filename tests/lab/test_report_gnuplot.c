/* gnuplot as a child: nothing from the data runs, nothing is left half-written, the same plot gives the same
 * bytes. */
#include "cbtest.h"

#include "report_plot_impl.h"

typedef struct place {
  char path[400];
} place;

static int set_up(void **state) {
  place *p = calloc(1, sizeof *p);
  assert_non_null(p);
  cbt_folder_set_up(state);
  *state = p;
  return 0;
}

static const char *in(place *p, const char *name) {
  (void)cbt_path(name, p->path);
  return p->path;
}

static report_plot plot_named(const char *name) {
  report_plot p = {.x_label = "x [m]", .y_label = "y [N]"};
  (void)snprintf(p.title, sizeof p.title, "%s", name);
  report_series *band = report_plot_add(&p, REPORT_BAND, 0, ""),
                *line = report_plot_add(&p, REPORT_LINE, 0, name),
                *points = report_plot_add(&p, REPORT_POINTS, 1, "p");
  for (int i = 0; i < 20; i++) {
    report_plot_push(&p, band, i, i - 1, i + 1);
    report_plot_push(&p, line, i, i, 0);
    report_plot_push(&p, points, i, i + 0.5, 0.2);
  }
  return p;
}

static bool has_bytes(const char *bytes, size_t n, const char *what) {
  const size_t m = strlen(what);
  for (size_t i = 0; i + m <= n; i++)
    if (memcmp(bytes + i, what, m) == 0) return true;
  return false;
}

static cb_status draw_svg(const report_plot *p, char **svg, size_t *n, cb_err *e) {
  report_pen *pen;
  cb_status st = report_pen_new(REPORT_PEN_LIMIT_S, &pen, e);
  assert_int_equal(st, CB_OK);
  st = report_gnuplot_svg(pen, p, svg, n, e);
  report_pen_free(pen);
  return st;
}

static size_t entries(void) {
  char command[400], text[32];
  (void)snprintf(command, sizeof command, "ls -A '%s' | wc -l", cbt_folder);
  FILE *f = popen(command, "r");
  assert_non_null(f);
  assert_non_null(fgets(text, sizeof text, f));
  (void)pclose(f);
  return (size_t)atoi(text);
}

static void test_draws_both_forms(void **state) {
  place *p = *state;
  report_plot plot = plot_named("plain");
  char *a, *b;
  size_t na, nb;
  assert_ok(report_gnuplot_draw(&plot, in(p, "a.svg"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &a, &na, err));
  assert_non_null(strstr(a, "<svg"));
  assert_non_null(strstr(a, ">plain<"));
  assert_ok(report_gnuplot_draw(&plot, in(p, "b.svg"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &b, &nb, err));
  assert_int_equal(na, nb);
  assert_memory_equal(a, b, na);
  free(a);
  free(b);
  assert_ok(report_gnuplot_draw(&plot, in(p, "c.PNG"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &a, &na, err));
  assert_memory_equal(a, "\x89PNG", 4);
  free(a);
  assert_int_equal(entries(), 3); /* no temporary names */
  report_plot_clear(&plot);
}

/* A column is 84 mm wide; without the time of drawing a PDF is the same, too. */
static void test_papers(void **state) {
  place *p = *state;
  report_plot plot = plot_named("plain");
  char *a, *b;
  size_t na, nb;
  plot.column = true;
  assert_ok(report_gnuplot_draw(&plot, in(p, "a.pdf"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &a, &na, err));
  assert_memory_equal(a, "%PDF", 4);
  assert_true(has_bytes(a, na, "/CreationDate (D:19700101000000"));
  assert_true(has_bytes(a, na, "/MediaBox [ 0 0 238 187 ]")); /* points: 84 mm x 66 mm */
  (void)sleep(1);
  assert_ok(report_gnuplot_draw(&plot, in(p, "b.PDF"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &b, &nb, err));
  assert_int_equal(na, nb);
  assert_memory_equal(a, b, na);
  free(a);
  free(b);
  assert_ok(report_gnuplot_draw(&plot, in(p, "c.csv"), err));
  assert_ok(cb_file_read(p->path, 1 << 24, &a, &na, err));
  static const char head[] = "series,style,\"x [m]\",\"y [N]\",low,high\n\"\",band,0,,-1,1\n";
  assert_memory_equal(a, head, sizeof head - 1);
  assert_non_null(strstr(a, "\n\"plain\",line,3,3,,\n"));
  assert_non_null(strstr(a, "\n\"p\",points,3,3.5,3.3,3.7\n"));
  free(a);
  report_plot_clear(&plot);
}

/* Over a logarithm: tics at round numbers, and what is not positive is no reason to fail. */
static void test_logarithms(void **state) {
  place *p = *state;
  static const double ends[][2] = {{1, 1.5}, {3, 40}, {1e-6, 1e9}, {-1, 5}, {0, 0}};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    report_plot plot = {.log_x = true, .log_y = true};
    report_series *s = report_plot_add(&plot, REPORT_POINTS, 0, "p");
    for (int k = 0; k < 2; k++) report_plot_push(&plot, s, fmax(1, ends[i][k]), ends[i][k], 0.1);
    cb_err e = {""};
    const cb_status st = report_gnuplot_draw(&plot, in(p, "l.svg"), &e);
    assert_true(st == CB_OK || ends[i][1] <= 0);
    report_plot_clear(&plot);
  }
}

/* Names out of a database are text, whatever they look like. */
static void test_names_do_not_run(void **state) {
  place *p = *state;
  static const char *const forms[] = {"`touch %s`",
                                      "'; system('touch %s'); '",
                                      "\"; system(\"touch %s\"); \"",
                                      "x'\n!touch %s\nset title '",
                                      "@{touch %s} $(touch %s)",
                                      "END\nsystem 'touch %s'\n"};
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    char name[800], trap[400], form[128];
    (void)cbt_path("ran", trap);
    (void)snprintf(form, sizeof form, "%s", forms[i]);
    name[0] = '\0';
    for (char *at = form, *next; *at; at = next) { /* the forms hold %s once or twice */
      next = strstr(at, "%s");
      size_t used = strlen(name);
      (void)snprintf(name + used, sizeof name - used, "%.*s%s",
                     (int)(next ? (size_t)(next - at) : strlen(at)), at, next ? trap : "");
      next = next ? next + 2 : at + strlen(at);
    }
    report_plot plot = plot_named(name);
    (void)snprintf(plot.x_label, sizeof plot.x_label, "%s", name);
    assert_ok(report_gnuplot_draw(&plot, in(p, "t.svg"), err));
    assert_int_not_equal(access(trap, F_OK), 0);
    report_plot_clear(&plot);
  }
}

static void test_virtual_is_said(void **state) {
  (void)state;
  static const struct {
    cb_origin origin;
    const char *mark;
  } cases[] = {{CB_MEASURED, NULL},
               {CB_IMPORTED, NULL},
               {CB_VIRTUAL, "VIRTUAL DATA"},
               {CB_SIMULATED, "SIMULATED DATA"}};
  for (size_t i = 0; i < 4; i++) {
    report_plot plot = plot_named("title");
    char *svg;
    size_t n;
    plot.origin = cases[i].origin;
    assert_ok(draw_svg(&plot, &svg, &n, err));
    if (cases[i].mark)
      assert_non_null(strstr(svg, cases[i].mark));
    else
      assert_null(strstr(svg, " DATA"));
    free(svg);
    report_plot_clear(&plot);
  }
}

static void test_refusals(void **state) {
  place *p = *state;
  report_plot plot = plot_named("refused"), empty = {0};
  assert_fails(CB_E_RANGE, "must end in .svg, .pdf, .png or .csv",
               report_gnuplot_draw(&plot, in(p, "a.bmp"), err));
  assert_fails(CB_E_NOTFOUND, "nothing to draw", report_gnuplot_draw(&empty, in(p, "a.svg"), err));
  assert_fails(CB_E_IO, "no/such/folder/a.svg: cannot be written",
               report_gnuplot_draw(&plot, in(p, "no/such/folder/a.svg"), err));
  char *path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
  assert_int_equal(setenv("PATH", cbt_folder, 1), 0);
  cb_err e = {""};
  cb_status st = report_gnuplot_draw(&plot, in(p, "a.svg"), &e);
  assert_int_equal(path ? setenv("PATH", path, 1) : unsetenv("PATH"), 0);
  free(path);
  assert_int_equal(st, CB_E_NOTFOUND);
  assert_string_equal(e.msg,
                      "gnuplot is not installed: figures need it (Debian: apt-get install gnuplot-nox)");
  assert_int_equal(entries(), 0);
  report_plot_clear(&plot);
}

/* ---- a gnuplot that fails, and one that hangs ---- */

static cb_status draw_script(report_pen *pen, const char *script, const char *title, cb_err *e) {
  report_text t = {0};
  char *bytes;
  size_t n;
  report_text_add(&t, script);
  const cb_status st = report_pen_draw(pen, &t, title, &bytes, &n, e);
  report_text_clear(&t);
  free(bytes);
  return st;
}

/* One start draws them all; a fault has the name of its figure, and the figures before and after it are
 * drawn, with the bytes that each has alone. */
static void test_a_fault_spoils_no_other(void **state) {
  place *p = *state;
  report_plot plot = plot_named("good");
  report_pen *pen;
  char *alone, *a, *b;
  size_t n_alone, n;
  cb_err e = {""};
  assert_ok(draw_svg(&plot, &alone, &n_alone, err));
  assert_ok(report_pen_new(REPORT_PEN_LIMIT_S, &pen, err));
  assert_ok(report_gnuplot_write(pen, &plot, in(p, "before.pdf"), err));
  assert_int_equal(draw_script(pen, "set terminal svg\nplot x, nonsense(x)\n", "broken", &e), CB_E_IO);
  assert_non_null(strstr(e.msg, "figure 'broken': "));
  assert_non_null(strstr(e.msg, "line 2: undefined function: nonsense"));
  assert_ok(report_gnuplot_svg(pen, &plot, &a, &n, err));
  assert_int_equal(n, n_alone);
  assert_memory_equal(a, alone, n);
  assert_int_equal(draw_script(pen, "# nothing\n", "empty", &e), CB_E_IO);
  assert_string_equal(e.msg, "figure 'empty': gnuplot made no picture");
  assert_ok(report_gnuplot_write(pen, &plot, in(p, "after.pdf"), err));
  report_pen_free(pen);
  assert_int_equal(entries(), 2);
  b = cbt_read(in(p, "after.pdf"));
  free(a);
  a = cbt_read(in(p, "before.pdf"));
  assert_string_equal(a, b);
  free(a);
  free(b);
  free(alone);
  report_plot_clear(&plot);
}

static void test_a_hanging_gnuplot_is_ended(void **state) {
  (void)state;
  report_pen *pen;
  cb_err e = {""};
  assert_ok(report_pen_new(1, &pen, err));
  assert_int_equal(draw_script(pen, "pause 300\n", "slow", &e), CB_E_IO);
  assert_string_equal(e.msg, "figure 'slow': gnuplot did not draw it within 1 s");
  assert_ok(draw_script(pen, "set terminal svg\nplot x\n", "next", err));
  report_pen_free(pen);
}

/* ---- tic labels ---- */

typedef struct label {
  double x, y, half;
  char text[64];
} label;

/* Labels below the x axis: texts that stand in the middle of their place and begin with a digit or a sign. */
static size_t x_labels(const char *svg, label *out, size_t most) {
  size_t n = 0;
  for (const char *at = svg; n < most && (at = strstr(at, "translate(")); at++) {
    const char *end = strchr(at, '>'), *anchor = strstr(at, "text-anchor=\"middle\""), *text,
               *size = strstr(at, "font-size=\"");
    if (!anchor || anchor > end || !size || !(text = strstr(end, "<text>"))) continue;
    label *l = &out[n];
    if (sscanf(at, "translate(%lf,%lf)", &l->x, &l->y) != 2) continue;
    if (sscanf(text, "<text> %63[-+.0-9e]<", l->text) != 1) continue;
    l->half = 0.5 * 0.55 * strtod(size + 11, NULL) * (double)strlen(l->text);
    n++;
  }
  return n;
}

static void expect_apart(const report_plot *plot) {
  char *svg;
  size_t bytes;
  label l[100];
  assert_ok(draw_svg(plot, &svg, &bytes, err));
  const size_t n = x_labels(svg, l, 100);
  if (n < 2) fail_msg("%s: %zu labels", plot->title, n);
  for (size_t i = 1; i < n; i++) {
    if (l[i - 1].x + l[i - 1].half > l[i].x - l[i].half)
      fail_msg("%s: '%s' at %g lies upon '%s' at %g", plot->title, l[i - 1].text, l[i - 1].x, l[i].text,
               l[i].x);
    if (strcmp(l[i - 1].text, l[i].text) == 0) fail_msg("%s: '%s' twice", plot->title, l[i].text);
  }
  free(svg);
}

/* Small ranges far from zero, huge and tiny numbers, a given tic over a long axis, many decades. */
static void test_labels_lie_apart(void **state) {
  (void)state;
  static const struct {
    double low, high, tic;
    bool log;
  } cases[] = {
      {0, 1, 0, false},       {1234560, 1234590, 0, false}, {0, 3e9, 0, false}, {1e-7, 3e-7, 0, false},
      {-2e6, 2e6, 0, false},  {100000, 100007, 0, false},   {0, 90, 15, false}, {0, 36000, 15, false},
      {1e-20, 1e20, 0, true}, {1e-3, 1e9, 0, true},         {1, 3, 0, true},    {0.1, 90, 0, true}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    for (int column = 0; column < 2; column++) {
      report_plot plot = {.x_label = "x [m]",
                          .y_label = "y [N]",
                          .log_x = cases[i].log,
                          .x_tic = cases[i].tic,
                          .column = column};
      (void)snprintf(plot.title, sizeof plot.title, "From %g to %g", cases[i].low, cases[i].high);
      report_series *s = report_plot_add(&plot, REPORT_LINE, 0, "s");
      report_plot_push(&plot, s, cases[i].low, 1, 0);
      report_plot_push(&plot, s, cases[i].high, 2, 0);
      expect_apart(&plot);
      report_plot_clear(&plot);
    }
}

/* A rigidity with a wide bar: nothing below 0, but where a datum is. */
static void test_what_is_never_negative(void **state) {
  (void)state;
  static const double lowest[] = {1, -0.5};
  for (int k = 0; k < 2; k++) {
    report_plot plot = {.x_label = "x", .y_label = "B", .y_positive = true, .margins = true};
    char *svg;
    size_t bytes;
    report_series *s = report_plot_add(&plot, REPORT_POINTS, 0, "s");
    report_plot_push(&plot, s, 200, lowest[k], 3);
    report_plot_push(&plot, s, 290, 3, 0.1);
    assert_ok(draw_svg(&plot, &svg, &bytes, err));
    assert_int_equal(strstr(svg, "> -") != NULL || strstr(svg, ">-") != NULL, k == 1);
    free(svg);
    report_plot_clear(&plot);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_draws_both_forms, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_papers, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_logarithms, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_names_do_not_run, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_virtual_is_said, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_refusals, set_up, cbt_state_tear_down),
      cmocka_unit_test_setup_teardown(test_a_fault_spoils_no_other, set_up, cbt_state_tear_down),
      cmocka_unit_test(test_a_hanging_gnuplot_is_ended),
      cmocka_unit_test(test_labels_lie_apart),
      cmocka_unit_test(test_what_is_never_negative)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
