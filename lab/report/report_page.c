/* What the sections of the page share: numbers and figures. */
#include "report_page.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_language.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_version.h"
#include "report_plot_impl.h"

void report_page_number(report_text *t, double value, int digits) {
  if (!isfinite(value)) {
    report_text_add(t, "\u2013");
    return;
  }
  /* Never in scientific notation where a plain number will do. */
  int decimals = value == 0 ? 0 : digits - 1 - (int)floor(log10(fabs(value)));
  if (decimals > 6 || decimals < -6)
    report_text_addf(t, "%.*g", digits, value);
  else
    report_text_addf(t, "%.*f", decimals > 0 ? decimals : 0, value);
}

void report_page_value(report_text *t, double value, double U) {
  if (!isfinite(value) || !isfinite(U) || U <= 0) {
    report_page_number(t, value, 4);
    return;
  }
  char text[CB_PLUS_MINUS];
  report_text_add(t, cb_plus_minus(value, U, "\u2009\u00b1\u2009", text));
}

void report_page_cell(report_text *t, double value, double U) {
  report_text_add(t, "<td>");
  report_page_value(t, value, U);
  report_text_add(t, "</td>");
}

/* The numbers themselves: the browser draws them. Without scripts there is the caption. */
static void add_served(report_page *page, const report_plot *plot, const char *caption) {
  report_text *t = page->text;
  report_text_add(t, "<figure class=\"plot\"><script type=\"application/json\">");
  report_plot_json(plot, t);
  report_text_in(t, "</script><figcaption>", caption, "</figcaption></figure>\n");
}

cb_status report_page_figure(report_page *page, report_plot *plot, const char *caption, cb_err *err) {
  report_text *t = page->text;
  char *svg = NULL;
  size_t n = 0;
  cb_status st = CB_OK;
  if (report_plot_is_empty(plot) && !plot->failed) {
    report_text_in(t, "<p class=\"note\">No data for the figure \u201c", plot->title, "\u201d.</p>\n");
    goto done;
  }
  if (page->served) {
    add_served(page, plot, caption);
    goto done;
  }
  CB_GOTO(report_gnuplot_svg(page->data->pen, plot, &svg, &n, err));
  report_text_in(t, "<figure><img alt=\"", plot->title, "\" src=\"data:image/svg+xml;base64,");
  report_text_base64(t, svg, n);
  report_text_in(t, "\"><figcaption>", caption, "</figcaption></figure>\n");
done:
  free(svg);
  report_plot_clear(plot);
  return st;
}

/* ---- figures at the width of a column ---- */

static cb_status path_of(const report_page *page, const char *name, const char *suffix, char path[800],
                         cb_err *err) {
  const int n = snprintf(path, 800, "%s/figures/%s-%s.%s", page->dir, page->stem, name, suffix);
  return n > 0 && n < 800
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%.100s...: the path of a figure is longer than 799 characters",
                       page->dir);
}

static cb_status write_figures(const report_page *page, const report_plot *plot, const char *name,
                               const char *svg, size_t n, cb_err *err) {
  char path[800];
  (void)snprintf(path, sizeof path, "%s/figures", page->dir);
  CB_TRY(cb_dir_make(path, err));
  CB_TRY(path_of(page, name, "svg", path, err));
  CB_TRY(cb_file_write(path, svg, n, err));
  CB_TRY(path_of(page, name, "pdf", path, err));
  CB_TRY(report_gnuplot_write(page->data->pen, plot, path, err));
  CB_TRY(path_of(page, name, "csv", path, err));
  return report_gnuplot_write(page->data->pen, plot, path, err);
}

static void add_figure(report_page *page, const report_plot *plot, const char *name, const char *caption,
                       const char *svg, size_t n) {
  static const char *const forms[][2] = {{"svg", "SVG"}, {"pdf", "PDF"}, {"csv", "numbers"}};
  report_text *t = page->text;
  report_text_in(t, "<figure><img alt=\"", plot->title, "\" src=\"data:image/svg+xml;base64,");
  report_text_base64(t, svg, n);
  report_text_in(t, "\"><figcaption>", caption, " <span class=\"files\">");
  for (size_t i = 0; i < 3; i++)
    report_text_addf(t, "%s<a href=\"figures/%s-%s.%s\">%s</a>", i > 0 ? " \u00b7 " : "", page->stem, name,
                     forms[i][0], forms[i][1]);
  report_text_add(t, "</span></figcaption></figure>\n");
}

cb_status report_page_column(report_page *page, report_plot *plot, const char *name, const char *caption,
                             cb_err *err) {
  char *svg = NULL;
  size_t n;
  cb_status st = CB_OK;
  plot->column = true;
  if (report_plot_is_empty(plot) && !plot->failed) goto done;
  if (page->served) {
    add_served(page, plot, caption);
    goto done;
  }
  CB_GOTO(report_gnuplot_svg(page->data->pen, plot, &svg, &n, err));
  CB_GOTO(write_figures(page, plot, name, svg, n, err));
  add_figure(page, plot, name, caption, svg, n);
done:
  free(svg);
  report_plot_clear(plot);
  return st;
}

/* ---- the frame ---- */

/* A page of some runs says so before anything else. */
static void add_selection(report_page *page) {
  report_text *t = page->text;
  char selected[320];
  if (!page->data->sel) return;
  lab_selection_text(page->data->sel, selected);
  report_text_addf(t, "<div class=\"banner\" role=\"note\"><b>%zu of %zu run%s:</b> ", page->data->n_selected,
                   page->data->n_of, CB_S(page->data->n_of));
  report_text_in(t, "", selected, ". Laws are fitted to these runs.</div>\n");
}

