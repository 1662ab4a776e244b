#include "lab_card.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_array.h"
#include "cb_num.h"
#include "cb_json.h"
#include "cb_store_self_friction.h"
#include "law.h"
#include "cb_law_json.h"
#include "cb_plural.h"
#include "lab_card_parts.h"
#include "lab_friction_parts.h"
#include "lab_friction_words.h"
#include "lab_validity.h"

/* ---- the two lists ---- */

static void *grow_list(void *list, size_t n, size_t *cap, size_t size, bool *full) {
  void *grown = cb_array_grow(list, cap, n + 1, size);
  *full |= !grown;
  return grown ? grown : list;
}

cb_status lab_card_begin(lab_card *card, cb_origin origin, const char *date, lab_section **out, cb_err *err) {
  card->sections =
      grow_list(card->sections, card->n_sections, &card->cap_sections, sizeof *card->sections, &card->full);
  if (card->full) return cb_no_memory(err, "%zu sections of a card", card->n_sections + 1);
  *out = &card->sections[card->n_sections++];
  **out = (lab_section){.origin = cb_origin_names[origin], .n_what = "", .dated = "law of"};
  (void)snprintf((*out)->date, sizeof(*out)->date, "%s", date);
  return CB_OK;
}

void lab_card_add(lab_card *card, const char *name, lab_property p, const char *conditions, ...) {
  va_list ap;
  card->list = grow_list(card->list, card->n, &card->cap, sizeof *card->list, &card->full);
  if (card->full || isnan(p.value)) return;
  p.name = name;
  p.section = card->n_sections - 1;
  va_start(ap, conditions);
  (void)vsnprintf(p.conditions, sizeof p.conditions, conditions, ap);
  va_end(ap);
  card->list[card->n++] = p;
}

void lab_card_clear(lab_card *card) {
  free(card->sections);
  free(card->list);
  free(card->figures);
  *card = (lab_card){.n = 0};
}

/* ---- what people typed ---- */

static double known(double v) { return v > 0 ? v : NAN; }

static cb_status add_facts(lab_card *card, const cb_material *m, cb_err *err) {
  lab_section *s;
  CB_TRY(lab_card_begin(card, m->origin, "", &s, err));
  (void)snprintf(s->source, sizeof s->source, "%s", m->source);
  lab_card_add(card, "areal density",
               (lab_property){.value = known(m->areal_density_kg_per_m2),
                              .u = known(m->u_areal_density_kg_per_m2),
                              .dof = NAN,
                              .unit = "kg/m2"},
               "%s", "");
  lab_card_add(
      card, "thickness",
      (lab_property){.value = known(m->thickness_m), .u = known(m->u_thickness_m), .dof = NAN, .unit = "m"},
      "%s", "");
  return CB_OK;
}

/* ---- friction ---- */

static cb_status name_calibrations(cb_store *s, const cb_run *runs, size_t n, lab_section *out, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    cb_calibration c;
    bool seen = runs[i].calibration_id == 0;
    for (size_t k = 0; k < i && !seen; k++) seen = runs[k].calibration_id == runs[i].calibration_id;
    if (seen) continue;
    CB_TRY(cb_store_calibration_get(s, runs[i].calibration_id, &c, err));
    cb_text_add(out->calibration, sizeof out->calibration, "; ", "%s calibration %lld%s%.40s",
                cb_calibration_kind_names[c.kind], (long long)c.id, c.certificate[0] ? ", " : "",
                c.certificate);
  }
  return CB_OK;
}

/* As a person overruled them. A run without a point is left out. */
static cb_status count_verdicts(cb_store *s, const cb_run *runs, size_t n, lab_section *out, cb_err *err) {
  lab_tally tally = {.n = 0};
  cb_friction_point *points;
  size_t n_points = 0;
  CB_TRY(cb_store_points_of_runs(s, runs, n, &points, err));
  cb_friction_obs *obs = malloc((n + 1) * sizeof *obs);
  for (size_t i = 0; obs && i < n; i++)
    if (points[i].id) obs[n_points++] = (cb_friction_obs){.run = runs[i], .point = points[i]};
  free(points);
  const cb_status st = obs ? lab_overrule(s, obs, n_points, err) : cb_no_memory(err, "%zu runs", n);
  for (size_t i = 0; st == CB_OK && i < n_points; i++) lab_tally_point(&tally, &obs[i].point);
  free(obs);
  (void)lab_tally_words(&tally, out->validity);
  return st;
}

