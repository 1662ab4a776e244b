/* Tables of what was measured of a cloth, direction by direction and drape by drape. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_stats.h"
#include "cb_store_drape.h"
#include "lab_bending.h"
#include "lab_drape_prediction.h"
#include "report_plots.h"
#include "report_page.h"

/* ---- bending ---- */

static void add_direction(report_text *t, const fit_bending_direction *d, double k) {
  if (isnan(d->angle_deg))
    report_text_add(t, "<tr><td>not known</td>");
  else
    report_text_addf(t, "<tr><td>%g\u00b0</td>", d->angle_deg);
  report_text_addf(t, "<td>%zu</td>", d->n);
  report_page_cell(t, 1e6 * d->B_Nm, 1e6 * k * d->u_B_Nm);
  report_page_cell(t, 1e6 * d->sd_Nm, NAN);
  report_page_cell(t, 1e3 * d->length_m, NAN);
  report_page_cell(t, 1e6 * d->face_Nm, NAN);
  report_page_cell(t, 1e6 * d->back_Nm, NAN);
  report_page_cell(t, 1e3 * d->width_N, 1e3 * k * d->u_width_N);
  report_text_add(t, "</tr>\n");
}

static void add_directions(report_text *t, const lab_bending *b) {
  report_text_words(
      t,
      "<section><h2>Bending by direction</h2>\n<div class=\"scroll\"><table><tr><th>direction</th>"
      "<th>specimens</th><th>rigidity [\u00b5N m]</th><th>sd between them</th>"
      "<th>bending length [mm]</th><th>face [\u00b5N m]</th><th>back [\u00b5N m]</th>"
      "<th>2HB [mN]</th></tr>\n");
  for (size_t i = 0; i < b->fit.n_directions; i++)
    add_direction(t, &b->fit.directions[i], cb_student_t(0.95, b->fit.law.dof));
  report_text_add(t, "</table></div></section>\n");
}

static cb_status add_bending(report_page *page, const cb_material *cloth, cb_err *err) {
  lab_bending *b = malloc(sizeof *b);
  if (!b) return cb_no_memory(err, "the bending of '%s'", cloth->name);
  const cb_status st = lab_bending_stored(page->data->store, cloth->name, b, err);
  if (st == CB_OK && b->source == LAB_BENDING_FITTED && b->fit.n_directions > 0)
    add_directions(page->text, b);
  free(b);
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

/* ---- drapes ---- */

static void add_drape(report_text *t, const cb_drape_test *d, double k) {
  report_text_in(t, "<tr><td class=\"t\">", d->capture[0] ? d->capture : d->method, "");
  report_text_addf(t, "</td><td>%g on %g</td>", 100 * d->specimen_m, 100 * d->support_m);
  report_page_cell(t, d->drape_coefficient, k * d->u_drape_coefficient);
  if (isnan(d->nodes))
    report_text_add(t, "<td>\u2013</td>");
  else
    report_text_addf(t, "<td>%g</td>", d->nodes);
  report_page_cell(t, 1e3 * d->node_height_m, NAN);
  report_text_add(t, "</tr>\n");
}

static void add_spread(report_text *t, const val_spread *s, double unit) {
  report_text_add(t, "<td>");
  report_page_number(t, unit * s->mean, 3);
  if (isfinite(s->lo95) && isfinite(s->hi95)) {
    report_text_add(t, " (");
    report_page_number(t, unit * s->lo95, 3);
    report_text_add(t, " \u2026 ");
    report_page_number(t, unit * s->hi95, 3);
    report_text_add(t, ")");
  }
  report_text_add(t, "</td>");
}

static void add_predicted(report_text *t, const lab_drape_predicted *p) {
  report_text_addf(t, "<tr><td class=\"t\"><b>predicted</b>, 95 %% of drapes</td><td>%g on %g</td>",
                   p->specimen_cm, p->support_cm);
  add_spread(t, &p->drape_coefficient, 1);
  add_spread(t, &p->nodes, 1);
  add_spread(t, &p->amplitude_m, 1e3);
  report_text_add(t, "</tr>\n");
}

static cb_status add_drape_rows(report_page *page, const cb_material *cloth, const cb_drape_test *list,
                                size_t n, cb_err *err) {
  report_text *t = page->text;
  lab_drape_predicted predicted;
  bool known;
  report_text_words(
      t,
      "<section><h2>Drapes</h2>\n<div class=\"scroll\"><table><tr><th class=\"t\">drape</th>"
      "<th>discs [cm]</th><th>drape coefficient</th><th>nodes</th><th>amplitude [mm]</th></tr>\n");
  for (size_t i = 0; i < n; i++) add_drape(t, &list[i], cb_student_t(0.95, INFINITY));
  CB_TRY(report_drape_predicted(page->data->store, cloth->id, list[0].support_m, list[0].specimen_m,
                                &predicted, &known, err));
  if (known) add_predicted(t, &predicted);
  report_text_add(t, "</table></div></section>\n");
  return CB_OK;
}

static cb_status add_drapes(report_page *page, const cb_material *cloth, cb_err *err) {
  cb_drape_test *list;
  size_t n;
  CB_TRY(cb_store_drapes(page->data->store, cloth->id, &list, &n, err));
  const cb_status st = n > 0 ? add_drape_rows(page, cloth, list, n, err) : CB_OK;
  free(list);
  return st;
}

cb_status report_page_tests(report_page *page, const cb_material *cloth, cb_err *err) {
  CB_TRY(add_bending(page, cloth, err));
  return add_drapes(page, cloth, err);
}
