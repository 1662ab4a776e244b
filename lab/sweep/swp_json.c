/* What a sweep tells, as JSON documents: docs/reference/json/sim.md. */
#include "cb_json_whole.h"
#include "swp_home.h"

json_t *swp_tally_json(const swp_home *h, const swp_tally *t) {
  return json_pack("{s:s, s:s, s:i, s:i, s:i}", "name", h->plan.name, "folder", h->folder, "there", t->there,
                   "done", t->done, "failed", t->failed);
}

json_t *swp_standing_json(const swp_home *h, const swp_standing *s) {
  json_t *list = json_array();
  for (size_t i = 0; i < s->n_failures; i++)
    cb_json_append(&list, json_pack("{s:s, s:i, s:i}", "sentence", s->failure[i].sentence, "cases",
                                    s->failure[i].n, "first", s->failure[i].first));
  return json_pack("{s:s, s:i, s:i, s:i, s:i, s:o}", "name", h->plan.name, "cases", h->plan.n_cases, "done",
                   s->done, "failed", s->failed, "missing", s->missing, "failures", list);
}

json_t *swp_gathered_json(const swp_home *h, const swp_gathered *g) {
  return json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:s}", "name", h->plan.name, "folder",
                   h->folder, "files", g->files, "left_out", g->bad, "taken", g->rows.taken, "known",
                   g->rows.known, "differ", g->rows.differ, "done", g->sums.done, "failed", g->sums.failed,
                   "core_seconds", g->sums.seconds, "hash", g->hash);
}

json_t *swp_sensitivity_json(const swp_home *h, const char *figure, const swp_sensitivity *s) {
  json_t *list = json_array();
  for (size_t i = 0; i < h->plan.n_variables; i++) {
    const swp_index *x = &s->index[i];
    cb_json_append(&list, json_pack("{s:s, s:f, s:[ff], s:f, s:[ff]}", "name", h->plan.variable[i].name,
                                    "first", x->first, "first_95", x->first_low, x->first_high, "total",
                                    x->total, "total_95", x->total_low, x->total_high));
  }
  return json_pack("{s:s, s:s, s:i, s:o}", "name", h->plan.name, "of", figure, "rows", s->n_rows, "variables",
                   list);
}
