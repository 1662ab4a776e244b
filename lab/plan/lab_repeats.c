#include "lab_repeats.h"

#include <stdio.h>

#include "cb_language.h"
#include "lab_friction.h"

cb_status lab_repeats_for(cb_store *s, const lab_repeats_wish *w, fit_repeats *out, size_t *n_runs,
                          cb_err *err) {
  const lab_selection sel = {.origin = w->is_real ? CB_MEASURED : CB_VIRTUAL};
  lab_friction f = {.n_runs = 0};
  cb_status st = s ? lab_friction_preview(s, w->cloth, w->body, &sel, &f, err) : CB_E_NOTFOUND;
  if (st == CB_OK || st == CB_E_NOTFOUND) {
    fit_repeats_for(st == CB_OK ? &f.kinetic.fit : NULL, w->u_shared_rel, w->pulls_per_repeat, w->band_rel,
                    out);
    *n_runs = st == CB_OK ? f.n_runs : 0;
    st = CB_OK;
  }
  lab_friction_clear(&f);
  return st;
}

void lab_repeats_say(const fit_repeats *r, size_t n_runs, char out[400]) {
  char from[120];
  if (r->basis == FIT_ASSUMED)
    (void)snprintf(from, sizeof from, "%s", _("taken, as the pair is not known"));
  else
    (void)snprintf(from, sizeof from, cb_tr_count("of %zu run", "of %zu runs", n_runs), n_runs);
  (void)snprintf(out, 400,
                 cb_tr_count("%d repeat comes to %.2g %% at 95 %%: repeats scatter by %.2g %% (%s), and %.2g "
                             "%% of calibration, load and laying stay however many there are.",
                             "%d repeats come to %.2g %% at 95 %%: repeats scatter by %.2g %% (%s), and %.2g "
                             "%% of calibration, load and laying stay however many there are.",
                             (unsigned long)r->n),
                 r->n, 100 * r->band_rel, 100 * r->scatter_rel, from, 100 * r->floor_rel);
}
