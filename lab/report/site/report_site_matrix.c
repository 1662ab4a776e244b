/* Every cloth on every body, at a load and in a direction that the reader chooses. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "report_site_impl.h"

#define BUCKETS 8 /* shades */

typedef struct cell {
  double mu, u; /* u: expanded, at 95 % */
  bool known, outside;
} cell;

typedef struct matrix {
  cb_material *materials; /* by kind and name */
  size_t n_materials;
  cell *cells;   /* [row][column]: index of a cloth and of a body in materials */
  bool *is_used; /* a material that has a law */
  double load_N, angle_deg;
  cb_friction_kind kind;
  double low, high; /* of the coefficients */
} matrix;

static int by_kind_and_name(const void *a, const void *b) {
  const cb_material *x = a, *y = b;
  return x->kind != y->kind ? (int)x->kind - (int)y->kind : strcmp(x->name, y->name);
}

static const cb_material *find(const matrix *m, cb_material_kind kind, const char *name) {
  cb_material wanted = {.kind = kind};
  (void)snprintf(wanted.name, sizeof wanted.name, "%s", name);
  return bsearch(&wanted, m->materials, m->n_materials, sizeof wanted, by_kind_and_name);
}

static cb_status take_law(const cb_friction_law *law, void *context, cb_err *err) {
  matrix *m = context;
  (void)err;
  if (law->kind != m->kind) return CB_OK;
  const cb_material *cloth = find(m, CB_CLOTH, law->cloth), *body = find(m, CB_BODY, law->body);
  if (!cloth || !body) return CB_OK;
  const double first_N = law->knots[0].normal_force_N, last_N = law->knots[law->n_knots - 1].normal_force_N,
               load_N = m->load_N > 0 ? m->load_N : law->knots[law->n_knots / 2].normal_force_N;
  const size_t row = (size_t)(cloth - m->materials), column = (size_t)(body - m->materials);
  cb_friction_value v;
  cb_friction_law_eval(law, m->angle_deg * CB_DEG, load_N, &v);
  cell *c = &m->cells[row * m->n_materials + column];
  *c = (cell){.mu = v.force_N / load_N,
              .u = cb_student_t(0.95, v.dof) * v.u_force_N / load_N,
              .known = true,
              .outside = load_N < first_N * (1 - 1e-9) || load_N > last_N * (1 + 1e-9)};
  m->is_used[row] = m->is_used[column] = true;
  m->low = fmin(m->low, c->mu);
  m->high = fmax(m->high, c->mu);
  return CB_OK;
}

static void add_cell(const site *w, const matrix *m, size_t row, size_t column) {
  report_text *t = w->text;
  const cell *c = &m->cells[row * m->n_materials + column];
  if (!c->known) {
    report_text_add(t, "<td>\u2013</td>");
    return;
  }
  const double part = m->high > m->low ? (c->mu - m->low) / (m->high - m->low) : 0;
  report_text_addf(t, "<td class=\"shade%d\"><a href=\"pair-%lld-%lld.html\">",
                   (int)(part * (BUCKETS - 1) + 0.5), (long long)m->materials[row].id,
                   (long long)m->materials[column].id);
  report_page_value(t, c->mu, c->u);
  report_text_addf(t, "</a>%s</td>", c->outside ? " *" : "");
}

static void add_table(const site *w, const matrix *m) {
  report_text *t = w->text;
  site_table_begin(t);
  site_table_heading(t, "cloth", true);
  for (size_t b = 0; b < m->n_materials; b++)
    if (m->materials[b].kind == CB_BODY && m->is_used[b]) site_table_heading(t, m->materials[b].name, false);
  site_table_rows(t);
  for (size_t c = 0; c < m->n_materials; c++) {
    const cb_material *cloth = &m->materials[c];
    if (cloth->kind != CB_CLOTH || !m->is_used[c]) continue;
    report_text_addf(t, "<tr><td class=\"t\"><a href=\"cloth-%lld.html\">", (long long)cloth->id);
    report_text_in(t, "", cloth->name, "</a></td>");
    for (size_t b = 0; b < m->n_materials; b++)
      if (m->materials[b].kind == CB_BODY && m->is_used[b]) add_cell(w, m, c, b);
    report_text_add(t, "</tr>\n");
  }
  site_table_end(t);
  report_text_add(t,
                  "<p class=\"note\">Coefficient \u00b1 at 95 %. *: the load is outside of those that were "
                  "measured. Stronger colour: more friction.</p>\n");
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

static cb_status read_matrix(matrix *m, cb_store *s, cb_err *err) {
  CB_TRY(cb_store_materials(s, &m->materials, &m->n_materials, err));
  const size_t n = m->n_materials;
  m->cells = calloc(n * n + 1, sizeof *m->cells);
  m->is_used = calloc(n + 1, sizeof *m->is_used);
  if (!m->cells || !m->is_used) return cb_no_memory(err, "%zu x %zu coefficients", n, n);
  return cb_store_each_law(s, take_law, m, err);
}

cb_status site_matrix(site *w, cb_err *err) {
  matrix m = {
      .load_N = site_number(w, "load", 0),
      .angle_deg = site_number(w, "angle", 0),
      .kind = strcmp(site_value(w, "kind"), "static") == 0 ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC};
  m.low = INFINITY;
  m.high = -INFINITY;
  cb_status st;
  CB_GOTO(read_matrix(&m, w->store, err));
  site_begin(w, "every cloth on every body", "Coefficient of friction", NULL);
  add_choice(w, &m);
  if (m.low <= m.high)
    add_table(w, &m);
  else
    report_text_addf(w->text, "<p class=\"note\">There is no %s law.</p>\n", cb_friction_kind_names[m.kind]);
  site_end(w);
done:
  free(m.materials);
  free(m.cells);
  free(m.is_used);
  return st;
}
