#include "cb_store_material_test.h"
#include "lab_card_parts.h"

#include <stdlib.h>
#include <string.h>

#include "lab_material_parts.h"
#include "law.h"

/* ---- what stands behind a law ---- */

static void describe_tests(const cb_material_test *t, size_t n, lab_section *out) {
  out->n = n;
  out->n_what = "test";
  if (n == 0) return;
  if (t[0].u_x_rel > 0 || t[0].u_y_rel > 0)
    (void)snprintf(out->calibration, sizeof out->calibration, "%s: relative u %.2g and %.2g", t[0].method,
                   t[0].u_x_rel, t[0].u_y_rel);
  else if (t[0].method[0])
    (void)snprintf(out->calibration, sizeof out->calibration, "%s: calibration not stated", t[0].method);
}

/* A law on its way to the card. Only the fit of stretch counts tests as pieces; the others know their pieces.
 */
typedef struct telling {
  lab_card *card;
  cb_material_test *tests; /* owned */
  size_t n;
  bool of_tests;
} telling;

static cb_status begin_law(cb_store *s, telling *t, const cb_material_law *l, cb_err *err) {
  char words[LAB_FIRST_WORDS];
  lab_section *out;
  CB_TRY(lab_card_begin(t->card, l->origin, l->created_at, &out, err));
  (void)snprintf(out->title, sizeof out->title, "%s", cb_material_law_kind_names[l->kind]);
  (void)law_ref(cb_material_law_kind_names[l->kind], l->id, out->ref);
  (void)snprintf(out->form, sizeof out->form, "%s", l->form);
  (void)snprintf(out->source, sizeof out->source, "%s", l->source);
  (void)snprintf(out->method, sizeof out->method, "%s", l->method);
  CB_TRY(cb_store_material_law_tests(s, l->id, &t->tests, &t->n, err));
  describe_tests(t->tests, t->n, out);
  t->of_tests = l->kind == CB_LAW_STRETCH && t->n > 0;
  if (t->of_tests) lab_card_say_pieces(t->tests, t->n, out);
  lab_card_say(out, lab_first_words_of(l, words));
  return CB_OK;
}

/* Where a figure stands between the tested directions, the one with the fewest pieces counts. */
static lab_pieces pieces_behind(const telling *t, const law_figure *f) {
  const double angle_deg = strtod(f->at, NULL); /* a figure of stretch begins with it */
  lab_pieces least = lab_card_pieces(t->tests, t->n, angle_deg);
  if (least.pieces > 0) return least;
  least.pieces = t->n;
  for (size_t i = 0; i < t->n; i++) {
    const lab_pieces of = lab_card_pieces(t->tests, t->n, t->tests[i].direction_deg);
    if (of.pieces <= least.pieces) least = of;
  }
  return least;
}

static void take_figure(void *to, const law_figure *f) {
  const telling *t = to;
  lab_property p = {.value = f->value, .u = f->u, .dof = f->dof, .unit = f->unit};
  if (t->of_tests) lab_card_widen(&p, pieces_behind(t, f));
  lab_card_add(t->card, f->name, p, "%s", f->at);
}

static cb_status add_law(const cb_material_law *row, telling *t, cb_err *err) {
  const law_row *l = law_of_kind(row->kind);
  void *read = malloc(l->size);
  if (!read) return cb_no_memory(err, "a law of %s", cb_material_law_kind_names[row->kind]);
  const cb_status st = law_read(row->kind, row->result_json, read, err);
  if (st == CB_OK) l->tell(read, row, take_figure, t);
  free(read);
  return st;
}

cb_status lab_card_laws(cb_store *s, const exch_material *m, lab_card *card, cb_err *err) {
  for (int kind = 0; kind < CB_LAW_KINDS; kind++) {
    const cb_material_law *l = &m->laws[kind];
    if (!l->result_json) continue;
    telling t = {.card = card};
    CB_TRY(begin_law(s, &t, l, err));
    cb_status st = add_law(l, &t, err);
    free(t.tests);
    char ref[LAW_REF];
    if (st != CB_OK)
      return cb_fail_in(err, st, "%s: law %s", cb_store_path(s),
                        law_ref(cb_material_law_kind_names[kind], l->id, ref));
  }
  return CB_OK;
}
