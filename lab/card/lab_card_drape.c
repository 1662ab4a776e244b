/* Drapes on the card: mean and scatter of those that were measured alike. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_drape.h"
#include "lab_card_parts.h"

static bool alike(const cb_drape_test *a, const cb_drape_test *b) {
  return strcmp(a->method, b->method) == 0 && a->support_m == b->support_m &&
         a->specimen_m == b->specimen_m && a->origin == b->origin;
}

typedef struct moments {
  size_t n;
  double mean, sd, u_each; /* sd NAN of one; u_each: mean of the u that they have each, most of it shared
                              (scale) */
} moments;

static double value_of(const cb_drape_test *t, int what) {
  return what == 0 ? t->drape_coefficient : what == 1 ? t->nodes : t->node_height_m;
}

static moments over(const cb_drape_test *list, size_t n, const cb_drape_test *like, int what) {
  moments m = {0, 0, NAN, 0};
  double sum = 0, u = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    if (!alike(&list[i], like)) continue;
    m.n++;
    sum += value_of(&list[i], what);
    u += list[i].u_drape_coefficient;
  }
  m.mean = sum / (double)m.n;
  if (what == 0) m.u_each = u / (double)m.n;
  for (size_t i = 0; i < n; i++)
    if (alike(&list[i], like)) squares += pow(value_of(&list[i], what) - m.mean, 2);
  if (m.n > 1) m.sd = sqrt(squares / (double)(m.n - 1));
  return m;
}

static cb_status add_group(lab_card *card, const cb_drape_test *list, size_t n, size_t first, cb_err *err) {
  static const char *const names[] = {"drape coefficient", "nodes", "amplitude"}, *const units[] = {"1", "1",
                                                                                                    "m"};
  const cb_drape_test *like = &list[first];
  const char *date = like->created_at;
  for (size_t i = first; i < n; i++)
    if (alike(&list[i], like)) date = list[i].created_at;
  lab_section *s;
  CB_TRY(lab_card_begin(card, like->origin, date, &s, err));
  (void)snprintf(s->title, sizeof s->title, "drape");
  (void)snprintf(s->form, sizeof s->form, "%s", like->method);
  (void)snprintf(s->source, sizeof s->source, "%s", like->source);
  s->dated = "newest of";
  s->n_what = "drape";
  for (int what = 0; what < 3; what++) {
    if (isnan(value_of(like, what))) continue;
    moments m = over(list, n, like, what);
    char scatter[40] = "";
    s->n = m.n;
    if (m.n > 1) (void)snprintf(scatter, sizeof scatter, ", sd %.2g", m.sd);
    lab_property p = {.value = m.mean, .unit = units[what], .u = what == 0 ? m.u_each : NAN, .dof = NAN};
    if (m.n > 1) {
      p.u = hypot(m.sd / sqrt((double)m.n), m.u_each);
      p.dof = (double)(m.n - 1);
    }
    lab_card_add(card, names[what], p, "%g cm on %g cm%s", 100 * like->specimen_m, 100 * like->support_m,
                 scatter);
  }
  return CB_OK;
}

cb_status lab_card_drapes(cb_store *s, const cb_material *m, lab_card *card, cb_err *err) {
  cb_drape_test *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_drapes(s, m->id, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    bool first = true;
    for (size_t k = 0; k < i && first; k++) first = !alike(&list[k], &list[i]);
    if (first) st = add_group(card, list, n, i, err);
  }
  free(list);
  return st;
}
