/* Every cloth on every body, at a load and in a direction that the reader chooses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "report_site_impl.h"

#define BUCKETS 8 /* shades */

typedef struct matrix {
  cb_material *materials;
  cb_friction_law *laws;
  size_t n_materials, n_laws;
  double load_N, angle_deg;
  cb_friction_kind kind;
  double low, high; /* of the coefficients */
} matrix;

static const cb_friction_law *law_of(const matrix *m, const cb_material *cloth, const cb_material *body) {
  for (size_t i = 0; i < m->n_laws; i++)
    if (m->laws[i].kind == m->kind && strcmp(m->laws[i].cloth, cloth->name) == 0 &&
        strcmp(m->laws[i].body, body->name) == 0)
      return &m->laws[i];
  return NULL;
}

static bool is_in_law(const matrix *m, const cb_material *x) {
  for (size_t i = 0; i < m->n_laws; i++)
    if (m->laws[i].kind == m->kind &&
        strcmp(x->kind == CB_CLOTH ? m->laws[i].cloth : m->laws[i].body, x->name) == 0)
      return true;
  return false;
}

static double load_of(const matrix *m, const cb_friction_law *law) {
  return m->load_N > 0 ? m->load_N : law->knots[law->n_knots / 2].normal_force_N;
}

static cb_friction_value value_of(const matrix *m, const cb_friction_law *law) {
  cb_friction_value v;
  cb_friction_law_eval(law, m->angle_deg * CB_DEG, load_of(m, law), &v);
  return v;
}

static void find_range(matrix *m) {
  m->low = INFINITY;
  m->high = -INFINITY;
  for (size_t i = 0; i < m->n_laws; i++) {
    if (m->laws[i].kind != m->kind) continue;
    const double mu = value_of(m, &m->laws[i]).force_N / load_of(m, &m->laws[i]);
    m->low = fmin(m->low, mu);
    m->high = fmax(m->high, mu);
  }
}

static void add_cell(const site *w, const matrix *m, const cb_material *cloth, const cb_material *body) {
  report_text *t = w->text;
  const cb_friction_law *law = law_of(m, cloth, body);
  if (!law) {
    report_text_add(t, "<td>\u2013</td>");
    return;
  }
  const cb_friction_value v = value_of(m, law);
  const double load_N = load_of(m, law), mu = v.force_N / load_N,
               part = m->high > m->low ? (mu - m->low) / (m->high - m->low) : 0;
  const bool outside = load_N < law->knots[0].normal_force_N * (1 - 1e-9) ||
                       load_N > law->knots[law->n_knots - 1].normal_force_N * (1 + 1e-9);
  report_text_addf(t, "<td class=\"shade%d\"><a href=\"pair-%lld-%lld.html\">",
                   (int)(part * (BUCKETS - 1) + 0.5), (long long)cloth->id, (long long)body->id);
  report_page_value(t, mu, cb_student_t(0.95, v.dof) * v.u_force_N / load_N);
  report_text_addf(t, "</a>%s</td>", outside ? " *" : "");
}

static void add_table(const site *w, const matrix *m) {
  report_text *t = w->text;
  report_text_add(t,
                  "<div class=\"scroll\" tabindex=\"0\"><table class=\"sorts\"><thead><tr><th class=\"t\" "
                  "scope=\"col\">cloth</th>");
  for (size_t b = 0; b < m->n_materials; b++) {
    if (m->materials[b].kind != CB_BODY || !is_in_law(m, &m->materials[b])) continue;
    report_text_add(t, "<th scope=\"col\">");
    report_text_html(t, m->materials[b].name);
    report_text_add(t, "</th>");
  }
  report_text_add(t, "</tr></thead><tbody>\n");
  for (size_t c = 0; c < m->n_materials; c++) {
    const cb_material *cloth = &m->materials[c];
    if (cloth->kind != CB_CLOTH || !is_in_law(m, cloth)) continue;
    report_text_addf(t, "<tr><td class=\"t\"><a href=\"cloth-%lld.html\">", (long long)cloth->id);
    report_text_html(t, cloth->name);
    report_text_add(t, "</a></td>");
    for (size_t b = 0; b < m->n_materials; b++)
      if (m->materials[b].kind == CB_BODY && is_in_law(m, &m->materials[b]))
        add_cell(w, m, cloth, &m->materials[b]);
    report_text_add(t, "</tr>\n");
  }
  report_text_add(
      t,
      "</tbody></table></div>\n<p class=\"note\">Coefficient \u00b1 at 95 %. *: the load is outside "
      "of those that were measured. Stronger colour: more friction.</p>\n");
}

static void add_choice(const site *w, const matrix *m) {
  report_text *t = w->text;
  report_text_add(t,
                  "<form class=\"choice\" action=\"matrix.html\"><label>load [N] <input name=\"load\" "
                  "type=\"number\" min=\"0\" step=\"any\" placeholder=\"each law's middle\"");
  if (m->load_N > 0) report_text_addf(t, " value=\"%g\"", m->load_N);
  report_text_addf(
      t,
      "></label> <label>direction from the warp [\u00b0] <input name=\"angle\" type=\"number\" "
      "step=\"any\" value=\"%g\"></label> <label>friction <select name=\"kind\"><option%s>kinetic"
      "</option><option%s>static</option></select></label> <button>show</button></form>\n",
      m->angle_deg, m->kind == CB_FRICTION_KINETIC ? " selected" : "",
      m->kind == CB_FRICTION_STATIC ? " selected" : "");
}

cb_status site_matrix(site *w, cb_err *err) {
  matrix m = {
      .load_N = site_number(w, "load", 0),
      .angle_deg = site_number(w, "angle", 0),
      .kind = strcmp(site_value(w, "kind"), "static") == 0 ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC};
  cb_status st;
  CB_GOTO(cb_store_materials(w->store, &m.materials, &m.n_materials, err));
  CB_GOTO(cb_store_laws(w->store, &m.laws, &m.n_laws, err));
  find_range(&m);
  site_begin(w, "every cloth on every body", "Coefficient of friction", NULL);
  add_choice(w, &m);
  if (m.low <= m.high)
    add_table(w, &m);
  else
    report_text_addf(w->text, "<p class=\"note\">There is no %s law.</p>\n", cb_friction_kind_names[m.kind]);
  site_end(w);
done:
  free(m.materials);
  free(m.laws);
  return st;
}
