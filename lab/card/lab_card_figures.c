/* Stated figures on the card: a section for all that one source states by one method. */
#include <math.h>
#include <string.h>

#include "cb_store_figure.h"
#include "lab_card_parts.h"

static bool stand_together(const cb_material_figure *a, const cb_material_figure *b) {
  return a->origin == b->origin && strcmp(a->method, b->method) == 0 && strcmp(a->source, b->source) == 0;
}

static cb_status add_group(lab_card *card, size_t n, size_t first, cb_err *err) {
  const cb_material_figure *list = card->figures, *like = &list[first];
  const char *date = like->created_at;
  lab_section *s;
  for (size_t i = first; i < n; i++)
    if (stand_together(&list[i], like)) date = list[i].created_at;
  CB_TRY(lab_card_begin(card, like->origin, date, &s, err));
  (void)snprintf(s->title, sizeof s->title, "stated figures");
  (void)snprintf(s->form, sizeof s->form, "%s", like->method);
  (void)snprintf(s->source, sizeof s->source, "%s", like->source);
  s->dated = "newest of";
  s->n_what = "figure";
  for (size_t i = first; i < n; i++) {
    if (!stand_together(&list[i], like)) continue;
    s->n++;
    lab_card_add(card, list[i].name,
                 (lab_property){.value = list[i].value, .u = list[i].u, .dof = NAN, .unit = list[i].unit},
                 "%s", list[i].conditions);
  }
  return CB_OK;
}

cb_status lab_card_figures(cb_store *s, const cb_material *m, lab_card *card, cb_err *err) {
  size_t n;
  CB_TRY(cb_store_figures(s, m->id, &card->figures, &n, err));
  for (size_t i = 0; i < n; i++) {
    bool first = true;
    for (size_t k = 0; k < i && first; k++) first = !stand_together(&card->figures[k], &card->figures[i]);
    if (first) CB_TRY(add_group(card, n, i, err));
  }
  return CB_OK;
}
