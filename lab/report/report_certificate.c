#include "report_certificate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cb_file.h"
#include "cb_language.h"
#include "cb_out.h"
#include "cb_plus_minus.h"
#include "cb_text.h"
#include "cb_time.h"
#include "cb_version.h"
#include "report_child.h"
#include "report_svg.h"

#define LEFT_MM 20.0
#define RIGHT_MM 190.0
#define WIDTH_MM (RIGHT_MM - LEFT_MM)
#define VALUE_MM 62.0 /* where the values of the facts begin */
#define LETTERS_MM 3.2
#define LOGO_BYTES ((size_t)1 << 20)

static bool ends_in(const char *path, const char *end) {
  const size_t n = strlen(path), m = strlen(end);
  return n > m && strcasecmp(path + n - m, end) == 0;
}

/* ---- the head ---- */

static cb_status add_logo(report_text *t, const char *logo, const char *spec, cb_err *err) {
  char path[4400], *bytes;
  size_t n;
  const char *slash = strrchr(spec, '/');
  const bool png = ends_in(logo, ".png");
  if (!logo[0]) return CB_OK;
  if (!png && !ends_in(logo, ".svg"))
    return cb_fail(err, CB_E_PARSE, "%s: logo: '%s': a file that ends in .png or .svg was wanted", spec,
                   logo);
  (void)snprintf(path, sizeof path, "%.*s%s", slash && logo[0] != '/' ? (int)(slash + 1 - spec) : 0, spec,
                 logo);
  CB_TRY(cb_file_read(path, LOGO_BYTES, &bytes, &n, err));
  report_text_addf(t,
                   "<image x=\"%g\" y=\"14\" width=\"45\" height=\"20\" preserveAspectRatio=\"xMaxYMin\" "
                   "href=\"data:image/%s;base64,",
                   RIGHT_MM - 45, png ? "png" : "svg+xml");
  report_text_base64(t, bytes, n);
  report_text_add(t, "\"/>\n");
  free(bytes);
  return CB_OK;
}

static void add_head(report_text *t, const lab_certificate *c) {
  char now[32], line[200];
  cb_now_iso8601(now);
  report_svg_line(t, c->laboratory, 5, (report_box){LEFT_MM, 20, 118, 0}, "font-weight=\"bold\"");
  report_svg_line(t, c->address, LETTERS_MM, (report_box){LEFT_MM, 26, 118, 0}, "");
  report_svg_line(t, _("Certificate of friction"), 8, (report_box){LEFT_MM, 46, WIDTH_MM, 0},
                  "font-weight=\"bold\"");
  (void)snprintf(line, sizeof line, _("number %s, issued %.10s, page 1 of 1"), c->number, now);
  report_svg_line(t, line, LETTERS_MM, (report_box){LEFT_MM, 53, WIDTH_MM, 0}, "");
  if (cb_origin_is_real(c->origin)) return;
  report_svg_line(t,
                  c->origin == CB_VIRTUAL ? _("VIRTUAL DATA: nothing here was measured on real cloth")
                                          : _("SIMULATED DATA: nothing here was measured on real cloth"),
                  4.5, (report_box){LEFT_MM, 60, WIDTH_MM, 0}, "fill=\"#B00020\" font-weight=\"bold\"");
}

/* ---- what was measured ---- */

/* A number or a line of them as it stands on paper. */
static const char *on_paper(char *text) {
  cb_language_decimals(text);
  return text;
}

static double add_fact(report_text *t, double y, const char *name, const char *value) {
  if (!value[0]) return y;
  report_svg_line(t, _(name), LETTERS_MM, (report_box){LEFT_MM, y, VALUE_MM - LEFT_MM - 2, 0},
                  "fill=\"#555\"");
  return report_svg_paragraph(t, value, LETTERS_MM, (report_box){VALUE_MM, y, RIGHT_MM - VALUE_MM, 4.6}, "") +
         0.6;
}

static void say_material(const cb_material *m, char out[400]) {
  out[0] = '\0';
  cb_text_add(out, 400, "", "%s", m->name);
  if (m->composition[0]) cb_text_add(out, 400, ", ", "%s", m->composition);
  if (m->weave[0]) cb_text_add(out, 400, ", ", "%s", m->weave);
  if (m->areal_density_kg_per_m2 > 0)
    cb_text_add(out, 400, ", ", "%.4g g/m\u00b2", 1e3 * m->areal_density_kg_per_m2);
}

