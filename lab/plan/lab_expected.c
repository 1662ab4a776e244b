#include "lab_expected.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "lab_friction.h"

/* Friction coefficients of cloth where nothing is known of it. */
#define MU_LOW 0.3
#define MU_HIGH 1.0
/* Static over kinetic force where no static force was measured. */
#define STATIC_RATIO 1.25
/* The pair's next sample may differ by so much from those measured, another pair's by this factor. */
#define SAMPLE_REL 0.2
#define OTHERS_FACTOR 1.5

const char *const lab_expected_from_names[] = {"pair", "others", "assumed", NULL};

/* ---- laws ---- */

cb_status lab_known_laws_read(cb_store *s, lab_known_laws *k, cb_err *err) {
  *k = (lab_known_laws){.n = 0};
  return s ? cb_store_laws(s, &k->list, &k->n, err) : CB_OK;
}

void lab_known_laws_clear(lab_known_laws *k) {
  free(k->list);
  *k = (lab_known_laws){.n = 0};
}

/* A pair without a law, or with one that cannot be fitted, is not known: that is no error here. */
static cb_status find_own(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                          bool is_real, lab_expected *e, cb_err *err) {
  e->own[kind] = malloc(sizeof *e->own[kind]);
  if (!e->own[kind]) return cb_no_memory(err, "the friction of '%s'", cloth);
  const cb_status st = lab_friction_law_find(s, cloth, body, kind, e->own[kind], NULL, err);
  if (st == CB_OK && cb_origin_is_real(e->own[kind]->origin) == is_real)
    e->laws[kind][e->n[kind]++] = e->own[kind];
  return st == CB_E_NOMEM || st == CB_E_DB ? st : CB_OK;
}

static bool is_other(const cb_friction_law *law, const char *cloth, const char *body, bool is_real) {
  return cb_origin_is_real(law->origin) == is_real &&
         (strcmp(law->cloth, cloth) == 0 || strcmp(law->body, body) == 0);
}

static void take_others(const lab_known_laws *known, const char *cloth, const char *body, bool is_real,
                        lab_expected *e) {
  for (size_t i = 0; i < known->n; i++)
    if (is_other(&known->list[i], cloth, body, is_real))
      e->laws[known->list[i].kind][e->n[known->list[i].kind]++] = &known->list[i];
}

static cb_status make_lists(size_t n, lab_expected *e, cb_err *err) {
  for (int kind = 0; kind < LAB_EXPECTED_SIDES; kind++) {
    e->laws[kind] = calloc(n, sizeof *e->laws[kind]);
    if (!e->laws[kind]) return cb_no_memory(err, "the laws of %zu pairs", n);
  }
  return CB_OK;
}

cb_status lab_expected_find(cb_store *s, const lab_known_laws *known, const char *cloth, const char *body,
                            bool is_real, lab_expected *e, cb_err *err) {
  *e = (lab_expected){.from = LAB_EXPECTED_ASSUMED};
  CB_TRY(make_lists(known->n + 1, e, err));
  if (s) CB_TRY(find_own(s, cloth, body, CB_FRICTION_KINETIC, is_real, e, err));
  const bool is_pair = e->n[CB_FRICTION_KINETIC] > 0;
  if (is_pair)
    CB_TRY(find_own(s, cloth, body, CB_FRICTION_STATIC, is_real, e, err));
  else
    take_others(known, cloth, body, is_real, e);
  e->n_others = is_pair ? 0 : e->n[CB_FRICTION_KINETIC];
  e->has_static = e->n[CB_FRICTION_STATIC] > 0;
  if (e->n[CB_FRICTION_KINETIC] > 0) e->from = is_pair ? LAB_EXPECTED_PAIR : LAB_EXPECTED_OTHERS;
  return CB_OK;
}

void lab_expected_clear(lab_expected *e) {
  for (int kind = 0; kind < LAB_EXPECTED_SIDES; kind++) {
    free(e->own[kind]);
    free(e->laws[kind]);
  }
  *e = (lab_expected){.from = LAB_EXPECTED_ASSUMED};
}

/* ---- forces ---- */

static cb_friction_value value_of(const cb_friction_law *law, double angle_deg, double N, double area_m2) {
  cb_friction_value v;
  const cb_friction_law on_area = cb_friction_law_on_area(law, area_m2);
  cb_friction_law_eval(&on_area, remainder(angle_deg, 180) * CB_DEG, N, &v);
  return v;
}

/* The 95 % interval, and what another sample may be. */
static lab_expected_force by_pair(const cb_friction_law *law, double angle_deg, double N, double area_m2) {
  const cb_friction_value v = value_of(law, angle_deg, N, area_m2);
  const double U = cb_student_t(0.95, v.dof) * v.u_force_N;
  return (lab_expected_force){fmax(0, v.force_N - U) * (1 - SAMPLE_REL), v.force_N,
                              (v.force_N + U) * (1 + SAMPLE_REL)};
}

static lab_expected_force by_others(const cb_friction_law *const *laws, size_t n, double angle_deg, double N,
                                    double area_m2) {
  double least = INFINITY, most = 0, logs = 0;
  for (size_t i = 0; i < n; i++) {
    const double F = value_of(laws[i], angle_deg, N, area_m2).force_N;
    least = fmin(least, F), most = fmax(most, F), logs += log(F);
  }
  return (lab_expected_force){least / OTHERS_FACTOR, exp(logs / (double)n), most * OTHERS_FACTOR};
}

static lab_expected_force scaled(lab_expected_force f, double factor) {
  return (lab_expected_force){f.low_N * factor, f.mid_N * factor, f.high_N * factor};
}

static lab_expected_force kinetic_at(const lab_expected *e, double angle_deg, double N, double area_m2) {
  const cb_friction_law *const *laws = (const cb_friction_law *const *)e->laws[CB_FRICTION_KINETIC];
  if (e->from == LAB_EXPECTED_PAIR) return by_pair(laws[0], angle_deg, N, area_m2);
  if (e->from == LAB_EXPECTED_OTHERS)
    return by_others(laws, e->n[CB_FRICTION_KINETIC], angle_deg, N, area_m2);
  return (lab_expected_force){MU_LOW * N, sqrt(MU_LOW * MU_HIGH) * N, MU_HIGH * N};
}

/* A static force is not below the kinetic one. */
static lab_expected_force not_below(lab_expected_force f, lab_expected_force least) {
  return (lab_expected_force){fmax(f.low_N, least.low_N), fmax(f.mid_N, least.mid_N),
                              fmax(f.high_N, least.high_N)};
}

lab_expected_force lab_expected_at(const lab_expected *e, cb_friction_kind kind, double angle_deg,
                                   double normal_force_N, double area_m2) {
  const double N = normal_force_N;
  const lab_expected_force kinetic = kinetic_at(e, angle_deg, N, area_m2);
  const cb_friction_law *const *laws = (const cb_friction_law *const *)e->laws[CB_FRICTION_STATIC];
  if (kind == CB_FRICTION_KINETIC) return kinetic;
  if (!e->has_static) return scaled(kinetic, STATIC_RATIO);
  return not_below(e->from == LAB_EXPECTED_PAIR
                       ? by_pair(laws[0], angle_deg, N, area_m2)
                       : by_others(laws, e->n[CB_FRICTION_STATIC], angle_deg, N, area_m2),
                   kinetic);
}
