#include "swp_estimate.h"

#include "cb_json_whole.h"
#include "swp_run_impl.h"

#define BYTES_OF_ROW 45 /* beside its numbers: 108 bytes were measured with 7 of them */
#define BYTES_OF_NUMBER 9

typedef struct probing {
  swp_estimate *out;
  void (*progress)(void *context, int done, int total);
} probing;

static cb_status take_probe(void *context, const swp_outcome *o, cb_err *err) {
  probing *p = context;
  swp_estimate *e = p->out;
  (void)err;
  e->probe[e->n++] = *o;
  e->failed += o->failed;
  e->seconds += (o->seconds - e->seconds) / e->n;
  p->progress(NULL, e->n, SWP_PROBES);
  return CB_OK;
}

cb_status swp_estimate_make(const swp_plan *plan, swp_play play, const cb_stop *stop,
                            void (*progress)(void *context, int done, int total), swp_estimate *out,
                            cb_err *err) {
  const int n = plan->n_cases, wanted[SWP_PROBES] = {0, n / 2, n - 1};
  int cases[SWP_PROBES], n_cases = 0;
  probing p = {out, progress};
  *out = (swp_estimate){.n = 0};
  for (int i = 0; i < SWP_PROBES; i++)
    if (n_cases == 0 || wanted[i] != cases[n_cases - 1]) cases[n_cases++] = wanted[i];
  const swp_work work = {plan, play, cases, n_cases, 1, NULL, stop, take_probe, &p};
  progress(NULL, 0, SWP_PROBES);
  CB_TRY(swp_run(&work, err));
  out->core_hours = out->seconds * n / 3600;
  out->bytes = (double)n * (BYTES_OF_ROW + BYTES_OF_NUMBER * (double)(plan->n_variables + plan->n_figures));
  return CB_OK;
}

json_t *swp_estimate_json(const swp_plan *plan, const swp_estimate *e) {
  json_t *list = json_array();
  for (int i = 0; i < e->n; i++) {
    const swp_outcome *o = &e->probe[i];
    cb_json_append(&list, json_pack("{s:i, s:f, s:b, s:s}", "case", o->index, "seconds", o->seconds, "failed",
                                    o->failed, "sentence", o->sentence));
  }
  return json_pack("{s:s, s:i, s:o, s:f, s:f}", "name", plan->name, "cases", plan->n_cases, "probes", list,
                   "core_hours", e->core_hours, "bytes", e->bytes);
}