static void add_range(char out[120], const double range[2], const char *unit) {
  if (isnan(range[0])) return;
  if (range[0] < range[1])
    cb_text_add(out, 120, ", ", _("%.3g to %.3g %s"), range[0], range[1], unit);
  else
    cb_text_add(out, 120, ", ", "%.3g %s", range[0], unit);
}

static double add_facts(report_text *t, const lab_certificate *c, double y) {
  char text[400], air[120] = "";
  y = add_fact(t, y, N_("Customer"), c->customer);
  y = add_fact(t, y, N_("Item"), c->item);
  say_material(&c->cloth, text);
  y = add_fact(t, y, N_("Cloth"), text);
  y = add_fact(t, y, N_("Lot"), c->lots);
  say_material(&c->body, text);
  y = add_fact(t, y, N_("On"), text);
  const bool one_day = strcmp(c->first_day, c->last_day) == 0;
  (void)snprintf(text, sizeof text,
                 cb_tr_count("%zu run, %s%s%s (UTC)%s%s", "%zu runs, %s%s%s (UTC)%s%s", c->n_runs), c->n_runs,
                 c->first_day, one_day ? "" : _(" to "), one_day ? "" : c->last_day,
                 c->selection[0] ? _("; only ") : "", c->selection);
  y = add_fact(t, y, c->origin == CB_IMPORTED ? N_("Imported") : N_("Measured"), text);
  y = add_fact(t, y, N_("By"), c->operators);
  y = add_fact(t, y, N_("Rig"), c->rigs);
  y = add_fact(t, y, N_("Calibration"), c->calibrations);
  add_range(air, c->temperature_degC, "\u00b0C");
  add_range(air, c->humidity_percent, _("% RH"));
  return add_fact(t, y, N_("Air"), on_paper(air));
}

/* ---- what came out ---- */

static const double columns_mm[] = {LEFT_MM, 37, 56, 72, 108, 132, 166}; /* of the table */
#define N_COLUMNS 7

static double add_row(report_text *t, const char *const cells[N_COLUMNS], double y, double h,
                      const char *style) {
  for (int i = 0; i < N_COLUMNS; i++) {
    const double end = i + 1 < N_COLUMNS ? columns_mm[i + 1] : RIGHT_MM;
    report_svg_line(t, cells[i], fmin(LETTERS_MM, 0.75 * h),
                    (report_box){columns_mm[i], y, end - columns_mm[i] - 2, 0}, style);
  }
  return y + h;
}

static void say_limits(const lab_spec *l, char out[60]) {
  if (isfinite(l->lower) && isfinite(l->upper))
    (void)snprintf(out, 60, _("%.4g to %.4g"), l->lower, l->upper);
  else
    (void)snprintf(out, 60, isfinite(l->lower) ? _("at least %.4g") : _("at most %.4g"),
                   isfinite(l->lower) ? l->lower : l->upper);
}

static double add_line(report_text *t, const lab_certificate *c, const lab_spec *l, double y, double h) {
  char angle[24], load[24], points[40], mu[CB_PLUS_MINUS], limits[60];
  (void)snprintf(angle, sizeof angle, "%g\u00b0", l->angle_deg);
  (void)snprintf(load, sizeof load, "%.4g N", l->normal_force_N);
  (void)snprintf(points, sizeof points,
                 c->by_campaign ? cb_tr_count("%zu campaign", "%zu campaigns", l->n)
                                : cb_tr_count("%zu day", "%zu days", l->n),
                 l->n);
  say_limits(l, limits);
  (void)cb_plus_minus(l->mu, l->decision.U, " \u00b1 ", mu);
  const char *const cells[N_COLUMNS] = {_(cb_friction_kind_names[l->kind]),
                                        on_paper(angle),
                                        on_paper(load),
                                        on_paper(mu),
                                        points,
                                        on_paper(limits),
                                        _(fit_decision_names[l->decision.verdict])};
  return add_row(t, cells, y, h, l->decision.verdict == FIT_KEEPS ? "" : "font-weight=\"bold\"");
}

static void add_rule(report_text *t, double y) {
  report_text_addf(t, "<path d=\"M%g %.2fH%g\" stroke=\"#000\" stroke-width=\"0.25\"/>\n", LEFT_MM, y,
                   RIGHT_MM);
}