/* Takes the runs over. */
static cb_status describe_runs(cb_store *s, cb_run *runs, size_t n, lab_section *out, cb_err *err) {
  /* Where the points came from, if from one place: a lab's table, a rig. */
  if (n > 0)
    (void)snprintf(out->source, sizeof out->source, "%.*s", (int)strcspn(runs[0].source, ":"),
                   runs[0].source);
  cb_status st = name_calibrations(s, runs, n, out, err);
  if (st == CB_OK) st = count_verdicts(s, runs, n, out, err);
  free(runs);
  return st;
}

static cb_status describe_friction(cb_store *s, const exch_friction *f, const fit_friction_law *said,
                                   lab_section *out, cb_err *err) {
  cb_run *runs;
  size_t n;
  (void)law_ref("friction", f->law.id, out->ref);
  (void)snprintf(out->form, sizeof out->form, "%s, %s", cb_friction_model_names[f->law.model],
                 cb_friction_form_names[f->law.form]);
  (void)snprintf(out->method, sizeof out->method, "%s", f->method);
  CB_TRY(cb_store_law_runs(s, f->law.id, &runs, &n, err));
  out->n = n > 0 ? n : said->n_points; /* a law that came whole says itself how many points it is made of */
  out->n_what = n > 0 ? "run" : "published run";
  return describe_runs(s, runs, n, out, err);
}

/* Formulas keep theirs among the parts that their knots share. Where none of them departs from proportion,
 * which is a form and no measurement, the uncertainty is not known. */
static double u_exponent(const cb_friction_law *l) {
  double u = cb_friction_law_u_exponent(l, 1);
  return u > 0 ? u : NAN;
}

static void add_coefficients(lab_card *card, const cb_friction_law *l) {
  double N = l->knots[l->n_knots / 2].normal_force_N;
  for (int deg = 0; deg <= 90; deg += 45) {
    cb_friction_value v;
    cb_friction_law_eval(l, deg * CB_DEG, N, &v);
    lab_card_add(card, "coefficient",
                 (lab_property){.value = v.force_N / N, .u = v.u_force_N / N, .dof = v.dof, .unit = "1"},
                 "%d deg at %.3g N", deg, N);
  }
  if (l->n_knots < 2) return;
  char base[40] = "load";
  if (l->offset_N > 0) (void)snprintf(base, sizeof base, "(load + %.3g N)", l->offset_N);
  lab_card_add(card, "load exponent",
               (lab_property){.value = l->exponent, .u = u_exponent(l), .dof = l->dof, .unit = "1"},
               "force ~ %s^n, %.3g to %.3g N", base, l->knots[0].normal_force_N,
               l->knots[l->n_knots - 1].normal_force_N);
}

/* The repeated test at one load, as the fit recorded it with the law. */
static void add_repeats(lab_card *card, const fit_verdict *v) {
  for (size_t i = 0; i < v->n_angles; i++) {
    const fit_angle *a = &v->angles[i];
    bool repeated = a->n > 1 && !isnan(a->sd_mu);
    if (a->n == 0) continue;
    lab_card_add(card, "mean of repeats",
                 (lab_property){.value = a->mean_mu,
                                .u = repeated ? a->sd_mu / sqrt((double)a->n) : NAN,
                                .dof = repeated ? (double)a->n - 1 : NAN,
                                .unit = "1"},
                 "%g deg, %zu run%s, sd %.3g", a->angle_deg, a->n, CB_S(a->n),
                 isnan(a->sd_mu) ? 0 : a->sd_mu);
  }
}

void lab_card_say(lab_section *out, const char *words) {
  if (words[0]) cb_text_add(out->said, sizeof out->said, "; ", "%s", words);
}

/* As `fit friction` says it. */
static void describe_said(lab_section *out, const lab_friction *said, bool kinetic) {
  char words[LAB_WORDS];
  if (kinetic) {
    lab_card_say(out, lab_friction_senses_words(&said->verdict, words));
    lab_card_say(out, lab_friction_first_words(&said->verdict, words));
    if (said->verdict.wear.test.done && said->verdict.wear.test.p_value < FIT_WEAR_P)
      lab_card_say(out, lab_friction_wear_words(&said->verdict, words));
  }
  lab_card_say(out, lab_friction_lack_words(kinetic ? &said->kinetic : &said->stat, words));
}

static cb_status describe_law(cb_store *s, lab_card *card, lab_section *section, const exch_friction *f,
                              const lab_friction *said, cb_err *err) {
  bool kinetic = f->law.kind == CB_FRICTION_KINETIC;
  CB_TRY(describe_friction(s, f, kinetic ? &said->kinetic.fit : &said->stat.fit, section, err));
  add_coefficients(card, &f->law);
  describe_said(section, said, kinetic);
  if (kinetic) add_repeats(card, &said->verdict);
  return CB_OK;
}

