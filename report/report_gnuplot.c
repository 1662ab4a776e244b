#include "report_gnuplot_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_out.h"
#include "report_text.h"
#include "report_plot_impl.h"

/* Okabe & Ito (2008): told apart with every kind of colour vision; the yellow is left out, it is too pale for
 * lines. */
static const char *const palette[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#E69F00", "#56B4E9", "#555555"};
static const int point_types[] = {
    7, 5, 9, 11, 13, 15, 4}; /* filled circle, square, triangles, diamond, pentagon, open square */
#define N_COLORS (sizeof palette / sizeof palette[0])

/* ---- script ---- */

static void add_head(report_text *t, const report_plot *p, bool svg) {
  if (svg)
    report_text_addf(
        t, "set terminal svg size 900,%d dynamic font 'sans-serif,15' noenhanced background '#ffffff'\n",
        p->equal_axes ? 760 : 560);
  else
    report_text_addf(t,
                     "set terminal pngcairo size 1350,%d font 'sans-serif,17' noenhanced background "
                     "'#ffffff' linewidth 1.5\n",
                     p->equal_axes ? 1140 : 840);
  report_text_add(t, "set encoding utf8");
  char title[320];
  (void)snprintf(title, sizeof title, "%s%s",
                 cb_origin_is_real(p->origin) ? ""
                 : p->origin == CB_VIRTUAL    ? "VIRTUAL DATA - "
                                              : "SIMULATED DATA - ",
                 p->title);
  report_text_add(t, "\nset title ");
  report_text_gnuplot(t, title);
  report_text_addf(t, " textcolor rgb '%s' font 'sans-serif,17'\nset xlabel ",
                   cb_origin_is_real(p->origin) ? "#222222" : "#B00020");
  report_text_gnuplot(t, p->x_label);
  report_text_add(t, " textcolor rgb '#222222'\nset ylabel ");
  report_text_gnuplot(t, p->y_label);
  report_text_add(t,
                  " textcolor rgb '#222222'\nset border 3 linecolor rgb '#999999'\nset tics nomirror out "
                  "textcolor rgb '#444444'\n"
                  "set grid back linetype 1 linecolor rgb '#e8e8e8' linewidth 1\nset bars small\n"
                  "set key outside bottom center horizontal Left reverse height 1.2 samplen 2.5 spacing 1.25 "
                  "textcolor rgb '#222222' maxcols 3\n");
  if (p->equal_axes) report_text_add(t, "set size ratio -1\n");
  if (p->from_zero) report_text_add(t, "set xrange [0:*]\nset yrange [0:*]\n");
}

static void add_data(report_text *t, const report_plot *p) {
  for (size_t i = 0; i < p->n; i++) {
    const report_series *s = &p->series[i];
    report_text_addf(t, "$d%zu << END\n", i);
    for (size_t k = 0; k < s->n; k++) report_text_addf(t, "%.7g %.7g %.7g\n", s->x[k], s->a[k], s->b[k]);
    report_text_add(t, "END\n");
  }
}

static void add_series(report_text *t, const report_series *s, size_t i) {
  size_t c = (size_t)s->color % N_COLORS;
  report_text_addf(t, "$d%zu ", i);
  switch (s->style) {
    case REPORT_BAND:
      report_text_addf(t,
                       "using 1:2:3 with filledcurves fillcolor rgb '%s' fillstyle transparent solid 0.16 "
                       "noborder notitle",
                       palette[c]);
      return;
    case REPORT_GUIDE:
      report_text_add(t, "using 1:2 with lines linetype 1 linecolor rgb '#cccccc' linewidth 1 notitle");
      return;
    case REPORT_LINE:
      report_text_addf(t, "using 1:2 with lines linetype 1 linecolor rgb '%s' linewidth 1.8", palette[c]);
      break;
    case REPORT_DASH:
      report_text_addf(t, "using 1:2 with lines dashtype (10,6) linecolor rgb '%s' linewidth 2.2",
                       palette[c]);
      break;
    case REPORT_POINTS:
      report_text_addf(t,
                       "using 1:2:3 with yerrorbars linetype 1 linecolor rgb '%s' linewidth 1.4 pointtype %d "
                       "pointsize 0.8",
                       palette[c], point_types[c]);
      break;
  }
  report_text_add(t, s->name[0] ? " title " : " notitle");
  if (s->name[0]) report_text_gnuplot(t, s->name);
}

static cb_status script_of(const report_plot *p, bool svg, report_text *t, cb_err *err) {
  bool drawn = false;
  if (p->failed)
    return cb_fail(err, CB_E_NOMEM, "figure '%s': out of memory, or more than %d curves", p->title,
                   REPORT_MAX_SERIES);
  if (report_plot_is_empty(p))
    return cb_fail(err, CB_E_NOTFOUND, "figure '%s': there is nothing to draw", p->title);
  add_head(t, p, svg);
  add_data(t, p);
  for (size_t i = 0; i < p->n; i++) {
    if (p->series[i].n == 0) continue;
    report_text_add(t, drawn ? ", \\\n  " : "plot ");
    drawn = true;
    add_series(t, &p->series[i], i);
  }
  report_text_add(t, "\n");
  return report_text_check(t, err);
}

/* ---- child ---- */

/* The picture is gnuplot's standard output: no path needs to be quoted into the script. */
static void child(const char *script, int picture, const char *log) {
  int in = open("/dev/null", O_RDONLY), words = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (in < 0 || words < 0 || dup2(in, 0) < 0 || dup2(picture, 1) < 0 || dup2(words, 2) < 0) _exit(126);
  (void)execlp("gnuplot", "gnuplot", "-d", script, (char *)NULL); /* -d: nobody's own settings */
  _exit(errno == ENOENT ? 127 : 126);
}

/* The first line in which gnuplot says something. */
static void first_words(const char *log, char out[160]) {
  char *text = NULL;
  size_t n;
  out[0] = '\0';
  if (cb_file_read(log, 1 << 16, &text, &n, NULL) != CB_OK) return;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    const char *colon = strstr(line, "line ");
    if (colon) (void)snprintf(out, 160, "%s", colon);
  }
  free(text);
}

