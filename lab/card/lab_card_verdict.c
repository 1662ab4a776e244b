/* Verdicts on the card: the newest of every experiment and body. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_card_parts.h"

static bool is_of(const cb_validation *v, const cb_material *m) {
  return m->kind == CB_CLOTH ? v->cloth_id == m->id : v->body_id == m->id;
}

static bool same_kind(const cb_validation *a, const cb_validation *b) {
  return strcmp(a->experiment, b->experiment) == 0 && a->cloth_id == b->cloth_id && a->body_id == b->body_id;
}

/* The material at the other side; "": there is none. */
static void name_partner(const cb_material *list, size_t n, const cb_validation *v, const cb_material *m,
                         char out[80]) {
  const int64_t id = m->kind == CB_CLOTH ? v->body_id : v->cloth_id;
  out[0] = '\0';
  for (size_t i = 0; i < n; i++)
    if (id != 0 && list[i].id == id)
      (void)snprintf(out, 80, "%s %s, ", m->kind == CB_CLOTH ? "on" : "under", list[i].name);
}

static cb_status add_verdict(cb_store *s, const cb_material *m, const cb_validation *v, size_t n,
                             lab_card *card, cb_err *err) {
  cb_material *list;
  size_t n_materials;
  char partner[80];
  lab_section *section;
  CB_TRY(lab_card_begin(card, m->origin, v->created_at, &section, err));
  CB_TRY(cb_store_materials(s, &list, &n_materials, err));
  name_partner(list, n_materials, v, m, partner);
  free(list);
  (void)snprintf(section->title, sizeof section->title, "verdict on a predicted %s", v->experiment);
  section->dated = "newest of";
  section->n = n;
  section->n_what = "verdict";
  lab_card_add(card, "largest |E_n|", (lab_property){.value = v->worst_en, .u = NAN, .dof = NAN, .unit = "1"},
               "%s%s", partner, v->pass ? "pass" : "fail");
  return CB_OK;
}

cb_status lab_card_verdicts(cb_store *s, const cb_material *m, lab_card *card, cb_err *err) {
  cb_validation *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_validations(s, 0, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    bool newest = is_of(&list[i], m);
    size_t alike = 0;
    for (size_t k = i + 1; k < n; k++) newest = newest && !same_kind(&list[k], &list[i]);
    for (size_t k = 0; k < n; k++) alike += same_kind(&list[k], &list[i]);
    if (newest) st = add_verdict(s, m, &list[i], alike, card, err);
  }
  cb_validations_free(list, n);
  return st;
}