static cb_status add_friction(cb_store *s, lab_card *card, const cb_material *m, const exch_friction *f,
                              cb_err *err) {
  lab_section *section;
  lab_friction said = {.n_runs = 0};
  CB_TRY(lab_card_begin(card, f->law.origin, f->created_at, &section, err));
  (void)snprintf(section->title, sizeof section->title, "%s friction %s %s",
                 cb_friction_kind_names[f->law.kind], m->kind == CB_CLOTH ? "on" : "under",
                 m->kind == CB_CLOTH ? f->law.body : f->law.cloth);
  cb_status st = lab_friction_verdicts_read(f->verdicts_json, f->law.kind, &said, err);
  /* Verdicts in another laboratory's words say nothing here. */
  if (st == CB_OK || st == CB_E_DB) st = describe_law(s, card, section, f, &said, err);
  lab_friction_clear(&said);
  return st;
}

/* ---- cloth on cloth ---- */

static cb_status describe_self_friction(cb_store *s, const cb_self_friction_row *row, lab_section *out,
                                        cb_err *err) {
  cb_run *runs;
  size_t n;
  (void)law_ref("self-friction", row->id, out->ref);
  (void)snprintf(out->form, sizeof out->form, "two tensors, %s", row->form);
  (void)snprintf(out->method, sizeof out->method, "%s", row->method);
  CB_TRY(cb_store_self_friction_runs(s, row->id, &runs, &n, err));
  out->n = n;
  out->n_what = "run";
  return describe_runs(s, runs, n, out, err);
}

static cb_status add_self_friction(cb_store *s, lab_card *card, const cb_material *m,
                                   const cb_self_friction_row *row, cb_err *err) {
  cb_self_friction_law law;
  lab_section *section;
  CB_TRY(lab_card_begin(card, row->origin, row->created_at, &section, err));
  (void)snprintf(section->title, sizeof section->title, "friction %s %s, both turned",
                 m->kind == CB_CLOTH ? "on" : "under", m->kind == CB_CLOTH ? row->body : row->cloth);
  CB_TRY(describe_self_friction(s, row, section, err));
  CB_TRY(cb_self_friction_parse(row, &law, err));
  double N = law.reference_N;
  for (int c = 0; c <= 90; c += 90)
    for (int b = 0; b <= 90; b += 90) {
      cb_friction_value v;
      cb_self_friction_eval(&law, c * CB_DEG, b * CB_DEG, N, &v);
      lab_card_add(card, "coefficient",
                   (lab_property){.value = v.force_N / N, .u = v.u_force_N / N, .dof = v.dof, .unit = "1"},
                   "%d deg on %d deg at %.3g N", c, b, N);
    }
  lab_card_add(card, "load exponent",
               (lab_property){.value = law.form.p[1], .u = sqrt(law.cov[1][1]), .dof = law.dof, .unit = "1"},
               "%s, %.3g to %.3g N", cb_self_exponent_names[law.exponent_from], law.min_N, law.max_N);
  return CB_OK;
}

static cb_status add_all_self_friction(cb_store *s, lab_card *card, const cb_material *m, cb_err *err) {
  cb_self_friction_row *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_self_friction_list(s, m->kind == CB_CLOTH ? m->id : 0, m->kind == CB_CLOTH ? 0 : m->id,
                                     &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_self_friction(s, card, m, &list[i], err);
  cb_self_friction_rows_free(list, n);
  return st;
}

cb_status lab_card_make(cb_store *s, const exch_material *m, lab_card *card, cb_err *err) {
  *card = (lab_card){.n = 0};
  cb_status st = add_facts(card, &m->facts, err);
  if (st == CB_OK) st = lab_card_laws(s, m, card, err);
  for (size_t i = 0; i < m->n_friction && st == CB_OK; i++)
    st = add_friction(s, card, &m->facts, &m->friction[i], err);
  if (st == CB_OK) st = add_all_self_friction(s, card, &m->facts, err);
  if (st == CB_OK) st = lab_card_drapes(s, &m->facts, card, err);
  if (st == CB_OK) st = lab_card_curves(s, &m->facts, card, err);
  if (st == CB_OK) st = lab_card_figures(s, &m->facts, card, err);
  if (st == CB_OK) st = lab_card_verdicts(s, &m->facts, card, err);
  if (st == CB_OK && card->full) st = cb_no_memory(err, "the card of '%s'", m->facts.name);
  if (st != CB_OK) lab_card_clear(card);
  return st;
}