static cb_status wait_for(pid_t pid, const char *log, cb_err *err) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR) return cb_fail(err, CB_E_IO, "gnuplot: cannot wait for it: %s", strerror(errno));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return CB_OK;
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return cb_fail(err, CB_E_NOTFOUND,
                   "gnuplot is not installed: figures need it (Debian: apt-get install gnuplot-nox)");
  char words[160];
  first_words(log, words);
  if (WIFSIGNALED(status)) return cb_fail(err, CB_E_IO, "gnuplot was ended by signal %d", WTERMSIG(status));
  return cb_fail(err, CB_E_IO, "gnuplot failed with exit status %d: %s", WEXITSTATUS(status),
                 words[0] ? words : "it did not say why");
}

/* picture: open for writing, empty. */
static cb_status draw_in(const report_plot *p, const char *folder, bool svg, int picture, cb_err *err) {
  report_text script = {0};
  char script_path[320], log[320];
  struct stat made;
  cb_status st;
  (void)snprintf(script_path, sizeof script_path, "%s/plot.gp", folder);
  (void)snprintf(log, sizeof log, "%s/plot.log", folder);
  CB_GOTO(script_of(p, svg, &script, err));
  CB_GOTO(cb_file_write(script_path, script.s, script.n, err));
  pid_t pid = fork();
  if (pid == 0) child(script_path, picture, log);
  if (pid < 0) {
    st = cb_fail(err, CB_E_IO, "gnuplot: cannot start it: %s", strerror(errno));
    goto done;
  }
  CB_GOTO(wait_for(pid, log, err));
  if (fstat(picture, &made) != 0 || made.st_size == 0)
    st = cb_fail(err, CB_E_IO, "gnuplot made no picture of '%s'", p->title);
done:
  (void)unlink(script_path);
  (void)unlink(log);
  report_text_clear(&script);
  return st;
}

static cb_status temporary_folder(char folder[256], cb_err *err) {
  const char *base = getenv("TMPDIR");
  (void)snprintf(folder, 256, "%s/clothbench-plot-XXXXXX", base && base[0] ? base : "/tmp");
  return mkdtemp(folder)
             ? CB_OK
             : cb_fail(err, CB_E_IO, "%s: cannot make a temporary folder: %s", folder, strerror(errno));
}

static bool ends_in(const char *path, const char *suffix) {
  size_t n = strlen(path), m = strlen(suffix);
  return n > m && strcasecmp(path + n - m, suffix) == 0;
}

cb_status report_gnuplot_draw(const report_plot *p, const char *path, cb_err *err) {
  char folder[256];
  bool svg = ends_in(path, ".svg");
  if (!svg && !ends_in(path, ".png"))
    return cb_fail(err, CB_E_RANGE, "%s: the name of a figure must end in .svg or .png", path);
  cb_out out;
  CB_TRY(cb_out_begin(&out, path, err));
  cb_status st = temporary_folder(folder, err);
  if (st == CB_OK) {
    st = draw_in(p, folder, svg, out.fd, err);
    (void)rmdir(folder);
  }
  return cb_out_end(&out, st, err);
}

cb_status report_gnuplot_svg(const report_plot *p, char **svg, size_t *n, cb_err *err) {
  char folder[256], picture[300];
  *svg = NULL;
  CB_TRY(temporary_folder(folder, err));
  (void)snprintf(picture, sizeof picture, "%s/plot.svg", folder);
  cb_out out;
  cb_status st = cb_out_begin(&out, picture, err);
  if (st == CB_OK) st = cb_out_end(&out, draw_in(p, folder, true, out.fd, err), err);
  if (st == CB_OK) st = cb_file_read(picture, (size_t)1 << 26, svg, n, err);
  (void)unlink(picture);
  (void)rmdir(folder);
  return st;
}
