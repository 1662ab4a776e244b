/* Shear and compression tests on the card: their figures, direction by direction. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab_card_parts.h"
#include "lab_first.h"
#include "lab_material_parts.h"

static size_t count_alike(const lab_curve_figures *c, const cb_material_test *like, size_t *used) {
  size_t n = 0;
  *used = 0;
  for (size_t i = 0; i < c->n; i++) {
    if (!lab_curve_figures_alike(&c->tests[i], like)) continue;
    n++;
    *used += c->figures[i].defect == FIT_FIGURES_USED;
  }
  return n;
}

static void describe_group(const lab_curve_figures *c, const cb_material_test *like, lab_section *s) {
  size_t used;
  const size_t n = count_alike(c, like, &used);
  (void)snprintf(s->title, sizeof s->title, "%s", cb_test_kind_names[like->kind]);
  if (!isnan(like->direction_deg))
    (void)snprintf(s->title, sizeof s->title, "%s, %g deg", cb_test_kind_names[like->kind],
                   like->direction_deg);
  (void)snprintf(s->form, sizeof s->form, "%s", like->method);
  if (used < n)
    (void)snprintf(s->form, sizeof s->form, "%s%s%zu left out", like->method, like->method[0] ? ", " : "",
                   n - used);
  (void)snprintf(s->source, sizeof s->source, "%s", like->source);
  s->n = used;
  s->n_what = "test";
  s->dated = "newest of";
}

static cb_status say_group(const lab_curve_figures *c, const cb_material_test *like, lab_section *s,
                           lab_pieces *of, cb_err *err) {
  cb_material_test *of_group = calloc(c->n + 1, sizeof *of_group);
  size_t n = 0;
  if (!of_group) return cb_no_memory(err, "%zu tests", c->n);
  for (size_t i = 0; i < c->n; i++)
    if (lab_curve_figures_alike(&c->tests[i], like) && c->figures[i].defect == FIT_FIGURES_USED)
      of_group[n++] = c->tests[i];
  lab_card_say_pieces(of_group, n, s);
  *of = lab_card_pieces(of_group, n, NAN);
  free(of_group);
  return CB_OK;
}

static void add_figure(lab_card *card, const fit_figure_name *name, const fit_figure_mean *m, lab_pieces of,
                       const fit_test *first) {
  char scatter[40] = "";
  if (m->n > 1) (void)snprintf(scatter, sizeof scatter, ", sd %.2g", m->sd);
  lab_property p = {.value = m->value, .u = m->u, .dof = m->dof, .unit = name->unit};
  lab_card_widen(&p, of);
  p.u = hypot(p.u, fit_first_half(first) * p.value);
  lab_card_add(card, name->name, p, "%s%s", name->conditions, scatter);
}

static cb_status add_group(const lab_curve_figures *c, size_t first, const fit_test *again, lab_card *card,
                           cb_err *err) {
  const cb_material_test *like = &c->tests[first];
  const fit_figure_name *names = fit_figure_names(like->kind);
  const char *date = like->created_at;
  char words[LAB_FIRST_WORDS];
  lab_section *s;
  lab_pieces of;
  for (size_t i = first; i < c->n; i++)
    if (lab_curve_figures_alike(&c->tests[i], like)) date = c->tests[i].created_at;
  CB_TRY(lab_card_begin(card, like->origin, date, &s, err));
  describe_group(c, like, s);
  CB_TRY(say_group(c, like, s, &of, err));
  lab_card_say(s, lab_first_words(again, "shear stiffness", words));
  for (size_t k = 0; names[k].name; k++) {
    fit_figure_mean m;
    CB_TRY(lab_curve_figures_mean(c, like, k, &m, err));
    add_figure(card, &names[k], &m, of, again);
  }
  return CB_OK;
}

/* Of shear: what the first test of a named piece has more of G, over all directions. */
static cb_status compare_first(const lab_curve_figures *c, fit_test *out, cb_err *err) {
  fit_first_value *v = calloc(c->n + 1, sizeof *v);
  *out = (fit_test){.done = false};
  if (!v) return cb_no_memory(err, "%zu tests", c->n);
  for (size_t i = 0; i < c->n; i++) {
    const bool used = c->figures[i].defect == FIT_FIGURES_USED && c->tests[i].specimen[0];
    v[i] = (fit_first_value){&c->tests[i], (int)c->tests[i].origin,
                             used ? c->figures[i].of[FIT_SHEAR_G].value : 0};
  }
  if (c->n > 0 && c->tests[0].kind == CB_TEST_SHEAR) *out = fit_first(v, c->n);
  free(v);
  return CB_OK;
}

static cb_status add_groups(const lab_curve_figures *c, lab_card *card, cb_err *err) {
  fit_test again;
  CB_TRY(compare_first(c, &again, err));
  for (size_t i = 0; i < c->n; i++) {
    bool first = true;
    size_t used;
    for (size_t k = 0; k < i && first; k++) first = !lab_curve_figures_alike(&c->tests[k], &c->tests[i]);
    if (first && count_alike(c, &c->tests[i], &used) > 0 && used > 0)
      CB_TRY(add_group(c, i, &again, card, err));
  }
  return CB_OK;
}

cb_status lab_card_curves(cb_store *s, const cb_material *m, lab_card *card, cb_err *err) {
  for (cb_test_kind kind = CB_TEST_SHEAR; kind <= CB_TEST_COMPRESSION; kind++) {
    lab_curve_figures c;
    cb_status st = lab_curve_figures_load(s, m->id, kind, -1, &c, err);
    if (st == CB_OK) st = add_groups(&c, card, err);
    lab_curve_figures_clear(&c);
    if (st != CB_OK) return st;
  }
  return CB_OK;
}
