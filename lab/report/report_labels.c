#include "report_labels.h"

#include <math.h>
#include <qrencode.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "report_svg.h"

#define MARGIN_MM 4.0 /* printers leave out the edge */

static const struct {
  int per_page, columns, rows;
} grids[] = {{8, 2, 4}, {21, 3, 7}, {24, 3, 8}, {40, 4, 10}};
#define N_GRIDS (sizeof grids / sizeof grids[0])

/* ---- parts ---- */

/* Black modules beside each other are one rectangle: seams between them would be grey. */
static void add_row(report_text *t, const QRcode *code, int y) {
  const unsigned char *row = code->data + (size_t)y * (size_t)code->width;
  for (int x = 0, n; x < code->width; x += n) {
    for (n = 1; x + n < code->width && (row[x + n] & 1) == (row[x] & 1); n++) continue;
    if (row[x] & 1) report_text_addf(t, "M%d %dh%dv1h-%dz", 4 + x, 4 + y, n, n);
  }
}

/* Black modules as one path; four modules of white around them belong to the code (ISO/IEC 18004). */
static cb_status add_code(report_text *t, const char *mark, report_box b, cb_err *err) {
  QRcode *code = QRcode_encodeString(mark, 0, QR_ECLEVEL_H, QR_MODE_8, 1);
  if (!code) return cb_no_memory(err, "the code of a label");
  const double module = b.w / (code->width + 8);
  report_text_addf(t,
                   "<path shape-rendering=\"crispEdges\" transform=\"translate(%.3f %.3f) scale(%.5f)\" d=\"",
                   b.x, b.y, module);
  for (int y = 0; y < code->width; y++) add_row(t, code, y);
  report_text_add(t, "\"/>\n");
  QRcode_free(code);
  return CB_OK;
}

/* The line is the specimen's long side, the arrow its warp. */
static void add_arrow(report_text *t, double cut_deg, report_box b) {
  const double x = b.x + b.w / 2, y = b.y + b.h / 2, r = fmin(b.h, b.w) / 2;
  if (isnan(cut_deg)) return;
  report_text_addf(t,
                   "<path d=\"M%.2f %.2fv%.2f\" stroke=\"#888\" stroke-width=\"0.2\" stroke-dasharray=\"0.8 "
                   "0.6\"/>\n<g transform=\"rotate(%g %.2f %.2f)\"><path d=\"M%.2f %.2fv%.2f\" "
                   "stroke=\"#000\" stroke-width=\"0.5\"/><path d=\"M%.2f %.2fl-1.1 2.2h2.2z\"/></g>\n",
                   x, y - r, 2 * r, cut_deg, x, y, x, y - r + 1, 2 * r - 1, x, y - r);
  report_text_addf(t, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"1.9\" text-anchor=\"middle\">warp</text>\n", x,
                   y + r + 2.4);
}

/* ---- a label, a sheet ---- */

static void describe(const cb_specimen *p, char lot[96], char facts[256]) {
  lot[0] = facts[0] = '\0';
  if (p->lot[0]) (void)snprintf(lot, 96, "lot %s", p->lot);
  if (p->side >= 0) cb_text_add(facts, 256, ", ", "%s up", cb_side_names[p->side]);
  if (p->washes >= 0) cb_text_add(facts, 256, ", ", "%d wash%s", p->washes, p->washes == 1 ? "" : "es");
}

static cb_status add_label(report_text *t, const cb_specimen *p, report_box b, cb_err *err) {
  char lot[96], facts[256];
  const double code = fmin(b.h - 2 * MARGIN_MM, 0.4 * b.w), left = b.x + MARGIN_MM,
               top = b.y + (b.h - code) / 2, arrow = fmin(14, 0.15 * b.w);
  const double x = left + code + 1, w = b.x + b.w - MARGIN_MM - arrow - x, step = code / 5;
  describe(p, lot, facts);
  report_text_addf(t,
                   "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" stroke=\"#ccc\" "
                   "stroke-width=\"0.1\"/>\n",
                   b.x, b.y, b.w, b.h);
  CB_TRY(add_code(t, p->mark, (report_box){left, top, code, code}, err));
  const double letter = fmin(5, 0.72 * step);
  report_svg_line(t, p->name, 1.25 * letter, (report_box){x, top + 1.1 * step, w, 0}, "font-weight=\"bold\"");
  report_svg_line(t, p->cloth, letter, (report_box){x, top + 2.1 * step, w, 0}, "");
  report_svg_line(t, lot, letter, (report_box){x, top + 3 * step, w, 0}, "");
  report_svg_line(t, facts, letter, (report_box){x, top + 3.9 * step, w, 0}, "");
  report_svg_line(t, p->mark, letter, (report_box){x, top + 4.8 * step, w, 0}, "font-family=\"monospace\"");
  add_arrow(t, p->cut_deg, (report_box){x + w, top + code / 4, arrow, code / 2});
  return CB_OK;
}

static cb_status make_sheet(report_text *t, const cb_specimen *list, size_t n, int columns, int rows,
                            cb_err *err) {
  const double w = REPORT_SHEET_W_MM / columns, h = REPORT_SHEET_H_MM / rows;
  report_svg_begin(t);
  for (size_t i = 0; i < n; i++) {
    const int row = (int)i / columns, column = (int)i % columns;
    CB_TRY(add_label(t, &list[i], (report_box){column * w, row * h, w, h}, err));
  }
  report_text_add(t, "</svg>\n");
  return report_text_check(t, err);
}

cb_status report_labels_write(const cb_specimen *list, size_t n, int per_page, const char *path,
                              void (*on_sheet)(void *context, const char *path), void *context, cb_err *err) {
  size_t grid = 0;
  const size_t stem = strlen(path);
  while (grid < N_GRIDS && grids[grid].per_page != per_page) grid++;
  if (grid == N_GRIDS)
    return cb_fail(err, CB_E_ARG, "%d label%s on a sheet: 8, 21, 24 or 40 were wanted", per_page,
                   CB_S(per_page));
  if (stem < 5 || strcmp(path + stem - 4, ".svg") != 0)
    return cb_fail(err, CB_E_ARG, "%s: a file that ends in .svg was wanted", path);
  for (size_t first = 0, sheet = 1; first < n; first += (size_t)per_page, sheet++) {
    char name[4200];
    report_text t = {0};
    const size_t on_it = n - first < (size_t)per_page ? n - first : (size_t)per_page;
    cb_status st = make_sheet(&t, list + first, on_it, grids[grid].columns, grids[grid].rows, err);
    (void)snprintf(name, sizeof name, "%s", path);
    if (sheet > 1) (void)snprintf(name, sizeof name, "%.*s-%zu.svg", (int)(stem - 4), path, sheet);
    if (st == CB_OK) st = cb_file_write(name, t.s, t.n, err);
    if (st == CB_OK) on_sheet(context, name);
    report_text_clear(&t);
    CB_TRY(st);
  }
  return CB_OK;
}
