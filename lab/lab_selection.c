#include <ctype.h>
#include <string.h>

#include "lab_selection_impl.h"

bool lab_selection_is_partial(const lab_selection *sel) {
  return sel->lot || sel->rig || sel->campaign_id || sel->since || sel->until;
}

/* ---- dates ---- */

/* The beginning of a stamp, cut after its year, month, day, minute or second. */
static bool is_date(const char *text) {
  static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
  const size_t n = strlen(text);
  if (n != 4 && n != 7 && n != 10 && n != 16 && n != 19 && n != 20) return false;
  for (size_t i = 0; i < n; i++)
    if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i]) return false;
  return true;
}

static cb_status check_date(const char *name, const char *text, cb_err *err) {
  if (!text || is_date(text)) return CB_OK;
  return cb_fail(err, CB_E_ARG,
                 "--%s '%s': a date was wanted, such as 2026-11, 2026-11-24 or 2026-11-24T10:30", name, text);
}

cb_status lab_selection_check(const lab_selection *sel, cb_err *err) {
  CB_TRY(check_date("since", sel->since, err));
  return check_date("until", sel->until, err);
}

/* ---- runs ---- */

static bool passes(const lab_selection *sel, const cb_run *r) {
  if (sel->origin != LAB_ANY_ORIGIN && (int)r->origin != sel->origin) return false;
  if (sel->campaign_id && r->campaign_id != sel->campaign_id) return false;
  if (sel->rig && strcmp(r->source, sel->rig) != 0) return false;
  if (sel->since && strncmp(r->started_at, sel->since, strlen(sel->since)) < 0) return false;
  return !sel->until || strncmp(r->started_at, sel->until, strlen(sel->until)) <= 0;
}

static cb_status is_of_lot(cb_store *s, int64_t campaign_id, const char *lot, bool *is, cb_err *err) {
  char preset[32];
  cb_conditions c;
  CB_TRY(cb_store_conditions_get(s, campaign_id, preset, &c, err));
  *is = strcmp(c.cloth_lot, lot) == 0;
  return CB_OK;
}

cb_status lab_selection_keep(cb_store *s, const lab_selection *sel, cb_friction_obs *obs, size_t *n,
                             cb_err *err) {
  size_t kept = 0;
  int64_t asked = 0;
  bool is = true;
  for (size_t i = 0; i < *n; i++) {
    const int64_t campaign = obs[i].run.campaign_id;
    if (!passes(sel, &obs[i].run)) continue;
    if (sel->lot && campaign != asked) CB_TRY(is_of_lot(s, campaign, sel->lot, &is, err));
    asked = campaign;
    if (is) obs[kept++] = obs[i];
  }
  *n = kept;
  return CB_OK;
}