void report_page_note_origin(report_page *page, cb_origin o) {
  page->partly = page->partly || cb_origin_is_real(o);
  if (cb_origin_is_real(page->origin)) page->origin = o;
}

static void add_origin(report_page *page) {
  const bool virtual = page->origin == CB_VIRTUAL;
  if (cb_origin_is_real(page->origin)) return;
  report_text_addf(
      page->text, "<div class=\"banner\" role=\"note\"><b>%s</b> %s</div>\n",
      page->partly ? virtual ? _("PARTLY VIRTUAL.") : _("PARTLY SIMULATED.")
      : virtual ? _("VIRTUAL DATA.")
                   : _("SIMULATED DATA."),
      page->partly ? virtual
                         ? _("Some of this page was not measured on real cloth: it comes from a virtual rig.")
                         : _("Some of this page was not measured on real cloth: it comes from a simulation.")
      : virtual ? _("Nothing on this page was measured on real cloth: it comes from a virtual rig.")
                   : _("Nothing on this page was measured on real cloth: it comes from a simulation."));
}

void report_page_begin(report_page *page, const char *title) {
  report_text *t = page->text;
  report_text_add(
      t,
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
      "content=\"width=device-width,initial-scale=1\">\n<title>");
  report_text_html(t, title);
  if (page->served) {
    report_text_add(t, " \u2013 clothbench</title>\n" REPORT_SERVED_HEAD "</head>\n<body>");
    report_page_bar(t, "");
    report_text_add(t, "<main>\n");
  } else {
    report_text_add(t, " \u2013 clothbench report</title>\n<style>\n");
    report_text_add(t, report_page_style);
    report_text_add(t, "</style></head>\n<body><main>\n");
  }
  add_origin(page);
  add_selection(page);
}

void report_page_end(report_page *page) {
  report_text *t = page->text;
  report_text_addf(t, "<footer>clothbench %s \u00b7 database ", cb_version());
  report_text_html(t, cb_store_path(page->data->store));
  report_text_addf(t, ", schema %d", cb_store_schema_version());
  if (page->campaign) {
    report_text_in(t, " \u00b7 campaign ", page->campaign->uuid, "");
  }
  report_text_add(t,
                  "<br>Uncertainties after \u00b1 are expanded to 95 % (Student\u2019s t); bars and bands in "
                  "the figures likewise. Friction law: "
                  "F = u\u1d40 [f00 f01; f01 f11] u (Chen, Feng, Wang, SIGGRAPH "
                  "2013).</footer>\n</main></body></html>\n");
}

/* ---- files ---- */

/* Letters, digits and dashes, at most 48. */
static void slug_of(const char *name, char out[49]) {
  size_t n = 0;
  for (; *name && n < 48; name++) {
    if (isalnum((unsigned char)*name))
      out[n++] = (char)tolower((unsigned char)*name);
    else if (n > 0 && out[n - 1] != '-')
      out[n++] = '-';
  }
  while (n > 0 && out[n - 1] == '-') n--;
  out[n] = '\0';
}

void report_campaign_stem(const cb_campaign *c, char out[128]) {
  char slug[49];
  slug_of(c->name, slug);
  (void)snprintf(out, 128, "campaign-%lld%s%s", (long long)c->id, slug[0] ? "-" : "", slug);
}

void report_cloth_stem(const report_data *d, int64_t cloth_id, char out[128]) {
  char slug[49];
  slug_of(report_data_name(d, cloth_id), slug);
  (void)snprintf(out, 128, "cloth-%lld%s%s", (long long)cloth_id, slug[0] ? "-" : "", slug);
}

void report_pair_stem(const report_data *d, report_pair pair, char out[128]) {
  char cloth[49], body[49];
  slug_of(report_data_name(d, pair.cloth_id), cloth);
  slug_of(report_data_name(d, pair.body_id), body);
  (void)snprintf(out, 128, "pair-%lld-%lld%s%.30s-on-%.30s", (long long)pair.cloth_id,
                 (long long)pair.body_id, cloth[0] ? "-" : "", cloth, body);
}

bool report_page_is_there(const report_page *page, const char *stem) {
  char path[800];
  if (page->whole || page->served) return true;
  const int n = snprintf(path, sizeof path, "%s/%s.html", page->dir, stem);
  return n > 0 && (size_t)n < sizeof path && access(path, R_OK) == 0;
}

void report_page_link(report_page *page, const char *stem, const char *name) {
  const bool linked = report_page_is_there(page, stem);
  if (linked) report_text_addf(page->text, "<a href=\"%s.html\">", stem);
  report_text_html(page->text, name);
  if (linked) report_text_add(page->text, "</a>");
}

cb_status report_page_save(const report_page *page, char path[512], cb_err *err) {
  CB_TRY(report_text_check(page->text, err));
  const int n = snprintf(path, 512, "%s/%s.html", page->dir, page->stem);
  if (n < 0 || n >= 512)
    return cb_fail(err, CB_E_RANGE, "%.100s...: the path of the report is longer than 511 characters",
                   page->dir);
  CB_TRY(cb_dir_make(page->dir, err));
  return cb_file_write(path, page->text->s, page->text->n, err);
}