static double add_results(report_text *t, const lab_certificate *c, double y) {
  const char *const names[] = {_("friction"), _("from warp"), _("load"),   _("coefficient \u00b5"),
                               _("mean of"),  _("limits"),    _("verdict")};
  const double h = fmin(5.5, 105.0 / (double)(c->n_lines + 1));
  y = add_row(t, names, y, h, "fill=\"#555\"");
  add_rule(t, y - h + 1.3);
  for (size_t i = 0; i < c->n_lines; i++) y = add_line(t, c, &c->lines[i], y, h);
  add_rule(t, y - h + 1.3);
  return y;
}

/* ---- the foot ---- */

static void add_statements(report_text *t, const lab_certificate *c, double y) {
  const char *rule = _(
      "\u00b1: expanded uncertainty U at 95 % (Student's t), with scatter, calibration and load. Rule of the "
      "verdicts (as in ISO 14253-1, guard band U): a line passes if the mean and mean \u00b1 U lie within "
      "the "
      "limits, and fails if all of them lie outside; else it is not decided. The results hold for the "
      "specimens that were measured.");
  char verdict[120];
  const report_box b = {LEFT_MM, y, WIDTH_MM, 4.2};
  (void)snprintf(verdict, sizeof verdict,
                 cb_tr_count("%zu of %zu line passes.", "%zu of %zu lines pass.", c->n_lines), c->n_kept,
                 c->n_lines);
  report_svg_line(t, verdict, 4, b, "font-weight=\"bold\"");
  y = report_svg_paragraph(t, rule, 2.9, (report_box){LEFT_MM, y + 6, WIDTH_MM, 4.2}, "");
  (void)report_svg_paragraph(t, c->remark, 2.9, (report_box){LEFT_MM, y + 1, WIDTH_MM, 4.2}, "");
}

static void add_signature(report_text *t, double x, const char *what, const char *name) {
  char line[120];
  report_text_addf(t, "<path d=\"M%g 271h75\" stroke=\"#000\" stroke-width=\"0.2\"/>\n", x);
  (void)snprintf(line, sizeof line, "%s%s%s", what, name[0] ? ": " : "", name);
  report_svg_line(t, line, 2.9, (report_box){x, 275, 75, 0}, "fill=\"#555\"");
}

static void add_foot(report_text *t, const lab_certificate *c) {
  char line[200];
  add_signature(t, LEFT_MM, _("date"), "");
  add_signature(t, RIGHT_MM - 75, _("authorised by"), c->authorised_by);
  (void)snprintf(line, sizeof line, _("SHA-256 of runs and results %s; clothbench %s"), c->digest,
                 cb_version());
  report_svg_line(t, line, 2.3, (report_box){LEFT_MM, 286, WIDTH_MM, 0}, "fill=\"#555\"");
}

static cb_status make_sheet(report_text *t, const lab_certificate *c, const char *spec, cb_err *err) {
  report_svg_begin(t);
  CB_TRY(add_logo(t, c->logo, spec, err));
  add_head(t, c);
  double y = add_facts(t, c, 68);
  y = add_results(t, c, y + 6);
  add_statements(t, c, y + 3);
  add_foot(t, c);
  report_text_add(t, "</svg>\n");
  return report_text_check(t, err);
}

/* ---- the file ---- */

static cb_status write_pdf(const report_text *t, const char *path, cb_err *err) {
  static const char *const convert[] = {"rsvg-convert", "-f", "pdf", NULL};
  cb_out out;
  CB_TRY(cb_out_begin(&out, path, err));
  FILE *sheet = tmpfile();
  cb_status st = sheet && fwrite(t->s, 1, t->n, sheet) == t->n && fflush(sheet) == 0
                     ? CB_OK
                     : cb_fail(err, CB_E_IO, "%s: no temporary file: %s", path, strerror(errno));
  if (st == CB_OK) {
    rewind(sheet);
    st = report_child_run(convert, fileno(sheet), out.fd,
                          "a certificate as PDF needs it (Debian: apt-get install librsvg2-bin); a name that "
                          "ends in .svg gives the sheet without it",
                          err);
  }
  if (sheet) (void)fclose(sheet);
  return cb_out_end(&out, st, err);
}

cb_status report_certificate_write(const lab_certificate *c, const char *spec, const char *path,
                                   cb_err *err) {
  report_text t = {0};
  const bool pdf = ends_in(path, ".pdf");
  if (!pdf && !ends_in(path, ".svg"))
    return cb_fail(err, CB_E_ARG, "%s: a file that ends in .pdf or .svg was wanted", path);
  cb_status st = make_sheet(&t, c, spec, err);
  if (st == CB_OK) st = pdf ? write_pdf(&t, path, err) : cb_file_write(path, t.s, t.n, err);
  report_text_clear(&t);
  return st;
}
